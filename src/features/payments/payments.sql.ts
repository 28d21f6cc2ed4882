import { sql } from 'kysely'
import { failureWords } from '#features/payments/mobile-money.rules.ts'
import { type Payment, type paymentSummary, payments } from '#features/payments/payments.contract.ts'
import type { Db } from '#server/db/pool.ts'
import { defineRows } from '#server/db/rows.ts'
import { hasWords, inFrench, isId, isSinceDay, isUntilDay, isValue } from '#server/db/selection.ts'
import type { QueryOf } from '#shared/contract.ts'

const deposit = sql<Payment['deposit']>`
  case when deposit.id is not null then json_build_object(
    'operator', deposit.operator, 'phone', case when not payment.is_by_link then deposit.phone end, 'state', deposit.state,
    'pageUrl', case when deposit.state = 'pending' and payment.status = 'PENDING' and not payment.is_by_link then deposit.page_url end,
    'failure', case when deposit.failure_code is not null then json_build_object(
      'code', deposit.failure_code,
      'message', coalesce(${JSON.stringify(failureWords)}::jsonb ->> deposit.failure_code, ${failureWords.UNSPECIFIED_FAILURE}::text)) end) end`
const columns = [
  'payment.id',
  'payment.subscription_id as subscriptionId',
  'payment.user_id as userId',
  sql<Payment['user']>`json_build_object('id', u.id, 'name', u.name, 'email', u.email)`.as('user'),
  'payment.plan_id as planId',
  'plan.name as plan',
  'payment.amount',
  sql<Payment['currency']>`payment.currency`.as('currency'),
  sql<Payment['status']>`payment.status`.as('status'),
  sql<Payment['paymentMethod']>`payment.payment_method`.as('paymentMethod'),
  'payment.transaction_ref as transactionRef',
  'payment.authorization_code as authorizationCode',
  'payment.refund_reason as refundReason',
  deposit.as('deposit'),
  'payment.created_at',
  'payment.updated_at',
] as const
const sorts = {
  created_at: sql`payment.created_at`,
  amount: sql`payment.amount`,
  user: inFrench('u.name'),
}

// Same condition as `isToVerify` in payments.rules.ts.
const isToVerify = sql<boolean>`coalesce(
  (deposit.state = 'review' and payment.status in ('PENDING', 'FAILED'))
  or (deposit.state = 'unverified' and payment.status = 'PENDING'), false)`

export const paymentRows = defineRows(payments, {
  table: 'payment',
  columns,
  sorts,
  defaultSort: '-created_at',
  from: (db: Db) =>
    db
      .selectFrom('payment')
      .innerJoin('app_user as u', 'u.id', 'payment.user_id')
      .leftJoin('plan', 'plan.id', 'payment.plan_id')
      .leftJoin('deposit', 'deposit.payment_id', 'payment.id'),
  filters: {
    search: hasWords(
      sql`fold(u.name || ' ' || u.email || ' ' || coalesce(payment.transaction_ref, '') || ' ' || coalesce(deposit.phone, '') || ' ' || coalesce(deposit.provider_ref, ''))`,
    ),
    status: isValue('payment.status'),
    paymentMethod: isValue('payment.payment_method'),
    payment_method: isValue('payment.payment_method'),
    subscriptionId: isId('payment.subscription_id'),
    subscription_id: isId('payment.subscription_id'),
    planId: isId('payment.plan_id'),
    userId: isId('payment.user_id'),
    currency: isValue('payment.currency'),
    startDate: isSinceDay('payment.created_at'),
    endDate: isUntilDay('payment.created_at'),
    toVerify: (toVerify) => sql`${isToVerify} = ${toVerify}`,
  },
})

export type PaymentFields = {
  amount?: number | undefined
  currency?: Payment['currency'] | undefined
  status?: Payment['status'] | undefined
  paymentMethod?: Payment['paymentMethod'] | undefined
  transactionRef?: string | null | undefined
  authorizationCode?: string | null | undefined
  refundReason?: string | null | undefined
}

/**
 * Inserts a payment for an existing subscription, with its user and plan; undefined when the subscription does not
 * exist.
 */
export async function insertPayment(
  tx: Db,
  given: PaymentFields & { subscriptionId: number; amount: number },
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into payment (subscription_id, user_id, plan_id, billing_period, amount, currency, status, payment_method, transaction_ref, authorization_code)
    select subscription.id, user_id, plan_id, plan.billing_period, ${given.amount}, ${given.currency ?? 'USD'}, ${given.status ?? 'PENDING'},
           ${given.paymentMethod ?? 'VISA'}, ${given.transactionRef ?? null}, ${given.authorizationCode ?? null}
      from subscription left join plan on plan.id = plan_id where subscription.id = ${given.subscriptionId}::bigint
    returning id`.execute(tx)
  return rows[0]?.id
}

export async function updatePayment(tx: Db, id: number, changes: PaymentFields): Promise<void> {
  await tx
    .updateTable('payment')
    .set({
      amount: changes.amount,
      currency: changes.currency,
      status: changes.status,
      payment_method: changes.paymentMethod,
      transaction_ref: changes.transactionRef,
      authorization_code: changes.authorizationCode,
      refund_reason: changes.refundReason,
      updated_at: sql<string>`now()`,
    })
    .where('id', '=', id)
    .execute()
}

/** Moves a payment to another subscription, with its user and plan; false when the subscription does not exist. */
export async function movePayment(tx: Db, id: number, subscriptionId: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update payment set subscription_id = s.id, user_id = s.user_id, plan_id = s.plan_id, billing_period = plan.billing_period
      from subscription s left join plan on plan.id = s.plan_id where s.id = ${subscriptionId}::bigint and payment.id = ${id}`.execute(
    tx,
  )
  return numAffectedRows > 0n
}

type Group = {
  by: 'all' | 'status' | 'method' | 'currency' | 'status and currency' | 'day'
  status: Payment['status']
  method: Payment['paymentMethod']
  currency: Payment['currency']
  day: string
  count: number
  amount: number
  usd: number
  withoutRate: number
}

/**
 * Returns the sums of a selection, each amount in dollars at the rate of its day (statistics.md, « exchange rates »).
 */
export async function sumPayments(db: Db, query: QueryOf<typeof paymentSummary>): Promise<Group[]> {
  const selected = paymentRows
    .select(db, query)
    .select([
      'payment.status',
      'payment.payment_method as method',
      'payment.currency',
      'payment.amount',
      day.as('day'),
    ])
  const { rows } = await sql<Group>`
    with selected as (${selected}),
    converted as (
      select selected.*, round(case currency when 'USD' then amount else amount / rate.cdf_per_usd end, 2) as usd
        from selected left join lateral (
          select cdf_per_usd from exchange_rate where exchange_rate.day <= selected.day
           order by exchange_rate.day desc limit 1) rate on true)
    select case when grouping(status, currency) = 0 then 'status and currency' when grouping(status) = 0 then 'status' when grouping(method) = 0 then 'method'
                when grouping(currency) = 0 then 'currency' when grouping(day) = 0 then 'day' else 'all' end as by,
           status, method, currency, day::text, count(*) as count, coalesce(sum(amount), 0) as amount,
           coalesce(sum(usd), 0) as usd, count(*) filter (where usd is null) as "withoutRate"
      from converted
     group by grouping sets ((), (status), (method), (currency), (status, currency), (day))
     order by day, count desc, status, method, currency`.execute(db)
  return rows
}

const day = sql<string>`(payment.created_at at time zone 'Africa/Kinshasa')::date`
