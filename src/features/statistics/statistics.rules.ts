import { type PeriodName, periodDays } from '#features/statistics/statistics.contract.ts'

const dayMs = 86_400_000

export type Days = { startDate?: string | undefined; endDate?: string | undefined }
/** As the API shows it. */
export type ComparedDays = {
  startDate: string
  endDate: string
  previous: { startDate: string; endDate: string }
}

/**
 * A query with the days that it means: those it says, else those of the period it names, up to today.
 *
 * @param today `yyyy-mm-dd`
 */
export function withDays<Query extends Days & { period?: PeriodName | undefined }>(
  { period, ...query }: Query,
  today: string,
): Omit<Query, 'period'> {
  if (query.startDate !== undefined || query.endDate !== undefined || period === undefined) return query
  return { ...query, startDate: shift(today, 1 - periodDays[period]), endDate: today }
}

/** A period and the one just before, as long; null where it has no first day. */
export function comparedDaysOf({ startDate, endDate }: Days, today: string): ComparedDays | null {
  if (startDate === undefined) return null
  const end = endDate ?? (startDate > today ? startDate : today)
  const length = Math.round((Date.parse(end) - Date.parse(startDate)) / dayMs) + 1
  const previous = { startDate: shift(startDate, -length), endDate: shift(startDate, -1) }
  return { startDate, endDate: end, previous }
}

/** How far a count is from the one before, in percent; null where that was zero, or is not known. */
export function percentChange(now: number, before: number | null): number | null {
  if (before === null || before === 0) return null
  const change = (100 * (now - before)) / before
  return Number.isFinite(change) ? change : null
}

/** Rows with names of their own: of several that are called the same, what tells them apart stands before the name. */
export function namedApart<Row extends { name: string }>(
  rows: readonly Row[],
  detailOf: (row: Row) => string,
): Row[] {
  const called = Map.groupBy(rows, ({ name }) => name)
  return rows.map((row) =>
    called.get(row.name)?.length === 1 ? row : { ...row, name: `${detailOf(row)}, ${row.name}` },
  )
}

function shift(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
}
