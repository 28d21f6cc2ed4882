import { inOrder, reversedPeriod } from '#features/prices/prices.contract.ts'
import type { DayRange } from '#features/prices/ui/price-selection.ts'
import { FilterText } from '#web/forms/suggestions.tsx'
import { toast } from '#web/ui/toast.ts'

type DayFiltersProps = { days: DayRange; onChange: (days: DayRange) => void }

/** The first and the last day of a selection; one that would end before it starts is refused. */
export function DayFilters({ days: { startDate, endDate }, onChange }: DayFiltersProps) {
  const choose = (days: DayRange) =>
    inOrder({ startDate, endDate, ...days }) ? onChange(days) : toast.error(reversedPeriod.error)
  return (
    <>
      <FilterText
        label="Depuis le"
        type="date"
        className="sm:w-36"
        value={startDate ?? ''}
        onChange={(day) => choose({ startDate: day || undefined })}
      />
      <FilterText
        label="Jusqu’au"
        type="date"
        className="sm:w-36"
        value={endDate ?? ''}
        onChange={(day) => choose({ endDate: day || undefined })}
      />
    </>
  )
}
