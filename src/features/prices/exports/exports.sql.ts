import { type RawBuilder, sql } from 'kysely'
import type { ExportedMarket, ExportedPrice, ExportedProduct } from '#features/prices/exports/rows.rules.ts'
import type { WholeQuery } from '#features/prices/listing/listing.rules.ts'
import {
  findParts,
  findPartsOfFigures,
  matchingAny,
  selectPrices,
} from '#features/prices/listing/listing.sql.ts'
import { allTrue, hasRate } from '#features/prices/rollups/rollups.sql.ts'
import type { Db } from '#server/db/pool.ts'

/**
 * The prices of a list in its order, or those that its figures rest on, as a query for a cursor; null when none can
 * match.
 */
export async function selectExported(
  db: Db,
  { behind, ...query }: WholeQuery & { behind?: 'figures' | undefined },
): Promise<RawBuilder<ExportedPrice> | null> {
  const areAll = behind === undefined
  const parts = areAll ? await findParts(db, query) : await findPartsOfFigures(db, query)
  if (parts.length === 0) return null
  return selectPrices<ExportedPrice>(
    query,
    allTrue([matchingAny(parts), !areAll && hasRate('observed_on')]),
    sql`id::text, observed_on as day, (extract(epoch from collected_at) * 1000)::bigint as "collectedMs",
        product_id as "productId", market_id as "marketId", price_value::text as amount, currency,
        collector_name as collector, source, flag`,
  )
}

export async function listExportedMarkets(db: Db, ids: readonly number[]): Promise<ExportedMarket[]> {
  const { rows } = await sql<ExportedMarket>`
    select id, name, location, province, trim_scale(latitude)::text as latitude,
           trim_scale(longitude)::text as longitude, time_zone as "timeZone"
      from market where id = any(${ids}::integer[])`.execute(db)
  return rows
}

export async function listExportedProducts(db: Db, ids: readonly number[]): Promise<ExportedProduct[]> {
  const { rows } = await sql<ExportedProduct>`
    select product.id, product.code, product.name, category.name as category, type.name as type, brand.name as brand,
           brand.country as "brandCountry", product.weight, product.format, product.origin
      from product
      join product_type type on type.id = product.type_id
      join category on category.id = type.category_id
      left join brand on brand.id = product.brand_id
     where product.id = any(${ids}::integer[])`.execute(db)
  return rows
}
