import { z } from 'zod'
import { priceFilterShape } from '#features/figures/filters/filters.contract.ts'
import { priceSummary } from '#features/figures/summary/summary.contract.ts'
import { statisticsAddresses } from '#features/statistics/statistics.addresses.ts'
import { defineEndpoint } from '#shared/contract.ts'
import {
  dayFilter,
  inOrder,
  instant,
  listQuery,
  optionalChoice,
  optionalQuery,
  reversedPeriod,
} from '#shared/fields.ts'

/** The selectable periods, in days up to today in Kinshasa. */
export const periodDays = { '1d': 1, '7d': 7, '30d': 30, '90d': 90, '1y': 365 } as const
export const period = z.enum(['1d', '7d', '30d', '90d', '1y'], 'La période est 1d, 7d, 30d, 90d ou 1y')
export type PeriodName = z.infer<typeof period>

/**
 * The filters of statistics. Days define a period exactly and override its name; without either, all prices are
 * included.
 */
export const statisticsFilters = z.object({ ...priceFilterShape, period: optionalQuery(period) })

/** The default period is seven days. */
export const selectionFilters = statisticsFilters.extend({ period: optionalChoice(period, '7d') })

const { limit } = listQuery([]).shape

/** Set when there are more prices than a request may read: counts are then estimates, or left out. */
const isEstimate = z.literal(true).optional()

const count = z.object({ total: z.int() })
const grown = count.extend({
  /** In percent, relative to the count before the period; null without a period, or if that count was zero. */
  change: z.number().nullable(),
  /** Difference from the count before the period; null without a period. */
  difference: z.int().nullable(),
})

/** The days of the figures, both inclusive, and the previous days that they are compared with. */
const comparedDays = z
  .object({
    startDate: z.string(),
    endDate: z.string(),
    /** The period of the same length just before. */
    previous: z.object({ startDate: z.string(), endDate: z.string() }),
  })
  .nullable()

/** A row of a ranking by number of collected prices. */
export const activity = z.object({
  id: z.int(),
  name: z.string(),
  /** Prices collected. */
  count: z.int(),
  /**
   * In percent, relative to the previous period of the same length; null without a period, or if that count was zero.
   */
  change: z.number().nullable(),
  /** Difference from the previous period of the same length; null without a period. */
  difference: z.int().nullable(),
})

export const marketActivity = activity
  .extend({ location: z.string(), lastCollectedOn: z.string().nullable() })
  .meta({ id: 'MarketActivity' })

const shelf = z.object({
  id: z.int(),
  name: z.string(),
  /** Products of the catalogue that match the filters on products. */
  count: z.int(),
  /** Those with a price in the selection; null for an estimate. */
  monitored: z.int().nullable(),
  /** Prices in the selection; null for an estimate. */
  prices: z.int().nullable(),
})
const brandShelf = shelf.extend({ country: z.string() })

export const overview = z
  .object({
    /** Prices collected; compared with the previous period of the same length. */
    prices: grown.extend({ lastCollectedAt: instant.nullable(), isEstimate }),
    /** Products that match the filters on products; compared with those that existed before the period. */
    products: grown,
    /** Markets that match the filters on markets. */
    markets: grown,
    /** Accounts; not filtered. */
    users: grown,
    /** Those of the counted products. */
    categories: count,
    brands: count,
    productTypes: count,
    days: comparedDays,
  })
  .meta({ id: 'StatisticsOverview' })
export type Overview = z.infer<typeof overview>

export const getOverview = defineEndpoint({
  ...statisticsAddresses.overview,
  right: 'statistics.read',
  summary: 'Chiffres clés d’une sélection et leur variation sur la période précédente',
  description:
    'Les nombres de relevés, de produits, de marchés et de comptes, et ce qui s’est ajouté pendant la période.',
  query: statisticsFilters.refine(inOrder, reversedPeriod),
  response: overview,
})

export const getMarketActivity = defineEndpoint({
  ...statisticsAddresses.markets,
  right: 'statistics.read',
  summary: 'Marchés où le plus de prix ont été relevés',
  description: 'Du marché qui a le plus de relevés à celui qui en a le moins.',
  query: statisticsFilters.extend({ limit }).refine(inOrder, reversedPeriod),
  response: z.object({ data: z.array(marketActivity), isEstimate }),
})

export const getPriceTrends = defineEndpoint({
  ...statisticsAddresses.trends,
  right: 'statistics.read',
  summary: 'Prix moyen de chaque jour, tendance et inflation estimée d’une sélection',
  description: 'Les montants sont en francs. Les jours sans relevé sont absents.',
  query: statisticsFilters.refine(inOrder, reversedPeriod),
  response: z.object({
    data: priceSummary.shape.dailyPrices,
    /** Null where there is no change or no margin. */
    trend: priceSummary.shape.priceTrend,
    inflation: priceSummary.shape.inflation,
    ...priceSummary.pick({ currency: true, change: true, totalPrices: true, excluded: true }).shape,
    isEstimate,
  }),
})

export const getCategoryDistribution = defineEndpoint({
  ...statisticsAddresses.categories,
  right: 'statistics.read',
  summary: 'Produits et prix de chaque catégorie',
  description: 'Chaque catégorie avec ses produits, ceux qui ont un prix, et ses relevés.',
  query: statisticsFilters.refine(inOrder, reversedPeriod),
  response: z.object({ data: z.array(shelf.meta({ id: 'CategoryShare' })) }),
})

export const getBrandRanking = defineEndpoint({
  ...statisticsAddresses.brands,
  right: 'statistics.read',
  summary: 'Marques qui ont le plus de produits',
  description: 'De la marque qui a le plus de produits à celle qui en a le moins.',
  query: statisticsFilters.extend({ limit }).refine(inOrder, reversedPeriod),
  response: z.object({
    data: z.array(brandShelf.meta({ id: 'BrandRank' })),
    /** Products of the brands beyond the limit, and products without a brand. */
    others: z.int(),
    unbranded: z.int(),
  }),
})

const step = z.enum(['day', 'week', 'month', 'year'], 'La période est day, week, month ou year')
export type Step = z.infer<typeof step>

export const getSubscriptionGrowth = defineEndpoint({
  ...statisticsAddresses.subscriptions,
  right: 'statistics.read',
  summary: 'Abonnements créés par jour, semaine, mois ou année',
  description:
    'Sans dates\u00a0: les 30 derniers jours, 26 semaines, 12 mois ou 5 ans. 400 périodes au plus, les dernières.',
  query: z
    .object({ period: optionalChoice(step, 'month'), startDate: dayFilter, endDate: dayFilter })
    .refine(inOrder, reversedPeriod),
  response: z.object({
    data: z.array(
      z.object({
        /** The first day of the period, in Kinshasa. */
        date: z.string(),
        /** Subscriptions created in it. */
        count: z.int(),
        /** Total created until its end. */
        total: z.int(),
      }),
    ),
  }),
})
