import type { ComponentType } from 'react'
import {
  type PriceFilterName,
  priceFilterNames,
  priceFilters,
} from '#features/figures/filters/filters.contract.ts'
import { prices } from '#features/prices/prices.contract.ts'
import type { shownFilters } from '#features/prices/ui/price-filters.tsx'
import type { PriceSelection } from '#features/prices/ui/price-selection.ts'
import { formatTyped, groupTyped } from '#web/format.ts'
import { selectFilter } from '#web/forms/choice-filter.tsx'
import { currencyOptions } from '#web/forms/currencies.ts'
import { dayControl } from '#web/forms/day-filter.tsx'
import { type FilterControlProps, FilterText } from '#web/forms/suggestions.tsx'
import { useMay } from '#web/session.ts'
import { toast } from '#web/ui/toast.ts'

/** The rarely used filters, validated by the API's own schema, which also gives the error messages. */
export function MoreFilters({ selection: { list, chosen } }: { selection: PriceSelection }) {
  const set = (changes: Record<string, string | undefined>) => {
    const parsed = prices.list.query.safeParse({ ...chosen, ...asText(chosen), ...changes })
    if (!parsed.success) return toast.error(parsed.error.issues[0]?.message ?? 'Filtre invalide')
    const { minPrice = 0, maxPrice = Number.POSITIVE_INFINITY } = parsed.data
    if (maxPrice < minPrice) return toast.error('Le maximum est plus petit que le minimum')
    const names = Object.keys(changes) as (keyof typeof parsed.data)[]
    list.set(Object.fromEntries(names.map((name) => [name, parsed.data[name]])))
  }
  return priceFilterNames.flatMap((name) => {
    // The record holds exactly the names whose control is behind « Plus de filtres ».
    const Control = (controls as Partial<Record<PriceFilterName, ComponentType<FilterControlProps>>>)[name]
    if (!Control) return []
    return [
      <Control
        key={name}
        label={priceFilters[name].label}
        value={chosen[name] === undefined ? '' : String(chosen[name])}
        onChange={(value) => set({ [name]: value || undefined })}
      />,
    ]
  })
}

/** Names of the filters behind « Plus de filtres ». */
type ExtraName = {
  [Name in PriceFilterName]: (typeof shownFilters)[Name]['at'] extends 'more' ? Name : never
}[PriceFilterName]

const controls: Record<ExtraName, ComponentType<FilterControlProps>> = {
  minPrice: AmountFilter,
  maxPrice: AmountFilter,
  currency: selectFilter(currencyOptions, 'Toutes').control,
  collectorName: CollectorFilter,
  startDate: dayControl('startDate'),
  endDate: dayControl('endDate'),
}

function AmountFilter({ value, onChange, ...rest }: FilterControlProps) {
  return (
    <FilterText
      {...rest}
      inputMode="decimal"
      autoComplete="off"
      placeholder="–"
      className="sm:w-24"
      value={value && formatTyped(Number(value))}
      onChange={(next) => onChange(groupTyped(next))}
    />
  )
}

function CollectorFilter(props: FilterControlProps) {
  const may = useMay()
  const suggestions = may(prices.collectors.right) ? prices.collectors : undefined
  return <FilterText {...props} className="sm:w-40" suggestions={suggestions} />
}

/** Returns the chosen filters as the text of an address. */
function asText(chosen: PriceSelection['chosen']): Record<string, string> {
  const given = Object.entries(chosen).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}
