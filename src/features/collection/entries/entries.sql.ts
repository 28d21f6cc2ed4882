import { sql } from 'kysely'
import { fastVisit } from '#features/collection/entries/visit-doubts.rules.ts'
import { remainingProduct, weightNamed } from '#features/products/products.sql.ts'
import type { Db } from '#server/db/pool.ts'
import type { Currency } from '#shared/fields.ts'
import type { GeoPoint } from '#shared/geography.ts'

/** An entry that is ready to be stored. */
export type ReadyEntry = {
  clientId: string
  productId: number
  marketId: number
  kind: 'typed' | 'unchanged' | 'absent' | 'withdrawn'
  /** Id of the returned price that it answers. */
  answers: number | null
  reason: string | null
  isBlind: boolean
  bodyHash: Buffer
  deviceAt: string
  /** An instant, or the day given by the agent. */
  when: string
}

/** The row stored under a client's id. */
export type StoredEntry = {
  id: number
  clientId: string
  userId: number | null
  /** The product that remains if the one sent was merged. */
  productId: number
  bodyHash: Buffer
  priceId: number | null
  /** Whether this call inserted it. */
  isNew: boolean
}

/**
 * Inserts entries, each once: an existing row stays unchanged, and a concurrent insert of the same entry waits. Skips
 * entries whose market or product does not exist; those of a merged product are of the one that remains.
 * @returns the rows now stored under these ids
 */
export async function claimEntries(
  tx: Db,
  owner: { userId: number; device: string },
  entries: readonly ReadyEntry[],
): Promise<StoredEntry[]> {
  const column = <Value>(of: (entry: ReadyEntry) => Value) => sql`${entries.map(of)}`
  const isDay = (when: string) => when.length === 10
  const { rows: added } = await sql<{ id: number }>`
    insert into collection_entry (client_id, user_id, device, market_id, product_id, kind, reason, is_blind, body_hash, answers,
                                  device_at, captured_at)
    select asked.client_id, ${owner.userId}, ${owner.device}, market.id, product.id, asked.kind, asked.reason,
           asked.is_blind, asked.body_hash, asked.answers, asked.device_at,
           coalesce(asked.instant, noon_of(asked.day, market.time_zone))
      from unnest(${column(({ clientId }) => clientId)}::uuid[], ${column(({ marketId }) => marketId)}::integer[],
                  ${column(({ productId }) => productId)}::integer[], ${column(({ kind }) => kind)}::text[],
                  ${column(({ reason }) => reason)}::text[], ${column(({ isBlind }) => isBlind)}::boolean[],
                  ${column(({ bodyHash }) => bodyHash)}::bytea[],
                  ${column(({ answers }) => answers)}::bigint[], ${column(({ deviceAt }) => deviceAt)}::timestamptz[],
                  ${column(({ when }) => (isDay(when) ? null : when))}::timestamptz[],
                  ${column(({ when }) => (isDay(when) ? when : null))}::date[])
           as asked (client_id, market_id, product_id, kind, reason, is_blind, body_hash, answers, device_at, instant, day)
      join market on market.id = asked.market_id
      join product on product.id = ${remainingProduct(sql`asked.product_id`)}
     -- Same order in all batches: two batches with the same entries wait for each other, without a deadlock.
     order by asked.client_id
    on conflict (client_id) do nothing returning id`.execute(tx)
  const { rows } = await sql<StoredEntry>`
    select id, asked.given as "clientId", user_id as "userId", product_id as "productId", body_hash as "bodyHash", price_id as "priceId",
           id = any(${added.map(({ id }) => id)}::bigint[]) as "isNew"
      from unnest(${column(({ clientId }) => clientId)}::text[]) as asked (given)
      join collection_entry on client_id = asked.given::uuid`.execute(tx)
  return rows
}

/** Stores the id of the price written for each entry. */
export async function linkPrices(tx: Db, made: readonly { id: number; priceId: number }[]): Promise<void> {
  if (made.length === 0) return
  await sql`
    update collection_entry set price_id = made.price_id
      from unnest(${made.map(({ id }) => id)}::bigint[], ${made.map(({ priceId }) => priceId)}::bigint[])
           as made (id, price_id)
     where collection_entry.id = made.id`.execute(tx)
}

/** Deletes entries whose price was refused, so that they are checked again when they are sent again. */
export async function deleteEntries(tx: Db, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await sql`delete from collection_entry where id = any(${ids}::bigint[])`.execute(tx)
}

/**
 * Returns the agent's own entry of the same series that an entry corrects, or the one that has replaced it, locked until
 * the transaction ends.
 */
export async function lockOwnEntry(
  tx: Db,
  userId: number,
  correctionId: number,
  clientId: string,
): Promise<CorrectedEntry | undefined> {
  const { rows } = await sql<CorrectedEntry & { isReplaced: boolean }>`
    select old.id, old.price_id as "priceId", old.is_replaced as "isReplaced"
      from collection_entry old join collection_entry made using (market_id, product_id)
     where old.client_id = ${clientId} and old.user_id = ${userId}
       and made.id = ${correctionId} and old.id <> made.id
       for update of old`.execute(tx)
  const [old] = rows
  return old?.isReplaced ? lockSuccessor(tx, correctionId, old.id) : old
}

type CorrectedEntry = { id: number; priceId: number | null }

/**
 * Returns the entry that counts in the place of a replaced one: the only one of its agent, series and day. Undefined
 * where there are several, as for two quotes of a product.
 */
async function lockSuccessor(
  tx: Db,
  correctionId: number,
  replacedId: number,
): Promise<CorrectedEntry | undefined> {
  const { rows } = await sql<CorrectedEntry>`
    select last.id, last.price_id as "priceId"
      from collection_entry old
      join market on market.id = old.market_id
      join collection_entry last using (user_id, market_id, product_id)
     where old.id = ${replacedId} and last.id <> ${correctionId} and not last.is_replaced and last.answers is null
       -- Not the rest of the batch, which is stored but has no price yet.
       and (last.price_id is not null or last.kind = 'absent')
       and last.captured_at between old.captured_at - interval '1 day' and old.captured_at + interval '1 day'
       and (last.captured_at at time zone market.time_zone)::date = (old.captured_at at time zone market.time_zone)::date
       for update of last`.execute(tx)
  return rows.length === 1 ? rows[0] : undefined
}

/** Marks an entry as replaced by its correction; it no longer names a price. */
export async function markReplaced(tx: Db, id: number): Promise<void> {
  await sql`update collection_entry set is_replaced = true, price_id = null where id = ${id}`.execute(tx)
}

/** Returns the time zone and, if known, the position of each market, by its id. */
export async function findPlaces(
  db: Db,
  marketIds: readonly number[],
): Promise<Map<number, { timeZone: string; position: GeoPoint | null }>> {
  const { rows } = await sql<{ id: number; timeZone: string; position: GeoPoint | null }>`
    select id, time_zone as "timeZone",
           case when latitude is not null then json_build_object('latitude', latitude, 'longitude', longitude) end as position
      from market where id = any(${marketIds}::integer[])`.execute(db)
  return new Map(rows.map(({ id, timeZone, position }) => [id, { timeZone, position }]))
}

/**
 * Returns, for each entry, how many goods its agent entered in the seconds before it, and the time in seconds that they
 * took.
 */
export async function countRecentGoods(
  tx: Db,
  ids: readonly number[],
): Promise<Map<number, { goods: number; seconds: number }>> {
  const { rows } = await sql<{ id: number; goods: number; seconds: number }>`
    select entry.id, recent.goods, recent.seconds
      from collection_entry entry
     cross join lateral (
       -- By the phone's clock: it may be wrong, but hardly drifts between two taps.
       select count(distinct product_id)::integer as goods,
              coalesce(ceil(extract(epoch from max(device_at) - min(device_at))), 0)::integer as seconds
         from collection_entry own
        where own.user_id = entry.user_id and own.device = entry.device and own.answers is null
          and own.captured_at between entry.captured_at - interval '1 day' and entry.captured_at + interval '1 day'
          and own.device_at between entry.device_at - interval '1 second' * ${fastVisit.seconds} and entry.device_at) recent
     where entry.id = any(${ids}::bigint[])`.execute(tx)
  return new Map(rows.map(({ id, goods, seconds }) => [id, { goods, seconds }]))
}

/** Returns the last price of a series, in the currency it was collected in. */
export async function findLastPrice(
  db: Db,
  productId: number,
  marketId: number,
): Promise<{ priceValue: number; currency: Currency } | undefined> {
  const { rows } = await sql<{ priceValue: number; currency: Currency }>`
    select price_value as "priceValue", currency from settled_price
     where product_id = ${remainingProduct(productId)} and market_id = ${marketId}
     order by observed_on desc, collected_at desc, id desc limit 1`.execute(db)
  return rows[0]
}

/** Returns the data of absences for the journal. */
export async function describeAbsences(tx: Db, ids: readonly number[]) {
  const { rows } = await sql<{
    id: number
    product: { name: string }
    market: { name: string }
    reason: string
  }>`
    select entry.id, json_build_object('name', product.name || ', ' || ${weightNamed}) as product,
           json_build_object('name', market.name) as market, entry.reason
      from collection_entry entry
      join product on product.id = entry.product_id
      join market on market.id = entry.market_id
     where entry.id = any(${ids}::bigint[]) order by entry.id`.execute(tx)
  return rows
}
