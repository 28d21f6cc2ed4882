import { rolledUp, type SignedPart } from '#features/prices/listing/listing.rules.ts'
import { type SolvedIndex, solvePanel } from '#features/prices/price-index/measure.rules.ts'
import { type WindowLevels, windowWeeks } from '#features/prices/price-index/price-index.rules.ts'
import { panelOf, readPanel, type SeriesOfMarket } from '#features/prices/price-index/price-index.sql.ts'
import type { Period, Selection } from '#features/prices/rollups/rollups.rules.ts'
import { readChangesSince, type SeriesChange } from '#features/prices/stored-index/stored-index.sql.ts'
import type { Db } from '#server/db/pool.ts'

/** Solves the index of a selection over the weeks of a period; null where its series are too many (over 4 000). */
export type SolveIndex = (db: Db, parts: readonly SignedPart[], weeks: Period) => Promise<SolvedIndex | null>

/** What an index was solved from, and which changes that holds. */
type Remembered = {
  series: Map<string, SeriesOfMarket>
  windows: WindowLevels
  solved: SolvedIndex
  version: number
  means: number
}

/** So many series are read and solved while somebody waits. */
const mostLive = 4_000
/** Of all that is remembered together; 40 bytes each. */
const mostMeans = 600_000
/** Beyond so many series that changed, all are read again. */
const mostChanged = 300

export const solveAnew: SolveIndex = async (db, parts, weeks) => {
  const panel = await readPanel(db, parts, weeks, mostLive)
  return panel && solvePanel(panel)
}

/**
 * Solves indices and remembers the large ones last asked for: the next time it reads the series that were written since, and fits
 * the windows that these are in. Three years of a city take more than a second to read; its summary is to be there in
 * 150 ms, also right after a write. The answer is that of `solveAnew`, of the same moment.
 *
 * @param leastMeans of fewer weekly means nothing is remembered: they are read again in a few hundredths of a second
 */
export function createIndexMemory(leastMeans = 10_000): SolveIndex {
  const memory = new Map<string, Remembered>()

  function remember(key: string, one: Remembered): void {
    memory.delete(key)
    memory.set(key, one)
    let means = 0
    for (const [name, { means: own }] of [...memory].reverse()) {
      means += own
      if (means > mostMeans) memory.delete(name)
    }
  }

  return async (db, parts, weeks) => {
    const selection = rolledUp(parts)
    if (!selection) return solveAnew(db, parts, weeks)
    const { startDate: _start, endDate: _end, ...chosen } = selection
    const key = JSON.stringify([weeks, chosen])
    const known = memory.get(key)
    if (known && (await bringUpToDate(db, known, selection, weeks))) {
      remember(key, known)
      return known.solved
    }
    memory.delete(key)
    const panel = await readPanel(db, parts, weeks, mostLive)
    if (!panel) return null
    const windows: WindowLevels = new Map()
    const solved = solvePanel(panel, windows)
    const means = panel.series.reduce((sum, each) => sum + each.weeks.length, 0)
    if (means >= leastMeans && means <= mostMeans) {
      const series = new Map(panel.series.map((each) => [keyOf(each), each]))
      remember(key, { series, windows, solved, version: panel.version, means })
    }
    return solved
  }
}

/** Puts the series that were written since in the place of what was known of them; false where these are too many, or not known. */
async function bringUpToDate(
  db: Db,
  known: Remembered,
  selection: Selection,
  weeks: Period,
): Promise<boolean> {
  const changes = await readChangesSince(db, known.version)
  if (!changes) return false
  const changed = changes.series.filter((each) => isOf(selection, each) || known.series.has(keyOf(each)))
  if (changed.length > mostChanged) return false
  const fresh = changed.length > 0 ? await readSeries(db, selection, weeks, changed) : []
  // From here on nothing is waited for: another answer may be under way on the same series.
  const now = new Map(fresh.map((each) => [keyOf(each), each]))
  for (const key of new Set(changed.map(keyOf))) {
    const after = now.get(key)
    forgetWindows(known.windows, known.series.get(key), after)
    if (after) known.series.set(key, after)
    else known.series.delete(key)
  }
  if (changed.length > 0) known.solved = solvePanel(panelOf(weeks, [...known.series.values()]), known.windows)
  known.version = changes.version
  return true
}

/** The series of some products in some markets, those among them that changed. */
async function readSeries(
  db: Db,
  selection: Selection,
  weeks: Period,
  changed: readonly SeriesChange[],
): Promise<readonly SeriesOfMarket[]> {
  const productIds = [...new Set(changed.map(({ product }) => product))]
  const marketIds = [...new Set(changed.map(({ market }) => market))]
  const panel = await readPanel(db, [{ wanted: { ...selection, productIds, marketIds }, sign: 1 }], weeks)
  const keys = new Set(changed.map(keyOf))
  return panel?.series.filter((each) => keys.has(keyOf(each))) ?? []
}

/** Of several products an index takes goods only. */
function isOf({ productIds, marketIds }: Selection, { product, market, isGood }: SeriesChange): boolean {
  if (productIds ? !productIds.includes(product) : !isGood) return false
  return marketIds?.includes(market) ?? true
}

/** Forgets the windows that hold a week in which a series is not what it was. */
function forgetWindows(
  windows: WindowLevels,
  before: SeriesOfMarket | undefined,
  after: SeriesOfMarket | undefined,
): void {
  const logsOf = (series: SeriesOfMarket | undefined) =>
    new Map(series?.weeks.map((week, i) => [week, series.logs[i]]))
  const [old, now] = [logsOf(before), logsOf(after)]
  const weeks = [...old.keys(), ...now.keys()].filter((week) => old.get(week) !== now.get(week))
  for (const last of [...windows.keys()])
    if (weeks.some((week) => week <= last && week > last - windowWeeks)) windows.delete(last)
}

function keyOf({ product, market }: { product: number; market: number }): string {
  return `${product} ${market}`
}
