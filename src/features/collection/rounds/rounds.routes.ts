import { catalogueOfPhones, rounds } from '#features/collection/rounds/rounds.contract.ts'
import { listCatalogue, listGoods, listRoundMarkets } from '#features/collection/rounds/rounds.sql.ts'
import { usualPrices } from '#features/prices/check/check.rules.ts'
import type { Db } from '#server/db/pool.ts'
import { notFound } from '#server/errors.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'

export function roundRoutes(api: Api, db: Db): void {
  api.on(rounds.list, async ({ actor }) => ({ data: await listRoundMarkets(db, signedIn(actor).userId) }))

  api.on(catalogueOfPhones, async () => ({ data: await listCatalogue(db) }))

  api.on(rounds.find, async ({ params: { marketId }, actor }) => {
    const [market] = await listRoundMarkets(db, signedIn(actor).userId, marketId)
    if (!market) throw notFound('Ce marché n’existe pas.')
    const goods = (await listGoods(db, market.id)).map(({ figures, lastInFrancs, ...good }) => ({
      ...good,
      usual: usualPrices(figures, lastInFrancs),
    }))
    return { market, goods, serverTime: new Date().toISOString() }
  })
}
