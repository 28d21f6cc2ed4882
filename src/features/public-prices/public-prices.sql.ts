import { sql } from 'kysely'
import { remainingProduct, weightNamed } from '#features/products/products.sql.ts'
import type { FoundPrice } from '#features/public-prices/public-prices.contract.ts'
import type { PublicProduct } from '#features/public-prices/public-prices.rules.ts'
import type { Db } from '#server/db/pool.ts'

const mostFound = 20
/** Most products and markets matching a word that are combined. */
const mostCombined = 200
/** Maximum number of markets whose names contain all words. */
const mostPlaces = 10
/** Maximum number of latest prices read for each of these markets. */
const mostRecent = 500

/**
 * Returns the products, or the series, whose names contain all words, without case and accents: words of the product,
 * its type, brand and weight (`25 kg` or `25kg`), or of its market, city and province. The name
 * of a place alone finds the products with the latest prices there. The latest price first.
 */
export async function searchPrices(db: Db, words: readonly string[]): Promise<FoundPrice[]> {
  if (words.length === 0) return []
  const whole = (1 << words.length) - 1
  const { rows } = await sql<FoundPrice>`
    with word as (select 1 << (at::integer - 1) as bit, fold(text) as text
                    from unnest(${words}::text[]) with ordinality given (text, at)),
    product_hit as (
      select product.id, product.name || ', ' || ${weightNamed} as name, sum(bit) as bits
        from product join product_type type on type.id = type_id left join brand on brand.id = brand_id
        join word on position(word.text in fold(concat_ws(' ', product.name, type.name, brand.name, ${weightNamed}, replace(product.weight, ' ', '')))) > 0
       group by product.id order by bits desc, product.id limit ${mostCombined}),
    market_hit as (
      select market.id, sum(bit) as bits
        from market join word on position(word.text in fold(concat_ws(' ', market.name, location, province))) > 0
       group by market.id order by bits desc, market.id limit ${mostCombined}),
    chosen as (
      select id as product_id, null::integer as market_id, name from product_hit where bits = ${whole}
       union all
      select product_hit.id, market_hit.id, name from product_hit cross join market_hit
       where product_hit.bits <> ${whole} and market_hit.bits <> ${whole}
         and (product_hit.bits::integer | market_hit.bits::integer) = ${whole}
       union all
      select product.id, place.id, product.name || ', ' || ${weightNamed}
        from (select id from market_hit where bits = ${whole} order by id limit ${mostPlaces}) place
        cross join lateral (
          select product_id from (
            select product_id, observed_on from price where market_id = place.id
             order by observed_on desc limit ${mostRecent}) recent
           group by product_id order by max(observed_on) desc, product_id limit ${mostFound}) sold
        join product on product.id = sold.product_id)
    select chosen.product_id as "productId", chosen.market_id as "marketId", chosen.name,
           market.name || ', ' || market.location as market, last.price_value as "lastPrice", last.currency,
           last.observed_on as "lastDay"
      from chosen
      join lateral (
        select market_id, price_value, currency, observed_on from (
          (select * from settled_price price where price.product_id = chosen.product_id and chosen.market_id is null
            order by observed_on desc, collected_at desc, id desc limit 1)
           union all
          (select * from settled_price price where price.product_id = chosen.product_id and price.market_id = chosen.market_id
            order by observed_on desc, collected_at desc, id desc limit 1)) either) last on true
      join market on market.id = last.market_id
     order by last.observed_on desc, chosen.product_id, chosen.market_id limit ${mostFound}`.execute(db)
  return rows
}

/** Returns a product of any kind that has a price, also by the id of one that was merged into it. */
export async function findPublicProduct(db: Db, id: number): Promise<PublicProduct | undefined> {
  const { rows } =
    await sql<PublicProduct>`${pricedProducts} and product.id = ${remainingProduct(id)}`.execute(db)
  return rows[0]
}

const pricedProducts = sql`
  select product.id, product.name, ${weightNamed} as weight, product.format, category.name as category,
         type.kind = 'good' as "isGood"
    from product join product_type type on type.id = type_id join category on category.id = category_id
   where exists (select from price where product_id = product.id)`

/** Returns the goods that have a price, by name; 2 000 at most. */
export async function listPublicProducts(db: Db): Promise<PublicProduct[]> {
  const { rows } = await sql<PublicProduct>`
    ${pricedProducts} and type.kind = 'good'
     order by category.name collate "fr-x-icu", product.name collate "fr-x-icu", product.id limit 2000`.execute(
    db,
  )
  return rows
}
