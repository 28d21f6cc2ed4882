import { countCollected, listActiveMarkets } from '#features/figures/activity/activity.sql.ts'
import type { PriceFilter } from '#features/figures/filters/filters.contract.ts'
import type { SignedPart } from '#features/figures/parts/parts.rules.ts'
import { estimateBeyondBudget, findPartsOfFigures } from '#features/figures/parts/parts.sql.ts'
import type { PriceSummary } from '#features/figures/summary/summary.contract.ts'
import { readTogether } from '#features/figures/summary/summary.sql.ts'
import { listSubscriptionGrowth } from '#features/statistics/growth.sql.ts'
import { listCategoryShelves, rankBrands } from '#features/statistics/shelves.sql.ts'
import {
  getBrandRanking,
  getCategoryDistribution,
  getMarketActivity,
  getOverview,
  getPriceTrends,
  getSubscriptionGrowth,
  type Overview,
} from '#features/statistics/statistics.contract.ts'
import { comparedDaysOf, countChange, withDays } from '#features/statistics/statistics.rules.ts'
import { countCatalogue } from '#features/statistics/statistics.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { AppError } from '#server/errors.ts'
import type { Api } from '#server/http/endpoint.ts'

/** What statistics are told by others: the figures of a selection, and the day that it is where most markets are. */
export type Sources = {
  summarise: (
    snapshot: Db,
    filter: PriceFilter,
    today: string,
    parts?: readonly SignedPart[],
  ) => Promise<PriceSummary>
  /** `yyyy-mm-dd` */
  today: () => string
}

export function statisticsRoutes(api: Api, db: Db, { summarise, today }: Sources): void {
  api.on(getOverview, ({ query }) =>
    readTogether(db, async (snapshot) => {
      const asked = withDays(query, today())
      return readOverview(snapshot, asked, await findPartsWithinBudget(snapshot, asked), today())
    }),
  )

  api.on(getMarketActivity, async ({ query }) => {
    const asked = withDays(query, today())
    return { data: await readActiveMarkets(db, asked, await findPartsWithinBudget(db, asked), today()) }
  })

  api.on(getPriceTrends, async ({ query }) => {
    const summary = await readTogether(db, (snapshot) =>
      summarise(snapshot, withDays(query, today()), today()),
    )
    const { dailyPrices, priceTrend, inflation, currency, change, totalPrices, excluded } = summary
    return { data: dailyPrices, trend: priceTrend, inflation, currency, change, totalPrices, excluded }
  })

  api.on(getCategoryDistribution, async ({ query }) => {
    const asked = withDays(query, today())
    return { data: await listCategoryShelves(db, asked, await findPartsWithinBudget(db, asked)) }
  })

  api.on(getBrandRanking, async ({ query }) => {
    const asked = withDays(query, today())
    return rankBrands(db, asked, await findPartsWithinBudget(db, asked))
  })

  api.on(getSubscriptionGrowth, async ({ query: { period, ...days } }) => ({
    data: await listSubscriptionGrowth(db, period, days, today()),
  }))
}

/** The parts that figures are counted in; refuses a filter that would have too many prices read one by one. */
export async function findPartsWithinBudget(db: Db, filter: PriceFilter): Promise<SignedPart[]> {
  const parts = await findPartsOfFigures(db, filter)
  if ((await estimateBeyondBudget(db, parts)) === null) return parts
  throw new AppError(
    'invalid',
    'Ces filtres laissent trop de relevés à lire. Choisissez un produit, un marché ou des dates plus courtes.',
  )
}

/** Counts of a selection, which has these parts, and how they changed over its days. */
export async function readOverview(
  db: Db,
  asked: PriceFilter,
  parts: readonly SignedPart[],
  today: string,
): Promise<Overview> {
  const days = comparedDaysOf(asked, today)
  const collected = await countCollected(db, parts, days?.previous ?? null)
  const { products, markets, users, categories, brands, productTypes } = await countCatalogue(db, asked)
  const grown = ({ total, added }: { total: number; added: number }) => ({
    total,
    ...countChange(total, days && total - added),
  })
  return {
    prices: {
      total: collected.now,
      ...countChange(collected.now, collected.before),
      lastCollectedAt: collected.lastCollectedAt,
    },
    products: grown(products),
    markets: grown(markets),
    users: grown(users),
    categories: { total: categories },
    brands: { total: brands },
    productTypes: { total: productTypes },
    days,
  }
}

/** The markets with most prices of a selection, which has these parts, and how their numbers changed. */
export async function readActiveMarkets(
  db: Db,
  asked: PriceFilter & { limit: number },
  parts: readonly SignedPart[],
  today: string,
) {
  const markets = await listActiveMarkets(
    db,
    parts,
    comparedDaysOf(asked, today)?.previous ?? null,
    asked.limit,
  )
  return markets.map(({ before, ...market }) => ({ ...market, ...countChange(market.count, before) }))
}
