import { type RawBuilder, sql } from 'kysely'
import { windowWeeks } from '#features/prices/price-index/price-index.rules.ts'
import { logUnit } from '#features/prices/price-index/price-index.sql.ts'
import { addDays, mondayOf } from '#features/prices/rollups/rollups.rules.ts'
import { hasRate } from '#features/prices/rollups/rollups.sql.ts'
import {
  Book,
  type BookSeries,
  type IndexFigures,
  type SeriesPlace,
  scopesOf,
} from '#features/prices/stored-index/book.rules.ts'
import { MeansTable } from '#features/prices/stored-index/means-table.rules.ts'
import type { WeekMeans } from '#features/prices/stored-index/windows.rules.ts'
import type { Db } from '#server/db/pool.ts'

export type SeriesKey = { product: number; market: number }
export type Pending = { series: SeriesKey[]; isAll: boolean }

/** What is stored of an index: its figures from a first Monday on. */
export type StoredIndex = IndexFigures & { name: string; start: string; isBehind: boolean }

/** The official name of a province however it is written, null of what is none. */
export type ProvinceNamed = (written: string | null) => string | null

/** A market heard of this long (days) before the last price of all has its last day read. */
const heardDays = 27
const keyLock = 7306
const weeksAtOnce = 5

/**
 * Alone until the transaction ends; false when another process is at it. The transaction may wait for a minute between two
 * statements: on a busy machine the indices of 100 000 series take longer to compute than the ten seconds of others.
 */
export async function lockIndices(tx: Db): Promise<boolean> {
  await sql`set local idle_in_transaction_session_timeout = '60s'`.execute(tx)
  const { rows } = await sql<{ isOurs: boolean }>`
    select pg_try_advisory_xact_lock(${keyLock}) as "isOurs"`.execute(tx)
  return rows[0]?.isOurs ?? false
}

/** Whether something was written, since when at least (ms), and who brought the indices up to date last. */
export async function readPending(
  db: Db,
): Promise<{ waitingMs: number | null; keeper: string | null; version: number }> {
  const { rows } = await sql<{ waitingMs: number | null; keeper: string | null; version: number }>`
    select keeper, version,
           (select (extract(epoch from clock_timestamp() - added_at) * 1000)::float8
              from price_index_pending order by id limit 1) as "waitingMs"
      from price_index_keeper`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the row of the keeper is always there')
  return row
}

/** Takes what was written since, under a new version, and says who did: the windows that it is in are to be fitted anew. */
export async function takePending(tx: Db, keeper: string): Promise<Pending & { version: number }> {
  const { rows } = await sql<{ product: number | null; market: number | null; week: string | null }>`
    delete from price_index_pending returning product_id as product, market_id as market, week`.execute(tx)
  const first = rows.some(({ week }) => week === null)
    ? '-infinity'
    : (rows
        .map(({ week }) => week)
        .sort()
        .at(0) ?? 'infinity')
  const { rows: kept } = await sql<{ version: number }>`
    update price_index_keeper
       set keeper = ${keeper}, version = version + 1, windows_from = least(windows_from, ${first}::date)
    returning version`.execute(tx)
  const series = rows.flatMap(({ product, market }) =>
    product === null || market === null ? [] : [{ product, market }],
  )
  const known = new Map(series.map((each) => [`${each.product} ${each.market}`, each]))
  return {
    series: [...known.values()],
    isAll: series.length < rows.length,
    version: kept[0]?.version ?? 0,
  }
}

/** Has all indices computed anew. */
export async function addPendingAll(tx: Db): Promise<void> {
  await sql`insert into price_index_pending default values`.execute(tx)
}

/** The last local day with a price that has a value in francs. */
export async function readLastDay(db: Db): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    select max(day) as day from price_day where n > 0 and ${hasRate('day')}`.execute(db)
  return rows[0]?.day ?? null
}

/** All series of the 53 weeks that end with a day, read some weeks after the others: all would be too many for one answer. */
export async function readBook(db: Db, lastDay: string, provinceNamed: ProvinceNamed): Promise<Book> {
  const start = windowStart(lastDay)
  const names = await readScopes(db, provinceNamed)
  const lastDays = await readLastDays(db, lastDay)
  const all = new MeansTable()
  const rows = new Map<string, SeriesKey & { row: number }>()
  for (let from = 0; from < windowWeeks; from += weeksAtOnce) {
    const weeks = Math.min(weeksAtOnce, windowWeeks - from)
    for (const { week, products, markets, logs } of await readMeans(db, start, { from, weeks })) {
      for (let i = 0; i < products.length; i++) {
        const [product, market] = [products[i] ?? 0, markets[i] ?? 0]
        const key = `${product} ${market}`
        let own = rows.get(key)
        if (!own) {
          own = { product, market, row: all.takeRow() }
          rows.set(key, own)
        }
        all.set(own.row, week, logs[i] ?? 0)
      }
    }
  }
  const book = new Book(start)
  let put = 0
  for (const [key, { product, market, row }] of rows) {
    const scopes = names(product, market)
    book.put({ product, market, scopes, lastDay: lastDays.get(key) ?? null, ...all.read(row) })
    // Others are served meanwhile.
    if (++put % 500 === 0) await new Promise(setImmediate)
  }
  return book
}

/**
 * The means of all series in some weeks, week after week, without the weeks that have none. Numbers in a text are read much
 * sooner than as many rows.
 *
 * @param of how many weeks, and which is the first, counted from `start`
 */
export async function readMeans(
  db: Db,
  start: string,
  { from, weeks }: { from: number; weeks: number },
): Promise<(WeekMeans & { week: number })[]> {
  const [first, last] = [addDays(start, 7 * from), addDays(start, 7 * (from + weeks) - 7)]
  const { rows } = await sql<{ week: number; products: string; markets: string; logs: string }>`
    select (week - ${start}::date) / 7 as week, string_agg(product_id::text, ',') as products,
           string_agg(market_id::text, ',') as markets, string_agg(log::text, ',') as logs
      from (select week, product_id, market_id, round(sum(sum_log_cdf::float8) / sum(n)) as log
              from price_week_series where week between ${first}::date and ${last}::date and n > 0
             group by 1, 2, 3) mean
     group by week order by week`.execute(db)
  return rows.map(({ week, products, markets, logs }) => ({
    week,
    products: numbersOf(products),
    markets: numbersOf(markets),
    logs: numbersOf(logs).map((log) => log * logUnit),
  }))
}

/** Some series anew; those without a price in the window come without a week. */
export async function readChangedSeries(
  db: Db,
  keys: readonly SeriesKey[],
  { start, lastDay, provinceNamed }: { start: string; lastDay: string; provinceNamed: ProvinceNamed },
): Promise<BookSeries[]> {
  const [products, markets] = [keys.map(({ product }) => product), keys.map(({ market }) => market)]
  const { rows } = await sql<
    SeriesPlace & { product: number; weeks: string; logs: string; lastDay: string | null }
  >`
    with wanted as (select * from unnest(${products}::integer[], ${markets}::integer[]) as each (product_id, market_id)),
    mean as (
      select product_id, market_id, (cell.week - ${start}::date) / 7 as week,
             round(sum(sum_log_cdf::float8) / sum(n)) as log
        from wanted cross join (select ${start}::date + 7 * i as week from generate_series(0, ${windowWeeks - 1}) i) monday
        join price_week_series cell using (week, product_id, market_id)
       where n > 0 group by 1, 2, 3)
    select product_id as product, market_id as market, fold(market.location) as city, market.province,
           case type.kind when 'good' then type.category_id end as category,
           coalesce((select string_agg(week::text, ',' order by week) from mean
                      where (mean.product_id, mean.market_id) = (wanted.product_id, wanted.market_id)), '') as weeks,
           coalesce((select string_agg(log::text, ',' order by week) from mean
                      where (mean.product_id, mean.market_id) = (wanted.product_id, wanted.market_id)), '') as logs,
           (select max(observed_on) from price
             where (price.product_id, price.market_id) = (wanted.product_id, wanted.market_id)
               and observed_on between ${addDays(lastDay, -heardDays)}::date and ${lastDay}::date
               and ${hasRate('observed_on')}) as "lastDay"
      from wanted
      join product on product.id = product_id join product_type type on type.id = type_id
      join market on market.id = market_id`.execute(db)
  return rows.map(({ product, weeks, logs, lastDay, ...place }) => ({
    ...{ product, market: place.market, lastDay },
    scopes: scopesOf({ ...place, province: provinceNamed(place.province) }),
    weeks: numbersOf(weeks),
    logs: numbersOf(logs).map((log) => log * logUnit),
  }))
}

/** The window of an index that ends with the week of a day. */
export function windowStart(lastDay: string): string {
  return addDays(mondayOf(lastDay), -7 * (windowWeeks - 1))
}

/** Stores the figures of some indices; one without is stored no more. */
export async function saveIndices(
  tx: Db,
  start: string,
  figures: ReadonlyMap<string, IndexFigures | null>,
): Promise<void> {
  for (const [name, figure] of figures) {
    const { scope, key } = scopeOf(name)
    await sql`delete from price_index where scope = ${scope} and key = ${key}`.execute(tx)
    if (!figure) continue
    const { levels, errors, series, products, knownSeries, silentMarkets, lastDay } = figure
    await sql`
      insert into price_index (scope, key, start, levels, errors, series, products, known_series, silent_markets, last_day)
      values (${scope}, ${key}, ${start}::date, ${levels}::float8[], ${errors}::float8[], ${series}, ${products},
              ${knownSeries}, ${silentMarkets}, ${lastDay}::date)`.execute(tx)
  }
}

/** Forgets all stored indices. */
export async function dropIndices(tx: Db): Promise<void> {
  await sql`delete from price_index`.execute(tx)
}

/** Every index that is stored, by its name. */
export async function readAllIndices(db: Db): Promise<Map<string, StoredIndex>> {
  const { rows } = await sql<StoredIndex>`select ${columns} from price_index`.execute(db)
  return new Map(rows.map((index) => [index.name, index]))
}

/** What is stored of an index (cities in whatever case), and whether something was written since; null when it is not. */
export async function readStoredIndex(db: Db, name: string): Promise<StoredIndex | null> {
  const { rows } = await sql<{ stored: StoredIndex | null }>`select ${storedIndex(name)} as stored`.execute(
    db,
  )
  return rows[0]?.stored ?? null
}

/** The same as a value, for a statement that reads other things too. */
export function storedIndex(name: string): RawBuilder<StoredIndex | null> {
  const { scope, key } = scopeOf(name)
  return sql`(select to_jsonb(stored) from (
    select ${columns} from price_index where scope = ${scope} and key = ${scope === 'city' ? sql`fold(${key})` : sql`${key}`}) stored)`
}

const columns = sql`
  scope || ' ' || key as name, start, levels, errors, series, products, known_series as "knownSeries", silent_markets as "silentMarkets",
  last_day as "lastDay", exists (select from price_index_pending) as "isBehind"`

export function scopeOf(name: string): { scope: string; key: string } {
  const space = name.indexOf(' ')
  return { scope: name.slice(0, space), key: name.slice(space + 1) }
}

/** Which indices a series enters beside the country's, as the catalogue is now. */
export async function readScopes(
  db: Db,
  provinceNamed: ProvinceNamed,
): Promise<(product: number, market: number) => string[]> {
  const { rows: products } = await sql<{ id: number; category: number }>`
    select product.id, type.category_id as category from product join product_type type on type.id = product.type_id
     where type.kind = 'good'`.execute(db)
  const { rows: markets } = await sql<{ id: number; city: string; province: string | null }>`
    select id, fold(location) as city, province from market`.execute(db)
  const categories = new Map(products.map(({ id, category }) => [id, category]))
  const places = new Map(
    markets.map(({ id, city, province }) => [id, { market: id, city, province: provinceNamed(province) }]),
  )
  // The series of a category in a market share one list.
  const known = new Map<string, string[]>()
  return (product, market) => {
    const [place, category] = [places.get(market), categories.get(product) ?? null]
    if (!place) return []
    const names = known.get(`${market} ${category}`) ?? scopesOf({ ...place, category })
    known.set(`${market} ${category}`, names)
    return names
  }
}

/** The last day with a price of the series that have one in the days before the last of all. */
async function readLastDays(db: Db, lastDay: string): Promise<Map<string, string>> {
  const { rows } = await sql<SeriesKey & { day: string }>`
    select product_id as product, market_id as market, max(observed_on) as day from price
     where observed_on between ${addDays(lastDay, -heardDays)}::date and ${lastDay}::date and ${hasRate('observed_on')}
     group by 1, 2`.execute(db)
  return new Map(rows.map(({ product, market, day }) => [`${product} ${market}`, day]))
}

function numbersOf(text: string | undefined): number[] {
  return text ? JSON.parse(`[${text}]`) : []
}
