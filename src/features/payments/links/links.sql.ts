import { sql } from 'kysely'
import type { DepositState } from '#features/payments/deposits/deposits.rules.ts'
import type { PaymentLink } from '#features/payments/links/links.contract.ts'
import type { PaymentStatus } from '#features/payments/payments.contract.ts'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'

export type LinkRow = Omit<PaymentLink, 'url'> & { token: string; planId: number }

/** Returns the usable links of a user, the latest first. */
export async function listLinks(db: Db, userId: number, at: Date): Promise<LinkRow[]> {
  const { rows } = await sql<LinkRow>`
    select payment_link.id, token, plan_id as "planId", plan.name as plan, plan.price as amount, plan.currency,
           ${isoInstant('payment_link.created_at')} as "createdAt", ${isoInstant('expires_at')} as "expiresAt"
      from payment_link join plan on plan.id = plan_id
     where user_id = ${userId} and expires_at > ${at} order by payment_link.id desc limit 100`.execute(db)
  return rows
}

type NewLink = { token: string; userId: number; planId: number; expiresAt: Date }

export async function insertPaymentLink(tx: Db, link: NewLink, at: Date): Promise<void> {
  await tx
    .insertInto('payment_link')
    .values({
      token: link.token,
      user_id: link.userId,
      plan_id: link.planId,
      created_at: at,
      expires_at: link.expiresAt,
    })
    .execute()
}

/** Ends a link: no new payment can use it, and a payment already begun is still followed. */
export async function endLink(tx: Db, id: number, at: Date): Promise<void> {
  await tx.updateTable('payment_link').set({ expires_at: at.toISOString() }).where('id', '=', id).execute()
}

/** The subscriber and the plan that a link pays for. */
type FoundLink = {
  id: number
  userId: number
  planId: number
  plan: string
  amount: number
  currency: 'CDF' | 'USD'
  billingPeriod: 'MONTHLY' | 'YEARLY'
  /** Whether it is not expired, not revoked, of an account that may sign in, for a plan on sale. */
  isOpen: boolean
  /** Status of its one pending or paid payment; null if it has only failed or refunded ones, or none. */
  payment: PaymentStatus | null
}

/** @returns undefined for an unknown token */
export async function findPaymentLink(db: Db, token: string, at: Date): Promise<FoundLink | undefined> {
  const { rows } = await sql<FoundLink>`
    select payment_link.id, payment_link.user_id as "userId", payment_link.plan_id as "planId", plan.name as plan,
           plan.price as amount, plan.currency, plan.billing_period as "billingPeriod",
           expires_at > ${at} and u.status = 'ACTIVE' and plan.is_active and plan.price > 0 as "isOpen",
           (select status from payment where link_id = payment_link.id and status not in ('FAILED', 'REFUNDED')
             order by id desc limit 1) as payment
      from payment_link join plan on plan.id = plan_id join app_user u on u.id = payment_link.user_id
     where token = ${token}`.execute(db)
  return rows[0]
}

type LinkPayment = {
  status: PaymentStatus
  state: DepositState
  amount: string
  currency: string
  isByCard: boolean
  /** Address of the card page; null for mobile money, and before the page is opened. */
  pageUrl: string | null
  failureCode: string | null
}

/** Returns the progress of a payment by a link; undefined when the link has no payment of that reference. */
export async function findLinkPayment(
  db: Db,
  token: string,
  reference: string,
): Promise<LinkPayment | undefined> {
  const { rows } = await sql<LinkPayment>`
    select payment.status, deposit.state, payment.amount::text as amount, payment.currency, deposit.phone is null as "isByCard",
           deposit.page_url as "pageUrl", deposit.failure_code as "failureCode"
      from deposit join payment on payment.id = payment_id join payment_link on payment_link.id = link_id
     where token = ${token} and deposit.id::text = ${reference}`.execute(db)
  return rows[0]
}
