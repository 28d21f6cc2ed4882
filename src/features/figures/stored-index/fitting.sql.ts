import { type RawBuilder, sql } from 'kysely'
import type { WeeklySeries } from '#features/figures/price-index/normal-equations.rules.ts'
import { windowWeeks } from '#features/figures/price-index/price-index.rules.ts'
import { logUnit } from '#features/figures/price-index/price-index.sql.ts'
import type { WindowLevels } from '#features/figures/price-index/splice.rules.ts'
import { hasRate } from '#features/figures/rollups/rollups.sql.ts'
import { type IndexFigures, scopesOf } from '#features/figures/stored-index/figures.rules.ts'
import { type MeansOfWeek, SeriesReader } from '#features/figures/stored-index/fitting.rules.ts'
import type { Db } from '#server/db/pool.ts'
import { addDays, mondayOf } from '#shared/days.ts'

/** Returns the official name of a province from any spelling; null if unknown. */
export type ProvinceNamed = (written: string | null) => string | null

/** What is pending to fit, read in one snapshot. */
export type FitState = {
  now: string
  /** The number of marks, and the Monday of the earliest day they name. */
  marks: number
  markedFrom: string | null
  /** The first window of a past week to refit, by the Monday of its last week; null where all are fitted. */
  windowsFrom: string | null
  /** The window after the last stored one. */
  nextWindow: string
  /** The first and last local day with a price that can be converted to CDF. */
  firstDay: string | null
  lastDay: string | null
}

/** Number of days before the last price of all within which the last day of a series is looked up. */
const heardDays = 27
/** Number of indices saved per statement: their figures are about a megabyte of text. */
const indicesAtOnce = 32

/** Reads what there is to fit. Its `now` is the start of the transaction. */
export async function readFitState(db: Db): Promise<FitState> {
  const { rows } = await sql<FitState>`
    select now() as now, (select count(*) from price_index_mark) as marks,
           (select monday_of(min(coalesce(day, '0001-01-01'))) from price_index_mark) as "markedFrom",
           case when windows_from is not null then greatest(windows_from, '0001-01-01') end as "windowsFrom",
           (select coalesce(max(week) + 7, '0001-01-01') from price_index_window) as "nextWindow",
           (select min(day) from price_day where n > 0 and ${hasRate('day')}) as "firstDay",
           (select max(day) from price_day where n > 0 and ${hasRate('day')}) as "lastDay"
      from price_index_fit`.execute(db)
  const [state] = rows
  if (!state) throw new Error('the row of the fit is always there')
  return state
}

/** Whether something was written since the last fit, or windows of past weeks are to be refitted. */
export async function hasToFit(db: Db): Promise<boolean> {
  const { rows } = await sql<{ hasToFit: boolean }>`
    select exists (select from price_index_mark) or windows_from is not null as "hasToFit" from price_index_fit`.execute(
    db,
  )
  return rows[0]?.hasToFit ?? false
}

/** Returns the Mondays from `first` to `last`, both included. */
export function mondaysBetween(first: string, last: string): string[] {
  const mondays: string[] = []
  for (let monday = first; monday <= last; monday = addDays(monday, 7)) mondays.push(monday)
  return mondays
}

/** Returns the first Monday of the index window that ends with the week of a day. */
export function windowStart(lastDay: string): string {
  return addDays(mondayOf(lastDay), -7 * (windowWeeks - 1))
}

/** Reads the weekly means of all series in some weeks, numbered from the first; logarithms in CDF. */
export async function readAllSeries(db: Db, mondays: readonly string[]): Promise<WeeklySeries[]> {
  const reader = new SeriesReader()
  for (const monday of mondays) {
    const means = await readOfSeries(
      db,
      sql`select product_id, market_id, round(sum(sum_log_cdf::float8) / sum(n)) * ${logUnit}::float8 as value
            from price_week_series where week = ${monday}::date and n > 0 group by 1, 2 order by 1, 2`,
    )
    reader.add(means)
  }
  return reader.series()
}

/** Returns the last day with a price of each series that has one in the four weeks before the last price of all. */
export async function readLastDays(
  db: Db,
  lastDay: string,
): Promise<(series: { product: number; market: number }) => string | undefined> {
  const { products, markets, values } = await readOfSeries(
    db,
    sql`select product_id, market_id, (max(observed_on) - ${lastDay}::date)::float8 as value from price
         where observed_on between ${addDays(lastDay, -heardDays)}::date and ${lastDay}::date and ${hasRate('observed_on')}
         group by 1, 2`,
  )
  const days = new Map<string, string>()
  for (const [i, product] of products.entries())
    days.set(`${product} ${markets[i]}`, addDays(lastDay, values[i] ?? 0))
  return ({ product, market }) => days.get(`${product} ${market}`)
}

/** @param rows (product_id, market_id, value): transferred as bytes, which is much faster to read than rows or text */
async function readOfSeries(db: Db, rows: RawBuilder<unknown>): Promise<MeansOfWeek> {
  const {
    rows: [row],
  } = await sql<Record<keyof MeansOfWeek, Buffer | null>>`
    select string_agg(int4send(product_id), '') as products, string_agg(int4send(market_id), '') as markets,
           string_agg(float8send(value), '') as values
      from (${rows}) each`.execute(db)
  // PostgreSQL sends big-endian numbers.
  const bytesOf = (sent: Buffer | null | undefined, swap: (bytes: Buffer) => Buffer) =>
    new Uint8Array(swap(sent ?? Buffer.alloc(0))).buffer
  return {
    products: new Int32Array(bytesOf(row?.products, (bytes) => bytes.swap32())),
    markets: new Int32Array(bytesOf(row?.markets, (bytes) => bytes.swap32())),
    values: new Float64Array(bytesOf(row?.values, (bytes) => bytes.swap64())),
  }
}

/** Reads which indices each series belongs to, by the current catalogue; none where it is not a good. */
export async function readScopes(
  db: Db,
  provinceNamed: ProvinceNamed,
): Promise<(series: { product: number; market: number }) => readonly string[]> {
  const { rows: products } = await sql<{ id: number; category: number }>`
    select product.id, type.category_id as category from product join product_type type on type.id = product.type_id
     where type.kind = 'good'`.execute(db)
  const { rows: markets } = await sql<{ id: number; city: string; province: string | null }>`
    select id, fold(location) as city, province from market`.execute(db)
  const categories = new Map(products.map(({ id, category }) => [id, category]))
  const places = new Map(
    markets.map(({ id, city, province }) => [id, { market: id, city, province: provinceNamed(province) }]),
  )
  const cached = new Map<string, readonly string[]>()
  return ({ product, market }) => {
    const [place, category] = [places.get(market), categories.get(product)]
    if (!place || category === undefined) return []
    const key = `${market} ${category}`
    const scopes = cached.get(key) ?? scopesOf({ ...place, category })
    cached.set(key, scopes)
    return scopes
  }
}

/** Deletes the marks visible to the snapshot. */
export async function takeMarks(tx: Db): Promise<void> {
  await sql`delete from price_index_mark`.execute(tx)
}

/** Replaces the stored figures of all indices. */
export async function saveIndices(
  tx: Db,
  start: string,
  figures: ReadonlyMap<string, IndexFigures>,
): Promise<void> {
  await sql`delete from price_index`.execute(tx)
  const rows = [...figures].map(([name, figure]) => ({ ...scopeOf(name), figure }))
  const listOf = (numbers: readonly (number | string | null)[]) => `{${JSON.stringify(numbers).slice(1, -1)}}`
  for (let from = 0; from < rows.length; from += indicesAtOnce) {
    const some = rows.slice(from, from + indicesAtOnce).map(({ scope, key, figure }) => ({
      scope,
      key,
      ...figure,
      levels: listOf(figure.levels),
      errors: listOf(figure.errors),
      quoted: listOf(figure.quoted),
      marketDays: listOf(figure.marketDays),
    }))
    await sql`
      insert into price_index (scope, key, start, levels, errors, quoted, clusters, series, products, known_series, market_days, last_day)
      select scope, key, ${start}::date, levels::float8[], errors::float8[], quoted::integer[], clusters, series, products, "knownSeries",
             "marketDays"::date[], "lastDay"
        from jsonb_to_recordset(${JSON.stringify(some)}::jsonb) as row (
          scope text, key text, levels text, errors text, quoted text, clusters integer, series integer, products integer,
          "knownSeries" integer, "marketDays" text, "lastDay" date)`.execute(tx)
  }
}

/** Stores the time of the indices, and the week from which windows of past weeks are to be refitted; null for none. */
export async function saveFit(
  tx: Db,
  { at, windowsFrom }: { at: string; windowsFrom: string | null },
): Promise<void> {
  await sql`
    update price_index_fit
       set fitted_at = ${at}, windows_from = ${windowsFrom}::date,
           windows_at = case when ${windowsFrom}::date is null then ${at}::timestamptz else windows_at end`.execute(
    tx,
  )
}

/** Deletes the windows that end with a week before the first, or after the last. */
export async function forgetWindows(tx: Db, { first, last }: { first: string; last: string }): Promise<void> {
  await sql`delete from price_index_window where week < ${first}::date or week > ${last}::date`.execute(tx)
}

/** Stores the levels of the windows that end with a week, by the names of their indices. */
export async function saveWindows(
  tx: Db,
  week: string,
  levels: ReadonlyMap<string, WindowLevels>,
): Promise<void> {
  const rows = [...levels].map(([name, own]) => ({ ...scopeOf(name), levels: own }))
  await sql`delete from price_index_window where week = ${week}::date`.execute(tx)
  await sql`
    insert into price_index_window (scope, key, week, levels)
    select scope, key, ${week}::date, levels
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (scope text, key text, levels float8[])`.execute(
    tx,
  )
}

export function scopeOf(name: string): { scope: string; key: string } {
  const space = name.indexOf(' ')
  return { scope: name.slice(0, space), key: name.slice(space + 1) }
}
