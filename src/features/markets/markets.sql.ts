import { type RawBuilder, sql } from 'kysely'
import { markets } from '#features/markets/markets.contract.ts'
import { spellingsOfProvince, type TimeZone, timeZoneOfProvince } from '#features/markets/markets.rules.ts'
import type { Db } from '#server/db/pool.ts'
import { defineRows } from '#server/db/rows.ts'
import { countReferences, hasWords, inFrench, isText } from '#server/db/selection.ts'
import { insertRow, updateRow } from '#server/db/write-row.ts'
import type { Use } from '#server/writes.ts'
import type { BodyOf, QueryOf } from '#shared/contract.ts'
import type { ChangeOf } from '#shared/resource.ts'

// Summed from the daily rollup: counting prices one by one would read millions of them.
const priceCount = sql<number>`(select coalesce(sum(n), 0) from price_day_market where market_id = market.id)`
// Skips from one product to the next by index: a market may have millions of prices of a few hundred products.
const productCount = sql<number>`(
  with recursive series as (
    (select product_id from price_week_series where market_id = market.id order by product_id limit 1)
    union all
    select (select product_id from price_week_series
             where market_id = market.id and product_id > series.product_id order by product_id limit 1)
      from series where product_id is not null)
  select count(*) from series where exists (
    select from price_week_series cell
     where cell.market_id = market.id and cell.product_id = series.product_id and n > 0))`
const columns = [
  'id',
  'name',
  'location',
  'province',
  'latitude',
  'longitude',
  sql<TimeZone>`time_zone`.as('timeZone'),
  'created_at',
  'updated_at',
  sql<string | null>`(select max(day) from price_day_market where market_id = market.id and n > 0)`.as(
    'lastQuoteOn',
  ),
  sql<{
    prices: number
    products: number
  }>`json_build_object('prices', ${priceCount}, 'products', ${productCount})`.as('_count'),
] as const
const sorts = {
  // Markets of the same name are sorted by town.
  name: sql`(${inFrench('name')}, ${inFrench('location')})`,
  location: inFrench('location'),
  province: inFrench('province'),
  created_at: sql`created_at`,
  prices: priceCount,
}

export const marketRows = defineRows(markets, {
  table: 'market',
  columns,
  sorts,
  defaultSort: 'name',
  from: (db: Db) => db.selectFrom('market'),
  filters: {
    search: hasWords(sql`fold(name || ' ' || location)`),
    location: isText('location'),
  },
  isPageFirst: true,
})

export async function countMarkets(db: Db, query: QueryOf<typeof markets.figures>) {
  return db
    .with('chosen', () => marketRows.select(db, query).select(['id', 'location']))
    .selectNoFrom([
      sql<number>`(select count(*) from chosen)`.as('markets'),
      // The prices of all markets have a rollup of their own.
      marketRows.isWhole(query)
        ? sql<number>`(select coalesce(sum(n), 0) from price_day)`.as('prices')
        : sql<number>`(select coalesce(sum(n), 0) from price_day_market
            where market_id in (select id from chosen))`.as('prices'),
      // There are few distinct spellings of locations, so each is folded only once.
      sql<number>`(select count(distinct fold(location)) from (select distinct location from chosen) place)`.as(
        'locations',
      ),
    ])
    .executeTakeFirstOrThrow()
}

export async function insertMarket(tx: Db, input: BodyOf<typeof markets.create>): Promise<number> {
  const { timeZone, ...market } = input
  return insertRow(tx, 'market', {
    ...market,
    time_zone: timeZone ?? timeZoneOfProvince(input.province ?? null, input.longitude),
  })
}

export async function updateMarket(tx: Db, id: number, changes: ChangeOf<typeof markets>): Promise<void> {
  const { timeZone, ...market } = changes
  const time_zone = timeZone === null ? await timeZoneAfter(tx, id, changes) : timeZone
  await updateRow(tx, 'market', id, { ...market, time_zone })
}

export async function countUsesOfMarket(tx: Db, id: number): Promise<Use[]> {
  const { count } = await tx
    .selectFrom('price_day_market')
    .select((e) => e.fn.coalesce(e.fn.sum<number>('n'), e.lit(0)).as('count'))
    .where('market_id', '=', id)
    .executeTakeFirstOrThrow()
  const entries = await countReferences(tx, 'collection_entry', 'market_id', id)
  const visits = await countReferences(tx, 'planned_visit', 'market_id', id)
  return [
    { count, one: 'prix', many: 'prix' },
    { count: entries, one: 'relevé de terrain', many: 'relevés de terrain' },
    { count: visits, one: 'visite prévue', many: 'visites prévues' },
  ]
}

// Same normalisation as in `spellingsOfProvince`.
export const lettersOfProvince = sql`regexp_replace(fold(province), '[^a-z]', '', 'g')`

/** JSON name of a row of `market`: its id, name and city. */
export const marketNamed = sql`json_build_object('id', market.id, 'name', market.name, 'location', market.location)`

/** Returns the condition that a market is in a province, in any spelling. */
export function isInProvince(province: string): RawBuilder<boolean> {
  return sql`(fold(province) = fold(${province})
    or ${lettersOfProvince} = any(${spellingsOfProvince(province)}::text[]))`
}

async function timeZoneAfter(tx: Db, id: number, changes: ChangeOf<typeof markets>): Promise<TimeZone> {
  const before = await tx
    .selectFrom('market')
    .select(['province', 'longitude'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { province = before.province, longitude = before.longitude } = changes
  return timeZoneOfProvince(province, longitude)
}
