import { Suspense } from 'react'
import { brandChoices } from '#features/brands/ui/choices.ts'
import { categoryChoices } from '#features/categories/ui/choices.ts'
import { marketChoices } from '#features/markets/ui/choices.ts'
import { chosenDays } from '#features/prices/ui/chosen-days.ts'
import type { PriceSelection } from '#features/prices/ui/price-selection.ts'
import { kindNames } from '#features/product-types/kinds.contract.ts'
import { typeChoices } from '#features/product-types/ui/choices.ts'
import { productChoices } from '#features/products/ui/choices.ts'
import { chipsOf } from '#web/crud/chips.tsx'
import { formatNumber } from '#web/format.ts'
import { lazyCode } from '#web/lazy-code.tsx'
import { useUser } from '#web/session.ts'
import { Combobox } from '#web/ui/combobox.tsx'
import { FilterBar } from '#web/ui/filter-bar.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import type { Option } from '#web/ui/use-options.ts'

const MoreFilters = lazyCode(() => import('#features/prices/ui/more-filters.tsx'), 'MoreFilters')

type PriceFiltersProps = { selection: PriceSelection; product: Option | null; market: Option | null }

/** Product, market, search, and the rest behind « Plus de filtres »; those in force as chips. */
export function PriceFilters({ selection, product, market }: PriceFiltersProps) {
  const { list, chosen: query } = selection
  const category = categoryChoices.useOption(query.categoryId)
  const type = typeChoices.useOption(query.typeId)
  const brand = brandChoices.useOption(query.brandId)
  const { id: userId } = useUser()
  const chips = chipsOf(filtersOf(query, { product, market, category, type, brand, userId }), (key) =>
    list.set({ [key]: undefined }),
  )
  return (
    <FilterBar
      search={
        <SearchField
          label="Rechercher un prix"
          placeholder="Produit, marché, ville…"
          value={query.search ?? ''}
          onChange={(search) => list.set({ search: search || undefined })}
        />
      }
      chips={chips}
      onReset={list.reset}
      filters={{
        productId: (
          <Combobox
            label="Produit"
            hideLabel
            className="sm:w-56"
            placeholder="Tous les produits"
            value={product}
            search={productChoices.search}
            onChange={(option) => list.set({ productId: idOf(option) })}
          />
        ),
        marketId: (
          <Combobox
            label="Marché"
            hideLabel
            className="sm:w-56"
            placeholder="Tous les marchés"
            value={market}
            search={marketChoices.search}
            onChange={(option) => list.set({ marketId: idOf(option) })}
          />
        ),
      }}
      more={
        <Suspense>
          <MoreFilters selection={selection} />
        </Suspense>
      }
    />
  )
}

type Named = Record<'product' | 'market' | 'category' | 'type' | 'brand', Option | null> & { userId: number }

/** What is selected by what, in words. */
function filtersOf(query: PriceSelection['chosen'], named: Named) {
  const nameOf = (id: number | undefined, option: Option | null) => id !== undefined && (option?.label ?? '…')
  const amountOf = (value: number | undefined) => value !== undefined && formatNumber(value)
  return [
    { key: 'productId', name: 'Produit', text: nameOf(query.productId, named.product) },
    { key: 'marketId', name: 'Marché', text: nameOf(query.marketId, named.market) },
    { key: 'location', name: 'Ville', text: query.location },
    { key: 'province', name: 'Province', text: query.province },
    { key: 'categoryId', name: 'Catégorie', text: nameOf(query.categoryId, named.category) },
    { key: 'typeId', name: 'Type', text: nameOf(query.typeId, named.type) },
    { key: 'kind', name: 'Nature', text: query.kind && kindNames[query.kind] },
    { key: 'brandId', name: 'Marque', text: nameOf(query.brandId, named.brand) },
    { key: 'minPrice', name: 'Prix minimum', text: amountOf(query.minPrice) },
    { key: 'maxPrice', name: 'Prix maximum', text: amountOf(query.maxPrice) },
    { key: 'currency', name: 'Devise', text: query.currency },
    ...chosenDays(query),
    { key: 'collectorName', name: 'Collecteur', text: query.collectorName },
    { key: 'collector', name: 'Collecteur', text: query.collector },
    {
      key: 'writtenBy',
      name: 'Saisi par',
      text:
        query.writtenBy !== undefined &&
        (query.writtenBy === named.userId ? 'vous' : `le compte nº\u00a0${query.writtenBy}`),
    },
  ] as const
}

function idOf(option: Option | null): number | undefined {
  return option ? Number(option.value) : undefined
}
