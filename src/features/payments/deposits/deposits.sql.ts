import { sql } from 'kysely'
import type { Decision, DepositFacts, DepositState } from '#features/payments/deposits/deposits.rules.ts'
import type { Operator, ProviderName } from '#features/payments/mobile-money.rules.ts'
import type { Payment } from '#features/payments/payments.contract.ts'
import { isClosed } from '#features/users/closing/closing.sql.ts'
import type { Db } from '#server/db/pool.ts'

export type NewDeposit = {
  depositId: string
  userId: number
  planId: number
  /** What it pays for, whatever becomes of the plan. */
  billingPeriod: 'MONTHLY' | 'YEARLY'
  amount: number
  currency: Payment['currency']
  phone: string
  operator: Operator
  /** The period that it ends at once, and what its unused days are worth. */
  /** The link that somebody else pays by; null for the subscriber himself. */
  linkId?: number | null
  replaces?: { subscriptionId: number; credit: number } | undefined
}

/** A payment and what will be asked of the provider for it, due at once. @returns the payment's id */
export async function insertDeposit(tx: Db, given: NewDeposit, at: Date): Promise<number> {
  const { id } = await tx
    .insertInto('payment')
    .values({
      user_id: given.userId,
      plan_id: given.planId,
      billing_period: given.billingPeriod,
      amount: given.amount,
      currency: given.currency,
      payment_method: 'MOBILE_MONEY',
      transaction_ref: given.depositId,
      created_at: at,
      link_id: given.linkId ?? null,
      is_by_link: (given.linkId ?? null) !== null,
      ...(given.replaces && { replaces_id: given.replaces.subscriptionId, credit: given.replaces.credit }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('deposit')
    .values({
      id: given.depositId,
      payment_id: id,
      phone: given.phone,
      operator: given.operator,
      next_check_at: at,
      created_at: at,
    })
    .execute()
  return id
}

/** How many payments a user, or somebody by a link of his, has asked for since then, and from which numbers. */
export async function getAsked(
  tx: Db,
  { userId, linkId }: { userId: number; linkId: number | null },
  since: Date,
): Promise<{ attempts: number; phones: string[] }> {
  const { rows } = await sql<{ attempts: number; phones: string[] }>`
    select count(*)::int as attempts, coalesce(array_agg(distinct deposit.phone), '{}') as phones
      from deposit join payment on payment.id = deposit.payment_id
     where payment.user_id = ${userId} and link_id is not distinct from ${linkId}::bigint
       and deposit.created_at > ${since}`.execute(tx)
  return rows[0]!
}

/** From which number a user last paid, or asked to, and in which currency; null before the first time. */
export async function findLastPayer(
  db: Db,
  userId: number,
): Promise<(Pick<NewDeposit, 'phone' | 'operator'> & { currency: Payment['currency'] }) | null> {
  const { rows } = await sql<Pick<NewDeposit, 'phone' | 'operator' | 'currency'>>`
    select deposit.phone, deposit.operator, payment.currency
      from payment join deposit on deposit.payment_id = payment.id
     where payment.user_id = ${userId} and not is_by_link
     order by payment.status in ('PAID', 'REFUNDED') desc, payment.id desc limit 1`.execute(db)
  return rows[0] ?? null
}

/** Whether a user has just asked for the same from the same number, and waits for it. */
export async function hasSameOpen(
  tx: Db,
  { userId, planId, phone }: Pick<NewDeposit, 'userId' | 'planId' | 'phone'>,
  since: Date,
): Promise<boolean> {
  const row = await tx
    .selectFrom('deposit')
    .innerJoin('payment', 'payment.id', 'payment_id')
    .select('deposit.id')
    .where('payment.user_id', '=', userId)
    .where('payment.plan_id', '=', planId)
    .where('payment.status', '=', 'PENDING')
    .where('deposit.phone', '=', phone)
    .where('deposit.state', 'in', ['created', 'pending'])
    .where('deposit.created_at', '>', since.toISOString())
    .executeTakeFirst()
  return row !== undefined
}

export type LeasedDeposit = {
  id: string
  state: DepositState
  phone: string
  operator: Operator
  amount: string
  currency: 'CDF' | 'USD'
  paymentId: number
  createdAt: string
  /** Who was asked for it, written down before; null while certainly nobody was. */
  provider: ProviderName | null
  /** What the provider calls it. */
  reference: string | null
  /** How often somebody has begun to ask, this time included. */
  attempts: number
}

/**
 * Deposits that are due, for the first caller: nobody else gets them before `leaseMs` are over, by when they have
 * been asked about, or their process is gone.
 */
export async function leaseDueDeposits(
  db: Db,
  { at, most, leaseMs }: { at: Date; most: number; leaseMs: number },
): Promise<LeasedDeposit[]> {
  const { rows } = await sql<LeasedDeposit>`
    with due as (
      select id from deposit where next_check_at <= ${at}
       order by next_check_at limit ${most} for update skip locked)
    update deposit set next_check_at = ${new Date(at.getTime() + leaseMs)}, attempts = attempts + 1
      from due, payment
     where due.id = deposit.id and payment.id = deposit.payment_id
    returning deposit.id, deposit.state, deposit.phone, deposit.operator, trim_scale(payment.amount)::text as amount,
              payment.currency, payment.id as "paymentId", deposit.created_at as "createdAt",
              deposit.provider, deposit.provider_ref as reference, deposit.attempts`.execute(db)
  return rows
}

/** Who is about to be asked for a deposit; null once it is certain that nobody was. */
export async function setProvider(db: Db, depositId: string, provider: ProviderName | null): Promise<void> {
  await db
    .updateTable('deposit')
    .set({ provider })
    .where('id', '=', depositId)
    .where('state', '=', 'created')
    .execute()
}

/** Makes a deposit due now: somebody says that there is news, and how the provider calls it if we do not have it yet. */
export async function hastenDeposit(
  db: Db,
  { depositId, reference }: { depositId: string; reference?: string | undefined },
  at: Date,
): Promise<void> {
  await sql`update deposit set next_check_at = least(next_check_at, ${at}::timestamptz),
                               provider_ref = coalesce(provider_ref, ${reference ?? null})
             where id = ${depositId} and state in ('created', 'pending', 'unverified', 'failed')`.execute(db)
}

export type LockedDeposit = DepositFacts & {
  paymentId: number
  provider: ProviderName | null
  userId: number
  planId: number | null
  replacesId: number | null
  createdAt: string
  name: string
  email: string
}

/** Whether the operator may still ask somebody for his code: a payment asked for since then that nobody has answered. */
export async function isBeingPaid(tx: Db, userId: number, since: Date): Promise<boolean> {
  const { rows } = await sql<{ isOpen: boolean }>`
    select exists (select from deposit join payment on payment.id = payment_id
                    where payment.user_id = ${userId} and payment.status = 'PENDING'
                      and deposit.state in ('created', 'pending') and deposit.created_at > ${since}) as "isOpen"`.execute(
    tx,
  )
  return rows[0]?.isOpen ?? false
}

/** A deposit with its payment, both held until the transaction ends; undefined when it is none of ours. */
export async function lockDeposit(tx: Db, depositId: string): Promise<LockedDeposit | undefined> {
  const { rows } = await sql<LockedDeposit>`
    select deposit.state, deposit.failure_code as "failureCode", payment.amount::text as amount, payment.currency,
           payment.status as "paymentStatus", payment.id as "paymentId", payment.user_id as "userId",
           deposit.provider, payment.plan_id as "planId", deposit.created_at as "createdAt", u.name, u.email,
           ${isClosed(sql.ref('u.id'), sql.ref('u.email'))} as "isClosed",
           payment.replaces_id as "replacesId"
      from deposit join payment on payment.id = deposit.payment_id join app_user u on u.id = payment.user_id
     where deposit.id = ${depositId} for update of deposit, payment`.execute(tx)
  return rows[0]
}

/** Whether the unused days of a period can no longer be credited. The caller holds its user. */
export async function isCreditGone(tx: Db, subscriptionId: number): Promise<boolean> {
  const { rows } = await sql<{ isGone: boolean }>`
    select not exists (select from subscription where id = ${subscriptionId} and status = 'ACTIVE'
                                                  and replaced_by is null) as "isGone"`.execute(tx)
  return rows[0]?.isGone ?? true
}

export async function updateDeposit(
  tx: Db,
  depositId: string,
  { state, failureCode }: Decision,
  { nextCheckAt, reference }: { nextCheckAt: Date | null; reference: string | null },
): Promise<void> {
  await tx
    .updateTable('deposit')
    .set({
      state,
      failure_code: failureCode,
      next_check_at: nextCheckAt,
      ...(reference && { provider_ref: reference.slice(0, 200) }),
    })
    .where('id', '=', depositId)
    .execute()
}

/** What our team has said of a deposit that waited for it, whatever the provider repeats afterwards. */
export async function closeReview(tx: Db, paymentId: number, status: 'PAID' | 'FAILED'): Promise<void> {
  const decided: Decision =
    status === 'PAID'
      ? { state: 'succeeded', failureCode: null }
      : { state: 'failed', failureCode: 'DECIDED' }
  await tx
    .updateTable('deposit')
    .set({ state: decided.state, failure_code: decided.failureCode, next_check_at: null })
    .where('payment_id', '=', paymentId)
    .execute()
}
