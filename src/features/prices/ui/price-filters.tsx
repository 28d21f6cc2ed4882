import { Suspense } from 'react'
import {
  type PriceFilterName,
  priceFilterNames,
  priceFilters,
} from '#features/figures/filters/filters.contract.ts'
import { marketChoices } from '#features/markets/ui/choices.ts'
import type { PriceSelection } from '#features/prices/ui/price-selection.ts'
import { productChoices } from '#features/products/ui/choices.ts'
import { type DeclaredFilter, filterBarOf } from '#web/crud/filters.tsx'
import { formatDate, formatNumber } from '#web/format.ts'
import { choiceFilter } from '#web/forms/choice-filter.tsx'
import { lazyCode } from '#web/lazy-code.tsx'
import { useUser } from '#web/session.ts'
import { FilterBar } from '#web/ui/filter-bar.tsx'
import { SearchField } from '#web/ui/search-field.tsx'

const MoreFilters = lazyCode(() => import('#features/prices/ui/more-filters.tsx'), 'MoreFilters')

// Few addresses use these filters: the code that names their rows is loaded after the first figures.
function rare(name: 'CategoryChip' | 'TypeChip' | 'BrandChip' | 'KindChip') {
  const Chip = lazyCode(() => import('#features/prices/ui/rare-chips.tsx'), name)
  return (props: { value: string }) => (
    <Suspense fallback="…">
      <Chip {...props} />
    </Suspense>
  )
}

/** Where a filter is chosen: beside the search, behind « Plus de filtres », or only through addresses and links. */
type Shown =
  | ({ at: 'bar' } & Pick<DeclaredFilter, 'control' | 'chip'>)
  | ({ at: 'more' | 'address' | 'search' } & Pick<DeclaredFilter, 'chip'>)

/** The control and the chip of each filter; a filter behind « Plus de filtres » has its control there. */
export const shownFilters = {
  search: { at: 'search' },
  productId: { at: 'bar', ...choiceFilter(productChoices, 'Tous les produits') },
  categoryId: { at: 'address', chip: rare('CategoryChip') },
  typeId: { at: 'address', chip: rare('TypeChip') },
  kind: { at: 'address', chip: rare('KindChip') },
  brandId: { at: 'address', chip: rare('BrandChip') },
  marketId: { at: 'bar', ...choiceFilter(marketChoices, 'Tous les marchés') },
  location: { at: 'address' },
  province: { at: 'address' },
  minPrice: { at: 'more', chip: Amount },
  maxPrice: { at: 'more', chip: Amount },
  currency: { at: 'more' },
  collectorName: { at: 'more' },
  collector: { at: 'address' },
  writtenBy: { at: 'address', chip: Writer },
  startDate: { at: 'more', chip: Day },
  endDate: { at: 'more', chip: Day },
} as const satisfies Record<PriceFilterName, Shown>

/** The filters of prices as data, except the search, which has its own box. */
const declaredFilters: readonly DeclaredFilter[] = priceFilterNames.flatMap((key) => {
  const { at, ...shown } = shownFilters[key]
  return at === 'search' ? [] : [{ key, label: priceFilters[key].label, ...shown }]
})

/** Adds chips for the filters of the address that the page has no control for. */
export function withAllFilters(
  chosenHere: readonly DeclaredFilter[],
  { hasSearchBox }: { hasSearchBox: boolean },
): readonly DeclaredFilter[] {
  const beyond = priceFilterNames.filter(
    (name) =>
      !chosenHere.some(({ key }) => key === name) && !(hasSearchBox && shownFilters[name].at === 'search'),
  )
  const chips = beyond.map((key) => {
    const { chip }: Shown = shownFilters[key]
    return { key, label: priceFilters[key].label, chip }
  })
  return [...chosenHere, ...chips]
}

/** Product, market, search and the filters behind « Plus de filtres », with a chip for each active one. */
export function PriceFilters({ selection }: { selection: PriceSelection }) {
  const { list, chosen } = selection
  return (
    <FilterBar
      {...filterBarOf(declaredFilters, { query: chosen, set: list.set })}
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

function Day({ value }: { value: string }) {
  return formatDate(value)
}
