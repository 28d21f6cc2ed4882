import { type RawBuilder, sql } from 'kysely'
import type { SignedPart } from '#features/figures/parts/parts.rules.ts'
import {
  type MeasuredChange,
  measuredChange,
  type Panel,
  type SolvedIndex,
  solvePanel,
  splicedIndex,
  weeksRead,
} from '#features/figures/price-index/measure.rules.ts'
import { marginsOf, windowWeeks } from '#features/figures/price-index/price-index.rules.ts'
import { readPanel } from '#features/figures/price-index/price-index.sql.ts'
import { spliceWindows, type WindowLevels } from '#features/figures/price-index/splice.rules.ts'
import { hasRate } from '#features/figures/rollups/rollups.sql.ts'
import { type IndexFigures, indexNames, solvedFrom } from '#features/figures/stored-index/figures.rules.ts'
import { scopeOf, windowStart } from '#features/figures/stored-index/fitting.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { addDays, dayMs, type Period } from '#shared/days.ts'

/** Highest number of series that a request reads and fits. */
const mostLive = 4_000

/**
 * The stored row of an index: its figures from a first Monday on, and when they were computed, if something was written
 * since.
 */
export type StoredIndex = IndexFigures & { name: string; start: string; asOf: string | null }

/** A selection, and the stored row of its index; null where none is stored. */
export type Indexed = { parts: readonly SignedPart[]; stored: StoredIndex | null }

/** The selection of all prices. */
const nation: readonly SignedPart[] = [{ wanted: {}, sign: 1 }]

/**
 * Returns the price indices of selections over some weeks: the stored index if nothing was written since; else fitted
 * now, up to 4 000 series; else the stored index, with the time at which it was computed.
 *
 * @param weeks at least a year (`weeksRead`)
 * @returns null for an index of more than 4 000 series that is not stored for these weeks
 */
export async function readIndices(
  db: Db,
  indexed: readonly Indexed[],
  weeks: Period,
): Promise<(SolvedIndex | null)[]> {
  const indices: (SolvedIndex | null)[] = []
  for (const each of indexed) indices.push(await readIndex(db, each, weeks))
  return indices
}

/** Does the same for the whole country. */
export async function readNationalIndex(db: Db, period: Period): Promise<SolvedIndex | null> {
  const stored = await readStoredIndex(db, indexNames.nation)
  const [index = null] = await readIndices(db, [{ parts: nation, stored }], weeksRead(period))
  return index
}

async function readIndex(db: Db, { parts, stored }: Indexed, weeks: Period): Promise<SolvedIndex | null> {
  const shown = await readShown(db, stored, weeks)
  if (shown) return spliced(shown, weeks.start)
  const panel = stored && isTooLarge(stored) ? null : await readLive(db, parts, weeks)
  if (panel) return solvePanel(panel)
  return stored && readStored(db, stored, weeks)
}

/**
 * Returns a stored index whatever its age; null where `weeks` ends before its last price, or where windows of its years
 * are missing.
 */
export async function readStored(db: Db, stored: StoredIndex, weeks: Period): Promise<SolvedIndex | null> {
  const shown = await readShown(db, stored, weeks, { canBeFitted: false })
  return shown && spliced(shown, weeks.start)
}

/** Reads the panel that a request fits an index to; null for more than 4 000 series. */
export async function readLive(db: Db, parts: readonly SignedPart[], weeks: Period): Promise<Panel | null> {
  if (parts.length === 0) return { start: weeks.start, weeks: 1, series: [] }
  return readPanel(db, parts, weeks, mostLive)
}

function isTooLarge({ knownSeries }: StoredIndex): boolean {
  return knownSeries > mostLive
}

/**
 * Whether a stored index equals a fit of the 53 weeks up to a day. Never true of a single series, whose change is
 * measured from its own prices.
 */
function isCurrent({ asOf, start, knownSeries, lastDay }: StoredIndex, until: string): boolean {
  return asOf === null && start === windowStart(until) && until >= lastDay && knownSeries > 1
}

/**
 * Decides whether a stored index is shown: one small enough to be fitted now, only while it is current; a larger one,
 * for any period that ends at or after its last price.
 */
function isShown(stored: StoredIndex, until: string, canBeFitted = !isTooLarge(stored)): boolean {
  return canBeFitted ? isCurrent(stored, until) : until >= stored.lastDay
}

/**
 * A stored index over its year, and the windows that end with the weeks before its last, by the Mondays of these weeks.
 */
type Shown = {
  stored: StoredIndex
  index: SolvedIndex
  /** Null where some have never been fitted. */
  windows: ReadonlyMap<string, WindowLevels> | null
}

/**
 * Reads a stored index, if it may be shown for some weeks.
 *
 * @returns null where the index is to be fitted now
 */
async function readShown(
  db: Db,
  stored: StoredIndex | null,
  { start, end }: Period,
  { canBeFitted = stored !== null && !isTooLarge(stored) } = {},
): Promise<Shown | null> {
  if (!stored || !isShown(stored, end, canBeFitted)) return null
  const year = solvedFrom(stored, stored)
  if (start >= stored.start) return { stored, index: year, windows: new Map() }
  const found = await readStoredWindows(db, stored.name, {
    first: addDays(start, 7 * (windowWeeks - 1)),
    last: addDays(stored.start, 7 * (windowWeeks - 2)),
  })
  if (canBeFitted && found?.asOf !== null) return null
  const asOf = earliest(found?.asOf ?? null, stored.asOf)
  return { stored, index: { ...year, asOf }, windows: found?.windows ?? null }
}

/** Returns a stored index over the weeks from a Monday on; over several years it is spliced from the stored windows. */
function spliced({ stored, index, windows }: Shown, start: string): SolvedIndex | null {
  if (start >= stored.start) return index
  if (windows === null) return null
  const weeks = weeksIn({ start, end: addDays(stored.start, 7 * (windowWeeks - 1)) })
  const counted = [...windows].map(([week, levels]) => [weeksIn({ start, end: week }) - 1, levels] as const)
  const levels = spliceWindows(new Map([...counted, [weeks - 1, stored.levels]]), weeks)
  return splicedIndex(index, { start, levels })
}

/**
 * A stored index over a year, and the levels of the windows that end with weeks before its last, by the Mondays of
 * these weeks.
 */
export type StoredYear = {
  index: SolvedIndex
  windows: ReadonlyMap<string, WindowLevels>
  /** Whether it has more series than a request reads. */
  isTooLarge: boolean
}

/**
 * Returns the stored index of a name over the year that ends with a day, by the rule of `readIndices`.
 *
 * @returns null where it is to be fitted now
 */
export async function readStoredYear(db: Db, name: string, lastDay: string): Promise<StoredYear | null> {
  const stored = await readStoredIndex(db, name)
  const start = stored ? addDays(stored.start, -7 * windowWeeks) : lastDay
  const shown = await readShown(db, stored, { start, end: lastDay })
  return (
    shown && {
      index: shown.index,
      windows: shown.windows ?? new Map(),
      isTooLarge: isTooLarge(shown.stored),
    }
  )
}

function earliest(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other
  return one < other ? one : other
}

function weeksIn({ start, end }: Period): number {
  return Math.floor((Date.parse(end) - Date.parse(start)) / (7 * dayMs)) + 1
}

/** The index of a market or a province over a period: its series, and its change up to its last week with a value. */
export type PlaceIndex = {
  series: number
  knownSeries: number
  change: MeasuredChange | null
  /**
   * Whether its last week with a value is before the last week of all: the year that ends with it is then not the
   * stored one.
   */
  isBehind: boolean
}

export type StoredPlaces = { asOf: string | null; places: Map<string, PlaceIndex> }

/**
 * The stored indices of all markets and provinces, by their names, by the rule of `readIndices`; null where they are to be fitted
 * now. Those silent for two weeks have none.
 *
 * @param compared weeks between the two that the change of a place compares
 */
export async function readStoredPlaces(
  db: Db,
  period: Period,
  compared: number,
): Promise<StoredPlaces | null> {
  const whole = await readStoredIndex(db, indexNames.nation)
  const weeks = weeksRead(period)
  if (!whole || weeks.start < whole.start || !isShown(whole, weeks.end)) return null
  const at = (row: string, column: string) =>
    sql`errors[${sql.raw(row)} * (${sql.raw(row)} + 1) / 2 + ${sql.raw(column)} + 1]`
  const { rows } = await sql<{
    name: string
    from: number
    to: number
    before: number | null
    after: number | null
    squares: number | null
    quoted: number | null
    clusters: number
    series: number
    products: number
    knownSeries: number
  }>`
    with place as (
      select *, (select max(week) - 1 from generate_subscripts(levels, 1) week where levels[week] is not null) as last
        from price_index where scope in ('market', 'province')),
    compared as (select *, last - ${compared}::integer as first from place)
    select scope || ' ' || key as name, first as from, last as to, levels[first + 1] as before, levels[last + 1] as after,
           case when first >= 0 then ${at('last', 'last')} + ${at('first', 'first')} - 2 * ${at('last', 'first')} end as squares,
           least(quoted[first + 1], quoted[last + 1]) as quoted, clusters, series, products, known_series as "knownSeries"
      from compared`.execute(db)
  const mondayAt = (week: number) => addDays(whole.start, 7 * week)
  const places = new Map(
    rows.map(({ name, from, to, before, after, ...of }): [string, PlaceIndex] => {
      const { squares, quoted, clusters, series, products, knownSeries } = of
      const moved = from >= 0 &&
        before !== null &&
        after !== null && {
          value: Math.expm1(after - before),
          ...marginsOf({ clusters, quoted: quoted ?? 0, squares: squares ?? 0 }),
          series,
          products,
        }
      const change = moved ? measuredChange(moved, mondayAt(from), mondayAt(to)) : null
      return [name, { series, knownSeries, change, isBehind: to < windowWeeks - 1 }]
    }),
  )
  return { asOf: whole.asOf, places }
}

/** Returns the stored row of an index (city names in any case); null when there is none. */
export async function readStoredIndex(db: Db, name: string): Promise<StoredIndex | null> {
  const { rows } = await sql<{ stored: StoredIndex | null }>`select ${storedIndex(name)} as stored`.execute(
    db,
  )
  return rows[0]?.stored ?? null
}

/** Builds the same as a scalar expression, to use in another statement. */
export function storedIndex(name: string): RawBuilder<StoredIndex | null> {
  const { scope, key } = scopeOf(name)
  return sql`(select to_jsonb(stored) from (
    select scope || ' ' || key as name, start, levels, errors, quoted, clusters, series, products, known_series as "knownSeries",
           market_days as "marketDays", last_day as "lastDay", ${asOf} as "asOf"
      from price_index where scope = ${scope} and key = ${scope === 'city' ? sql`fold(${key})` : sql`${key}`}) stored)`
}

const asOf = sql`(select to_char(fitted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
                    from price_index_fit where exists (select from price_index_mark))`

/**
 * Reads a range of windows of an index, given by the Mondays of their last weeks: the levels of each (a window without
 * prices is missing), and the time at which they were computed, if something was written since. Returns null where some
 * have never been fitted.
 */
async function readStoredWindows(
  db: Db,
  name: string,
  { first, last }: { first: string; last: string },
): Promise<{ windows: Map<string, WindowLevels>; asOf: string | null } | null> {
  const { scope, key } = scopeOf(name)
  const { rows } = await sql<{
    areAllFitted: boolean | null
    asOf: string | null
    windows: [string, WindowLevels][]
  }>`
    select (select min(week) <= greatest(${first}::date, (select min(day) + 364 from price_day where n > 0 and ${hasRate('day')}))
                   and max(week) >= ${last}::date
              from price_index_window where scope = 'nation') as "areAllFitted",
           (select windows_at from price_index_fit
             where windows_from <= ${last}::date or exists (select from price_index_mark)) as "asOf",
           (select coalesce(json_agg(json_build_array(week, levels)), '[]')
              from price_index_window
             where scope = ${scope} and key = ${key} and week between ${first}::date and ${last}::date) as windows`.execute(
    db,
  )
  const [row] = rows
  return row?.areAllFitted ? { windows: new Map(row.windows), asOf: row.asOf } : null
}
