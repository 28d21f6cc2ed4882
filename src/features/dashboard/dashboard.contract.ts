import { z } from 'zod'
import { seriesFilter } from '#features/figures/filters/filters.contract.ts'
import { priceSummary } from '#features/figures/summary/summary.contract.ts'
import { price } from '#features/prices/prices.contract.ts'
import { statisticsAddresses } from '#features/statistics/statistics.addresses.ts'
import {
  activity,
  marketActivity,
  overview,
  selectionFilters,
} from '#features/statistics/statistics.contract.ts'
import { defineEndpoint } from '#shared/contract.ts'
import { inOrder, instant, listQuery, reversedPeriod } from '#shared/fields.ts'

const alert = z.object({
  /**
   * `dearer`: the last 30 days against the 12 windows of 30 days before; `outlier`: the last price against the median
   * of 90 days.
   */
  kind: z.enum(['dearer', 'outlier']),
  product: z.object({ id: z.int(), name: z.string(), weight: z.string(), format: z.string() }),
  market: z.object({ id: z.int(), name: z.string(), location: z.string() }),
  /** In CDF: for `dearer` the mean of the last 30 days, for an outlier the last price. */
  price: z.number(),
  /** In CDF, the reference: the mean of the 12 windows of 30 days before, or the median of 90 days. */
  usual: z.number(),
  /** A fraction: 0.34 is 34 % dearer. */
  change: z.number(),
  /** The change of all prices over the same time; null for an outlier. */
  overall: z.number().nullable(),
  lastCollectedOn: z.string(),
})
const alerts = z.object({ data: z.array(alert), total: z.int() })

/** The change of prices of one product, or of one market, in the selection, as in its summary. */
const moved = z.object({
  id: z.int(),
  change: priceSummary.shape.change,
  trend: priceSummary.shape.priceTrend,
})

/** Everything that the dashboard shows first, in one response. */
export const dashboard = z
  .object({
    overview,
    analysis: priceSummary.omit({ dailyPrices: true, productDistribution: true, marketDistribution: true }),
    /** The 6 latest prices of the selection. */
    latest: z.array(price.omit({ canEdit: true })),
    /** The 5 with most prices. */
    markets: z.array(marketActivity),
    /** The 5 with most prices. */
    collectors: z.array(z.object({ name: z.string(), count: z.int(), lastCollectedAt: instant })),
    /** The 6 with most prices. */
    products: z.array(
      activity.extend({ weight: z.string(), format: z.string(), lastCollectedOn: z.string().nullable() }),
    ),
    /** The 3 most unusual series, and the total number; only filters of products and markets apply. */
    alerts,
    /** The caller's own prices; null for callers who do not collect. Only filters of days apply. */
    own: z.object({ today: z.int(), inPeriod: z.int(), lastCollectedAt: instant.nullable() }).nullable(),
    /** The open tasks of the caller; null for those they may not see. */
    waiting: z.object({
      silentAgents: z.int().nullable(),
      pendingPayments: z.int().nullable(),
      endingSubscriptions: z.int().nullable(),
    }),
  })
  .meta({ id: 'Dashboard' })
export type DashboardFigures = z.infer<typeof dashboard>

export const getDashboard = defineEndpoint({
  ...statisticsAddresses.dashboard,
  right: 'statistics.read',
  summary: 'Tout ce que montre le tableau de bord, en une réponse',
  description: 'Chiffres clés, analyse, derniers prix, classements et alertes de la même sélection.',
  query: selectionFilters.refine(inOrder, reversedPeriod),
  response: dashboard,
})

/** The changes of prices of the products and markets listed by the dashboard. */
export const dashboardChanges = z
  .object({ products: z.array(moved), markets: z.array(moved) })
  .meta({ id: 'DashboardChanges' })
export type DashboardChanges = z.infer<typeof dashboardChanges>

/** A separate request, because eleven indices take four times as long as the rest of the dashboard. */
export const getDashboardChanges = defineEndpoint({
  ...statisticsAddresses.dashboardChanges,
  right: 'statistics.read',
  summary: 'Variation des prix des produits et marchés du tableau de bord',
  description: 'À part du tableau de bord, parce que ces indices prennent plus de temps que tout le reste.',
  query: selectionFilters.refine(inOrder, reversedPeriod),
  response: dashboardChanges,
})

const { limit } = listQuery([]).shape

export const getPriceAlerts = defineEndpoint({
  ...statisticsAddresses.alerts,
  right: 'statistics.read',
  summary: 'Alertes de prix, les plus fortes d’abord, et combien il y en a',
  description:
    'Les séries dont le prix s’écarte nettement de l’habitude. Rien n’est signalé sur un prix de plus de 30 jours.',
  query: seriesFilter.extend({ limit }),
  response: alerts,
})
