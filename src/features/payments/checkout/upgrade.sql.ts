import { sql } from 'kysely'
import type { AmountDue } from '#features/payments/checkout/checkout.rules.ts'
import type { Db } from '#server/db/pool.ts'

/** The price of a plan that begins at once, with the credit for the unused days of the current period. */
export type UpgradePrice = {
  /** The period that ends. */
  subscriptionId: number
  plan: string | null
  daysLeft: number
  totalDays: number
  price: number
  credit: number
  due: number
  currency: AmountDue['currency']
}

/**
 * Returns the price of a plan that begins at once: its price less days left / total days × value of the current period,
 * in whole francs or cents, rounded down. Only for a dearer plan, so that the price is above zero.
 * @param cdfPerUsd rate of the day; null when there is none
 * @returns undefined without a current paid period, or when the plan is not dearer
 */
export async function priceUpgrade(
  db: Db,
  asked: { userId: number; planId: number; price: AmountDue; cdfPerUsd: number | null },
  at: Date,
): Promise<UpgradePrice | undefined> {
  const { userId, planId, price, cdfPerUsd } = asked
  const { currency } = price
  const { rows } = await sql<UpgradePrice>`
    with running as (
      select s.id, plan.name, floor(extract(epoch from s.end_date - ${at}) / 86400)::int as days_left,
             round(extract(epoch from s.end_date - s.start_date) / 86400)::int as total_days,
             (payment.amount + payment.credit) * case
               when payment.currency = ${currency} then 1
               when ${currency} = 'CDF' then ${cdfPerUsd}::numeric else 1 / ${cdfPerUsd}::numeric end as worth
        from subscription s join payment on payment.id = s.payment_id and payment.status = 'PAID'
             left join plan on plan.id = s.plan_id
       where s.user_id = ${userId} and s.status = 'ACTIVE' and s.start_date < ${at} and s.end_date > ${at}
         and s.plan_id is distinct from ${planId} and s.replaced_by is null
       order by s.end_date desc, s.id desc limit 1),
    credited as (
      select *, trunc(worth * days_left / greatest(total_days, 1), case ${currency}::text when 'CDF' then 0 else 2 end) as credit
        from running where worth < ${price.price}::numeric)
    select id as "subscriptionId", name as plan, days_left as "daysLeft", total_days as "totalDays",
           ${price.price}::numeric as price, credit, ${price.price}::numeric - credit as due, ${currency}::text as currency
      from credited`.execute(db)
  return rows[0]
}

/**
 * Returns the payment that the days of a payment's period were credited to, which prevents its refund; undefined when
 * there is none.
 */
export async function findCrediting(tx: Db, paymentId: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select payment.id from payment join subscription on subscription.id = replaces_id
     where subscription.payment_id = ${paymentId} and payment.status in ('PENDING', 'PAID') limit 1`.execute(
    tx,
  )
  return rows[0]?.id
}

/** Returns whether an upgrade from a period is already pending. */
export async function hasOpenUpgrade(tx: Db, subscriptionId: number): Promise<boolean> {
  const { rows } = await sql<{ isOpen: boolean }>`
    select exists (select from payment where replaces_id = ${subscriptionId} and status = 'PENDING') as "isOpen"`.execute(
    tx,
  )
  return rows[0]?.isOpen ?? false
}
