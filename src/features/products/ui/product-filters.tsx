import { ListFilter } from 'lucide-react'
import { useState } from 'react'
import { brandChoices } from '#features/brands/ui/choices.ts'
import { categoryChoices } from '#features/categories/ui/choices.ts'
import { typeChoices } from '#features/product-types/ui/choices.ts'
import type { products } from '#features/products/products.contract.ts'
import { useWritings } from '#features/products/ui/writings.ts'
import type { QueryOf } from '#shared/contract.ts'
import { formatNumber } from '#web/format.ts'
import { FilterText } from '#web/forms/suggestions.tsx'
import type { ListState } from '#web/list-state.ts'
import { Button } from '#web/ui/button.tsx'
import { Combobox } from '#web/ui/combobox.tsx'
import { FilterBar } from '#web/ui/filter-bar.tsx'
import { FilterSelect } from '#web/ui/filter-controls.tsx'
import { NARROW, useMediaQuery } from '#web/ui/media-query.ts'
import { SearchField } from '#web/ui/search-field.tsx'
import type { Option } from '#web/ui/use-options.ts'

type Query = QueryOf<typeof products.list>
type List = ListState<Query>

/** Search, category, type and brand; price range, currency, origin and format behind « Plus de filtres ». */
export function ProductFilters({ list }: { list: List }) {
  const { query, set } = list
  const isNarrow = useMediaQuery(NARROW)
  const [isOpen, setOpen] = useState(false)
  const category = categoryChoices.useOption(query.categoryId)
  const type = typeChoices.useOption(query.typeId)
  const brand = brandChoices.useOption(query.brandId)
  const chips = chipsOf(query, { category, type, brand }).map(({ key, text }) => ({
    key,
    label: text,
    onRemove: () => set({ [key]: undefined }),
  }))
  const more = chips.filter(({ key }) => !['categoryId', 'typeId', 'brandId'].includes(key)).length
  return (
    <FilterBar
      search={
        <SearchField
          label="Rechercher un produit"
          placeholder="Nom ou code…"
          value={query.search ?? ''}
          onChange={(search) => set({ search: search || undefined })}
        />
      }
      chips={chips}
      onReset={list.reset}
    >
      <Combobox
        label="Catégorie"
        hideLabel
        className="sm:w-52"
        placeholder="Toutes les catégories"
        value={category}
        search={categoryChoices.search}
        // A type is in one category only.
        onChange={(option) => set({ categoryId: idOf(option), typeId: undefined })}
      />
      <Combobox
        label="Type"
        hideLabel
        className="sm:w-48"
        placeholder="Tous les types"
        value={type}
        search={typeChoices.searchIn({ categoryId: query.categoryId })}
        onChange={(option) => set({ typeId: idOf(option) })}
      />
      <Combobox
        label="Marque"
        hideLabel
        className="sm:w-48"
        placeholder="Toutes les marques"
        value={brand}
        search={brandChoices.search}
        onChange={(option) => set({ brandId: idOf(option) })}
      />
      {!isNarrow && (
        <Button icon={ListFilter} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Moins de filtres' : 'Plus de filtres'}
          {!isOpen && more > 0 && ` (${more})`}
        </Button>
      )}
      {(isOpen || isNarrow) && <MoreFilters list={list} />}
    </FilterBar>
  )
}

function MoreFilters({ list: { query, set } }: { list: List }) {
  const { origins, formats } = useWritings()
  const amount = (key: 'minPrice' | 'maxPrice') => ({
    type: 'number',
    inputMode: 'decimal' as const,
    min: 0,
    step: 'any',
    className: 'sm:w-24',
    value: String(query[key] ?? ''),
    onChange: (value: string) => set({ [key]: value || undefined }),
  })
  const writing = (key: 'origin' | 'format') => ({
    className: 'sm:w-36',
    value: query[key] ?? '',
    onChange: (value: string) => set({ [key]: value || undefined }),
  })
  return (
    <>
      <FilterText label="Prix min." placeholder="0" {...amount('minPrice')} />
      <FilterText label="Prix max." placeholder="Sans" {...amount('maxPrice')} />
      <FilterSelect
        label="Devise"
        allLabel="Toutes"
        value={query.currency ?? ''}
        options={[
          { value: 'CDF', label: 'Franc (CDF)' },
          { value: 'USD', label: 'Dollar (USD)' },
        ]}
        onChange={(value) => set({ currency: value === 'CDF' || value === 'USD' ? value : undefined })}
      />
      <FilterText label="Origine" placeholder="Toutes" suggestions={origins} {...writing('origin')} />
      <FilterText label="Format" suggestions={formats} {...writing('format')} />
    </>
  )
}

type Names = Record<'category' | 'type' | 'brand', Option | null>

function chipsOf(query: Query, { category, type, brand }: Names): { key: string; text: string }[] {
  const named = (id: number | undefined, option: Option | null) => id !== undefined && (option?.label ?? '…')
  const figure = (value: number | undefined) => value !== undefined && formatNumber(value)
  const chips = [
    ['categoryId', 'Catégorie', named(query.categoryId, category)],
    ['typeId', 'Type', named(query.typeId, type)],
    ['brandId', 'Marque', named(query.brandId, brand)],
    ['minPrice', 'Prix minimum', figure(query.minPrice)],
    ['maxPrice', 'Prix maximum', figure(query.maxPrice)],
    ['currency', 'Devise', query.currency],
    ['origin', 'Origine', query.origin],
    ['format', 'Format', query.format],
  ] as const
  return chips.flatMap(([key, name, text]) => (text ? [{ key, text: `${name}\u00a0: ${text}` }] : []))
}

function idOf(option: Option | null): number | undefined {
  return option ? Number(option.value) : undefined
}
