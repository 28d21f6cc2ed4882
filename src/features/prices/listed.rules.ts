import { searchOf } from '#features/shares/shares.rules.ts'
import { lengthInDays } from '#shared/days.ts'

/** Filters of a selection as the API reads them. */
export type Selected = Record<string, string | number | undefined>

/** The prices that the figures of a selection rest on: of several products, goods alone. */
export function rowsOfFigures(selection: Selected): Selected {
  const isOfSeveral = selection.productId === undefined && selection.kind === undefined
  return isOfSeveral ? { ...selection, kind: 'good' } : selection
}

/**
 * The filters of a selection in an address that is shared: days up to today become so many last days, which go on with time.
 *
 * @param today `yyyy-mm-dd`
 */
export function sharedSearch({ startDate, endDate, ...others }: Selected, today: string): string {
  const isLast = typeof startDate === 'string' && (endDate === undefined || String(endDate) >= today)
  const days = isLast
    ? { period: lengthInDays({ start: startDate, end: today }) }
    : startDate === undefined && endDate === undefined
      ? { period: 'all' }
      : { startDate, endDate }
  return searchOf({ ...others, ...days })
}

/** Where the prices of a selection are listed; one without days is of all dates. */
export function listOf(selection: Selected): string {
  const isDated = selection.startDate !== undefined || selection.endDate !== undefined
  return `/prices?${searchOf(isDated ? selection : { ...selection, period: 'all' })}`
}
