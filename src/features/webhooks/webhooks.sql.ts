import { sql } from 'kysely'
import type { Webhook, WebhookDelivery } from '#features/webhooks/webhooks.contract.ts'
import { formerSecretHours, storedDays } from '#features/webhooks/webhooks.rules.ts'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'

/** Returns the endpoints of an account, the latest first. */
export async function listEndpoints(db: Db, userId: number, id?: number): Promise<Webhook[]> {
  const { rows } = await sql<Webhook>`
    select id, url, events, disabled_at is null as "isActive", disabled_because as "disabledBecause",
           ${isoInstant('disabled_at')} as "disabledAt", ${isoInstant('failing_since')} as "failingSince",
           (select ${isoInstant('attempted_at')} from webhook_delivery
             where endpoint_id = webhook_endpoint.id and state = 'done' order by id desc limit 1) as "lastDoneAt",
           (select count(*) from webhook_delivery where endpoint_id = webhook_endpoint.id and state = 'waiting')::int as waiting,
           ${isoInstant('created_at')} as "createdAt", ${isoInstant('updated_at')} as "updatedAt"
      from webhook_endpoint
     where user_id = ${userId} ${id === undefined ? sql`` : sql`and id = ${id}::bigint`}
     order by id desc limit 100`.execute(db)
  return rows
}

export async function findEndpoint(db: Db, userId: number, id: number): Promise<Webhook | undefined> {
  return (await listEndpoints(db, userId, id))[0]
}

/** Returns the number of endpoints of an account. The caller holds the account's lock. */
export async function countEndpoints(tx: Db, userId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('webhook_endpoint')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertEndpoint(
  tx: Db,
  given: { userId: number; url: string; events: readonly string[]; secret: Buffer },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into webhook_endpoint (user_id, url, events, secret)
    values (${given.userId}, ${given.url}, ${given.events}, ${given.secret}) returning id`.execute(tx)
  return rows[0]!.id
}

/** Updates the given fields. A reactivated endpoint starts without failures. */
export async function updateEndpoint(
  tx: Db,
  id: number,
  given: { url?: string | undefined; events?: readonly string[] | undefined; isActive?: boolean | undefined },
): Promise<void> {
  const { url, events, isActive } = given
  await tx
    .updateTable('webhook_endpoint')
    .set({
      ...(url !== undefined && { url, failing_since: null }),
      ...(events !== undefined && { events: [...events] }),
      ...(isActive === true && { disabled_at: null, disabled_because: null, failing_since: null }),
      ...(isActive === false && { disabled_at: sql<string>`now()`, disabled_because: 'owner' }),
      updated_at: sql<string>`now()`,
    })
    .where('id', '=', id)
    .execute()
}

/** Replaces the secret; the former one also signs for a day. */
export async function renewSecret(tx: Db, id: number, secret: Buffer): Promise<void> {
  await sql`
    update webhook_endpoint
       set former_secret = secret, former_until = now() + make_interval(hours => ${formerSecretHours}), secret = ${secret}
     where id = ${id}`.execute(tx)
}

/** Returns the last messages of an endpoint, the latest first. */
export async function listDeliveries(db: Db, endpointId: number): Promise<WebhookDelivery[]> {
  const { rows } = await sql<WebhookDelivery>`
    select d.id, 'msg_' || d.message_id as "messageId", m.event, d.state, d.attempts, ${isoInstant('m.created_at')} as "createdAt",
           case when d.state = 'waiting' then ${isoInstant('d.due_at')} end as "dueAt",
           ${isoInstant('d.attempted_at')} as "attemptedAt", d.duration_ms as "durationMs", d.status, d.failure,
           m.body as request, d.answer
      from webhook_delivery d join webhook_message m on m.id = d.message_id
     where d.endpoint_id = ${endpointId} order by d.id desc limit 50`.execute(db)
  return rows
}

/**
 * Makes messages of an endpoint due again: one, even one that waits for its next attempt, or all that were not delivered.
 * @returns their number
 */
export async function replayDeliveries(
  tx: Db,
  endpointId: number,
  deliveryId: number | null,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_delivery set state = 'waiting', attempts = 0, due_at = now()
     where endpoint_id = ${endpointId} and (leased_until is null or leased_until <= now())
       and ${deliveryId === null ? sql`state not in ('done', 'waiting')` : sql`id = ${deliveryId}::bigint`}`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0)
}

/** An event with its data, for the endpoints that chose it. */
export type Happening = {
  event: string
  data: object
  /** The user it concerns; absent when it concerns all readers of prices. */
  userId?: number
  /** Sends it to this endpoint only, whichever events it has chosen. */
  endpointId?: number
}

/** Records a message for every endpoint that chose its event. */
export async function recordMessage(tx: Db, happening: Happening): Promise<void> {
  const { event, data, userId, endpointId } = happening
  const body = JSON.stringify({ type: event, timestamp: new Date().toISOString(), data })
  const chosen =
    endpointId !== undefined
      ? sql`id = ${endpointId}`
      : sql`${event} = any(events) and ${userId === undefined ? sql`true` : sql`user_id = ${userId}`}`
  await sql`
    with asked as (select id, disabled_at from webhook_endpoint where ${chosen}),
    message as (
      insert into webhook_message (event, body) select ${event}, ${body} where exists (select from asked) returning id)
    insert into webhook_delivery (endpoint_id, message_id, state)
    select asked.id, message.id, case when disabled_at is null then 'waiting' else 'held' end from asked, message`.execute(
    tx,
  )
}

/** Deletes messages older than `storedDays`. */
export async function sweepMessages(db: Db): Promise<void> {
  await sql`delete from webhook_message where created_at < now() - make_interval(days => ${storedDays})`.execute(
    db,
  )
}
