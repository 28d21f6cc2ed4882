import { latestPricesOfProduct } from '#features/prices/latest/latest.contract.ts'
import { listLatestPrices } from '#features/prices/latest/latest.sql.ts'
import { products } from '#features/products/products.contract.ts'
import { productRows } from '#features/products/products.sql.ts'
import type { Db } from '#server/db/pool.ts'
import type { Api } from '#server/http/endpoint.ts'
import { missing } from '#server/writes.ts'

export function latestPriceRoutes(api: Api, db: Db): void {
  api.on(latestPricesOfProduct, async ({ params }) => {
    const { id } = (await productRows.find(db, params.id)) ?? missing(products.noun)
    return listLatestPrices(db, id)
  })
}
