import type { Period, Selection } from '#features/prices/rollups/rollups.rules.ts'
import { type PriceSummary, summarisePrices } from '#features/prices/summary/summary.contract.ts'
import { estimateInflation, thirdsOf, trendOf } from '#features/prices/summary/summary.rules.ts'
import {
  readFigures,
  readMovement,
  readShares,
  readTogether,
  type Share,
  type WholeFigures,
} from '#features/prices/summary/summary.sql.ts'
import type { Db } from '#server/db/pool.ts'
import type { Api } from '#server/http/endpoint.ts'

export function priceSummaryRoutes(api: Api, db: Db): void {
  api.on(summarisePrices, async ({ query }) => {
    const { productId, marketId, startDate, endDate } = query
    const productIds = productId === undefined ? undefined : [productId]
    const marketIds = marketId === undefined ? undefined : [marketId]
    return readTogether(db, (snapshot) => summarise(snapshot, { productIds, marketIds, startDate, endDate }))
  })
}

async function summarise(db: Db, selection: Selection): Promise<PriceSummary> {
  const { whole, days } = await readFigures(db, selection)
  const period = periodOf(selection, whole)
  const shares = period ? await readShares(db, selection, period) : []
  const canMove = period !== null && days.length >= 2
  const movement = canMove
    ? await readMovement(db, selection, thirdsOf(period))
    : { matchedSeries: 0, meanLogChange: null }
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
