import { type RawBuilder, sql } from 'kysely'
import { logUnit } from '#features/figures/price-index/price-index.sql.ts'
import { hasRate } from '#features/figures/rollups/rollups.sql.ts'
import type { CoveredMarket, Move, PublicFigures } from '#features/landing/landing.contract.ts'
import { productNamed } from '#features/products/products.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inFrench } from '#server/db/selection.ts'

const mostOnTheMap = 500

export async function countPlatform(db: Db): Promise<PublicFigures['totals']> {
  const { rows } = await sql<PublicFigures['totals']>`
    select (select coalesce(sum(n), 0) from price_day) as prices,
           (select coalesce(sum(n), 0) from product_count) as products,
           (select count(*) from market) as markets,
           (select count(*) from app_user where status = 'ACTIVE') as users`.execute(db)
  return rows[0] ?? { prices: 0, products: 0, markets: 0, users: 0 }
}

/** Counts the products of each brand and each category, the largest first. */
export async function countCatalogueParts(
  db: Db,
  most: { brands: number; categories: number },
): Promise<Pick<PublicFigures, 'brands' | 'categories'>> {
  type Part = { id: number; name: string; count: number }
  const { rows: brands } = await sql<Part>`
    select brand.id, brand.name, counted.count
      from (select brand_id, count(*) from product where brand_id is not null group by 1 order by 2 desc, 1 limit ${most.brands}) counted
      join brand on brand.id = counted.brand_id order by counted.count desc, brand.id`.execute(db)
  const { rows: categories } = await sql<Part>`
    select category.id, category.name, sum(product_count.n) as count
      from product_count join product_type on product_type.id = product_count.type_id
      join category on category.id = product_type.category_id
     group by category.id having sum(product_count.n) > 0
     order by 3 desc, category.id limit ${most.categories}`.execute(db)
  return { brands, categories }
}

/** Counts new subscriptions by day in Kinshasa, and prices by local day, for the last `days` days up to today. */
export async function countDays(
  db: Db,
  days: number,
  today: string,
): Promise<Pick<PublicFigures, 'subscriptions' | 'collected'>> {
  const { rows } = await sql<{ date: string; subscriptions: number; prices: number }>`
    select day.day::date as date,
           (select count(*) from subscription
             where created_at >= day.day::date::timestamp at time zone 'Africa/Kinshasa'
               and created_at < (day.day::date + 1)::timestamp at time zone 'Africa/Kinshasa') as subscriptions,
           (select coalesce(sum(cell.n), 0) from price_day cell where cell.day = day.day::date) as prices
      from generate_series(${today}::date - ${days - 1}::integer, ${today}::date, interval '1 day') day
     order by 1`.execute(db)
  return {
    subscriptions: rows.map(({ date, subscriptions }) => ({ date, count: subscriptions })),
    collected: rows.map(({ date, prices }) => ({ date, count: prices })),
  }
}

/** Returns the markets of the map, each with its number of prices and its last day, most prices first. */
export function listCoveredMarkets(db: Db): Promise<CoveredMarket[]> {
  return readCoveredMarkets(db, sql`true`)
}

export async function findCoveredMarket(db: Db, id: number): Promise<CoveredMarket | undefined> {
  const [found] = await readCoveredMarkets(db, sql`market.id = ${id}`)
  return found
}

async function readCoveredMarkets(db: Db, condition: RawBuilder<unknown>): Promise<CoveredMarket[]> {
  const { rows } = await sql<CoveredMarket>`
    select market.id, market.name, market.location, market.province, market.latitude, market.longitude,
           coalesce(sum(cell.n), 0) as count, max(cell.day) filter (where cell.n > 0) as "lastDay"
      from market left join price_day_market cell on cell.market_id = market.id
     where ${condition}
     group by market.id order by 7 desc, ${inFrench('market.name')}, market.id limit ${mostOnTheMap}`.execute(
    db,
  )
  return rows
}

/**
 * Returns each product with prices in at least three markets in both the seven days up to `lastDay` and the seven
 * before: its price, and its change over the series with a price in both weeks. Products with most prices come first.
 */
export async function listWeeklyMoves(db: Db, lastDay: string): Promise<Move[]> {
  const { rows } = await sql<Move>`
    with quote as (
      select product_id, market_id, observed_on > ${lastDay}::date - 7 as is_recent,
             log_value + case currency when 'CDF' then 0 else log_rate_on(observed_on, currency) end as log
        from price where observed_on between ${lastDay}::date - 13 and ${lastDay}::date and ${hasRate('observed_on')}),
    series as (
      select product_id, market_id, count(*) as n, avg(log) filter (where is_recent) as after,
             avg(log) filter (where not is_recent) as before
        from quote group by 1, 2),
    moved as (
      select product_id, sum(n) as n, count(*) as markets, avg(after) as log, avg(after - before) as log_change
        from series where after is not null and before is not null group by 1 having count(*) >= 3)
    select ${productNamed} as product,
           exp(moved.log::float8 * ${sql.lit(logUnit)}) as price,
           exp(moved.log_change::float8 * ${sql.lit(logUnit)}) - 1 as change,
           moved.markets
      from moved join product on product.id = moved.product_id
     where ${isGood('product.id')} order by moved.n desc, product.id`.execute(db)
  return rows
}

/**
 * Returns the place whose prices changed least over thirteen weeks: the mean change of the series with prices both in
 * the four weeks up to the Monday `lastWeek` and in the four that end thirteen weeks earlier. Null where no place has
 * five series of three products.
 */
export async function findSteadiestPlace(db: Db, lastWeek: string): Promise<PublicFigures['steadiest']> {
  const { rows } = await sql<NonNullable<PublicFigures['steadiest']>>`
    with series as (
      select product_id, market_id,
             sum(sum_log_cdf::float8) filter (where week > ${lastWeek}::date - 28)
               / nullif(sum(n) filter (where week > ${lastWeek}::date - 28), 0) as after,
             sum(sum_log_cdf::float8) filter (where week <= ${lastWeek}::date - 91)
               / nullif(sum(n) filter (where week <= ${lastWeek}::date - 91), 0) as before
        from price_week_series
       where n > 0 and (week between ${lastWeek}::date - 27 and ${lastWeek}::date
                     or week between ${lastWeek}::date - 118 and ${lastWeek}::date - 91)
       group by 1, 2)
    select min(market.location) as location, exp(avg(after - before) * ${sql.lit(logUnit)}) - 1 as change,
           count(*) as series, count(distinct product_id) as products
      from series join market on market.id = series.market_id
     where after is not null and before is not null and ${isGood('product_id')}
     group by fold(market.location) having count(*) >= 5 and count(distinct product_id) >= 3
     order by abs(avg(after - before)), 1 limit 1`.execute(db)
  return rows[0] ?? null
}

/** Compares one product across markets: its mean price in the four weeks up to `lastWeek`, and in the four before. */
export async function compareMarkets(
  db: Db,
  lastWeek: string,
  mostMarkets: number,
): Promise<Omit<NonNullable<PublicFigures['comparison']>, 'from' | 'to'> | null> {
  const { rows } = await sql<Omit<NonNullable<PublicFigures['comparison']>, 'from' | 'to'>>`
    with series as (
      select product_id, market_id, sum(n) as n, least(sum(n) filter (where week > ${lastWeek}::date - 28),
                                                       sum(n) filter (where week <= ${lastWeek}::date - 28)) < 3 as is_thin,
             sum(sum_log_cdf::float8) filter (where week > ${lastWeek}::date - 28)
               / nullif(sum(n) filter (where week > ${lastWeek}::date - 28), 0) as after,
             sum(sum_log_cdf::float8) filter (where week <= ${lastWeek}::date - 28)
               / nullif(sum(n) filter (where week <= ${lastWeek}::date - 28), 0) as before
        from price_week_series where n > 0 and week between ${lastWeek}::date - 55 and ${lastWeek}::date
       group by 1, 2),
    both_sides as (select * from series where after is not null and before is not null and ${isGood('product_id')}),
    chosen as (select product_id from both_sides group by 1 order by count(*) desc, sum(n) desc, 1 limit 1),
    shown as (
      select market.id, market.name, market.location, exp(after * ${sql.lit(logUnit)}) as current,
             exp(before * ${sql.lit(logUnit)}) as previous, both_sides.n, is_thin
        from both_sides join chosen using (product_id) join market on market.id = both_sides.market_id
       order by both_sides.n desc, market.id limit ${mostMarkets})
    select ${productNamed} as product,
           (select json_agg(json_build_object('id', id, 'name', name, 'location', location,
                                              'current', current, 'previous', previous, 'isThin', is_thin) order by current desc, id)
              from shown) as markets
      from product join chosen on chosen.product_id = product.id`.execute(db)
  return rows[0] ?? null
}

/** Returns the last local day with prices. */
export async function findLastDay(db: Db): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    select max(day) as day from price_day where n > 0`.execute(db)
  return rows[0]?.day ?? null
}

export async function countPricesFrom(db: Db, from: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(n), 0) as count from price_day where day >= ${from}::date`.execute(db)
  return rows[0]?.count ?? 0
}

/** Wages, services and rates are only shown as single series, never in figures of several products. */
function isGood(productId: string) {
  return sql`exists (select from product good join product_type type on type.id = good.type_id
                      where good.id = ${sql.ref(productId)} and type.kind = 'good')`
}
