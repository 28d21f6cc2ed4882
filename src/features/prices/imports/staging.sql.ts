import { type RawBuilder, sql } from 'kysely'
import type { Batch, StagedPrice } from '#features/prices/imports/intake.rules.ts'
import type { Bulk } from '#server/db/bulk-transaction.ts'
import type { Db } from '#server/db/pool.ts'

/** Makes the temporary tables that hold a file until it is matched with what the database has. */
export async function createPriceStaging(tx: Db): Promise<void> {
  await sql`create temp table staged_market (
    key integer, name text, location text, province text, latitude numeric, longitude numeric, time_zone text,
    id integer) on commit drop`.execute(tx)
  await sql`create temp table staged_product (
    key integer, code text, new_code text, name text, weight text, format text, category text, type text,
    brand text, brand_country text, origin text, id integer) on commit drop`.execute(tx)
  await sql`create temp table staged_origin (key integer, collector text, source text) on commit drop`.execute(
    tx,
  )
  await sql`create temp table staged_price (
    line bigint, market integer, product integer, origin integer, day date, instant timestamptz, local timestamp,
    cents bigint, currency text, flag text) on commit drop`.execute(tx)
}

/** Stores a batch; parts come as JSON because they hold free text, prices by COPY because they are many. */
export async function stageBatch({ tx, copy }: Bulk, batch: Batch): Promise<void> {
  await stageParts(tx, sql`staged_market`, batch.markets)
  await stageParts(tx, sql`staged_product`, batch.products)
  await stageParts(tx, sql`staged_origin`, batch.origins)
  if (batch.prices.length > 0) await copy('staged_price', batch.prices.map(copyLine))
}

/** Lets the planner know how much there is; nobody else does that for a temporary table. */
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
  const { line, market, product, origin, day, instant, local, cents, currency, flag } = price
  return `${line}\t${market}\t${product}\t${origin}\t${day}\t${instant ?? '\\N'}\t${local ?? '\\N'}\t${cents}\t${currency}\t${flag}\n`
}
