import { sql } from 'kysely'
import { isPaidTwice } from '#features/payments/deposits/deposits.sql.ts'
import type { Difference } from '#features/reconciliation/reconciliation.contract.ts'
import { mostStrays, type Stray } from '#features/reconciliation/strays/strays.contract.ts'
import { isClosed } from '#features/users/closing/closing.sql.ts'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'

type Candidate = NonNullable<Difference['payment']>

const strayColumns = sql`
  id, provider, reference, amount, currency, received_on::text as "receivedOn", state, payment_id as "paymentId", note,
  ${isoInstant('created_at')} as "createdAt", ${isoInstant('updated_at')} as "updatedAt"`

export async function findStray(db: Db, id: number): Promise<Stray | undefined> {
  const { rows } =
    await sql<Stray>`select ${strayColumns} from stray_receipt where id = ${id}::bigint`.execute(db)
  return rows[0]
}

/** Returns the receipts still to be refunded, the oldest first. */
export async function listStraysToRefund(db: Db): Promise<{ rows: Stray[]; total: number }> {
  const { rows } = await sql<Stray & { total: number }>`
    select ${strayColumns}, count(*) over ()::int as total
      from stray_receipt where state = 'to_refund' order by id limit ${mostStrays}`.execute(db)
  return { rows: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 }
}

/** Returns the decisions about these rows of a provider's statement. */
export async function listStraysNamed(
  db: Db,
  provider: Stray['provider'],
  references: readonly string[],
): Promise<Stray[]> {
  const { rows } = await sql<Stray>`
    select ${strayColumns} from stray_receipt
     where provider = ${provider} and reference = any(${references}::text[])`.execute(db)
  return rows
}

type NewStray = Pick<
  Stray,
  'provider' | 'reference' | 'amount' | 'currency' | 'receivedOn' | 'state' | 'paymentId' | 'note'
>

/** @returns its id; undefined when this row of the statement, or this payment, already has a decision */
export async function insertStray(tx: Db, given: NewStray): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into stray_receipt (provider, reference, amount, currency, received_on, state, payment_id, note)
    values (${given.provider}, ${given.reference}, ${given.amount}, ${given.currency}, ${given.receivedOn}::date,
            ${given.state}, ${given.paymentId}, ${given.note})
    on conflict do nothing returning id`.execute(tx)
  return rows[0]?.id
}

/** @returns false when the receipt does not wait for a refund */
export async function setStrayRefunded(tx: Db, id: number, note: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update stray_receipt set state = 'refunded', note = ${note} where id = ${id} and state = 'to_refund'`.execute(
    tx,
  )
  return numAffectedRows > 0n
}

// A closed account gets no subscription, and a plan paid again after a failure must not be paid twice.
const mayBePaid = sql`
  payment.status in ('PENDING', 'FAILED') and not ${isClosed(sql.ref('u.id'), sql.ref('u.email'))}
  and not exists (select from stray_receipt where payment_id = payment.id)
  and not exists (
    select from payment other
     where other.user_id = payment.user_id and other.plan_id = payment.plan_id and other.status = 'PAID'
       and (other.id > payment.id or other.id = any(deposit.open_with)))
  and (payment.replaces_id is null or exists (
    select from subscription where subscription.id = payment.replaces_id and status = 'ACTIVE' and replaced_by is null))`

type Wanted = { key: string; phone: string; amount: string; currency: string; day: string }

/** Returns the unpaid payments with the number, amount and currency of these receipts, the nearest in time first. */
export async function listCandidates(
  db: Db,
  wanted: readonly Wanted[],
): Promise<{ key: string; payment: Candidate }[]> {
  if (wanted.length === 0) return []
  const { rows } = await sql<{ key: string; payment: Candidate }>`
    select wanted.key, json_build_object(
             'id', payment.id, 'amount', trim_scale(payment.amount), 'currency', payment.currency, 'status', payment.status,
             'transactionRef', payment.transaction_ref, 'client', u.name, 'createdAt', ${isoInstant('payment.created_at')}) as payment
      from json_to_recordset(${JSON.stringify(wanted)}::json)
             wanted (key text, phone text, amount numeric, currency text, day date)
           join deposit on deposit.phone = wanted.phone
           join payment on payment.id = deposit.payment_id and payment.amount = wanted.amount and payment.currency = wanted.currency
           join app_user u on u.id = payment.user_id
     where payment.created_at between wanted.day - interval '30 days' and wanted.day + interval '2 days' and ${mayBePaid}
     order by abs(extract(epoch from payment.created_at - wanted.day::timestamptz)), payment.id desc limit 5000`.execute(
    db,
  )
  return rows
}

type Attachable = { depositId: string; userId: number; phone: string | null }

/** Returns the deposit of a payment; undefined when no provider was asked to collect it. */
export async function findAttachable(tx: Db, paymentId: number): Promise<Attachable | undefined> {
  const { rows } = await sql<Attachable>`
    select deposit.id as "depositId", user_id as "userId", phone
      from deposit join payment on payment.id = payment_id where payment.id = ${paymentId}`.execute(tx)
  return rows[0]
}

/** Returns whether a stray receipt may still pay a payment; the caller holds the locks of the payment and its user. */
export async function mayBePaidByStray(tx: Db, paymentId: number): Promise<boolean> {
  const { rows } = await sql`
    select payment.id from payment join deposit on deposit.payment_id = payment.id join app_user u on u.id = payment.user_id
     where payment.id = ${paymentId} and ${mayBePaid}`.execute(tx)
  return rows.length > 0 && !(await isPaidTwice(tx, paymentId))
}
