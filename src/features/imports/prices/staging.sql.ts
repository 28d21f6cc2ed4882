import { type RawBuilder, sql } from 'kysely'
import type { Batch, StagedPrice } from '#features/imports/prices/intake.rules.ts'
import type { Bulk } from '#server/db/bulk-transaction.ts'
import type { Db } from '#server/db/pool.ts'

/** Creates the temporary tables that hold a file until it is matched with the database. */
export async function createPriceStaging(tx: Db): Promise<void> {
  await sql`create temp table staged_market (
    key integer, name text, location text, province text, latitude numeric, longitude numeric, time_zone text,
    wfp_id bigint, id integer) on commit drop`.execute(tx)
  await sql`create temp table staged_product (
    key integer, code text, new_code text, name text, weight text, format text, category text, type text,
    brand text, brand_country text, origin text, wfp_id bigint, kind text, id integer) on commit drop`.execute(
    tx,
  )
  await sql`create temp table staged_origin (key integer, collector text, source text) on commit drop`.execute(
    tx,
  )
  await sql`create temp table staged_price (
    line bigint, market integer, product integer, origin integer, day date, instant timestamptz, local timestamp,
    cents bigint, other_cents bigint, currency text, flag text, has_slashes boolean, other_day date, text text) on commit drop`.execute(
    tx,
  )
}

/**
 * Stores a batch; markets, products and origins as JSON because they hold free text, prices by COPY because they are
 * many.
 */
export async function stageBatch({ tx, copy }: Bulk, batch: Batch): Promise<void> {
  await stageParts(tx, sql`staged_market`, batch.markets)
  await stageParts(tx, sql`staged_product`, batch.products)
  await stageParts(tx, sql`staged_origin`, batch.origins)
  if (batch.prices.length > 0) await copy('staged_price', batch.prices.map(copyLine))
}

/** Updates the planner's statistics: autovacuum does not analyse temporary tables. */
export async function analyzeStaging(tx: Db): Promise<void> {
  await sql`analyze staged_market, staged_product, staged_origin, staged_price`.execute(tx)
}

async function stageParts(tx: Db, table: RawBuilder<unknown>, parts: readonly object[]): Promise<void> {
  if (parts.length === 0) return
  await sql`insert into ${table} select * from json_populate_recordset(null::${table}, ${JSON.stringify(parts)})`.execute(
    tx,
  )
}

function copyLine(price: StagedPrice): string {
  const { line, market, product, origin, day, readings, instant, local, cents, otherCents } = price
  const { currency, flag, text } = price
  const first = `${line}\t${market}\t${product}\t${origin}\t`
  const last = `\t${instant ?? '\\N'}\t${local ?? '\\N'}\t${cents}\t${otherCents ?? '\\N'}\t${currency}\t${flag}\t`
  if (!readings) return `${first}${day}${last}f\t\\N\t${text === null ? '\\N' : escaped(text)}\n`
  const { dayFirst, monthFirst } = readings
  return `${first}${dayFirst ?? '\\N'}${last}t\t${monthFirst ?? '\\N'}\t${escaped(text ?? '')}\n`
}

function escaped(text: string): string {
  const kept = text.replaceAll('\0', ' ').replaceAll('\\', '\\\\')
  return kept.replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
}

/**
 * Deletes the staged markets and products without staged prices, so that names in rejected rows only are never created.
 */
export async function deleteUnused(tx: Db): Promise<void> {
  await sql`delete from staged_market where key not in (select market from staged_price)`.execute(tx)
  await sql`delete from staged_product where key not in (select product from staged_price)`.execute(tx)
}

/** The order of day and month in the slashed dates of a file, if all of them agree. */
export type DateOrder = 'none' | 'day first' | 'month first' | 'unsettled' | 'contradictory'

/**
 * Settles the days of the staged prices that were written with slashes: a number above 12 is not a month. Rows without
 * a settled day are removed from staging.
 *
 * @param ofRefused number of rejected rows that show each order: they belong to the same column
 * @returns the order, and the removed rows
 */
export async function settleDays(
  tx: Db,
  ofRefused = { dayFirst: 0, monthFirst: 0 },
): Promise<{ order: DateOrder; refused: { line: number; text: string; isFuture: boolean }[] }> {
  const { rows } = await sql<{ slashed: number; dayFirst: number; monthFirst: number }>`
    select count(*) as slashed, count(*) filter (where other_day is null) as "dayFirst",
           count(*) filter (where day is null) as "monthFirst"
      from staged_price where has_slashes`.execute(tx)
  const { slashed, ...staged } = rows[0] ?? { slashed: 0, dayFirst: 0, monthFirst: 0 }
  const dayFirst = staged.dayFirst + ofRefused.dayFirst
  const monthFirst = staged.monthFirst + ofRefused.monthFirst
  if (slashed === 0) return { order: 'none', refused: [] }
  if (dayFirst > 0 === monthFirst > 0) {
    const refused = await sql<{ line: number; text: string; isFuture: boolean }>`
      delete from staged_price where has_slashes returning line, text, false as "isFuture"`.execute(tx)
    await deleteUnused(tx)
    return { order: dayFirst > 0 ? 'contradictory' : 'unsettled', refused: refused.rows.sort(byLine) }
  }
  if (monthFirst > 0) await sql`update staged_price set day = other_day where has_slashes`.execute(tx)
  const refused = await sql<{ line: number; text: string; isFuture: boolean }>`
    delete from staged_price using staged_market market
     where has_slashes and market.key = market and day > (now() at time zone time_zone)::date
    returning line, text, true as "isFuture"`.execute(tx)
  if (refused.rows.length > 0) await deleteUnused(tx)
  return { order: monthFirst > 0 ? 'month first' : 'day first', refused: refused.rows.sort(byLine) }
}

function byLine(a: { line: number }, b: { line: number }): number {
  return a.line - b.line
}
