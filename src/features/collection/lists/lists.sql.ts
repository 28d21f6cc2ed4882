import { type RawBuilder, sql } from 'kysely'
import { mostWanted, type WantedGood } from '#features/collection/lists/lists.contract.ts'
import { weightNamed } from '#features/products/products.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inFrench } from '#server/db/selection.ts'

/** Number of quotes in the last nine weeks from which a product is usually priced in a market. */
const leastQuotes = 3

/** Returns a query of the products usually priced in a market (`product_id`). */
export function usualIn(marketId: number): RawBuilder<{ product_id: number }> {
  return sql`
    select product_id from price_week_series
     where market_id = ${marketId}::bigint and week > (now() - interval '9 weeks')::date
     group by product_id having sum(n) >= ${leastQuotes}`
}

/** Order of goods as they stand in a market: those of a category, then of a type, together. */
export const shelfOrder = sql`category.name, type.name, ${inFrench('product.name')}, product.weight, product.id`

/** Joins product, type and category, which `shelfOrder` needs, to products named `wanted`. */
export function withShelves(products: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    ${products}
      join product on product.id = wanted.product_id
      join product_type type on type.id = product.type_id
      join category on category.id = type.category_id`
}

async function list(db: Db, wanted: RawBuilder<unknown>): Promise<WantedGood[]> {
  const { rows } = await sql<WantedGood>`
    select product.id as "productId", product.name, ${weightNamed} as weight, wanted.quotes_wanted as "quotesWanted"
      from ${withShelves(sql`(${wanted}) wanted`)}
     order by ${shelfOrder} limit ${mostWanted}`.execute(db)
  return rows
}

export function listWanted(db: Db, marketId: number): Promise<WantedGood[]> {
  return list(
    db,
    sql`select product_id, quotes_wanted from market_list where market_id = ${marketId}::bigint`,
  )
}

/** Returns the products usually priced in a market that are not on its list. */
export function listUsual(db: Db, marketId: number): Promise<WantedGood[]> {
  return list(
    db,
    sql`select product_id, 1 as quotes_wanted from (${usualIn(marketId)}) usual
         where not exists (select from market_list listed
                            where listed.market_id = ${marketId}::bigint and listed.product_id = usual.product_id)`,
  )
}

type Good = { productId: number; quotesWanted?: number | null | undefined }

/** Replaces the list of a market; a product named twice counts once. */
export async function replaceList(tx: Db, marketId: number, goods: readonly Good[]): Promise<void> {
  await sql`delete from market_list where market_id = ${marketId}`.execute(tx)
  await sql`
    insert into market_list (market_id, product_id, quotes_wanted)
    select distinct on (product_id) ${marketId}, product_id, quotes_wanted
      from unnest(${goods.map(({ productId }) => productId)}::integer[],
                  ${goods.map(({ quotesWanted }) => quotesWanted ?? 1)}::smallint[]) good (product_id, quotes_wanted)`.execute(
    tx,
  )
}
