import { prices } from '#features/prices/prices.contract.ts'
import type { PriceSelection } from '#features/prices/ui/price-selection.ts'
import { filterBarOf } from '#web/crud/filters.tsx'
import { formatTyped, groupTyped } from '#web/format.ts'
import { currencyOptions } from '#web/forms/currencies.ts'
import { periodControls } from '#web/forms/day-filter.tsx'
import { FilterText } from '#web/forms/suggestions.tsx'
import { useMay } from '#web/session.ts'
import { FilterSelect } from '#web/ui/filter-controls.tsx'
import { toast } from '#web/ui/toast.ts'

/** The filters that are seldom needed. They are the API's own, so its schema says what is wrong with them. */
export function MoreFilters({ selection: { list, chosen } }: { selection: PriceSelection }) {
  const may = useMay()
  const set = (changes: Record<string, string | undefined>) => {
    const parsed = prices.list.query.safeParse({ ...chosen, ...asText(chosen), ...changes })
    if (!parsed.success) return toast.error(parsed.error.issues[0]?.message ?? 'Filtre invalide')
    const { minPrice = 0, maxPrice = Number.POSITIVE_INFINITY } = parsed.data
    if (maxPrice < minPrice) return toast.error('Le maximum est plus petit que le minimum')
    const names = Object.keys(changes) as (keyof typeof parsed.data)[]
    list.set(Object.fromEntries(names.map((name) => [name, parsed.data[name]])))
  }
  const amount = (name: 'minPrice' | 'maxPrice', label: string) => (
    <FilterText
      label={label}
      inputMode="decimal"
      autoComplete="off"
      placeholder="–"
      className="sm:w-24"
      value={chosen[name] === undefined ? '' : formatTyped(chosen[name])}
      onChange={(value) => set({ [name]: groupTyped(value) || undefined })}
    />
  )
  return (
    <>
      {amount('minPrice', 'Prix minimum')}
      {amount('maxPrice', 'Prix maximum')}
      <FilterSelect
        label="Devise"
        allLabel="Toutes"
        value={chosen.currency ?? ''}
        options={currencyOptions}
        onChange={(currency) => set({ currency: currency || undefined })}
      />
      {Object.values(filterBarOf(periodControls, { query: chosen, set: list.set }).filters)}
      <FilterText
        label="Collecteur"
        className="sm:w-40"
        suggestions={may(prices.collectors.right) ? prices.collectors : undefined}
        value={chosen.collectorName ?? ''}
        onChange={(value) => set({ collectorName: value || undefined })}
      />
    </>
  )
}

/** What is chosen as an address has it. */
function asText(chosen: PriceSelection['chosen']): Record<string, string> {
  const given = Object.entries(chosen).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}
