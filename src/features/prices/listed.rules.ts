import { searchOf } from '#features/shares/shares.rules.ts'
import { lengthInDays } from '#shared/days.ts'

/** Filters of a selection in the format of the API. */
export type Selected = Record<string, string | number | undefined>

/**
 * Returns the filters of the prices that the figures of a selection are computed from: goods only, when there are
 * several products.
 */
export function rowsOfFigures(selection: Selected): Selected {
  const isOfSeveral = selection.productId === undefined && selection.kind === undefined
  return isOfSeveral ? { ...selection, kind: 'good' } : selection
}

/**
 * Returns the filters as the query string of a shared link: a period that ends today becomes « the last n days », so
 * that the link follows the date.
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

/** Returns the address of the list of prices of a selection; a selection without days covers all dates. */
export function listOf(selection: Selected): string {
  const isDated = selection.startDate !== undefined || selection.endDate !== undefined
  return `/prices?${searchOf(isDated ? selection : { ...selection, period: 'all' })}`
}
