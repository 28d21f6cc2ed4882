import type { DayRange } from '#features/prices/ui/price-selection.ts'
import { formatDate } from '#web/format.ts'

/** The days chosen one by one, as chips name them. */
export function chosenDays({ startDate, endDate }: DayRange) {
  return [
    { key: 'startDate' as const, name: 'Depuis le', text: startDate && formatDate(startDate) },
    { key: 'endDate' as const, name: 'Jusqu’au', text: endDate && formatDate(endDate) },
  ]
}
