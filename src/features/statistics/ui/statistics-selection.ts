import { rowsOfFigures } from '#features/prices/listed.rules.ts'
import { daysText, today } from '#features/prices/ui/price-selection.ts'
import { type PeriodName, periodDays, selectionFilters } from '#features/statistics/statistics.contract.ts'
import { addDays } from '#shared/days.ts'
import { listQuery } from '#shared/fields.ts'
import { capitalise } from '#web/format.ts'
import { useListState } from '#web/list-state.ts'

/** The periods in the order of their buttons. */
export const periodOptions = [
  { value: '1d', label: 'Aujourd’hui', name: 'Aujourd’hui' },
  { value: '7d', label: '7j', name: '7 derniers jours' },
  { value: '30d', label: '30j', name: '30 derniers jours' },
  { value: '90d', label: '90j', name: '90 derniers jours' },
  { value: '1y', label: '1 an', name: '12 derniers mois' },
] as const satisfies readonly { value: PeriodName; label: string; name: string }[]

const screen = { name: 'statistics', query: listQuery([]).extend(selectionFilters.shape) }

/** Returns the selection of the dashboards, stored in their address. */
export function useStatisticsSelection() {
  const list = useListState(screen)
  const { page: _page, limit: _limit, sort: _sort, ...query } = list.query
  const { startDate, endDate, period, ...chosen } = query
  const hasOwnDays = startDate !== undefined || endDate !== undefined
  const dated = {
    ...chosen,
    ...(hasOwnDays
      ? { startDate, endDate }
      : { startDate: addDays(today(), 1 - periodDays[period]), endDate: today() }),
  }
  const named = periodOptions.find(({ value }) => value === period)
  return {
    list,
    query,
    /** The filters without days. */
    chosen,
    /** The filters with the days of the period. */
    dated,
    /** The filters of the list of the prices behind the figures. */
    rows: rowsOfFigures(dated),
    /** The pressed button; null for custom days. */
    period: hasOwnDays ? null : period,
    setPeriod: (next: PeriodName) => list.set({ period: next, startDate: undefined, endDate: undefined }),
    periodText: hasOwnDays ? capitalise(daysText(query)) : (named?.name ?? ''),
  }
}
export type StatisticsSelection = ReturnType<typeof useStatisticsSelection>
