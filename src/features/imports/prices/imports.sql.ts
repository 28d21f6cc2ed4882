import { type RawBuilder, sql } from 'kysely'
import { wfpSource } from '#features/imports/prices/wfp.rules.ts'
import type { Db } from '#server/db/pool.ts'

/**
 * What makes two prices of a series the same: in a WFP file the day and the flag, so that another amount revises the
 * price; elsewhere also the amount, its currency and the collector.
 */
export type Identity = 'quote' | 'price'

// The time of collection: noon at the market for a day without a time; a time without an offset is in the market's
// zone; never later than now.
const staged: RawBuilder<unknown> = sql`
  select product.id as product_id, market.id as market_id, cents * 0.01 as price_value, staged.currency, flag,
         collector, source, line,
         coalesce(instant, case when local is null then noon_of(day, market.time_zone)
                                else least(local at time zone market.time_zone, now()) end) as collected_at,
         coalesce((instant at time zone market.time_zone)::date, day) as observed_on
    from staged_price staged
    join staged_market market on market.key = staged.market
    join staged_product product on product.key = staged.product
    join staged_origin origin on origin.key = staged.origin`

const ofQuote = sql`price.product_id = read.product_id and price.market_id = read.market_id
  and price.observed_on = read.observed_on and price.flag = read.flag`

// A row that only corrects the source or the collector of a price is the same price.
const isTheirs = sql`(price.source = read.source or price.collector_name = read.collector)`

// If a file has two amounts for the same quote, the last one counts.
const quotes = sql`
  select distinct on (observed_on, product_id, market_id, flag) * from (${staged}) read
   order by observed_on, product_id, market_id, flag, line desc`

/** Builds the staged prices that the database lacks, each once. */
function missing(identity: Identity): RawBuilder<unknown> {
  if (identity === 'quote') {
    return sql`
      select * from (${quotes}) read
       where not exists (select from price where ${ofQuote} and ${isTheirs})`
  }
  return sql`
    select distinct on (observed_on, product_id, market_id, currency, price_value, flag, collector) * from (${staged}) read
     where not exists (
       select from price where ${ofQuote} and price.currency = read.currency
          and price.price_value = read.price_value and price.collector_name = read.collector)
     order by observed_on, product_id, market_id, currency, price_value, flag, collector, line`
}

/** The quotes of a WFP file that the database has with another amount. */
const revised: RawBuilder<unknown> = sql`
  select stored.id, read.price_value, read.currency
    from (${quotes}) read
   cross join lateral (
     select id, price_value, currency from price where ${ofQuote} and ${isTheirs}
      order by id desc limit 1) stored
   where (stored.price_value, stored.currency) is distinct from (read.price_value, read.currency)`

/** Returns the highest price id assigned so far, committed or not. */
export async function lastPriceId(tx: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select case when is_called then last_value else last_value - 1 end as id from price_id_seq`.execute(tx)
  return rows[0]?.id ?? 0
}

export async function countMissingPrices(tx: Db, identity: Identity): Promise<number> {
  return countOf(tx, missing(identity))
}

export async function countRevisedPrices(tx: Db): Promise<number> {
  return countOf(tx, revised)
}

async function countOf(tx: Db, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (${query}) counted`.execute(tx)
  return rows[0]?.n ?? 0
}

/**
 * The markets of the earlier editions of a file: those it contains, and those of every import that wrote prices of one
 * of these. Files of different countries have no import in common.
 */
const ownMarkets = sql`
  with recursive written as materialized (
    select distinct market_id, import_id from price where source = ${wfpSource} and import_id is not null),
  own (market_id) as (
    select id from staged_market where id is not null
     union
    select other.market_id
      from own join written mine using (market_id) join written other on other.import_id = mine.import_id)
  select market_id from own`

/** Whether the database has WFP prices, from other editions of a file, that are later than all of its own. */
export async function isOlderEdition(tx: Db): Promise<boolean> {
  const { rows } = await sql<{ is_older: boolean | null }>`
    select (select max(observed_on) from price where source = ${wfpSource} and market_id in (${ownMarkets}))
           > max(day) as is_older from staged_price`.execute(tx)
  return rows[0]?.is_older === true
}

/**
 * Counts the prices of earlier editions of a WFP file that are within its days but no longer in it. Zero when the
 * database has later days than the file, which is then the older edition.
 */
export async function countWithdrawnPrices(tx: Db): Promise<number> {
  return countOf(
    tx,
    sql`
    with file as (select min(day) as first, max(day) as last from staged_price),
    stored as (
      select observed_on, product_id, market_id, flag from price
       where source = ${wfpSource} and market_id in (${ownMarkets}))
    select from stored as read, file
     where observed_on between first and last and last >= (select max(observed_on) from stored)
       and not exists (
         select from (${quotes}) price where ${ofQuote})`,
  )
}

type By = {
  writtenBy: number | null
  requestId: string | null
  importId: number | null
}

/**
 * Inserts the staged prices that the database lacks, oldest first, in the lane of bulk loads. A single statement, so
 * that its triggers lock every cell in the order used by all writers and cannot deadlock.
 *
 * @returns the number inserted
 */
export async function insertMissingPrices(
  tx: Db,
  identity: Identity,
  { writtenBy, importId }: By,
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into price (product_id, market_id, price_value, currency, flag, collector_name, source, collected_at,
                       observed_on, lane, written_by, import_id)
    select product_id, market_id, price_value, currency, flag, collector, source, collected_at,
           observed_on, 15, ${writtenBy}::integer, ${importId}::integer
      from (${missing(identity)}) missing
     order by observed_on, product_id, market_id`.execute(tx)
  return Number(numAffectedRows)
}

/**
 * Updates WFP prices to the amounts of the staged file, each with an audit entry; their previous values, including
 * those written by a concurrent transaction, are stored with the import, if it has an id.
 *
 * @returns the number updated
 */
export async function revisePrices(tx: Db, { writtenBy, requestId, importId }: By): Promise<number> {
  const { numAffectedRows } = await sql`
    with revised as materialized (${revised}),
    -- Reads the rows after locking them: a concurrent writer may have changed them since the statement's snapshot.
    held as materialized (
      select price.id, price.price_value as old_value, price.currency as old_currency, price.updated_at as old_update,
             revised.price_value, revised.currency
        from price join revised using (id) for update of price),
    changed as (
      update price set price_value = held.price_value, currency = held.currency
        from held where price.id = held.id and (old_value, old_currency) is distinct from (held.price_value, held.currency)
      returning price.id, price.updated_at, held.price_value, held.currency, old_value, old_currency, old_update),
    chosen as (
      insert into price_revision (import_id, price_id, price_value, currency, revised_at, updated_at)
      select ${importId}::integer, id, old_value, old_currency, updated_at, old_update
        from changed where ${importId}::integer is not null)
    insert into audit_entry (action, entity, entity_id, before, after, user_id, request_id)
    select 'update', 'prices', id,
           jsonb_build_object('priceValue', trim_scale(old_value), 'currency', old_currency),
           jsonb_build_object('priceValue', trim_scale(price_value), 'currency', currency, 'importId', ${importId}::integer),
           ${writtenBy}::integer, ${requestId}::text
      from changed`.execute(tx)
  return Number(numAffectedRows)
}
