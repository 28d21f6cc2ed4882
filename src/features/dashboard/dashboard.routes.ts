import {
  type DashboardFigures,
  getDashboard,
  getPriceAlerts,
} from '#features/dashboard/dashboard.contract.ts'
import { countOwn, countPendingPayments } from '#features/dashboard/dashboard.sql.ts'
import { listMonitoredProducts, listTopCollectors } from '#features/figures/activity/activity.sql.ts'
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
type Moved = DashboardFigures['products'][number]['price']

export function dashboardRoutes(api: Api, db: Db, { summarise, today }: Sources): void {
  const movedIn = async (snapshot: Db, asked: PriceFilter): Promise<Moved> => {
    const { change, priceTrend } = await summarise(snapshot, asked, today())
    return { change, trend: priceTrend }
  }

  api.on(getPriceAlerts, ({ query }) => listAlerts(db, query, { limit: query.limit, today: today() }))

  api.on(getDashboard, async ({ query, actor }) => {
    const asked = withDays(query, today())
    const own = await readOwn(db, signedIn(actor), asked, today())
    const waiting = await readWaiting(db, signedIn(actor))
    return readTogether(db, async (snapshot) => {
      const counted = await findCounted(snapshot, asked)
      const overview = await readOverview(snapshot, asked, counted, today())
      // Of an estimate, nothing is ranked.
      const parts = counted.parts ?? []
      const products = await listMonitoredProducts(snapshot, parts, overview.days?.previous ?? null, 6)
      return {
        overview,
        analysis: await summarise(snapshot, asked, today(), counted.parts ?? undefined),
        latest: (await listPrices(snapshot, { ...asked, page: 1, limit: 6, sort: undefined })).rows,
        markets: await eachMoved(
          await readActiveMarkets(snapshot, { ...asked, limit: 5 }, parts, today()),
          (marketId) => movedIn(snapshot, { ...asked, marketId }),
        ),
        collectors: await listTopCollectors(snapshot, parts, 5),
        products: await eachMoved(
          products.map(({ before, ...product }) => ({ ...product, ...countChange(product.count, before) })),
          (productId) => movedIn(snapshot, { ...asked, productId }),
        ),
        alerts: await listAlerts(snapshot, asked, { limit: 3, today: today() }),
        own,
        waiting,
      }
    })
  })
}

async function eachMoved<Place extends { id: number }>(
  places: readonly Place[],
  read: (id: number) => Promise<Moved>,
): Promise<(Place & { price: Moved })[]> {
  const all = []
  for (const place of places) all.push({ ...place, price: await read(place.id) })
  return all
}

async function readOwn(db: Db, actor: Actor, days: Days, today: string): Promise<DashboardFigures['own']> {
  if (!may(actor, 'prices.collect') && !may(actor, 'prices.write')) return null
  const own = await countOwn(db, actor.userId, { ...days, today })
  // Whoever administers may collect, but did not come for that.
  return may(actor, 'users.manage') && own.inPeriod === 0 ? null : own
}

async function readWaiting(db: Db, actor: Actor): Promise<DashboardFigures['waiting']> {
  return {
    silentAgents: may(actor, 'users.manage') ? (await countAgents(db, {})).silent : null,
    pendingPayments: may(actor, 'payments.manage') ? await countPendingPayments(db) : null,
    endingSubscriptions: may(actor, 'subscriptions.read') ? await countEndingSubscriptions(db) : null,
  }
}
