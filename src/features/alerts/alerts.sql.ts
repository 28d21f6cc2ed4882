import { sql } from 'kysely'
import type { AlertEvent, AlertRule, alerts } from '#features/alerts/alerts.contract.ts'
import { marketNamed } from '#features/markets/markets.sql.ts'
import { productNamed } from '#features/products/products.sql.ts'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'
import { offsetOf, orderOf } from '#server/db/selection.ts'
import type { QueryOf } from '#shared/contract.ts'

/** Returns the alerts of a user, those that ring first. */
export async function listRules(db: Db, userId: number, id?: number): Promise<AlertRule[]> {
  const { rows } = await sql<AlertRule>`
    select rule.id, rule.product_id as "productId", rule.market_id as "marketId", ${productNamed} as product,
           case when market.id is not null then ${marketNamed} end as market,
           kind, direction, threshold, period_days as "periodDays", channels,
           ${isoInstant('muted_until')} as "mutedUntil", coalesce(state.is_ringing, false) as "isRinging",
           ${isoInstant('state.rang_at')} as "lastRangAt",
           ${isoInstant('rule.created_at')} as "createdAt", ${isoInstant('rule.updated_at')} as "updatedAt"
      from alert_rule rule
      join product on product.id = rule.product_id
      left join market on market.id = rule.market_id
      left join lateral (
        select bool_or(is_ringing) as is_ringing, max(rang_at) as rang_at from alert_state where rule_id = rule.id) state on true
     where rule.user_id = ${userId} ${id === undefined ? sql`` : sql`and rule.id = ${id}::bigint`}
     order by "isRinging" desc, rule.created_at desc, rule.id desc limit 200`.execute(db)
  return rows
}

export async function countUnread(db: Db, userId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from alert_event where user_id = ${userId} and read_at is null`.execute(db)
  return rows[0]?.count ?? 0
}

/** Returns the number of alerts of a user; locks the account, so that concurrent requests count one after the other. */
export async function countRules(tx: Db, userId: number): Promise<number> {
  await sql`select from app_user where id = ${userId} for no key update`.execute(tx)
  const { count } = await tx
    .selectFrom('alert_rule')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

type NewRule = Pick<
  AlertRule,
  'productId' | 'marketId' | 'kind' | 'direction' | 'threshold' | 'periodDays' | 'channels'
>

export async function insertRule(tx: Db, userId: number, rule: NewRule): Promise<number> {
  const { id } = await tx
    .insertInto('alert_rule')
    .values({
      user_id: userId,
      product_id: rule.productId,
      market_id: rule.marketId,
      kind: rule.kind,
      direction: rule.direction,
      threshold: rule.threshold,
      period_days: rule.periodDays,
      channels: rule.channels,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type RuleChange = {
  threshold?: number | undefined
  channels?: string[] | undefined
  mutedUntil?: string | null | undefined
}

export async function updateRule(tx: Db, id: number, change: RuleChange): Promise<void> {
  const { threshold, channels, mutedUntil } = change
  const columns = {
    ...(threshold !== undefined && { threshold }),
    ...(channels !== undefined && { channels }),
    ...(mutedUntil !== undefined && { muted_until: mutedUntil }),
  }
  if (Object.keys(columns).length === 0) return
  await tx.updateTable('alert_rule').set(columns).where('id', '=', id).execute()
}

/** Returns the events of a user, the latest first. */
export async function listEvents(
  db: Db,
  userId: number,
  query: QueryOf<typeof alerts.events>,
): Promise<{ rows: AlertEvent[]; total: number }> {
  const order = orderOf({ createdAt: sql`event.created_at` }, query.sort, 'event.id', '-createdAt')
  const { rows } = await sql<AlertEvent>`
    ${listedEvents} where event.user_id = ${userId}
     order by ${order} limit ${query.limit} offset ${offsetOf(query)}`.execute(db)
  const counted = await sql<{ count: number }>`
    select count(*) as count from alert_event where user_id = ${userId}`.execute(db)
  return { rows, total: counted.rows[0]?.count ?? 0 }
}

/** Same as `listEvents`, in the order of ids, after a given id. */
export async function listEventsAfter(
  db: Db,
  userId: number,
  { id, most }: { id: number; most: number },
): Promise<AlertEvent[]> {
  const { rows } = await sql<AlertEvent>`
    ${listedEvents} where event.user_id = ${userId} and event.id > ${id}::bigint
     order by event.id limit ${most}`.execute(db)
  return rows
}

const listedEvents = sql`
  select event.id, rule_id as "ruleId", ${productNamed} as product, ${marketNamed} as market, sentence, event.price, event.day, event.quotes,
         ${isoInstant('event.created_at')} as "createdAt", read_at is not null as "isRead"
    from alert_event event
    join product on product.id = event.product_id
    join market on market.id = event.market_id`

/**
 * Marks events as read.
 * @param ids all events when absent
 * @returns how many were unread
 */
export async function markRead(tx: Db, userId: number, ids?: readonly number[]): Promise<number> {
  const chosen = ids ? sql`and id = any(${ids}::bigint[])` : sql``
  const { numAffectedRows } = await sql`
    update alert_event set read_at = now() where user_id = ${userId} and read_at is null ${chosen}`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0)
}

/** Stores an unsubscribe link for a kind of messages. */
export async function insertUnsubscribeLink(
  tx: Db,
  link: { hash: Buffer; userId: number; kind: string },
): Promise<void> {
  await tx
    .insertInto('unsubscribe_link')
    .values({ hash: link.hash, user_id: link.userId, kind: link.kind })
    .execute()
}

export async function findUnsubscribeLink(
  db: Db,
  hash: Buffer,
): Promise<{ userId: number; kind: string } | undefined> {
  return db
    .selectFrom('unsubscribe_link')
    .select(['user_id as userId', 'kind'])
    .where('hash', '=', hash)
    .executeTakeFirst()
}
