import { type RawBuilder, sql } from 'kysely'
import { windowWeeks } from '#features/prices/price-index/price-index.rules.ts'
import { logUnit } from '#features/prices/price-index/price-index.sql.ts'
import { addDays, mondayOf } from '#features/prices/rollups/rollups.rules.ts'
import { hasRate } from '#features/prices/rollups/rollups.sql.ts'
import {
  type IndexFigures,
  type Pause,
  type SeriesPlace,
  scopesOf,
} from '#features/prices/stored-index/figures.rules.ts'
import {
  type OfSeries,
  SeriesWindow,
  type WindowSeries,
} from '#features/prices/stored-index/windows.rules.ts'
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
/** Of so many the figures are a megabyte of text. */
const indicesAtOnce = 32

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

/** Says who brings the indices up to date from now on, unless they have been since a version. */
export async function takeKeeping(db: Db, keeper: string, version: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update price_index_keeper set keeper = ${keeper} where version = ${version}`.execute(db)
  return numAffectedRows === 1n
}

/** Takes what was written since, under a new version, and says who did: the windows that it is in are to be fitted anew. */
export async function takePending(tx: Db, keeper: string): Promise<Pending & { version: number }> {
  type Written = { product: number | null; market: number | null; week: string; lastWeek: string }
  const { rows } = await sql<Written>`
    delete from price_index_pending
    returning product_id as product, market_id as market, coalesce(week, '-infinity') as week,
              coalesce(last_week, 'infinity') as "lastWeek"`.execute(tx)
  const { rows: kept } = await sql<{ version: number }>`
    update price_index_keeper
       set keeper = ${keeper}, version = version + 1,
           windows_from = least(windows_from, (select min(week) from unnest(${rows.map(({ week }) => week)}::date[]) week)),
           windows_until = greatest(windows_until, (select max(week) from unnest(${rows.map(({ lastWeek }) => lastWeek)}::date[]) week))
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

/** All series of the 53 weeks that end with a day. */
export async function readLastYear(
  db: Db,
  lastDay: string,
  provinceNamed: ProvinceNamed,
  pause: Pause,
): Promise<SeriesWindow> {
  const window = new SeriesWindow(await readScopes(db, provinceNamed))
  const start = windowStart(lastDay)
  for (let week = 0; week < windowWeeks; week++) {
    await window.add(await readMeans(db, addDays(start, 7 * week)), pause)
  }
  window.noteLastDays(await readLastDays(db, lastDay))
  return window
}

/** The means of all series in the week of a Monday: natural logarithms. Numbers in a text are read much sooner than as many rows. */
export async function readMeans(db: Db, monday: string): Promise<OfSeries> {
  const means = await readOfSeries(
    db,
    sql`select product_id, market_id, round(sum(sum_log_cdf::float8) / sum(n)) as value
          from price_week_series where week = ${monday}::date and n > 0 group by 1, 2`,
  )
  return { ...means, values: means.values.map((log) => log * logUnit) }
}

/** @param rows (product_id, market_id, value) */
async function readOfSeries(db: Db, rows: RawBuilder<unknown>): Promise<OfSeries> {
  const {
    rows: [row],
  } = await sql<Record<keyof OfSeries, string | null>>`
    select string_agg(product_id::text, ',') as products, string_agg(market_id::text, ',') as markets,
           string_agg(value::text, ',') as values
      from (${rows}) each`.execute(db)
  return {
    products: numbersOf(row?.products),
    markets: numbersOf(row?.markets),
    values: numbersOf(row?.values),
  }
}

/** Some series anew; those without a price in the window come without a week. */
export async function readChangedSeries(
  db: Db,
  keys: readonly SeriesKey[],
  { start, lastDay, provinceNamed }: { start: string; lastDay: string; provinceNamed: ProvinceNamed },
): Promise<WindowSeries[]> {
  const [products, markets] = [keys.map(({ product }) => product), keys.map(({ market }) => market)]
  const { rows } = await sql<
    SeriesPlace & { product: number; weeks: string; logs: string; lastDay: number | null }
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
           (select max(observed_on) - date '1970-01-01' from price
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
  const rows = [...figures].map(([name, figure]) => ({ ...scopeOf(name), figure }))
  const listOf = (numbers: readonly (number | string | null)[]) => `{${JSON.stringify(numbers).slice(1, -1)}}`
  for (let from = 0; from < rows.length; from += indicesAtOnce) {
    const some = rows.slice(from, from + indicesAtOnce).map(({ scope, key, figure }) => ({
      ...{ scope, key, ...figure, isKept: figure !== null },
      ...(figure && {
        levels: listOf(figure.levels),
        errors: listOf(figure.errors),
        quoted: listOf(figure.quoted),
        marketDays: listOf(figure.marketDays),
      }),
    }))
    await sql`
      with row as materialized (
        select * from jsonb_to_recordset(${JSON.stringify(some)}::jsonb) as row (
          scope text, key text, "isKept" boolean, levels text, errors text, quoted text, series integer, products integer,
          "knownSeries" integer, "marketDays" text, "lastDay" date)),
      gone as (delete from price_index using row where (price_index.scope, price_index.key) = (row.scope, row.key) and not "isKept")
      insert into price_index (scope, key, start, levels, errors, quoted, series, products, known_series, market_days, last_day)
      select scope, key, ${start}::date, levels::float8[], errors::float8[], quoted::integer[], series, products, "knownSeries", "marketDays"::date[],
             "lastDay"
        from row where "isKept"
      on conflict (scope, key) do update set
        start = excluded.start, levels = excluded.levels, errors = excluded.errors, quoted = excluded.quoted, series = excluded.series,
        products = excluded.products, known_series = excluded.known_series, market_days = excluded.market_days,
        last_day = excluded.last_day, computed_at = now()`.execute(tx)
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
  scope || ' ' || key as name, start, levels, errors, quoted, series, products, known_series as "knownSeries", market_days as "marketDays",
  last_day as "lastDay", exists (select from price_index_pending) as "isBehind"`

export function scopeOf(name: string): { scope: string; key: string } {
  const space = name.indexOf(' ')
  return { scope: name.slice(0, space), key: name.slice(space + 1) }
}

/** Which indices a series enters beside the country's, as the catalogue is now. */
export async function readScopes(
  db: Db,
  provinceNamed: ProvinceNamed,
): Promise<(product: number, market: number) => readonly string[]> {
  const { rows: products } = await sql<{ id: number; category: number }>`
    select product.id, type.category_id as category from product join product_type type on type.id = product.type_id
     where type.kind = 'good'`.execute(db)
  const { rows: markets } = await sql<{ id: number; city: string; province: string | null }>`
    select id, fold(location) as city, province from market`.execute(db)
  const categories = new Map(products.map(({ id, category }) => [id, category]))
  const places = new Map(
    markets.map(({ id, city, province }) => [id, { market: id, city, province: provinceNamed(province) }]),
  )
  const none: readonly string[] = []
  const known = new Map<number, Map<number, readonly string[]>>()
  return (product, market) => {
    const [place, category] = [places.get(market), categories.get(product)]
    if (!place || category === undefined) return none
    const ofMarket = known.get(market) ?? new Map<number, readonly string[]>()
    const scopes = ofMarket.get(category) ?? scopesOf({ ...place, category })
    known.set(market, ofMarket.set(category, scopes))
    return scopes
  }
}

/** The last day with a price, counted from 1970, of the series that have one in the days before the last of all. */
function readLastDays(db: Db, lastDay: string): Promise<OfSeries> {
  return readOfSeries(
    db,
    sql`select product_id, market_id, max(observed_on) - date '1970-01-01' as value from price
         where observed_on between ${addDays(lastDay, -heardDays)}::date and ${lastDay}::date and ${hasRate('observed_on')}
         group by 1, 2`,
  )
}

function numbersOf(text: string | null | undefined): number[] {
  return text ? JSON.parse(`[${text}]`) : []
}
