import { markets } from '#features/markets/markets.contract.ts'
import { marketRows } from '#features/markets/markets.sql.ts'
import { collectorsInMarket, latestPricesInMarket } from '#features/prices/in-market/in-market.contract.ts'
import { listCollectorsInMarket, listPricesInMarket } from '#features/prices/in-market/in-market.sql.ts'
import type { Db } from '#server/db/pool.ts'
import type { Api } from '#server/http/endpoint.ts'
import { missing } from '#server/writes.ts'
import { paginate } from '#shared/contract.ts'

/** What the page of a market says of its prices. */
export function pricesInMarketRoutes(api: Api, db: Db): void {
  const get = async (id: number) => (await marketRows.find(db, id)) ?? missing(markets.noun)

  api.on(latestPricesInMarket, async ({ params, query }) => {
    const { id } = await get(params.id)
    const { rows, total } = await listPricesInMarket(db, id, query)
    return { data: rows, pagination: paginate(query, total) }
  })

  api.on(collectorsInMarket, async ({ params, query }) => {
    const { id } = await get(params.id)
    const { rows, total } = await listCollectorsInMarket(db, id, query)
    return { data: rows, pagination: paginate(query, total) }
  })
}
