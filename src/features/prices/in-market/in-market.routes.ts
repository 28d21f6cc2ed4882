import { markets } from '#features/markets/markets.contract.ts'
import { marketRows } from '#features/markets/markets.sql.ts'
import { collectorsInMarket, latestPricesInMarket } from '#features/prices/in-market/in-market.contract.ts'
import {
  listCollectorsAfter,
  listCollectorsInMarket,
  listPricesInMarket,
} from '#features/prices/in-market/in-market.sql.ts'
import { readPageAfter, unknownCursor } from '#server/db/changes.ts'
import type { Db } from '#server/db/pool.ts'
import type { Api } from '#server/http/endpoint.ts'
import { missing } from '#server/writes.ts'
import { firstCursor } from '#shared/changes.ts'
import { paginate } from '#shared/contract.ts'

/** Registers the routes of the prices shown on the page of a market. */
export function pricesInMarketRoutes(api: Api, db: Db): void {
  const get = async (id: number) => (await marketRows.find(db, id)) ?? missing(markets.noun)

  api.on(latestPricesInMarket, async ({ params, query }) => {
    const { id } = await get(params.id)
    const { cursor, limit } = query
    if (cursor !== undefined) {
      const after = async (productId: number, most: number) =>
        (await listPricesInMarket(db, id, { ...query, limit: most }, productId)).rows
      return readPageAfter({ cursor, limit }, after, ({ product }) => product.id)
    }
    const { rows, total } = await listPricesInMarket(db, id, query)
    return { data: rows, pagination: paginate(query, total) }
  })

  api.on(collectorsInMarket, async ({ params, query }) => {
    const { id } = await get(params.id)
    const { cursor, limit } = query
    if (cursor !== undefined) {
      const found = await listCollectorsAfter(db, id, { ...query, after: placeAt(cursor), most: limit + 1 })
      const page = found.slice(0, limit)
      const data = page.map(({ place: _, ...collector }) => collector)
      return { data, cursor: page.at(-1)?.place ?? cursor, hasMore: found.length > limit }
    }
    const { rows, total } = await listCollectorsInMarket(db, id, query)
    return { data: rows, pagination: paginate(query, total) }
  })
}

/**
 * Cursors are hashes of names, because names may be longer than a cursor allows; rows are read in the order of the
 * hashes.
 */
function placeAt(cursor: string): string {
  if (cursor === firstCursor) return ''
  if (/^[0-9a-f]{32}$/.test(cursor)) return cursor
  throw unknownCursor()
}
