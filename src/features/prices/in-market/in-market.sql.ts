import { sql } from 'kysely'
import { matching } from '#features/figures/rollups/rollups.sql.ts'
import { absenceOf } from '#features/prices/absence/absence.sql.ts'
import type {
  collectorsInMarket,
  latestPricesInMarket,
  MarketCollector,
  PriceInMarket,
} from '#features/prices/in-market/in-market.contract.ts'
import { settledSeriesOf } from '#features/prices/latest/settled-series.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { contains, inFrench, offsetOf, orderOf } from '#server/db/selection.ts'
import type { QueryOf } from '#shared/contract.ts'

type Days = Pick<QueryOf<typeof collectorsInMarket>, 'startDate' | 'endDate'>

type Page<Row> = { rows: Row[]; total: number }

const latestSorts = { product: inFrench('product.name'), observedOn: sql`series.last_day` }

/**
 * Returns the last settled price of each product of a market.
 * @param afterId replaces the page: returns products after this id, in the order of ids
 */
export async function listPricesInMarket(
  db: Db,
  marketId: number,
  query: QueryOf<typeof latestPricesInMarket>,
  afterId?: number,
): Promise<Page<PriceInMarket>> {
  const byCursor = afterId !== undefined
  const order = byCursor ? sql`product.id` : orderOf(latestSorts, query.sort, 'product.id', 'product')
  const { rows } = await sql<Page<PriceInMarket>>`
    with series as (${settledSeriesOf('market_id', marketId)}),
    found as (
      select product.*, series.last_day, row_number() over (order by ${order}) as place
        from series join product on product.id = series.product_id
       where ${query.search ? contains(sql`folded`, query.search) : sql`true`}),
    page as (select * from found
              where id > ${afterId ?? 0} order by place limit ${query.limit} offset ${byCursor ? 0 : offsetOf(query)})
    select (select count(*) from found) as total,
           coalesce(json_agg(json_build_object(
             'priceValue', latest.price_value, 'currency', latest.currency, 'observedOn', latest.observed_on,
             'collectorName', latest.collector_name,
             'product', json_build_object('id', page.id, 'name', page.name, 'code', page.code,
                                          'weight', page.weight, 'format', page.format),
             'previous', previous.quoted,
             'absence', ${absenceOf({ product: sql`page.id`, market: sql`${marketId}::bigint` })}) order by page.place), '[]') as rows
      from page
      join lateral (
        select * from settled_price
         where market_id = ${marketId} and product_id = page.id and observed_on <= page.last_day
         order by observed_on desc, collected_at desc, id desc limit 1) latest on true
      left join lateral (
        select json_build_object('priceValue', price_value, 'currency', currency, 'observedOn', observed_on) as quoted
          from settled_price
         where market_id = ${marketId} and product_id = page.id and observed_on < latest.observed_on
           and currency = latest.currency
         order by observed_on desc, collected_at desc, id desc limit 1) previous on true`.execute(db)
  return rows[0] ?? { rows: [], total: 0 }
}

const collectorSorts = {
  name: inFrench('name'),
  count: sql`count`,
  lastCollectedAt: sql`"lastCollectedAt"`,
}

/**
 * Returns the collectors of a market's prices in a period, in the order of the hashes of their names, after a given
 * hash.
 */
export async function listCollectorsAfter(
  db: Db,
  marketId: number,
  { startDate, endDate, after, most }: Days & { after: string; most: number },
): Promise<(MarketCollector & { place: string })[]> {
  const { rows } = await sql<MarketCollector & { place: string }>`
    select *, md5(name) as place from (${collectorsOf(marketId, { startDate, endDate })}) collector
     where md5(name) > ${after} order by place limit ${most}`.execute(db)
  return rows
}

/** Returns the collectors of a market's prices in a period; by default those with the most prices first. */
export async function listCollectorsInMarket(
  db: Db,
  marketId: number,
  query: QueryOf<typeof collectorsInMarket>,
): Promise<Page<MarketCollector>> {
  const { startDate, endDate, sort, limit } = query
  const collectors = collectorsOf(marketId, { startDate, endDate })
  const { rows: counted } = await sql<{ total: number }>`
    select count(*) as total from (${collectors}) collector`.execute(db)
  const { rows } = await sql<MarketCollector>`
    select * from (${collectors}) collector
     order by ${orderOf(collectorSorts, sort, 'name', '-count')}
     limit ${limit} offset ${offsetOf(query)}`.execute(db)
  return { rows, total: counted[0]?.total ?? 0 }
}

function collectorsOf(marketId: number, days: Days) {
  return sql`
    select collector_name as name, count(*) as count, max(collected_at) as "lastCollectedAt"
      from price where ${matching({ marketIds: [marketId], ...days }, 'observed_on')} group by 1`
}
