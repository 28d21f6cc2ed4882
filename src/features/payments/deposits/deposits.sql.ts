import { sql } from 'kysely'
import { openingMs, pageLastsMs } from '#features/payments/card/card.rules.ts'
import {
  type Decision,
  type DepositFacts,
  type DepositState,
  givenUp,
} from '#features/payments/deposits/deposits.rules.ts'
import type { Operator, ProviderName, StatusQuestion } from '#features/payments/mobile-money.rules.ts'
import type { Payment } from '#features/payments/payments.contract.ts'
import { isClosed } from '#features/users/closing/closing.sql.ts'
import type { Db } from '#server/db/pool.ts'

export type NewDeposit = {
  depositId: string
  userId: number
  planId: number
  /** Billing period at the time of payment, independent of later changes of the plan. */
  billingPeriod: 'MONTHLY' | 'YEARLY'
  amount: number
  currency: Payment['currency']
  /** Both null for a card. */
  phone: string | null
  operator: Operator | null
  /** The link that another payer uses; null for the subscriber. */
  linkId?: number | null
  /** The period that it ends at once, and the value of its unused days. */
  replaces?: { subscriptionId: number; credit: number } | undefined
}

/** Inserts a payment and its deposit, due at once. @returns the payment's id */
export async function insertDeposit(tx: Db, given: NewDeposit, at: Date): Promise<number> {
  const { id } = await tx
    .insertInto('payment')
    .values({
      user_id: given.userId,
      plan_id: given.planId,
      billing_period: given.billingPeriod,
      amount: given.amount,
      currency: given.currency,
      payment_method: given.phone === null ? 'VISA' : 'MOBILE_MONEY',
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
      open_with: await listUndecided(tx, { ...given, paymentId: id }),
      next_check_at: at,
      created_at: at,
    })
    .execute()
  return id
}

/** Returns other payments of the same plan that may still be paid, including those given up by us or the team. */
async function listUndecided(
  tx: Db,
  { userId, planId, paymentId }: Pick<NewDeposit, 'userId' | 'planId'> & { paymentId: number },
): Promise<number[]> {
  const { rows } = await sql<{ ids: number[] }>`
    select coalesce(array_agg(payment.id order by payment.id), '{}') as ids
      from payment join deposit on deposit.payment_id = payment.id
     where user_id = ${userId} and plan_id = ${planId} and payment.id <> ${paymentId}
       and (payment.status = 'PENDING'
            or payment.status = 'FAILED' and (state in ('created', 'pending', 'unverified') or failure_code = any(${[...givenUp]}::text[])))`.execute(
    tx,
  )
  return rows[0]?.ids ?? []
}

/** Returns whether a payment that was open at the same time was paid. The caller holds the lock of its user. */
export async function isPaidTwice(tx: Db, paymentId: number): Promise<boolean> {
  const { rows } = await sql<{ isTwice: boolean }>`
    select exists (
      select from payment this join deposit mine on mine.payment_id = this.id
             join payment other on other.user_id = this.user_id and other.plan_id = this.plan_id and other.status = 'PAID'
             join deposit theirs on theirs.payment_id = other.id
       where this.id = ${paymentId} and (other.id = any(mine.open_with) or this.id = any(theirs.open_with))) as "isTwice"`.execute(
    tx,
  )
  return rows[0]?.isTwice ?? false
}

/**
 * Returns how many payments a user, or a payer using one of their links, requested since an instant, and from which
 * numbers.
 */
export async function getAsked(
  tx: Db,
  { userId, linkId }: { userId: number; linkId: number | null },
  since: Date,
): Promise<{ attempts: number; phones: string[] }> {
  const { rows } = await sql<{ attempts: number; phones: string[] }>`
    select count(*)::int as attempts, coalesce(array_agg(distinct deposit.phone) filter (where deposit.phone is not null), '{}') as phones
      from deposit join payment on payment.id = deposit.payment_id
     where payment.user_id = ${userId} and link_id is not distinct from ${linkId}::bigint
       and deposit.created_at > ${since}`.execute(tx)
  return rows[0]!
}

type LastPayer = { phone: string; operator: Operator; currency: Payment['currency'] }

/** Returns the number, operator and currency of a user's last payment, paid ones first; null without any. */
export async function findLastPayer(db: Db, userId: number): Promise<LastPayer | null> {
  const { rows } = await sql<LastPayer>`
    select deposit.phone, deposit.operator, payment.currency
      from payment join deposit on deposit.payment_id = payment.id
     where payment.user_id = ${userId} and not is_by_link and deposit.phone is not null
     order by payment.status in ('PAID', 'REFUNDED') desc, payment.id desc limit 1`.execute(db)
  return rows[0] ?? null
}

/** A second request within this time is a double click; also the longest time that a phone rings. */
const sameWithinMs = 5 * 60_000

/**
 * Returns how a user's pending payment of the same plan is made: by a phone with the same number, or, if no number is
 * given, any number; or by a card page that was not left; undefined for none.
 */
export async function findSameOpen(
  tx: Db,
  { userId, planId, phone }: Pick<NewDeposit, 'userId' | 'planId' | 'phone'>,
  at: Date,
): Promise<'phone' | 'page' | undefined> {
  const ago = (ms: number) => new Date(at.getTime() - ms)
  const { rows } = await sql<{ by: 'phone' | 'page' }>`
    select case when deposit.phone is null then 'page' else 'phone' end as by
      from deposit join payment on payment.id = payment_id
     where payment.user_id = ${userId} and payment.plan_id = ${planId} and payment.status = 'PENDING'
       and deposit.state in ('created', 'pending')
       and case when deposit.phone is null
                then left_as is null and deposit.created_at > case when page_url is null then ${ago(openingMs)}::timestamptz else ${ago(pageLastsMs)}::timestamptz end
                else deposit.phone = coalesce(${phone}::text, deposit.phone) and deposit.created_at > ${ago(sameWithinMs)}::timestamptz end
     limit 1`.execute(tx)
  return rows[0]?.by
}

/** Returns the id of a payment's deposit; undefined when no provider was asked to collect it. */
export async function findDepositId(db: Db, paymentId: number): Promise<string | undefined> {
  const found = db.selectFrom('deposit').select('id').where('payment_id', '=', paymentId)
  return (await found.executeTakeFirst())?.id
}

/** Stores how the payer left a page, and makes the deposit due now; false when there is no such page. */
export async function leavePage(
  tx: Db,
  depositId: string,
  leftAs: 'cancelled' | 'declined' | null,
  at: Date,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update deposit set left_as = coalesce(${leftAs}, left_as), next_check_at = least(next_check_at, ${at}::timestamptz)
     where id = ${depositId} and phone is null and state in ('created', 'pending', 'unverified', 'failed')
       and failure_code is distinct from 'DECIDED'`.execute(tx)
  return numAffectedRows > 0n
}

export type LeasedDeposit = {
  id: string
  state: DepositState
  /** Both null for a card. */
  phone: string | null
  operator: Operator | null
  /** For a card: whether its page was opened, and how the payer declared having left it. */
  page: NonNullable<StatusQuestion['page']>
  amount: string
  currency: 'CDF' | 'USD'
  paymentId: number
  createdAt: string
  /** The provider asked, stored before the request; null while certainly none was asked. */
  provider: ProviderName | null
  /** The provider's id of the deposit. */
  reference: string | null
  /** Number of requests begun, including this one. */
  attempts: number
}

/**
 * Leases due deposits: no other caller gets them within `leaseMs`, by when they have been processed or their process is
 * gone.
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
    returning deposit.id, deposit.state, deposit.phone, deposit.operator,
              json_build_object('isKnown', page_url is not null, 'leftAs', left_as) as page, trim_scale(payment.amount)::text as amount,
              payment.currency, payment.id as "paymentId", deposit.created_at as "createdAt",
              deposit.provider, deposit.provider_ref as reference, deposit.attempts`.execute(db)
  return rows
}

/** Stores the provider that is about to be asked; null once it is certain that none was. */
export async function setProvider(db: Db, depositId: string, provider: ProviderName | null): Promise<void> {
  await db
    .updateTable('deposit')
    .set({ provider })
    .where('id', '=', depositId)
    .where('state', '=', 'created')
    .execute()
}

/** Makes a deposit due now, because there may be news, and stores the provider's id if unknown. */
export async function makeDepositDue(
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
  isByCard: boolean
  userId: number
  planId: number | null
  replacesId: number | null
  createdAt: string
  name: string
  email: string
}

/**
 * Returns whether the operator may still ask the user for a code: a payment requested since an instant is unanswered.
 */
export async function isBeingPaid(tx: Db, userId: number, since: Date): Promise<boolean> {
  const { rows } = await sql<{ isOpen: boolean }>`
    select exists (select from deposit join payment on payment.id = payment_id
                    where payment.user_id = ${userId} and payment.status = 'PENDING'
                      and deposit.state in ('created', 'pending') and deposit.created_at > ${since}) as "isOpen"`.execute(
    tx,
  )
  return rows[0]?.isOpen ?? false
}

/** Returns a deposit with its payment, both locked until the transaction ends; undefined when it does not exist. */
export async function lockDeposit(tx: Db, depositId: string): Promise<LockedDeposit | undefined> {
  const { rows } = await sql<LockedDeposit>`
    select deposit.state, deposit.failure_code as "failureCode", payment.amount::text as amount, payment.currency,
           payment.status as "paymentStatus", payment.id as "paymentId", payment.user_id as "userId",
           deposit.provider, deposit.phone is null as "isByCard", payment.plan_id as "planId", deposit.created_at as "createdAt", u.name, u.email,
           ${isClosed(sql.ref('u.id'), sql.ref('u.email'))} as "isClosed",
           payment.replaces_id as "replacesId"
      from deposit join payment on payment.id = deposit.payment_id join app_user u on u.id = payment.user_id
     where deposit.id = ${depositId} for update of deposit, payment`.execute(tx)
  return rows[0]
}

/** Returns whether the unused days of a period can no longer be credited. The caller holds the lock of its user. */
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
  {
    nextCheckAt,
    reference,
    pageUrl,
  }: { nextCheckAt: Date | null; reference: string | null; pageUrl: string | null },
): Promise<void> {
  await tx
    .updateTable('deposit')
    .set({
      state,
      failure_code: failureCode,
      next_check_at: nextCheckAt,
      ...(reference && { provider_ref: reference.slice(0, 200) }),
      ...(pageUrl && { page_url: pageUrl }),
    })
    .where('id', '=', depositId)
    .execute()
}

/** Stores the team's decision about a deposit; later reports of the provider do not change it. */
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
