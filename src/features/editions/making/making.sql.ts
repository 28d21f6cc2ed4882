import { type RawBuilder, sql } from 'kysely'
import type { EditionRow } from '#features/editions/making/columns.rules.ts'
import { provinceNamed, provinces } from '#features/markets/markets.rules.ts'
import type { Db } from '#server/db/pool.ts'

/**
 * Builds the query of all prices observed until a day, in an order that only depends on the rows: the same rows give
 * the same bytes.
 */
export function selectEditionRows(lastDay: string): RawBuilder<EditionRow> {
  return sql<EditionRow>`
    select price.id, observed_on::text, market.province, market.id as market_id, market.name as market, market.location,
           trim_scale(market.latitude)::text as latitude, trim_scale(market.longitude)::text as longitude,
           product.id as product_id, product.code as product_code, product.name as product, category.name as category,
           type.name as type, brand.name as brand, product.weight, product.format, price_value::text as price,
           price.currency, price.flag, price.source,
           case when exists (select from price_review doubt
                              where doubt.price_id = price.id and doubt.state in ('waiting', 'returned'))
                then 'à vérifier' end as review
      from price
      join market on market.id = market_id
      join product on product.id = product_id
      join product_type type on type.id = product.type_id
      join category on category.id = type.category_id
      left join brand on brand.id = product.brand_id
     where observed_on <= ${lastDay}::date
     order by observed_on, price.id`
}

const pcodes = new Map(provinces.map(({ name, pcode }) => [name, pcode]))

/** Returns the code of a province from any spelling; null if unknown. */
export function pcodeOf(province: string | null): string | null {
  return pcodes.get(provinceNamed(province) ?? '') ?? null
}

/** Whether a price was observed until a day. */
export async function hasPricesUntil(db: Db, lastDay: string): Promise<boolean> {
  const { rows } = await sql`select from price where observed_on <= ${lastDay}::date limit 1`.execute(db)
  return rows.length > 0
}
