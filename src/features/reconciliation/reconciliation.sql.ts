import { sql } from 'kysely'
import type { ProviderName } from '#features/payments/mobile-money.rules.ts'
import type { Transfer } from '#features/payments/transfers/transfers.contract.ts'
import { transferColumns, transferTables } from '#features/payments/transfers/transfers.sql.ts'
import type { Ours, Recorded } from '#features/reconciliation/differences.rules.ts'
import { mostDifferences } from '#features/reconciliation/reconciliation.contract.ts'
import type { Stray } from '#features/reconciliation/strays/strays.contract.ts'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'

/** Whose payments the statement of a provider has: FlexPay's has those by card too. */
const statedBy: Record<Stray['provider'], ProviderName[]> = {
  pawapay: ['pawapay'],
  flexpay: ['flexpay', 'flexpay-card'],
}

const ours = sql`
  select deposit.id as "depositId", deposit.provider_ref as reference, deposit.state, deposit.failure_code as "failureCode",
         json_build_object('id', payment.id, 'amount', trim_scale(payment.amount), 'currency', payment.currency, 'status', payment.status, 'transactionRef', payment.transaction_ref,
           'client', u.name, 'createdAt', ${isoInstant('payment.created_at')}) as payment,
         (select reference from stray_receipt where payment_id = payment.id) as "attachedKey"
    from deposit join payment on payment.id = deposit.payment_id join app_user u on u.id = payment.user_id`

/** Returns the payments to examine now, the oldest first: unfinished since an instant, or waiting for a decision. */
export async function listDoubts(db: Db, since: Date): Promise<{ rows: Ours[]; total: number }> {
  const { rows } = await sql<Ours & { total: number }>`
    with doubts as (${ours}
      where deposit.state = 'review' and payment.status in ('PENDING', 'FAILED')
         or deposit.state in ('created', 'pending', 'unverified') and payment.status = 'PENDING'
            and deposit.created_at < ${since})
    select doubts.*, count(*) over ()::int as total from doubts
     order by (payment ->> 'id')::integer limit ${mostDifferences}`.execute(db)
  return { rows, total: rows[0]?.total ?? 0 }
}

/**
 * Returns our payments that a provider names, and those paid through it that were requested in its period.
 * @param keys the first 24 digits of our ids
 * @param attached what the rows are called whose money may have been attached to a payment
 * @param period null for none
 */
export async function listNamed(
  db: Db,
  source: Stray['provider'],
  {
    keys,
    references,
    attached,
  }: { keys: readonly string[]; references: readonly string[]; attached: readonly string[] },
  period: { from: string; to: string } | null,
): Promise<Ours[]> {
  const { rows } = await sql<Ours>`
    ${ours} where deposit.id in (
      select named.id from unnest(${keys}::text[]) key
        join deposit named on named.id between (key || '00000000')::uuid and (key || 'ffffffff')::uuid
      union select id from deposit where provider_ref = any(${references}::text[])
      union select deposit.id from stray_receipt join payment on payment.id = stray_receipt.payment_id
              join deposit on deposit.payment_id = payment.id
       where stray_receipt.provider = ${source} and stray_receipt.reference = any(${attached}::text[])
      union select paid.id from deposit paid join payment on payment.id = payment_id
       where payment.status = 'PAID'
         and coalesce(paid.provider, case when paid.phone is null then 'flexpay-card' else ${source} end) = any(${statedBy[source]}::text[])
         and paid.created_at between ${period?.from ?? null}::timestamptz and ${period?.to ?? null}::timestamptz)
    order by payment.id`.execute(db)
  return rows
}

export async function listOrders(db: Db, ids: readonly number[]): Promise<Transfer[]> {
  const { rows } = await sql<Transfer>`
    select ${transferColumns} ${transferTables} where o.id = any(${ids}::integer[])`.execute(db)
  return rows
}

/** Returns the transfers recorded with these bank references, or received between these days. */
export async function listRecorded(
  db: Db,
  references: readonly string[],
  period: { from: string; to: string } | null,
): Promise<Recorded[]> {
  const inPeriod = sql`coalesce(
    receipt.received_on between ${period?.from ?? null}::date and ${period?.to ?? null}::date, false)`
  const { rows } = await sql<Transfer & Omit<Recorded, 'transfer' | 'amount'> & { recordedAmount: number }>`
    select ${transferColumns}, receipt.amount as "recordedAmount", receipt.bank_reference as "bankReference",
           ${inPeriod} as "isInPeriod"
      ${transferTables} join transfer_receipt receipt on receipt.order_id = o.id
     where receipt.cancels_id is null and not receipt.is_cancelled
       and (receipt.bank_reference = any(${references}::text[]) or ${inPeriod})
     order by receipt.id`.execute(db)
  return rows.map(({ recordedAmount, bankReference, isInPeriod, ...transfer }) => ({
    amount: recordedAmount,
    bankReference,
    isInPeriod,
    transfer,
  }))
}
