import type { PriceFilter } from '#features/figures/filters/filters.contract.ts'
import type { SignedPart } from '#features/figures/parts/parts.rules.ts'
import { estimateBeyondBudget, findPartsOfFigures } from '#features/figures/parts/parts.sql.ts'
import {
  countSilent,
  endToReach,
  type Measured,
  measureIndex,
  weeksCompared,
  weeksRead,
} from '#features/figures/price-index/measure.rules.ts'
import { fewestProducts, trendOf } from '#features/figures/price-index/price-index.rules.ts'
import { readWindows } from '#features/figures/price-index/price-index.sql.ts'
import { indexNames } from '#features/figures/stored-index/figures.rules.ts'
import { readIndices } from '#features/figures/stored-index/indices.sql.ts'
import { type PriceSummary, summarisePrices } from '#features/figures/summary/summary.contract.ts'
import { changeOfLogs, windowsOf } from '#features/figures/summary/summary.rules.ts'
import {
  readFigures,
  readTogether,
  type Whole,
  type WholeFigures,
} from '#features/figures/summary/summary.sql.ts'
import { provinceNamed, spellingsOfProvince } from '#features/markets/markets.rules.ts'
import type { Db } from '#server/db/pool.ts'
import type { Api } from '#server/http/endpoint.ts'
import { addDays, lengthInDays, type Period } from '#shared/days.ts'

/** The figures that are computed from series, not from sums of all prices. */
type OfSeries = Measured &
  Pick<PriceSummary, 'unmeasured' | 'unlinked' | 'knownSeries' | 'silentMarkets' | 'isTooLarge' | 'asOf'>

const nothing: OfSeries = {
  change: null,
  unmeasured: null,
  unlinked: null,
  index: [],
  earlierIndex: [],
  knownSeries: 0,
  matchedSeries: 0,
  silentMarkets: 0,
  isTooLarge: false,
  asOf: null,
}
const nothingFound: WholeFigures = {
  count: 0,
  countInCdf: 0,
  countInUsd: 0,
  excluded: 0,
  atOldRate: 0,
  averagePrice: null,
  minPrice: null,
  maxPrice: null,
  firstDay: null,
  lastDay: null,
  lastCollectedAt: null,
  storedIndex: null,
  shares: null,
}

export function priceSummaryRoutes(api: Api, db: Db, today: () => string): void {
  api.on(summarisePrices, ({ query }) => readTogether(db, (snapshot) => summarise(snapshot, query, today())))
}

/**
 * Computes the figures of a selection; call it in one snapshot (`readTogether`) so that they all describe the same
 * prices.
 *
 * @param found its parts, if already resolved
 */
export async function summarise(
  db: Db,
  filter: PriceFilter,
  today: string,
  found?: readonly SignedPart[],
): Promise<PriceSummary> {
  const parts = found ?? (await findPartsOfFigures(db, filter))
  const estimate = await estimateBeyondBudget(db, parts)
  if (estimate !== null)
    return summaryOf({ ...nothingFound, count: estimate }, [], { ...nothing, isTooLarge: true }, true)
  const { whole, days } =
    parts.length > 0 ? await readFigures(db, parts, wholeOf(filter)) : { whole: nothingFound, days: [] }
  const period = periodOf(filter, whole)
  const ofSeries = period ? await readSeries(db, { filter, parts, period, whole, days, today }) : nothing
  return summaryOf(whole, days, ofSeries)
}

function summaryOf(
  whole: WholeFigures,
  days: PriceSummary['dailyPrices'],
  { change, ...ofSeries }: OfSeries,
  isEstimate = false,
): PriceSummary {
  const products = (whole.shares ?? []).filter((share) => share.dimension === 'product')
  return {
    currency: 'CDF',
    totalPrices: whole.count,
    isEstimate,
    excluded: whole.excluded,
    atOldRate: whole.atOldRate,
    averagePrice: whole.averagePrice,
    minPrice: whole.minPrice,
    maxPrice: whole.maxPrice,
    priceTrend: trendOf(change),
    inflation: change && change.products >= fewestProducts ? change.value : null,
    change,
    ...ofSeries,
    pricedDays: days.length,
    pricedProducts: products.length,
    lastCollectedAt: whole.lastCollectedAt,
    currencyDistribution: currenciesOf(whole),
    productDistribution: products.map(({ id, name, weight, count }) => ({ id, name, weight, count })),
    marketDistribution: (whole.shares ?? []).flatMap(({ dimension, id, name, count }) =>
      dimension === 'market' ? [{ id, name, count }] : [],
    ),
    dailyPrices: days,
  }
}

type DailyPrice = PriceSummary['dailyPrices'][number]

type OfPeriod = {
  filter: PriceFilter
  parts: readonly SignedPart[]
  period: Period
  whole: WholeFigures
  /** Days with prices. */
  days: PriceSummary['dailyPrices']
  today: string
}

async function readSeries(
  db: Db,
  { filter, parts, period, whole, days, today }: OfPeriod,
): Promise<OfSeries> {
  const indexed = { parts, stored: whole.storedIndex }
  const isOpen = filter.startDate === undefined
  const compared = isOpen ? 0 : weeksCompared(period)
  const read = async (end: string) => {
    const [index] = await readIndices(db, [indexed], weeksRead({ start: period.start, end }, compared))
    return index ?? null
  }
  const index = await read(whole.lastDay ?? period.end)
  if (!index) return { ...nothing, isTooLarge: true }
  const { knownSeries, marketDays } = index
  const end = endToReach(index, compared)
  const reaching = end && (await read(end))
  const used = reaching || index
  const measured = measureIndex(used, period, { isOpen, today })
  const silentMarkets = countSilent(marketDays, filter.endDate, today)
  const figures = { knownSeries, silentMarkets, isTooLarge: false, asOf: used.asOf }
  const ofSeries = { ...measured, ...figures, unmeasured: null, unlinked: null }
  if (days.length < 2) return { ...ofSeries, change: null }
  const last = measured.index.at(-1)?.week
  if (knownSeries !== 1)
    return measured.change || isOpen || last === undefined
      ? ofSeries
      : { ...ofSeries, unlinked: { from: addDays(last, -7 * compared), to: last } }
  return { ...ofSeries, ...(await measureSeries(db, parts, { period, isOpen, last: days.at(-1) })) }
}

/** Returns what a selection covers completely, whatever its days. */
export function wholeOf({ startDate: _start, endDate: _end, kind, ...filters }: PriceFilter): Whole {
  const whole = { indexName: null, categoryId: null, place: null }
  if (kind !== undefined && kind !== 'good') return whole
  const chosen = Object.entries(filters).filter(([, value]) => value !== undefined)
  if (chosen.length === 0) return { ...whole, indexName: indexNames.nation }
  if (chosen.length > 1) return whole
  const { categoryId, location, province, marketId } = filters
  if (location) return { ...whole, place: { location }, indexName: indexNames.city(location) }
  const official = province === undefined ? null : provinceNamed(province)
  if (official !== null) {
    return {
      ...whole,
      place: { province: spellingsOfProvince(official) },
      indexName: indexNames.province(official),
    }
  }
  if (marketId !== undefined) return { ...whole, indexName: indexNames.market(marketId) }
  if (categoryId !== undefined) return { ...whole, categoryId, indexName: indexNames.category(categoryId) }
  return whole
}

/**
 * Measures the change of one series over a period; where there is none, the reason, and the change up to its last day
 * with a price.
 */
async function measureSeries(
  db: Db,
  parts: readonly SignedPart[],
  { period, isOpen, last }: { period: Period; isOpen: boolean; last: DailyPrice | undefined },
): Promise<Pick<OfSeries, 'change' | 'unmeasured'>> {
  const windows = windowsOf(period, isOpen)
  const change = await changeOfSeries(db, parts, windows)
  if (change || !last) return { change, unmeasured: null }
  const found = { lastDay: last.date, lastPrice: last.averagePrice }
  if (!windows) return { change, unmeasured: { lacks: 'span', before: null, ...found, change: null } }
  const before = { startDate: windows.before.start, endDate: windows.before.end }
  const isSilent = last.date < windows.after.start
  const days = lengthInDays(period)
  const until = { start: addDays(last.date, 1 - days), end: last.date }
  const earlier = isSilent ? await changeOfSeries(db, parts, windowsOf(until, isOpen)) : null
  return { change, unmeasured: { lacks: isSilent ? 'end' : 'start', before, ...found, change: earlier } }
}

async function changeOfSeries(
  db: Db,
  parts: readonly SignedPart[],
  windows: ReturnType<typeof windowsOf>,
): Promise<Measured['change']> {
  if (!windows) return null
  const logs = await readWindows(db, parts, windows)
  const [before, after] = [logs.before, logs.after].map((window) => window.map(({ log }) => log))
  return changeOfLogs(before ?? [], after ?? [], windows)
}

/** Returns the requested days, each defaulting to the first or last day with a price. Null for an empty selection. */
function periodOf({ startDate, endDate }: PriceFilter, { firstDay, lastDay }: WholeFigures): Period | null {
  if (firstDay === null || lastDay === null) return null
  return { start: startDate ?? firstDay, end: endDate ?? lastDay }
}

function currenciesOf({ countInCdf, countInUsd }: WholeFigures): PriceSummary['currencyDistribution'] {
  return [
    { currency: 'CDF' as const, count: countInCdf },
    { currency: 'USD' as const, count: countInUsd },
  ].filter(({ count }) => count > 0)
}
