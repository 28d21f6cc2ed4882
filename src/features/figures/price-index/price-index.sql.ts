import { type RawBuilder, sql } from 'kysely'
import { asCellFilter, inPeriod, type SignedPart } from '#features/figures/parts/parts.rules.ts'
import { matchingAny } from '#features/figures/parts/parts.sql.ts'
import type { MovedSeries } from '#features/figures/price-index/contributions.rules.ts'
import type { Panel } from '#features/figures/price-index/measure.rules.ts'
import { hasRate, matching } from '#features/figures/rollups/rollups.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { addDays, dayMs, mondayOf, type Period } from '#shared/days.ts'

/** Unit of stored logarithms of prices, which are summed as integers. */
export const logUnit = 1e-12

/** ln(price in CDF) of a price, and its market. */
export type MarketLog = { market: number; log: number }

/**
 * Reads the weekly means of every series of a selection, from the Monday `start` to the day `end`, with the last day of
 * a price of each in the 14 days before `end`.
 *
 * @returns null, without reading the prices, where there are more than `most` series
 */
export async function readPanel(
  db: Db,
  parts: readonly SignedPart[],
  { start, end }: Period,
  most = Number.POSITIVE_INFINITY,
): Promise<Panel | null> {
  // Sorting the weeks in SQL would double the time: they normally arrive in order, and `meansOf` checks it.
  const { rows } = await sql<{
    product: number | null
    market: number
    weeks: string
    counts: string
    sums: string
    lastDay: string | null
  }>`
    with bound as materialized (select ${hasMoreSeries(parts, end, most)} as is_passed)
    select product_id as product, market_id as market, max(last) as "lastDay",
           string_agg(((week - ${start}::date) / 7)::text, ',') as weeks,
           string_agg(n::text, ',') as counts, string_agg(sum_log::text, ',') as sums
      from (${weeklyCells(parts, { start, end })}) cell where not (select is_passed from bound) group by 1, 2
     union all select null, null, null, null, null, null from bound where is_passed`.execute(db)
  const series = rows.flatMap(({ product, ...row }) => (product === null ? [] : [{ product, ...row }]))
  if (series.length < rows.length) return null
  const panel = series.map(({ weeks, counts, sums, ...each }) => ({
    ...each,
    ...meansOf(numbersOf(weeks), numbersOf(counts), numbersOf(sums)),
  }))
  return { start, series: panel, weeks: weeksBetween(start, end) + 1 }
}

/**
 * Reads the series of a selection for a change between two weeks of its index, with the weekly means from `start` to
 * the day `end` and their prices; `weight` is 0 for series that the index does not use. The statement and its result
 * take a quarter of the time of reading and fitting all means: the inflation of a city with ten million prices must be
 * answered in 150 ms.
 *
 * @param levels ln of the index in each week from the Monday `start` on
 */
export async function readMoved(
  db: Db,
  parts: readonly SignedPart[],
  { start, end }: Period,
  { levels, weeks: [from, to] }: { levels: readonly (number | null)[]; weeks: readonly [number, number] },
): Promise<(MovedSeries & { prices: number })[]> {
  const residual = (week: number) => sql`max("left") filter (where week = ${week}) - avg("left")`
  const { rows } = await sql<MovedSeries & { prices: number }>`
    with level as materialized (
      select at - 1 as week, level from unnest(${levels}::float8[]) with ordinality each (level, at)),
    mean as (
      select product_id, market_id, (week - ${start}::date) / 7 as week, sum(n::float8) as n,
             sum(sum_log::float8) / sum(n::float8) * ${logUnit}::float8 as log
        from (${weeklyCells(parts, { start, end }, rawCells)}) cell group by 1, 2, 3)
    select product_id as product, sum(n)::bigint as prices, (count("left") > 1)::integer as weight,
           1.0::float8 / greatest(count("left"), 1) as "weightOfMean",
           ${residual(from)} as before, ${residual(to)} as after
      from (select mean.*, log - level as "left" from mean left join level using (week)) deflated
     group by product_id, market_id`.execute(db)
  return rows
}

function numbersOf(text: string): number[] {
  return JSON.parse(`[${text}]`)
}

/**
 * Computes the mean of each week from its cells: a week may have several, one per currency and per lane of concurrent
 * writers.
 *
 * @param sums of logarithms, in `logUnit`
 */
function meansOf(weeks: number[], counts: readonly number[], sums: readonly number[]) {
  const meanOf = (sum: number, count: number) => Math.round(sum / count) * logUnit
  const isOneEach = weeks.every((week, i) => i === 0 || week > (weeks[i - 1] as number))
  if (isOneEach) return { weeks, counts, logs: sums.map((sum, i) => meanOf(sum, counts[i] as number)) }
  const length = Math.max(...weeks) + 1
  const [sumOf, countOf] = [new Float64Array(length), new Float64Array(length)]
  for (const [i, week] of weeks.entries()) {
    sumOf[week] = (sumOf[week] as number) + (sums[i] as number)
    countOf[week] = (countOf[week] as number) + (counts[i] as number)
  }
  const quoted = [...countOf.keys()].filter((week) => countOf[week] !== 0)
  return {
    weeks: quoted,
    counts: quoted.map((week) => countOf[week] as number),
    logs: quoted.map((week) => meanOf(sumOf[week] as number, countOf[week] as number)),
  }
}

/**
 * Builds rows of (product_id, market_id, week, n, sum_log, last), converted to CDF. Weekly cells answer for all or some
 * products in all markets; for some markets, and for the last days of an unfinished week, reading the raw prices is
 * faster.
 *
 * @param cells builds the cells from raw prices, either grouped by week or one row per price
 */
function weeklyCells(
  parts: readonly SignedPart[],
  { start, end }: Period,
  cells = countedCells,
): RawBuilder<unknown> {
  const selection = asCellFilter(parts)
  if (!selection || selection.marketIds) return cells(parts, { start, end })
  const lastMonday = mondayOf(end)
  const { productIds, currency } = selection
  return sql`
    select product_id, market_id, week, n, sum_log_cdf as sum_log, null::date as last from price_week_series
     where n > 0 and ${areGoods(parts)}
       and ${matching({ productIds, currency, startDate: start, endDate: addDays(lastMonday, -21) }, 'week')}
     union all ${cells(parts, { start: addDays(lastMonday, -14), end })}`
}

/** Does the same from raw prices. */
function countedCells(parts: readonly SignedPart[], period: Period): RawBuilder<unknown> {
  return sql`
    select product_id, market_id, week, sum(n) as n, round(sum(sum_log::float8))::bigint as sum_log, max(last) as last
      from (${rawCells(parts, period)}) quote group by 1, 2, 3`
}

/** A Monday before all prices. A remainder of days costs a tenth of extracting the day of the week. */
const aMonday = sql`date '0001-01-01'`

function rawCells(parts: readonly SignedPart[], { start, end }: Period): RawBuilder<unknown> {
  const inside = matchingAny(inPeriod(parts, { startDate: start, endDate: end }))
  return sql`
    select product_id, market_id, observed_on - (observed_on - ${aMonday}) % 7 as week, 1 as n,
           log_value + case currency when 'CDF' then 0 else (${dailyRates({ start, end })})[observed_on - ${start}::date + 1] end as sum_log,
           observed_on as last
      from price
     where ${inside} and ${hasRate('observed_on')} and ${areGoods(parts)}`
}

/**
 * Builds an array of the logarithms of the rates of all days of a period, evaluated only if a price is in dollars:
 * looking up the rate of each of 20 000 such prices took three quarters of the time. Days before the first rate hold 0:
 * no price of those days is read, and an array without nulls is faster to read.
 */
function dailyRates({ start, end }: Period): RawBuilder<unknown> {
  return sql`
    select array_agg(coalesce(log_rate_on(day::date, 'USD'), 0) order by day)
      from generate_series(${start}::date, ${end}::date, '1 day') day`
}

/** An index of several products uses goods only; wages, services and rates are only shown as single series. */
function areGoods(parts: readonly SignedPart[]): RawBuilder<boolean> {
  if (parts.every(({ wanted }) => wanted.productIds?.length === 1)) return sql`true`
  return sql`product_id <> all (array(
    select product.id from product join product_type type on type.id = type_id where type.kind <> 'good'))`
}

/**
 * Builds the condition that a selection has more than `most` series: true only if products times markets allow it, then
 * estimated from the four weeks that end with a day.
 */
function hasMoreSeries(parts: readonly SignedPart[], day: string, most: number): RawBuilder<boolean> {
  if (most === Number.POSITIVE_INFINITY) return sql`false`
  const count = (ids: readonly number[] | undefined, table: 'product' | 'market') =>
    ids ? sql`${ids.length}::bigint` : sql`(select count(*) from ${sql.table(table)})`
  const possible = parts.map(
    ({ wanted }) => sql`${count(wanted.productIds, 'product')} * ${count(wanted.marketIds, 'market')}`,
  )
  const start = addDays(mondayOf(day), -21)
  const selection = asCellFilter(parts)
  const found = selection
    ? sql`select distinct product_id, market_id from price_week_series
           where n > 0 and ${matching({ ...selection, startDate: start, endDate: day }, 'week')}`
    : sql`select distinct product_id, market_id from price
           where ${matchingAny(inPeriod(parts, { startDate: start, endDate: day }))}`
  return sql`case when greatest(${sql.join(possible)}) <= ${most} then false
                  else (select count(*) > ${most} from (${found} limit ${most + 1}) series) end`
}

/** Reads ln(price in CDF) of the prices of two windows of days, each with its market. */
export async function readWindows(
  db: Db,
  parts: readonly SignedPart[],
  windows: { before: Period; after: Period },
): Promise<{ before: MarketLog[]; after: MarketLog[] }> {
  const logs = (name: string, { start, end }: Period) => sql`
    select ${name}::text as name, market_id as market, sum_log::float8 as log from (${rawCells(parts, { start, end })}) quote`
  const { rows } = await sql<MarketLog & { name: string }>`
    ${logs('before', windows.before)} union all ${logs('after', windows.after)}`.execute(db)
  const of = (name: string) =>
    rows.flatMap((row) => (row.name === name ? [{ market: row.market, log: row.log * logUnit }] : []))
  return { before: of('before'), after: of('after') }
}

/**
 * Returns the last day, up to `until`, on which a selection has a price that can be converted; null where there is
 * none.
 */
export async function readLastDayOf(
  db: Db,
  parts: readonly SignedPart[],
  until: string | undefined,
): Promise<string | null> {
  if (parts.length === 0) return null
  const { rows } = await sql<{ day: string }>`
    select observed_on as day from price
     where ${matchingAny(inPeriod(parts, { endDate: until }))} and ${hasRate('observed_on')}
     order by observed_on desc limit 1`.execute(db)
  return rows[0]?.day ?? null
}

/**
 * Returns the mean natural logarithm of the rate in each week that has one, by Monday; a day without a rate uses the
 * last one before it.
 */
export async function readWeeklyRates(db: Db, { start, end }: Period): Promise<Map<string, number>> {
  const { rows } = await sql<{ week: string; log: number }>`
    select monday_of(day) as week, avg(log_rate)::float8 as log
      from (select day::date, log_rate_on(day::date, 'USD') as log_rate
              from generate_series(${start}::date, ${end}::date, '1 day') day offset 0) days
     where log_rate is not null group by 1`.execute(db)
  return new Map(rows.map(({ week, log }) => [week, log * logUnit]))
}

function weeksBetween(start: string, end: string): number {
  return Math.floor((Date.parse(end) - Date.parse(start)) / (7 * dayMs))
}
