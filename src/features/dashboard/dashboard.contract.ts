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
  /** `dearer` than in the 12 windows of 30 days before; `outlier`: its last price beside the median of 90 days. */
  kind: z.enum(['dearer', 'outlier']),
  product: z.object({ id: z.int(), name: z.string(), weight: z.string(), format: z.string() }),
  market: z.object({ id: z.int(), name: z.string(), location: z.string() }),
  /** In CDF: of `dearer` the mean of the last 30 days, of an outlier the last price. */
  price: z.number(),
  /** In CDF, what it is compared with: the mean of the 12 windows of 30 days before, or the median of 90 days. */
  usual: z.number(),
  /** A fraction: 0.34 is 34 % dearer. */
  change: z.number(),
  /** How far all prices moved meanwhile; null for an outlier. */
  overall: z.number().nullable(),
  lastCollectedOn: z.string(),
})
const alerts = z.object({ data: z.array(alert), total: z.int() })

/** How the price of one product, or of the products of one market, moved in the selection, as its summary says it. */
const moved = z.object({
  id: z.int(),
  change: priceSummary.shape.change,
  trend: priceSummary.shape.priceTrend,
})

/** All that the dashboard shows first, in one answer. */
export const dashboard = z
  .object({
    overview,
    analysis: priceSummary.omit({ dailyPrices: true, productDistribution: true, marketDistribution: true }),
    /** The latest of the selection: 6. */
    latest: z.array(price.omit({ canEdit: true })),
    /** The 5 with most prices. */
    markets: z.array(marketActivity),
    /** The 5 who collected most. */
    collectors: z.array(z.object({ name: z.string(), count: z.int(), lastCollectedAt: instant })),
    /** The 6 with most prices. */
    products: z.array(
      activity.extend({ weight: z.string(), format: z.string(), lastCollectedOn: z.string().nullable() }),
    ),
    /** The 3 most unusual series, and how many there are: only filters of products and markets change them. */
    alerts,
    /** The caller's own prices; null for those who do not collect. Days alone choose. */
    own: z.object({ today: z.int(), inPeriod: z.int(), lastCollectedAt: instant.nullable() }).nullable(),
    /** The open tasks of the caller; null for those that he may not see. */
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

/** The changes of the prices of the products and markets that the dashboard lists. */
export const dashboardChanges = z
  .object({ products: z.array(moved), markets: z.array(moved) })
  .meta({ id: 'DashboardChanges' })
export type DashboardChanges = z.infer<typeof dashboardChanges>

/** Apart from the dashboard, because eleven indices take four times as long as all the rest of it. */
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
