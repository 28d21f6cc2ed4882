import { z } from 'zod'
import { prices } from '#features/prices/prices.contract.ts'
import { addDays } from '#shared/days.ts'
import { type DayRange, optionalQuery } from '#shared/fields.ts'
import { DEFAULT_TIME_ZONE, formatDate } from '#web/format.ts'
import { useListState } from '#web/list-state.ts'

/** The last days, or all: the buttons above the chart. */
export const periods = ['1', '7', '30', '90', 'all'] as const
export type PeriodChoice = (typeof periods)[number]

const screen = {
  name: 'prices',
  query: prices.list.query.and(
    z.object({ period: optionalQuery(z.enum(periods)).transform((value) => value ?? '30') }),
  ),
}

/** What the prices screen shows, all of it in its address. */
export function usePriceSelection() {
  const list = useListState(screen)
  const { period, ...chosen } = list.query
  const { startDate, endDate } = chosen
  const hasOwnDays = startDate !== undefined || endDate !== undefined
  const query = hasOwnDays || period === 'all' ? chosen : { ...chosen, ...lastDays(Number(period)) }
  const { page: _page, limit: _limit, sort: _sort, ...figures } = query
  const { productId: _product, marketId: _market, startDate: _first, endDate: _last, ...others } = figures
  return {
    list,
    /** What the address asks, and what its controls show. */
    chosen,
    /** What the list, its pages and its files are about. */
    query,
    /** What the figures and the chart are about: the same prices. */
    figures,
    /** Whether more than the product, the market and the days narrows it. */
    isNarrowed: Object.values(others).some((value) => value !== undefined),
    /** The button pressed; none when the days were chosen one by one. */
    period: hasOwnDays ? null : period,
    setPeriod: (next: PeriodChoice) => list.set({ period: next, startDate: undefined, endDate: undefined }),
    periodText: hasOwnDays || period === 'all' ? daysText(chosen) : periodWords(period),
  }
}
export type PriceSelection = ReturnType<typeof usePriceSelection>

/** « aujourd’hui », « 30 derniers jours » */
export function periodWords(period: PeriodChoice): string {
  return period === 'all' ? 'toutes les dates' : period === '1' ? 'aujourd’hui' : `${period} derniers jours`
}

/** Today's calendar day where most markets are, `yyyy-mm-dd`. */
export function today(): string {
  return usualDays.format(new Date())
}

/** Where the axis of a chart of prices ends: today, or the last day asked for when it is over. */
export function axisEnd({ endDate }: DayRange): string {
  const now = today()
  return endDate && endDate < now ? endDate : now
}

// The Canadian way to write a day is the API's. Made once: every rendering asks, and making one takes as long as drawing.
const daysIn = (timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone })
const usualDays = daysIn(DEFAULT_TIME_ZONE)
const easternDays = daysIn('Africa/Lubumbashi')

function lastDays(count: number): DayRange {
  // Midnight comes first in the east: what is collected there now belongs to the selection too.
  const endDate = easternDays.format(new Date())
  // And in the west it may still be the day before.
  return { startDate: count === 1 ? today() : addDays(endDate, 1 - count), endDate }
}

/** « du 1 mars 2026 au 31 mars 2026 » */
export function daysText({ startDate, endDate }: DayRange): string {
  if (!startDate) return endDate ? `jusqu’au ${formatDate(endDate)}` : 'toutes les dates'
  return endDate
    ? `du ${formatDate(startDate)} au ${formatDate(endDate)}`
    : `depuis le ${formatDate(startDate)}`
}
