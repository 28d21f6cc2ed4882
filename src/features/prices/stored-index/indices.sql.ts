import { sql } from 'kysely'
import type { SignedPart } from '#features/prices/listing/listing.rules.ts'
import {
  type MeasuredChange,
  measuredChange,
  type SolvedIndex,
  solvePanel,
  weeksCompared,
  weeksRead,
} from '#features/prices/price-index/measure.rules.ts'
import { marginsOf, windowWeeks } from '#features/prices/price-index/price-index.rules.ts'
import { readPanel } from '#features/prices/price-index/price-index.sql.ts'
import { spliceWindows, type WindowLevels } from '#features/prices/price-index/sliding-window.rules.ts'
import { addDays, type Period } from '#features/prices/rollups/rollups.rules.ts'
import { indexNames, solvedFrom } from '#features/prices/stored-index/figures.rules.ts'
import {
  readStoredIndex,
  type StoredIndex,
  windowStart,
} from '#features/prices/stored-index/stored-index.sql.ts'
import { readStoredWindows } from '#features/prices/stored-index/windows.sql.ts'
import type { Db } from '#server/db/pool.ts'

/** So many series are read and solved while somebody waits. */
const mostLive = 4_000
/** Of more weekly means than these a stored index is given as of a second ago: to read and solve them takes more than 150 ms. */
const mostMeans = 50_000

/** A selection, and what is stored of its index; null where nothing is. */
type Indexed = { parts: readonly SignedPart[]; stored: StoredIndex | null }

/**
 * The price index of a selection over the weeks of a period and the year before its end: the stored one where that is what
 * a fit would give, else solved now.
 *
 * @returns null where the series are too many (over 4 000) and the index is not stored
 */
export async function readIndex(
  db: Db,
  { parts, stored }: Indexed,
  period: Period,
): Promise<SolvedIndex | null> {
  const weeks = weeksRead(period)
  if (stored && isOf(stored, weeks)) return solvedFrom(stored.start, stored)
  if (stored && isOfYears(stored, weeks) && isLarge(stored, weeks)) {
    const spliced = await readSpliced(db, stored, weeks.start)
    if (spliced) return spliced
  }
  // Counting the series again would take longer than all else.
  if (stored && stored.knownSeries > mostLive && weeks.start <= stored.start && weeks.end >= stored.lastDay)
    return null
  const panel =
    parts.length > 0
      ? await readPanel(db, parts, weeks, mostLive)
      : { start: weeks.start, weeks: 1, series: [], prices: 0, marketDays: [] }
  return panel && solvePanel(panel)
}

/** The same of the whole country. */
export async function readNationalIndex(db: Db, period: Period): Promise<SolvedIndex | null> {
  const stored = await readStoredIndex(db, indexNames.nation)
  return readIndex(db, { parts: [{ wanted: {}, sign: 1 }], stored }, period)
}

/** Whether some weeks are those of a stored index and years before. */
function isOfYears(stored: StoredIndex, { start, end }: Period): boolean {
  return start < stored.start && end >= stored.lastDay
}

/**
 * The index of years from the windows that are stored of them: every level is the one of a live fit. It rests on the series of
 * its last year; a change over more than that has no margin.
 *
 * @param start the Monday of its first week, before the weeks that are stored
 * @returns null where some of these windows have not been fitted yet
 */
export async function readSpliced(db: Db, stored: StoredIndex, start: string): Promise<SolvedIndex | null> {
  const last = addDays(stored.start, 7 * (windowWeeks - 1))
  const { windows, areAllFitted, movingFrom } = await readStoredWindows(db, stored.name, {
    first: addDays(start, 7 * (windowWeeks - 1)),
    last: addDays(last, -7),
  })
  if (!areAllFitted) return null
  const weeks = weeksIn({ start, end: last })
  const counted = [...windows].map(([week, levels]) => [weeksIn({ start, end: week }) - 1, levels] as const)
  const levels = spliceWindows(new Map([...counted, [weeks - 1, stored.levels]]), weeks)
  const lastYear = solvedFrom(stored.start, stored)
  return {
    ...lastYear,
    ...{ start, levels, movingFrom },
    movement(from, to) {
      const [before, after] = [levels[from] ?? null, levels[to] ?? null]
      if (before === null || after === null) return null
      const { series, products } = stored
      const own = lastYear.movement(from - weeks + windowWeeks, to - weeks + windowWeeks)
      return { margin: null, trendMargin: null, series, products, ...own, value: Math.expm1(after - before) }
    },
  }
}

/** A stored index over a year, and what the windows that end with weeks before its last are worth, by the Mondays of these weeks. */
export type LargeIndex = {
  index: SolvedIndex
  windows: ReadonlyMap<string, WindowLevels>
  /** From this Monday on prices were just written that these do not hold yet; null where they hold all. */
  movingFrom: string | null
  /** Whether its series are more than are read while somebody waits. */
  isTooLarge: boolean
  /** Whether prices were just written that it does not hold yet. */
  isBehind: boolean
}

/**
 * The stored index of a name over the year that ends with a day, where its series are so many that two years of them are not
 * solved while somebody waits.
 *
 * @returns null where it is not stored or, of series that can be read, not as of this moment
 */
export async function readLargeIndex(db: Db, name: string, lastDay: string): Promise<LargeIndex | null> {
  const stored = await readStoredIndex(db, name)
  if (!stored || lastDay < stored.lastDay) return null
  const isTooLarge = stored.knownSeries > mostLive
  if (!isTooLarge && stored.knownSeries * 2 * windowWeeks <= mostMeans) return null
  const range = { first: addDays(stored.start, -7), last: addDays(stored.start, 7 * (windowWeeks - 2)) }
  const { windows, areAllFitted, movingFrom } = await readStoredWindows(db, stored.name, range)
  if (!isTooLarge && (!areAllFitted || movingFrom !== null)) return null
  const index = solvedFrom(stored.start, stored)
  return { index, windows, movingFrom, isTooLarge, isBehind: stored.isBehind }
}

function weeksIn({ start, end }: Period): number {
  return Math.floor((Date.parse(end) - Date.parse(start)) / (7 * 86_400_000)) + 1
}

/** Whether a stored index is the one of some weeks: of few series as of this moment, of many as of a second ago. */
function isOf(stored: StoredIndex, weeks: Period): boolean {
  if (weeks.start < stored.start || weeks.end < stored.lastDay) return false
  if (isLarge(stored, weeks)) return true
  return !stored.isBehind && weeks.start === stored.start && windowStart(weeks.end) === stored.start
}

function isLarge({ knownSeries }: StoredIndex, weeks: Period): boolean {
  return knownSeries * weeksIn(weeks) > mostMeans
}

/** The index of a market or a province over a period: its series, and its change up to its last week with a value. */
export type PlaceIndex = {
  series: number
  knownSeries: number
  change: MeasuredChange | null
  /** Its last week with a value is before the last of all: the year that ends with it is not the one that is stored. */
  isBehind: boolean
}

/**
 * The stored indices of all markets and provinces, by their names, where they are what a fit over the weeks of a period
 * would give; null where that is not so. Those silent for two weeks have none. A map of a hundred thousand series would take seconds
 * to fit: it is to be there in 150 ms.
 */
export async function readStoredPlaces(db: Db, period: Period): Promise<Map<string, PlaceIndex> | null> {
  const nation = await readStoredIndex(db, indexNames.nation)
  if (!nation || !isOf(nation, weeksRead(period))) return null
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
    series: number
    products: number
    knownSeries: number
  }>`
    with place as (
      select *, (select max(week) - 1 from generate_subscripts(levels, 1) week where levels[week] is not null) as last
        from price_index where scope in ('market', 'province')),
    compared as (select *, last - ${weeksCompared(period)}::integer as first from place)
    select scope || ' ' || key as name, first as from, last as to, levels[first + 1] as before, levels[last + 1] as after,
           case when first >= 0 then ${at('last', 'last')} + ${at('first', 'first')} - 2 * ${at('last', 'first')} end as squares,
           least(quoted[first + 1], quoted[last + 1]) as quoted, series, products, known_series as "knownSeries"
      from compared`.execute(db)
  return new Map(
    rows.map(({ name, from, to, before, after, squares, quoted, series, products, knownSeries }) => {
      const isKnown = from >= 0 && before !== null && after !== null
      const moved = isKnown && {
        value: Math.expm1(after - before),
        ...marginsOf({ products, quoted: quoted ?? 0 }, squares ?? 0),
        ...{ series, products },
      }
      const mondayAt = (week: number) => addDays(nation.start, 7 * week)
      const change = moved ? measuredChange(moved, mondayAt(from), mondayAt(to)) : null
      return [name, { series, knownSeries, change, isBehind: to < windowWeeks - 1 }]
    }),
  )
}
