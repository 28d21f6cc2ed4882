import {
  type DashboardChanges,
  type DashboardFigures,
  getDashboard,
  getDashboardChanges,
  getPriceAlerts,
} from '#features/dashboard/dashboard.contract.ts'
import { countOwn, countPendingPayments } from '#features/dashboard/dashboard.sql.ts'
import {
  listActiveMarkets,
  listMonitoredProducts,
  listTopCollectors,
} from '#features/figures/activity/activity.sql.ts'
import type { PriceFilter } from '#features/figures/filters/filters.contract.ts'
import { readTogether } from '#features/figures/summary/summary.sql.ts'
import { listAlerts } from '#features/prices/alerts/alerts.sql.ts'
import { listPrices } from '#features/prices/listing/listing.sql.ts'
import {
  findCounted,
  readActiveMarkets,
  readOverview,
  type Sources,
} from '#features/statistics/statistics.routes.ts'
import { countChange, type Days, withDays } from '#features/statistics/statistics.rules.ts'
import { countEndingSubscriptions } from '#features/subscriptions/subscriptions.sql.ts'
import { countAgents } from '#features/users/agents/agents.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { may } from '#server/http/actor.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'

type Actor = ReturnType<typeof signedIn>

/** Number of products and markets listed. */
const mostProducts = 6
const mostMarkets = 5

export function dashboardRoutes(api: Api, db: Db, { summarise, today }: Sources): void {
  api.on(getPriceAlerts, ({ query }) => listAlerts(db, query, { limit: query.limit, today: today() }))

  api.on(getDashboardChanges, async ({ query }) => {
    const asked = withDays(query, today())
    return readTogether(db, async (snapshot) => {
      const { parts } = await findCounted(snapshot, asked)
      const products = await listMonitoredProducts(snapshot, parts ?? [], null, mostProducts)
      const markets = await listActiveMarkets(snapshot, parts ?? [], null, mostMarkets)
      const changeIn = async (id: number, only: PriceFilter) => {
        const { change, priceTrend } = await summarise(snapshot, { ...asked, ...only }, today())
        return { id, change, trend: priceTrend }
      }
      const changes: DashboardChanges = { products: [], markets: [] }
      for (const { id } of products) changes.products.push(await changeIn(id, { productId: id }))
      for (const { id } of markets) changes.markets.push(await changeIn(id, { marketId: id }))
      return changes
    })
  })

  api.on(getDashboard, async ({ query, actor }) => {
    const asked = withDays(query, today())
    const own = await readOwn(db, signedIn(actor), asked, today())
    const waiting = await readWaiting(db, signedIn(actor))
    return readTogether(db, async (snapshot) => {
      const counted = await findCounted(snapshot, asked)
      const overview = await readOverview(snapshot, asked, counted, today())
      // For an estimate, nothing is ranked.
      const parts = counted.parts ?? []
      const products = await listMonitoredProducts(
        snapshot,
        parts,
        overview.days?.previous ?? null,
        mostProducts,
      )
      return {
        overview,
        analysis: await summarise(snapshot, asked, today(), counted.parts ?? undefined),
        latest: (await listPrices(snapshot, { ...asked, page: 1, limit: 6, sort: undefined })).rows,
        markets: await readActiveMarkets(snapshot, { ...asked, limit: mostMarkets }, parts, today()),
        collectors: await listTopCollectors(snapshot, parts, 5),
        products: products.map(({ before, ...product }) => ({
          ...product,
          ...countChange(product.count, before),
        })),
        alerts: await listAlerts(snapshot, asked, { limit: 3, today: today() }),
        own,
        waiting,
      }
    })
  })
}

async function readOwn(db: Db, actor: Actor, days: Days, today: string): Promise<DashboardFigures['own']> {
  if (!may(actor, 'prices.collect') && !may(actor, 'prices.write')) return null
  const own = await countOwn(db, actor.userId, { ...days, today })
  // Administrators may collect prices, but it is not their usual task.
  return may(actor, 'users.manage') && own.inPeriod === 0 ? null : own
}

async function readWaiting(db: Db, actor: Actor): Promise<DashboardFigures['waiting']> {
  return {
    silentAgents: may(actor, 'users.manage') ? (await countAgents(db, {})).silent : null,
    pendingPayments: may(actor, 'payments.manage') ? await countPendingPayments(db) : null,
    endingSubscriptions: may(actor, 'subscriptions.read') ? await countEndingSubscriptions(db) : null,
  }
}
