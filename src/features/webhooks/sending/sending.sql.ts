import { sql } from 'kysely'
import { accessFacts } from '#features/subscriptions/access.sql.ts'
import type { AccessFacts } from '#features/subscriptions/subscriptions.rules.ts'
import type { Db } from '#server/db/pool.ts'

/** A message leased by this process. */
export type ClaimedDelivery = {
  id: number
  endpointId: number
  attempts: number
  messageId: string
  event: string
  body: string
  url: string
  secrets: string[]
  email: string
  isEmailVerified: boolean
  isActive: boolean
  permissions: string[]
  access: AccessFacts
}

const leaseS = 60
/** Maximum parallel messages of a healthy endpoint, and of a failing one, which must not take the places of others. */
const atOnce = { healthy: 8, failing: 1 }
/** Maximum parallel messages of one process. */
export const mostClaimed = 64

/**
 * Leases due messages for a minute, with the data that sending needs. Skips endpoints locked by another process, so
 * that two processes together respect the limit of an endpoint.
 * @param most maximum number
 */
export async function claimDeliveries(db: Db, most: number): Promise<ClaimedDelivery[]> {
  const { rows } = await sql<ClaimedDelivery>`
    with endpoint as materialized (
      select id, case when failing_since is null then ${atOnce.healthy}::int else ${atOnce.failing}::int end as at_once
        from webhook_endpoint e
       where disabled_at is null
         and exists (select from webhook_delivery where endpoint_id = e.id and state = 'waiting' and due_at <= now()::timestamptz(3))
       order by id for no key update skip locked),
    due as materialized (
      select d.id from endpoint cross join lateral (
        select id from webhook_delivery
         where endpoint_id = endpoint.id and state = 'waiting' and due_at <= now()::timestamptz(3)
           and (leased_until is null or leased_until <= now())
         order by due_at, id
         limit greatest(0, at_once - (
           select count(*) from webhook_delivery busy
            where busy.endpoint_id = endpoint.id and busy.state = 'waiting' and busy.leased_until > now()))
         for update skip locked) d
       limit ${most}),
    claimed as (
      update webhook_delivery set attempts = attempts + 1, leased_until = now() + make_interval(secs => ${leaseS})
       where id in (select id from due) returning id, endpoint_id, message_id, attempts)
    select claimed.id, claimed.endpoint_id as "endpointId", claimed.attempts, m.id as "messageId", m.event, m.body, e.url,
           u.email, u.email_verified as "isEmailVerified", u.status = 'ACTIVE' as "isActive",
           permissions_of(u.id) as permissions, ${accessFacts} as access,
           array_remove(array[encode(e.secret, 'base64'),
             case when e.former_until > now() then encode(e.former_secret, 'base64') end], null) as secrets
      from claimed
      join webhook_message m on m.id = claimed.message_id
      join webhook_endpoint e on e.id = claimed.endpoint_id
      join app_user u on u.id = e.user_id
     order by claimed.id`.execute(db)
  return rows
}

/** Result of an attempt. */
export type AttemptResult = {
  state: 'waiting' | 'done' | 'given up' | 'refused'
  status: number | null
  answer: string | null
  failure: string | null
  durationMs: number | null
  /** Pause before the next attempt. */
  pauseMs: number | null
}

/** Stores the result of an attempt, unless its lease expired and another process sends it again. */
export async function noteOutcome(
  tx: Db,
  { id, attempts }: ClaimedDelivery,
  { state, status, answer, failure, durationMs, pauseMs }: AttemptResult,
): Promise<void> {
  await sql`
    update webhook_delivery
       set state = ${state}, status = ${status}, answer = ${answer}, failure = ${failure}, duration_ms = ${durationMs},
           attempted_at = now(), leased_until = null,
           due_at = now() + make_interval(secs => ${(pauseMs ?? 0) / 1000}::float8)
     where id = ${id} and attempts = ${attempts} and state = 'waiting'`.execute(tx)
}

/** Releases a message that this process interrupted: another can send it at once, and this attempt is not counted. */
export async function giveBackDelivery(db: Db, { id, attempts }: ClaimedDelivery): Promise<void> {
  await sql`
    update webhook_delivery set attempts = attempts - 1, leased_until = null
     where id = ${id} and attempts = ${attempts} and state = 'waiting'`.execute(db)
}

/** @returns since when the endpoint has been failing; null when it is healthy */
export async function noteHealth(tx: Db, endpointId: number, isWell: boolean): Promise<string | null> {
  const { rows } = await sql<{ since: string | null }>`
    update webhook_endpoint
       set failing_since = ${isWell ? sql`null` : sql`coalesce(failing_since, now())`}
     where id = ${endpointId} and failing_since is distinct from ${isWell ? sql`null` : sql`coalesce(failing_since, now())`}
    returning failing_since as since`.execute(tx)
  if (rows[0] || isWell) return rows[0]?.since ?? null
  const row = await tx
    .selectFrom('webhook_endpoint')
    .select('failing_since')
    .where('id', '=', endpointId)
    .executeTakeFirst()
  return row?.failing_since ?? null
}

/**
 * Disables an endpoint; waiting messages are held for its owner to replay.
 * @returns whether it was active
 */
export async function disableEndpoint(
  tx: Db,
  endpointId: number,
  reason: 'gone' | 'failing',
): Promise<boolean> {
  const { rows } = await sql`
    update webhook_endpoint set disabled_at = now(), disabled_because = ${reason}
     where id = ${endpointId} and disabled_at is null returning id`.execute(tx)
  if (rows.length === 0) return false
  await sql`
    update webhook_delivery set state = 'held', leased_until = null
     where endpoint_id = ${endpointId} and state = 'waiting'`.execute(tx)
  return true
}
