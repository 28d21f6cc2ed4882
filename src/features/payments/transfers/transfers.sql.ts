import { sql } from 'kysely'
import type { BillingTerms } from '#features/invoices/invoices.rules.ts'
import type { Transfer, TransferReceipt, transfers } from '#features/payments/transfers/transfers.contract.ts'
import type { Plan } from '#features/plans/plans.contract.ts'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'
import { contains, offsetOf } from '#server/db/selection.ts'
import type { QueryOf } from '#shared/contract.ts'

const transferState = sql`
  case when o.payment_id is not null then 'paid' when got.sum > 0 then 'partial' else 'waiting' end`
/** Whether nothing was ever recorded for an order. */
const isUntouched = sql`not exists (select from transfer_receipt where order_id = o.id)`
export const transferColumns = sql`
  o.id, o.reference, o.user_id as "userId", coalesce(b.name, u.name) as client, plan.name as plan, o.amount, o.currency,
         got.sum as received, greatest(o.amount - got.sum, 0) as remaining, greatest(got.sum - o.amount, 0) as credit,
         ${transferState} as state, ${isUntouched} as "isDeletable",
         o.payment_id as "paymentId", ${isoInstant('o.created_at')} as "createdAt"`
export const transferTables = sql`
    from transfer_order o join app_user u on u.id = o.user_id join plan on plan.id = o.plan_id
         left join billing_details b on b.user_id = o.user_id
         cross join lateral (
           select coalesce(sum(amount), 0::numeric(14,2)) as sum from transfer_receipt where order_id = o.id) got`
const selected = sql`select ${transferColumns} ${transferTables}`

/** @param userId user of the transfers; null for all */
export async function listTransfers(
  db: Db,
  userId: number | null,
  query: QueryOf<typeof transfers.list>,
): Promise<{ rows: Transfer[]; total: number }> {
  const { search, state } = query
  const whose = sql`(${userId}::integer is null or o.user_id = ${userId})
    and (${state ?? null}::text is null or ${transferState} = ${state ?? null})
    ${search ? sql`and ${contains(sql`fold(o.reference || ' ' || coalesce(b.name, '') || ' ' || u.name || ' ' || u.email || ' ' || plan.name)`, search)}` : sql``}`
  const { rows } = await sql<Transfer>`
    ${selected} where ${whose} order by o.id desc limit ${query.limit} offset ${offsetOf(query)}`.execute(db)
  const { rows: counts } = await sql<{ total: number }>`
    select count(*)::int as total ${transferTables} where ${whose}`.execute(db)
  return { rows, total: counts[0]?.total ?? 0 }
}

export async function findTransfer(
  db: Db,
  id: number,
  userId: number | null = null,
): Promise<Transfer | undefined> {
  const { rows } = await sql<Transfer>`
    ${selected} where o.id = ${id}::bigint and (${userId}::integer is null or o.user_id = ${userId})`.execute(
    db,
  )
  return rows[0]
}

/** Returns the number of a user's orders that may be deleted. */
export async function countDeletable(tx: Db, userId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from transfer_order o where user_id = ${userId} and ${isUntouched}`.execute(tx)
  return rows[0]?.n ?? 0
}

export async function insertTransfer(tx: Db, userId: number, plan: Plan, at: Date): Promise<number> {
  const { id } = await tx
    .insertInto('transfer_order')
    .values({
      user_id: userId,
      plan_id: plan.id,
      billing_period: plan.billingPeriod,
      amount: plan.price,
      currency: plan.currency,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Received = { amount: number; bankReference: string; receivedOn: string }

/**
 * Returns the reference of another order that already has a receipt with the same bank reference, day and amount. Locks
 * the bank reference until the transaction ends.
 */
export async function findSameReceived(
  tx: Db,
  orderId: number,
  { amount, bankReference, receivedOn }: Received,
): Promise<string | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`transfer ${bankReference}`}, 0))`.execute(tx)
  const { rows } = await sql<{ reference: string }>`
    select o.reference from transfer_receipt r join transfer_order o on o.id = r.order_id
     where r.bank_reference = ${bankReference} and r.received_on = ${receivedOn}::date and r.amount = ${amount}
       and r.order_id <> ${orderId} and not r.is_cancelled limit 1`.execute(tx)
  return rows[0]?.reference
}

export async function insertReceived(tx: Db, orderId: number, given: Received): Promise<void> {
  await sql`
    insert into transfer_receipt (order_id, amount, bank_reference, received_on)
    values (${orderId}, ${given.amount}, ${given.bankReference}, ${given.receivedOn}::date)`.execute(tx)
}

/** Inserts the payment of a completed transfer, for its own amount without any excess. @returns its id */
export async function insertWholePayment(tx: Db, orderId: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into payment (user_id, plan_id, billing_period, amount, currency, status, payment_method, transaction_ref)
      select user_id, plan_id, billing_period, amount, currency, 'PAID', 'TRANSFER', reference
        from transfer_order where id = ${orderId}
      returning id),
    noted as (update transfer_order set payment_id = made.id from made where transfer_order.id = ${orderId})
    select id from made`.execute(tx)
  return rows[0]!.id
}

/** Returns the terms that invoices are issued with now. */
export async function getTerms(db: Db): Promise<BillingTerms> {
  const { rows } = await sql<BillingTerms>`
    select seller, vat_rate::text as "vatRate", vat_text as "vatText", payment_terms as "paymentTerms"
      from billing_terms`.execute(db)
  return rows[0]!
}

export async function listReceipts(db: Db, orderId: number): Promise<TransferReceipt[]> {
  const { rows } = await sql<TransferReceipt>`
    select id, amount, bank_reference as "bankReference", received_on::text as "receivedOn", is_cancelled as "isCancelled", reason,
           ${isoInstant('created_at')} as "createdAt"
      from transfer_receipt where order_id = ${orderId} order by id limit 200`.execute(db)
  return rows
}

/**
 * Inserts the entry that cancels a recorded transfer. The caller holds the lock of its order.
 * @returns false when the transfer does not exist, or is cancelled already
 */
export async function insertCancellation(
  tx: Db,
  { orderId, receiptId, reason }: { orderId: number; receiptId: number; reason: string },
  at: Date,
): Promise<boolean> {
  const { rows } = await sql`
    with cancelled as (
      update transfer_receipt set is_cancelled = true
       where id = ${receiptId} and order_id = ${orderId} and cancels_id is null and not is_cancelled
      returning id, amount, bank_reference)
    insert into transfer_receipt (order_id, amount, bank_reference, received_on, cancels_id, reason)
    select ${orderId}, -amount, bank_reference, (${at}::timestamptz at time zone 'Africa/Kinshasa')::date, id, ${reason} from cancelled
    returning id`.execute(tx)
  return rows.length > 0
}

/** Detaches the payment of an order that is no longer fully received. */
export async function detachPayment(tx: Db, orderId: number): Promise<void> {
  await sql`update transfer_order set payment_id = null where id = ${orderId}`.execute(tx)
}

export async function isOfTransfer(tx: Db, paymentId: number): Promise<boolean> {
  const { rows } = await sql`select from transfer_order where payment_id = ${paymentId}`.execute(tx)
  return rows.length > 0
}
