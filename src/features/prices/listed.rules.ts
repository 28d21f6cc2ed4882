import { type ChartAddress, searchOf } from '#features/shares/shares.rules.ts'
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

/** Longest « last n days » of a shared link. */
export const mostSharedDays = 3_660

/**
 * Returns the filters as the query string of a shared link: a period that ends today becomes « the last n days », so
 * that the link follows the date.
 * @param today `yyyy-mm-dd`
 */
function sharedSearch({ startDate, endDate, ...others }: Selected, today: string): string {
  const isLast = typeof startDate === 'string' && (endDate === undefined || String(endDate) >= today)
  const days = isLast ? lengthInDays({ start: startDate, end: today }) : 0
  return days >= 1 && days <= mostSharedDays
    ? searchOf({ ...others, period: days })
    : datedSearch({ ...others, startDate, endDate })
}

/** Returns the filters as the query string of the screen of prices; a selection without days covers all dates. */
function datedSearch(selection: Selected): string {
  const isDated = selection.startDate !== undefined || selection.endDate !== undefined
  return searchOf(isDated ? selection : { ...selection, period: 'all' })
}

/** Returns the address of the list of prices of a selection. */
export function listOf(selection: Selected): string {
  return `${pricesPath}?${datedSearch(selection)}`
}

/**
 * Returns the address of the chart of a selection on the screen of prices.
 * @param today `yyyy-mm-dd`
 */
export function addressOfPrices(selection: Selected, today: string): ChartAddress {
  return {
    path: pricesPath,
    search: datedSearch(selection),
    publicSearch: sharedSearch(selection, today),
  }
}

const pricesPath = '/prices'
