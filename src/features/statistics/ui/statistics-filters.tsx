import { brandChoices } from '#features/brands/ui/choices.ts'
import { categoryChoices } from '#features/categories/ui/choices.ts'
import { marketChoices } from '#features/markets/ui/choices.ts'
import { withAllFilters } from '#features/prices/ui/price-filters.tsx'
import { productChoices } from '#features/products/ui/choices.ts'
import type { PeriodName } from '#features/statistics/statistics.contract.ts'
import { periodOptions, type StatisticsSelection } from '#features/statistics/ui/statistics-selection.ts'
import { type DeclaredFilter, filterBarOf } from '#web/crud/filters.tsx'
import { choiceFilter, selectFilter } from '#web/forms/choice-filter.tsx'
import { currencyOptions } from '#web/forms/currencies.ts'
import { periodControls } from '#web/forms/day-filter.tsx'
import { FilterBar } from '#web/ui/filter-bar.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { Segmented } from '#web/ui/segmented.tsx'

const chosenHere: readonly DeclaredFilter[] = [
  { key: 'categoryId', label: 'Catégorie', ...choiceFilter(categoryChoices, 'Toutes les catégories') },
  { key: 'marketId', label: 'Marché', ...choiceFilter(marketChoices, 'Tous les marchés') },
  { key: 'productId', label: 'Produit', ...choiceFilter(productChoices, 'Tous les produits') },
  { key: 'brandId', label: 'Marque', isExtra: true, ...choiceFilter(brandChoices, 'Toutes les marques') },
  {
    key: 'currency',
    label: 'Devise',
    isExtra: true,
    ...selectFilter(currencyOptions, 'Toutes'),
  },
  ...periodControls.map((filter) => ({ ...filter, isExtra: true })),
]
const filters = withAllFilters(chosenHere, { hasSearchBox: true })

type StatisticsFiltersProps = {
  selection: StatisticsSelection
  /** Whether the period is part of these filters. */
  hasPeriod?: boolean
}

/** Shows the filters: search, category, brand, market, product and period; active ones as chips. */
export function StatisticsFilters({ selection, hasPeriod = true }: StatisticsFiltersProps) {
  const { list, chosen, query } = selection
  return (
    <FilterBar
      {...filterBarOf(filters, { query, set: list.set })}
      search={
        <SearchField
          label="Rechercher un produit"
          placeholder="Produit…"
          value={chosen.search ?? ''}
          onChange={(search) => list.set({ search: search || undefined })}
        />
      }
      onReset={list.reset}
      end={hasPeriod && <PeriodButtons selection={selection} />}
    />
  )
}

/** Shows the buttons of periods; none is pressed for custom days. */
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
