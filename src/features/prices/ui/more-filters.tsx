import { useState } from 'react'
import { prices } from '#features/prices/prices.contract.ts'
import { useCollectors } from '#features/prices/ui/collectors.ts'
import type { PriceSelection } from '#features/prices/ui/price-selection.ts'
import { formatTyped } from '#web/format.ts'
import { SuggestField } from '#web/forms/suggestions.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { AmountField, DateField, SelectField } from '#web/ui/inputs.tsx'

type MoreFiltersProps = { selection: PriceSelection; onClose: () => void }

const names = ['minPrice', 'maxPrice', 'currency', 'startDate', 'endDate', 'collectorName'] as const
type Name = (typeof names)[number]

/** The filters that are seldom needed. They are the API's own, so its schema says what is wrong with them. */
export function MoreFilters({ selection: { list, chosen: query }, onClose }: MoreFiltersProps) {
  const [typed, setTyped] = useState<Record<Name, string>>(() => ({
    minPrice: query.minPrice === undefined ? '' : formatTyped(query.minPrice),
    maxPrice: query.maxPrice === undefined ? '' : formatTyped(query.maxPrice),
    currency: query.currency ?? '',
    startDate: query.startDate ?? '',
    endDate: query.endDate ?? '',
    collectorName: query.collectorName ?? '',
  }))
  const [errors, setErrors] = useState<Partial<Record<Name, string>>>({})
  const collectors = useCollectors()
  const field = (name: Name) => ({
    value: typed[name],
    error: errors[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setTyped((before) => ({ ...before, [name]: value }))
    },
  })
  const apply = () => {
    const parsed = prices.list.query.safeParse(typed)
    if (!parsed.success) {
      setErrors(Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path[0], message])))
      return
    }
    const { minPrice, maxPrice, currency, startDate, endDate, collectorName } = parsed.data
    if (minPrice !== undefined && maxPrice !== undefined && maxPrice < minPrice) {
      setErrors({ maxPrice: 'Le maximum est plus petit que le minimum' })
      return
    }
    list.set({ minPrice, maxPrice, currency, startDate, endDate, collectorName })
    onClose()
  }
  return (
    <Dialog open title="Plus de filtres" submitLabel="Appliquer" onSubmit={apply} onClose={onClose}>
      <div className="grid gap-4 sm:grid-cols-2">
        <AmountField label="Prix minimum" {...field('minPrice')} />
        <AmountField label="Prix maximum" {...field('maxPrice')} />
        <SelectField
          label="Devise"
          placeholder="Toutes"
          hint="Les bornes se comparent au prix dans sa propre devise."
          className="sm:col-span-2"
          options={[
            { value: 'CDF', label: 'Franc congolais (CDF)' },
            { value: 'USD', label: 'Dollar américain (USD)' },
          ]}
          {...field('currency')}
        />
        <DateField label="Depuis le" {...field('startDate')} />
        <DateField label="Jusqu’au" {...field('endDate')} />
        <SuggestField
          label="Collecteur"
          className="sm:col-span-2"
          suggestions={collectors}
          {...field('collectorName')}
        />
      </div>
    </Dialog>
  )
}
