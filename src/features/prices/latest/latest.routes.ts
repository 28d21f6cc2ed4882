import { latestPricesOfProduct } from '#features/prices/latest/latest.contract.ts'
import { listLatestPrices, listLatestPricesAfter } from '#features/prices/latest/latest.sql.ts'
import { products } from '#features/products/products.contract.ts'
import { productRows } from '#features/products/products.sql.ts'
import { readPageAfter } from '#server/db/changes.ts'
import type { Db } from '#server/db/pool.ts'
import type { Api } from '#server/http/endpoint.ts'
import { missing } from '#server/writes.ts'

export function latestPriceRoutes(api: Api, db: Db): void {
  api.on(latestPricesOfProduct, async ({ params, query: { cursor, limit, marketId } }) => {
    const { id } = (await productRows.find(db, params.id)) ?? missing(products.noun)
    if (cursor === undefined) return listLatestPrices(db, id, { most: limit, marketId })
    const after = (marketId: number, most: number) => listLatestPricesAfter(db, id, { marketId, most })
    return readPageAfter({ cursor, limit }, after, ({ market }) => market.id)
  })
}
