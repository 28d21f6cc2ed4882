import { Suspense } from 'react'
import { marketChoices } from '#features/markets/ui/choices.ts'
import type { PriceSelection } from '#features/prices/ui/price-selection.ts'
import { productChoices } from '#features/products/ui/choices.ts'
import { type DeclaredFilter, filterBarOf, periodChips } from '#web/crud/filters.tsx'
import { formatNumber } from '#web/format.ts'
import { choiceFilter } from '#web/forms/choice-filter.tsx'
import { lazyCode } from '#web/lazy-code.tsx'
import { useUser } from '#web/session.ts'
import { FilterBar } from '#web/ui/filter-bar.tsx'
import { SearchField } from '#web/ui/search-field.tsx'

const MoreFilters = lazyCode(() => import('#features/prices/ui/more-filters.tsx'), 'MoreFilters')

// Few addresses filter by them: the names of their rows come after the first figures.
function rare(name: 'CategoryChip' | 'TypeChip' | 'BrandChip' | 'KindChip') {
  const Chip = lazyCode(() => import('#features/prices/ui/rare-chips.tsx'), name)
  return (props: { value: string }) => (
    <Suspense fallback="…">
      <Chip {...props} />
    </Suspense>
  )
}

const choices: readonly DeclaredFilter[] = [
  { key: 'productId', label: 'Produit', ...choiceFilter(productChoices, 'Tous les produits') },
  { key: 'marketId', label: 'Marché', ...choiceFilter(marketChoices, 'Tous les marchés') },
  { key: 'location', label: 'Ville' },
  { key: 'province', label: 'Province' },
  { key: 'categoryId', label: 'Catégorie', chip: rare('CategoryChip') },
  { key: 'typeId', label: 'Type', chip: rare('TypeChip') },
  { key: 'kind', label: 'Nature', chip: rare('KindChip') },
  { key: 'brandId', label: 'Marque', chip: rare('BrandChip') },
  { key: 'minPrice', label: 'Prix minimum', chip: Amount },
  { key: 'maxPrice', label: 'Prix maximum', chip: Amount },
  { key: 'currency', label: 'Devise' },
  ...periodChips,
  { key: 'collectorName', label: 'Collecteur' },
  { key: 'collector', label: 'Collecteur' },
  { key: 'writtenBy', label: 'Saisi par', chip: Writer },
]

/** Product, market, search, and the rest behind « Plus de filtres »; those in force as chips. */
export function PriceFilters({ selection }: { selection: PriceSelection }) {
  const { list, chosen } = selection
  return (
    <FilterBar
      {...filterBarOf(choices, { query: chosen, set: list.set })}
      search={
        <SearchField
          label="Rechercher un prix"
          placeholder="Produit, marché, ville…"
          value={chosen.search ?? ''}
          onChange={(search) => list.set({ search: search || undefined })}
        />
      }
      onReset={list.reset}
      more={
        <Suspense>
          <MoreFilters selection={selection} />
        </Suspense>
      }
    />
  )
}

function Amount({ value }: { value: string }) {
  return formatNumber(Number(value))
}

function Writer({ value }: { value: string }) {
  return value === String(useUser().id) ? 'vous' : `le compte nº\u00a0${value}`
}
