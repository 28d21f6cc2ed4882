import type { Period, Selection } from '#features/prices/rollups/rollups.rules.ts'
import { type PriceSummary, summarisePrices } from '#features/prices/summary/summary.contract.ts'
import {
  estimateInflation,
  type Movement,
  thirdsOf,
  trendOf,
} from '#features/prices/summary/summary.rules.ts'
import {
  readFigures,
  readMovement,
  readShares,
  readTogether,
  renameShares,
  type Share,
  type WholeFigures,
} from '#features/prices/summary/summary.sql.ts'
import type { Db } from '#server/db/pool.ts'
import type { Api } from '#server/http/endpoint.ts'

/** What all the products, markets and series tell of a period, which takes longest to read. */
type OfSeries = { shares: Share[]; movement: Movement }
/** By period, with the version of the prices that it tells. */
type Known = Map<string, OfSeries & { version: string }>

const mostKnown = 100
const noMovement: Movement = { matchedSeries: 0, meanLogChange: null }

export function priceSummaryRoutes(api: Api, db: Db): void {
  const known: Known = new Map()
  api.on(summarisePrices, async ({ query }) => {
    const { productId, marketId, startDate, endDate } = query
    const productIds = productId === undefined ? undefined : [productId]
    const marketIds = marketId === undefined ? undefined : [marketId]
    return readTogether(db, (snapshot) =>
      summarise(snapshot, { productIds, marketIds, startDate, endDate }, known),
    )
  })
}

async function summarise(db: Db, selection: Selection, known: Known): Promise<PriceSummary> {
  const { whole, days } = await readFigures(db, selection)
  const period = periodOf(selection, whole)
  const { shares, movement } = period
    ? await seriesOf(db, { selection, period, version: whole.version, known, canMove: days.length >= 2 })
    : { shares: [], movement: noMovement }
  const inflation = estimateInflation(days.length, movement)
  return {
    currency: 'CDF',
    totalPrices: whole.count,
    excluded: whole.excluded,
    averagePrice: whole.averagePrice,
    minPrice: whole.minPrice,
    maxPrice: whole.maxPrice,
    priceTrend: trendOf(inflation),
    inflation,
    matchedSeries: movement.matchedSeries,
    lastCollectedAt: whole.lastCollectedAt,
    currencyDistribution: currenciesOf(whole),
    productDistribution: sharesOf('product', shares),
    marketDistribution: sharesOf('market', shares),
    dailyPrices: days,
  }
}

type Asked = {
  selection: Selection
  period: Period
  version: string | null
  known: Known
  canMove: boolean
}

/** Read again only when something of the period was written since. */
async function seriesOf(db: Db, { selection, period, version, known, canMove }: Asked): Promise<OfSeries> {
  const isWhole = !selection.productIds && !selection.marketIds && version !== null
  const key = `${period.start} ${period.end}`
  const last = isWhole ? known.get(key) : undefined
  if (last && last.version === version) return { ...last, shares: await renameShares(db, last.shares) }
  const shares = await readShares(db, selection, period)
  const movement = canMove ? await readMovement(db, selection, thirdsOf(period)) : noMovement
  if (isWhole) {
    if (known.size >= mostKnown) known.clear()
    known.set(key, { version, shares, movement })
  }
  return { shares, movement }
}

/** The days asked for; where none are, from the first to the last with a price. Null for an empty selection. */
function periodOf({ startDate, endDate }: Selection, { firstDay, lastDay }: WholeFigures): Period | null {
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
