import { sql } from 'kysely'
import type { Entry, WebhookNews } from '#features/webhooks/collecting/collecting.rules.ts'
import { pricesPerMessage } from '#features/webhooks/webhooks.rules.ts'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'

/** Number of entries read at a time. */
const together = 1_000

/**
 * Returns the entries since the last call, in the order in which they became visible, and moves the position after
 * them; locks the position until the transaction ends.
 * @returns `isAll` when no more entries are left
 */
export async function takeEntries(tx: Db): Promise<{ entries: Entry[]; isAll: boolean }> {
  const { rows } = await sql<{ position: number }>`select position from webhook_source for update`.execute(tx)
  const after = rows[0]?.position ?? 0
  const { rows: links } = await sql<Entry & { position: number }>`
    select link.position, action, entity, entity_id as id, before, after
      from (select position, entry_id from audit_link where position > ${after}
             order by position limit ${together}) link
      join audit_entry on audit_entry.id = entry_id
     order by link.position`.execute(tx)
  const last = links.at(-1)?.position
  if (last !== undefined) await sql`update webhook_source set position = ${last}`.execute(tx)
  return { entries: links, isAll: links.length < together }
}

/** Skips the entries written while no endpoint exists. */
export async function skipEntries(db: Db, at: Date): Promise<void> {
  await sql`
    update webhook_source set position = last.position, ends_told_until = greatest(ends_told_until, ${at})
      from (select coalesce(max(position), 0) as position from audit_link) last
     where webhook_source.position < last.position or ends_told_until < ${at}::timestamptz - interval '1 hour'`.execute(
    db,
  )
}

/** Returns the first prices that an import added or revised, or the first of those with the given ids. */
export async function pricesOfMany(
  db: Db,
  { importId, which }: Pick<Extract<WebhookNews, { of: 'many' }>, 'importId' | 'which'>,
): Promise<Record<string, unknown>[]> {
  const chosen =
    typeof which === 'object'
      ? sql`select * from price where id = any(${which.ids}::bigint[])`
      : which === 'added'
        ? sql`select price.* from import join price on price.id between first_price_id and last_price_id
                   and price.import_id = import.id where import.id = ${importId}`
        : sql`select price.* from price_revision revised join price on price.id = price_id
             where revised.import_id = ${importId}`
  const { rows } = await sql<{ price: Record<string, unknown> }>`
    select json_build_object('id', price.id, 'productId', product_id, 'marketId', market_id,
             'priceValue', trim_scale(price_value), 'currency', currency, 'source', source, 'flag', flag,
             'collectedAt', ${isoInstant('collected_at')}, 'observedOn', observed_on,
             'createdAt', ${isoInstant('price.created_at')}, 'updatedAt', ${isoInstant('price.updated_at')},
             'product', (select json_build_object('id', id, 'name', name, 'code', code) from product where id = product_id),
             'market', (select json_build_object('id', id, 'name', name) from market where id = market_id)) as price
      from (${chosen} order by price.id limit ${pricesPerMessage}) price order by price.id`.execute(db)
  return rows.map(({ price }) => price)
}

export type SubscriptionState = {
  id: number
  userId: number
  plan: string | null
  status: string
  startDate: string
  endDate: string
}

const state = sql<SubscriptionState>`
  select s.id, user_id as "userId", plan.name as plan, subscription_status(s.status, end_date) as status,
         ${isoInstant('start_date')} as "startDate", ${isoInstant('end_date')} as "endDate"
    from subscription s left join plan on plan.id = plan_id`

export async function findSubscriptionState(db: Db, id: number): Promise<SubscriptionState | undefined> {
  return (await sql<SubscriptionState>`${state} where s.id = ${id}::bigint`.execute(db)).rows[0]
}

/**
 * Returns the subscriptions of users with endpoints that ended since the last call, and moves the position after them.
 */
export async function takeEnded(tx: Db, at: Date): Promise<SubscriptionState[]> {
  const { rows } = await sql<SubscriptionState>`
    ${state} cross join webhook_source
     where s.status in ('ACTIVE', 'TRIAL') and end_date > ends_told_until and end_date <= ${at}
       and exists (select from webhook_endpoint e where e.user_id = s.user_id)
     order by end_date, s.id`.execute(tx)
  await sql`update webhook_source set ends_told_until = greatest(ends_told_until, ${at})`.execute(tx)
  return rows
}

/** Whether any endpoint exists. */
export async function hasEndpoints(db: Db): Promise<boolean> {
  const { rows } = await sql`select from webhook_endpoint limit 1`.execute(db)
  return rows.length > 0
}
