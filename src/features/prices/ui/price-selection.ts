import { z } from 'zod'
import { prices } from '#features/prices/prices.contract.ts'
import { addDays, dayIn, dayInKinshasa } from '#shared/days.ts'
import { type DayRange, optionalQuery } from '#shared/fields.ts'
import { formatDate } from '#web/format.ts'
import { useListState } from '#web/list-state.ts'

/** Periods of the buttons above the chart, in days. */
export const periods = ['1', '7', '30', '90', 'all'] as const
export type PeriodChoice = (typeof periods)[number]

const screen = {
  name: 'prices',
  query: prices.list.query.and(
    z.object({ period: optionalQuery(z.enum(periods)).transform((value) => value ?? '30') }),
  ),
}

/** Returns the query of the list that an address of the screen selects: its own days, or those of its period. */
export function selectedBy(address: z.input<typeof screen.query>) {
  return queryOf(screen.query.parse(address))
}

function queryOf({ period, ...chosen }: z.output<typeof screen.query>) {
  const isWhole = period === 'all' || hasDays(chosen)
  return isWhole ? chosen : { ...chosen, ...lastDays(Number(period)) }
}

const hasDays = ({ startDate, endDate }: DayRange) => startDate !== undefined || endDate !== undefined

/** Returns the state of the prices screen, all of which is in its address. */
export function usePriceSelection() {
  const list = useListState(screen)
  const { period, ...chosen } = list.query
  const hasOwnDays = hasDays(chosen)
  const query = queryOf(list.query)
  const { page: _page, limit: _limit, sort: _sort, ...figures } = query
  const { productId: _product, marketId: _market, startDate: _first, endDate: _last, ...others } = figures
  return {
    list,
    /** Filters of the address, shown by the controls. */
    chosen,
    /** Query of the list, its pages and its files. */
    query,
    /** Query of the figures and the chart: the same prices. */
    figures,
    /** Whether filters other than product, market and days are active. */
    isNarrowed: Object.values(others).some((value) => value !== undefined),
    /** The pressed button; null when days were chosen one by one. */
    period: hasOwnDays ? null : period,
    setPeriod: (next: PeriodChoice) => list.set({ period: next, startDate: undefined, endDate: undefined }),
    periodText: hasOwnDays || period === 'all' ? daysText(chosen) : periodWords(period),
  }
}
export type PriceSelection = ReturnType<typeof usePriceSelection>

/** Returns « aujourd’hui », « 30 derniers jours ». */
export function periodWords(period: PeriodChoice): string {
  return period === 'all' ? 'toutes les dates' : period === '1' ? 'aujourd’hui' : `${period} derniers jours`
}

/** Returns today's calendar day in the time zone of most markets, `yyyy-mm-dd`. */
export function today(): string {
  return dayInKinshasa(new Date())
}

/** Returns the last day of a chart's axis: today, or the last day of the query when it is in the past. */
export function axisEnd({ endDate }: DayRange): string {
  const now = today()
  return endDate && endDate < now ? endDate : now
}

function lastDays(count: number): DayRange {
  // The day begins first in the east: prices collected there now belong to the selection too.
  const endDate = dayIn('Africa/Lubumbashi', new Date())
  // In the west it may still be the day before.
  return { startDate: count === 1 ? today() : addDays(endDate, 1 - count), endDate }
}

/** Returns « du 1 mars 2026 au 31 mars 2026 ». */
export function daysText({ startDate, endDate }: DayRange): string {
  if (!startDate) return endDate ? `jusqu’au ${formatDate(endDate)}` : 'toutes les dates'
  return endDate
    ? `du ${formatDate(startDate)} au ${formatDate(endDate)}`
    : `depuis le ${formatDate(startDate)}`
}
