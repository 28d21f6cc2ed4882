import { type Asked, rolledUp, type SignedPart } from '#features/prices/listing/listing.rules.ts'
import { findParts } from '#features/prices/listing/listing.sql.ts'
import { type Measured, measureIndex, weeksRead } from '#features/prices/price-index/measure.rules.ts'
import { movementOfSeries, trendOf } from '#features/prices/price-index/price-index.rules.ts'
import { readPanel, readWindows } from '#features/prices/price-index/price-index.sql.ts'
import type { Period } from '#features/prices/rollups/rollups.rules.ts'
import { type PriceSummary, summarisePrices } from '#features/prices/summary/summary.contract.ts'
import { windowsOf } from '#features/prices/summary/summary.rules.ts'
import {
  readFigures,
  readShares,
  readTogether,
  renameShares,
  type Share,
  type WholeFigures,
} from '#features/prices/summary/summary.sql.ts'
import type { Db } from '#server/db/pool.ts'
import type { Api } from '#server/http/endpoint.ts'

/** What all the products, markets and series tell of a period, which takes longest to read. */
type OfSeries = Measured & Pick<PriceSummary, 'knownSeries' | 'silentMarkets'> & { shares: Share[] }
/** By period, with the version of the prices that it tells. */
type Known = Map<string, OfSeries & { version: string }>

const mostKnown = 100
const nothing: OfSeries = {
  shares: [],
  change: null,
  index: [],
  knownSeries: 0,
  matchedSeries: 0,
  silentMarkets: 0,
}
const nothingFound: WholeFigures = {
  ...{ count: 0, countInCdf: 0, countInUsd: 0, excluded: 0, atOldRate: 0 },
  ...{ averagePrice: null, minPrice: null, maxPrice: null },
  ...{ firstDay: null, lastDay: null, lastCollectedAt: null, version: null, today: '' },
}

/** The figures of a selection, read in one snapshot. */
export type Summarise = (snapshot: Db, query: Asked) => Promise<PriceSummary>

/** One for all that ask: what takes longest is remembered until a price is written. */
export function createSummaries(): Summarise {
  const known: Known = new Map()
  return (snapshot, query) => summarise(snapshot, query, known)
}

export function priceSummaryRoutes(api: Api, db: Db, summarise: Summarise): void {
  api.on(summarisePrices, ({ query }) => readTogether(db, (snapshot) => summarise(snapshot, query)))
}

async function summarise(db: Db, query: Asked, known: Known): Promise<PriceSummary> {
  const parts = await findParts(db, query)
  const { whole, days } = parts.length > 0 ? await readFigures(db, parts) : { whole: nothingFound, days: [] }
  const period = periodOf(query, whole)
  const { shares, change, ...ofSeries } = period
    ? await seriesOf(db, { query, parts, period, whole, days: days.length, known })
    : nothing
  return {
    currency: 'CDF',
    totalPrices: whole.count,
    excluded: whole.excluded,
    atOldRate: whole.atOldRate,
    averagePrice: whole.averagePrice,
    minPrice: whole.minPrice,
    maxPrice: whole.maxPrice,
    priceTrend: trendOf(change),
    inflation: change && change.products >= 3 ? change.value : null,
    change,
    ...ofSeries,
    lastCollectedAt: whole.lastCollectedAt,
    currencyDistribution: currenciesOf(whole),
    productDistribution: sharesOf('product', shares),
    marketDistribution: sharesOf('market', shares),
    dailyPrices: days,
  }
}

type Wanted = {
  query: Asked
  parts: readonly SignedPart[]
  period: Period
  whole: WholeFigures
  /** With prices. */
  days: number
  known: Known
}

/** Read again only when something was written since. */
async function seriesOf(db: Db, wanted: Wanted): Promise<OfSeries> {
  const { parts, period, known, query } = wanted
  const { version } = wanted.whole
  const selection = rolledUp(parts)
  const isWhole = selection && !selection.productIds && !selection.marketIds && !selection.currency
  if (!isWhole || version === null) return readSeries(db, wanted)
  const key = `${query.startDate ?? ''} ${period.start} ${period.end}`
  const last = known.get(key)
  if (last && last.version === version) return { ...last, shares: await renameShares(db, last.shares) }
  const read = await readSeries(db, wanted)
  if (known.size >= mostKnown) known.clear()
  known.set(key, { version, ...read })
  return read
}

async function readSeries(db: Db, { query, parts, period, whole, days }: Wanted): Promise<OfSeries> {
  const shares = await readShares(db, parts, period)
  const panel = await readPanel(
    db,
    parts,
    weeksRead({ start: period.start, end: whole.lastDay ?? period.end }),
  )
  const isOpen = query.startDate === undefined
  const counts = { knownSeries: panel.series.length, silentMarkets: panel.silentMarkets }
  const measured = measureIndex(panel, period, { isOpen, today: whole.today })
  if (days < 2) return { shares, ...measured, change: null, ...counts }
  const change =
    panel.series.length === 1 ? await changeOfSeries(db, parts, windowsOf(period, isOpen)) : measured.change
  return { shares, ...measured, change, ...counts }
}

async function changeOfSeries(
  db: Db,
  parts: readonly SignedPart[],
  windows: ReturnType<typeof windowsOf>,
): Promise<PriceSummary['change']> {
  if (!windows) return null
  const { before, after } = await readWindows(db, parts, windows)
  const movement = movementOfSeries(before, after)
  const isThin = before.length < 3 || after.length < 3
  return movement && { ...movement, from: windows.before.end, to: windows.after.end, isThin }
}

/** The days asked for; where none are, from the first to the last with a price. Null for an empty selection. */
function periodOf({ startDate, endDate }: Asked, { firstDay, lastDay }: WholeFigures): Period | null {
  if (firstDay === null || lastDay === null) return null
  return { start: startDate ?? firstDay, end: endDate ?? lastDay }
}

function currenciesOf({ countInCdf, countInUsd }: WholeFigures): PriceSummary['currencyDistribution'] {
  return [
    { currency: 'CDF' as const, count: countInCdf },
    { currency: 'USD' as const, count: countInUsd },
  ].filter(({ count }) => count > 0)
}

function sharesOf(dimension: Share['dimension'], shares: Share[]): PriceSummary['productDistribution'] {
  return shares
    .filter((share) => share.dimension === dimension)
    .map(({ id, name, count }) => ({ id, name, count }))
}
