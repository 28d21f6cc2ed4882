import { brandChoices } from '#features/brands/ui/choices.ts'
import { categoryChoices } from '#features/categories/ui/choices.ts'
import { marketChoices } from '#features/markets/ui/choices.ts'
import { chosenDays } from '#features/prices/ui/chosen-days.ts'
import { DayFilters } from '#features/prices/ui/day-filters.tsx'
import { productChoices } from '#features/products/ui/choices.ts'
import type { PeriodName } from '#features/statistics/statistics.contract.ts'
import { periodOptions, type StatisticsSelection } from '#features/statistics/ui/statistics-selection.ts'
import { chipsOf } from '#web/crud/chips.tsx'
import { Combobox } from '#web/ui/combobox.tsx'
import { FilterBar } from '#web/ui/filter-bar.tsx'
import { FilterSelect } from '#web/ui/filter-controls.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { Segmented } from '#web/ui/segmented.tsx'

const choices = {
  categoryId: { name: 'Catégorie', all: 'Toutes les catégories', ...categoryChoices },
  brandId: { name: 'Marque', all: 'Toutes les marques', ...brandChoices },
  marketId: { name: 'Marché', all: 'Tous les marchés', ...marketChoices },
  productId: { name: 'Produit', all: 'Tous les produits', ...productChoices },
} as const
type Key = keyof typeof choices
const keys = Object.keys(choices) as Key[]
const usual: readonly Key[] = ['categoryId', 'marketId', 'productId']

const currencies = ['CDF', 'USD'] as const
const currencyOptions = [
  { value: 'CDF', label: 'Franc congolais' },
  { value: 'USD', label: 'Dollar américain' },
]

type StatisticsFiltersProps = {
  selection: StatisticsSelection
  /** Whether the period is chosen here too. */
  hasPeriod?: boolean
}

/** Search, category, brand, market, product and period; those in force as chips. */
export function StatisticsFilters({ selection, hasPeriod = true }: StatisticsFiltersProps) {
  const { list, chosen, query } = selection
  const options = {
    categoryId: categoryChoices.useOption(chosen.categoryId),
    brandId: brandChoices.useOption(chosen.brandId),
    marketId: marketChoices.useOption(chosen.marketId),
    productId: productChoices.useOption(chosen.productId),
  }
  const inForce = [
    ...keys.map((key) => ({
      key,
      name: choices[key].name,
      text: chosen[key] !== undefined && (options[key]?.label ?? '…'),
    })),
    { key: 'currency' as const, name: 'Devise', text: chosen.currency },
    ...chosenDays(query),
  ]
  const comboboxOf = (key: Key) => (
    <Combobox
      label={choices[key].name}
      hideLabel
      className="sm:w-44 lg:w-52"
      placeholder={choices[key].all}
      value={options[key]}
      search={choices[key].search}
      onChange={(option) => list.set({ [key]: option ? Number(option.value) : undefined })}
    />
  )
  return (
    <FilterBar
      search={
        <SearchField
          label="Rechercher un produit"
          placeholder="Produit…"
          value={chosen.search ?? ''}
          onChange={(search) => list.set({ search: search || undefined })}
        />
      }
      chips={chipsOf(inForce, (key) => list.set({ [key]: undefined }))}
      onReset={list.reset}
      more={
        <>
          {comboboxOf('brandId')}
          <FilterSelect
            label="Devise"
            allLabel="Toutes"
            value={chosen.currency ?? ''}
            options={currencyOptions}
            onChange={(value) => list.set({ currency: currencies.find((each) => each === value) })}
          />
          <DayFilters days={query} onChange={list.set} />
        </>
      }
      filters={Object.fromEntries(usual.map((key) => [key, comboboxOf(key)]))}
      end={hasPeriod && <PeriodButtons selection={selection} />}
    />
  )
}

/** The period of the figures; none is pressed where days were chosen one by one. */
export function PeriodButtons({ selection: { period, setPeriod } }: { selection: StatisticsSelection }) {
  return (
    <Segmented<PeriodName | ''>
      label="Période"
      value={period ?? ''}
      onChange={(next) => next && setPeriod(next)}
      options={periodOptions}
    />
  )
}
