import { listMarketPrices, type MarketPrices } from '#features/figures/activity/activity.sql.ts'
import { inMarkets, inPeriod } from '#features/figures/parts/parts.rules.ts'
import { estimateBeyondBudget, findPartsOfFigures } from '#features/figures/parts/parts.sql.ts'
import {
  endToReach,
  measureIndex,
  type Panel,
  solvePanel,
  weeksCompared,
  weeksRead,
} from '#features/figures/price-index/measure.rules.ts'
import { cutWeeks, movementOfSeries, trendOf } from '#features/figures/price-index/price-index.rules.ts'
import { type MarketLog, readWindows } from '#features/figures/price-index/price-index.sql.ts'
import { indexNames } from '#features/figures/stored-index/figures.rules.ts'
import { type PlaceIndex, readLive, readStoredPlaces } from '#features/figures/stored-index/indices.sql.ts'
import { wholeOf } from '#features/figures/summary/summary.routes.ts'
import { windowsOf } from '#features/figures/summary/summary.rules.ts'
import { countDollars, readTogether } from '#features/figures/summary/summary.sql.ts'
import {
  type MarketOnMap,
  mostPlaces,
  type PlaceFigures,
  type PriceMap,
  type ProvinceOnMap,
  readPriceMap,
} from '#features/map/map.contract.ts'
import { provinceNamed } from '#features/markets/markets.rules.ts'
import { withDays } from '#features/statistics/statistics.rules.ts'
import type { Db } from '#server/db/pool.ts'
import type { Api } from '#server/http/endpoint.ts'
import type { QueryOf } from '#shared/contract.ts'
import { addDays, dayMs, type Period } from '#shared/days.ts'
import { groupBy } from '#shared/group-by.ts'

const weekMs = 7 * dayMs

export function priceMapRoutes(api: Api, db: Db, today: () => string): void {
  api.on(readPriceMap, ({ query }) => readTogether(db, (snapshot) => readMap(snapshot, query, today())))
}

/** Computes the figures of each market and each province for a selection. */
export async function readMap(db: Db, query: QueryOf<typeof readPriceMap>, today: string): Promise<PriceMap> {
  const { startDate: first, endDate: last, ...chosen } = withDays(query, today)
  const endDate = last ?? (first !== undefined && first > today ? first : today)
  const startDate = first ?? addDays(endDate, -364)
  const period = { start: startDate, end: endDate }
  const isOfOneProduct = chosen.productId !== undefined
  const parts = await findPartsOfFigures(db, { ...chosen, startDate, endDate })
  const days = { startDate, endDate }
  if ((await estimateBeyondBudget(db, parts)) !== null) return { ...notCounted, days }
  const { markets, total } = await listMarketPrices(db, parts, { isOfOne: isOfOneProduct, limit: mostPlaces })
  const lastDay = markets
    .flatMap(({ lastDay }) => lastDay ?? [])
    .sort()
    .at(-1)
  const heard = markets.filter(({ prices }) => prices > 0).map(({ id }) => id)
  const isOfAll = wholeOf(chosen).indexName === indexNames.nation
  const measured = { start: startDate, end: lastDay ?? endDate }
  const compared = weeksCompared(period)
  const storedMap =
    (isOfAll && lastDay !== undefined && (await readStoredPlaces(db, measured, compared))) || null
  const stored = storedMap?.places ?? null
  const lastDaysOf = (ids: readonly number[]) =>
    markets.flatMap(({ id, lastDay }) => (lastDay && ids.includes(id) ? [lastDay] : []))
  const readSeries = async (ids: readonly number[], ends = lastDaysOf(ids)) => {
    const end = ends.sort()[0] ?? measured.end
    const { start } = weeksRead({ start: startDate, end }, compared)
    const own = ids.length < heard.length ? inMarkets(parts, ids) : parts
    return readLive(db, ids.length === 0 ? [] : own, { start, end: measured.end })
  }
  const visited = [...marketsOfPlaces(markets)].filter(([, ids]) => heard.some((id) => ids.has(id)))
  const marketsLacking = (isLocated: (place: string) => boolean) => [
    ...new Set(visited.flatMap(([name, ids]) => (isLocated(name) ? [] : [...ids]))),
  ]
  // If the places whose last value is older than the last week have too many series to fit, their stored index is used
  // anyway; it cannot give their change over a year.
  const whole = await readSeries(marketsLacking((name) => stored?.get(name)?.isBehind === false))
  const panel = whole ?? (stored && (await readSeries(marketsLacking((name) => stored.has(name)))))
  const used = [...(stored ?? [])].filter(([, { isBehind }]) => whole === null || !isBehind)
  const places = new Map<string, Place>(used)
  const reaching = visited.flatMap(([name, ids]) => {
    if (!panel || places.has(name)) return []
    const { end, ...place } = fitPlace(yearOf(panel, ids, period), period, today)
    places.set(name, place)
    return end === null ? [] : [{ name, ids, end, knownSeries: place.knownSeries }]
  })
  const wider = await readSeries(
    [...new Set(reaching.flatMap(({ ids }) => [...ids]))],
    reaching.map(({ end }) => end),
  )
  if (wider)
    for (const { name, ids, end, knownSeries } of reaching)
      places.set(name, { ...fitPlace(yearOf(wider, ids, period, end), period, today), knownSeries })
  const single = heard.filter((id) => places.get(indexNames.market(id))?.knownSeries === 1)
  const windowDays = windowsOf(period, false)
  const windows: MapFacts['windows'] =
    windowDays && single.length > 0
      ? { ...(await readWindows(db, inMarkets(inPeriod(parts, {}), single), windowDays)), days: windowDays }
      : { before: [], after: [], days: windowDays }
  const facts = { markets, places, windows, isOfOneProduct, today }
  const dollars = await countDollars(db, parts, wholeOf(chosen))
  return {
    days,
    total,
    ...drawnPlaces(facts),
    ...dollars,
    isTooLarge: panel === null,
    isEstimate: false,
    asOf: storedMap?.asOf ?? null,
  }
}

const notCounted: Omit<PriceMap, 'days'> = {
  total: 0,
  markets: [],
  provinces: [],
  converted: 0,
  atOldRate: 0,
  excluded: 0,
  isTooLarge: true,
  isEstimate: true,
  asOf: null,
}

/** The index of a place: its series, and its change up to its last week with a value. */
type Place = Pick<PlaceIndex, 'series' | 'knownSeries' | 'change'>

type MapFacts = {
  markets: readonly MarketPrices[]
  /** Places by the name of their index; a place with too many series is missing. */
  places: ReadonlyMap<string, Place>
  /** The prices of the two windows of days that the change of a single series compares, and these days. */
  windows: { before: readonly MarketLog[]; after: readonly MarketLog[]; days: ReturnType<typeof windowsOf> }
  isOfOneProduct: boolean
  today: string
}

/** Returns the ids of the markets of each place, by the name of its index. */
function marketsOfPlaces(markets: readonly MarketPrices[]): Map<string, ReadonlySet<number>> {
  const provinces = groupBy(markets, ({ province }) => provinceNamed(province))
  return new Map([
    ...markets.map(({ id }) => [indexNames.market(id), new Set([id])] as const),
    ...[...provinces].flatMap(([name, own]) =>
      name === null ? [] : [[indexNames.province(name), new Set(own.map(({ id }) => id))] as const],
    ),
  ])
}

/** Computes the figures of each market and each province. */
function drawnPlaces(facts: MapFacts): { markets: MarketOnMap[]; provinces: ProvinceOnMap[] } {
  const markets = facts.markets.map((market) => ({
    ...market,
    province: provinceNamed(market.province) ?? market.province,
  }))
  const byProvince = groupBy(markets, ({ province }) => provinceNamed(province))
  return {
    markets: markets.map(({ firstDay, ...market }) => ({
      ...market,
      ...figuresOf(indexNames.market(market.id), [{ ...market, firstDay }], facts),
    })),
    provinces: [...byProvince]
      .flatMap(([name, own]) =>
        name === null
          ? []
          : [
              {
                name,
                markets: own.filter(({ prices }) => prices > 0).length,
                ...figuresOf(indexNames.province(name), own, facts),
              },
            ],
      )
      .sort((a, b) => a.name.localeCompare(b.name, 'fr')),
  }
}

/**
 * Computes the figures of a group of markets.
 *
 * @param name of their stored index
 */
function figuresOf(name: string, markets: readonly MarketPrices[], facts: MapFacts): PlaceFigures {
  const ids = new Set(markets.map(({ id }) => id))
  const prices = markets.reduce((sum, market) => sum + market.prices, 0)
  const total = markets.reduce((sum, { level, prices }) => sum + (level ?? 0) * prices, 0)
  const days = markets.flatMap(({ firstDay, lastDay }) => [firstDay ?? [], lastDay ?? []].flat()).sort()
  const lastDay = days.at(-1) ?? null
  // A change needs at least two days with prices.
  const { change, isThin, series, products } = new Set(days).size < 2 ? nothing : changeOf(name, ids, facts)
  return {
    prices,
    series,
    products,
    lastDay,
    level: facts.isOfOneProduct && prices > 0 ? total / prices : null,
    change: change && { value: change.value, margin: change.margin, from: change.from, to: change.to },
    trend: trendOf(change),
    isLevelThin: prices < 3,
    isChangeThin: isThin,
    isStale: lastDay === null || lastDay < addDays(facts.today, -30),
  }
}

const nothing = { change: null, isThin: true, series: 0, products: 0 }
const unknown: Place = { change: null, series: 0, knownSeries: 0 }

/** Returns the change of a place: for a single series from its own prices, for several from their index. */
function changeOf(name: string, ids: ReadonlySet<number>, facts: MapFacts) {
  const { places, windows } = facts
  const { knownSeries: seriesCount, change, series } = places.get(name) ?? unknown
  if (seriesCount === 0) return nothing
  const logs = (all: readonly MarketLog[]) => all.flatMap(({ market, log }) => (ids.has(market) ? [log] : []))
  const [before, after] = [logs(windows.before), logs(windows.after)]
  if (seriesCount === 1) {
    const movement = windows.days && movementOfSeries(before, after)
    if (!windows.days || !movement) return { ...nothing, series: 1, products: 1 }
    const compared = { ...movement, from: windows.days.before.end, to: windows.days.after.end }
    const isThin = before.length < 3 || after.length < 3
    return { change: compared, isThin, series: 1, products: 1 }
  }
  return { change, isThin: change?.isThin ?? true, series, products: change?.products ?? 0 }
}

/**
 * Cuts a panel to the series of some markets and to the weeks that a period needs, ending with their own last week:
 * weeks without prices are not a change of zero.
 *
 * @param end the last day, where it is before that week
 */
function yearOf(panel: Panel, ids: ReadonlySet<number>, period: Period, end?: string): Panel {
  const own = panel.series.filter(({ market }) => ids.has(market))
  const weekAt = (day: string) => Math.floor((Date.parse(day) - Date.parse(panel.start)) / weekMs)
  const last = end ? weekAt(end) : Math.max(-1, ...own.map(({ weeks }) => weeks[weeks.length - 1] ?? -1))
  const read = weeksRead({ start: period.start, end: addDays(panel.start, 7 * last) }, weeksCompared(period))
  const first = Math.max(0, weekAt(read.start))
  const weeks = last - first + 1
  const series = cutWeeks(own, first, weeks).filter((each) => each.weeks.length > 0)
  return { ...panel, start: addDays(panel.start, 7 * first), weeks, series }
}

/**
 * Fits the index of a place. `end` is the day up to which its series must be read again, if its change needs earlier
 * weeks than those read.
 */
function fitPlace(panel: Panel, period: Period, today: string): Place & { end: string | null } {
  const knownSeries = panel.series.length
  if (knownSeries < 2) return { ...unknown, knownSeries, end: null }
  const index = solvePanel(panel)
  const { change, matchedSeries } = measureIndex(index, period, { isOpen: false, today })
  return { change, series: matchedSeries, knownSeries, end: endToReach(index, weeksCompared(period)) }
}
