import { sql } from 'kysely'
import type { Revenue } from '#features/revenue/revenue.contract.ts'
import { cancelReasons } from '#features/subscriptions/changes/changes.rules.ts'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'

/** A month in Kinshasa: from its first instant to its end, or to now if it is not over. */
export type Span = { month: string; from: Date; until: Date }

const monthOf = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'Africa/Kinshasa', 'YYYY-MM')`

/** Returns the amounts received and refunded in the twelve months up to one. */
export async function sumMonths(db: Db, { month, until }: Span): Promise<Revenue['months']> {
  const { rows } = await sql<Revenue['months'][number]>`
    select ${monthOf('issued_at')} as month, currency,
           coalesce(sum(amount) filter (where kind = 'invoice'), 0) as received,
           count(*) filter (where kind = 'invoice')::int as "receivedCount",
           coalesce(sum(amount) filter (where kind = 'credit_note'), 0) as refunded,
           count(*) filter (where kind = 'credit_note')::int as "refundedCount"
      from invoice
     where issued_at >= (${`${month}-01`}::date - interval '11 months') at time zone 'Africa/Kinshasa' and issued_at <= ${until}
     group by 1, 2 order by 1 desc, 2`.execute(db)
  return rows
}

type Share = Pick<Revenue['byPlan'][number], 'currency' | 'count' | 'amount' | 'plan'> &
  Pick<Revenue['byMethod'][number], 'paymentMethod'> & { isPlan: boolean }

/** Returns the amounts received in a month, by plan and by method. */
export async function sumShares(
  db: Db,
  { from, until }: Span,
): Promise<Pick<Revenue, 'byPlan' | 'byMethod'>> {
  const { rows } = await sql<Share>`
    select grouping(plan) = 0 as "isPlan", plan, payment_method as "paymentMethod", currency, count(*)::int as count,
           sum(amount) as amount
      from invoice where kind = 'invoice' and issued_at >= ${from} and issued_at <= ${until}
     group by grouping sets ((currency, plan), (currency, payment_method))
     order by currency, sum(amount) desc, plan limit 400`.execute(db)
  return {
    byPlan: rows
      .filter(({ isPlan }) => isPlan)
      .map(({ plan, currency, count, amount }) => ({ plan, currency, count, amount })),
    byMethod: rows
      .filter(({ isPlan }) => !isPlan)
      .map(({ paymentMethod, currency, count, amount }) => ({ paymentMethod, currency, count, amount })),
  }
}

/** Returns the payments pending on a day of Kinshasa, by age. */
export async function sumWaiting(db: Db, today: string): Promise<Revenue['waiting']> {
  const { rows } = await sql<Revenue['waiting'][number]>`
    select case when day >= ${today}::date then 'day' when day >= ${today}::date - 7 then 'week' else 'older' end as age,
           currency, count(*)::int as count, sum(amount) as amount, min(${isoInstant('created_at')}) as "oldestAt"
      from payment cross join lateral (select (created_at at time zone 'Africa/Kinshasa')::date as day) made
     where status = 'PENDING' group by 1, 2 order by min(created_at), currency`.execute(db)
  return rows
}

// Periods with a payment. A refunded period ends on the date of its credit note; a period that the team ended ends at
// that moment. A period that reaches its end date keeps the status ACTIVE.
const paidPeriods = sql`
  period as (
    select s.id, s.user_id, s.start_date, plan.name as plan, plan.price, plan.currency, plan.billing_period,
           coalesce(i.reason, s.cancel_note, ${JSON.stringify(cancelReasons)}::jsonb ->> s.cancel_reason) as reason,
           case when i.id is not null then 'refunded' when s.status = 'CANCELED' or s.canceled_at is not null then 'canceled' else 'not renewed' end as why,
           case when s.status in ('CANCELED', 'EXPIRED') then least(s.end_date, coalesce(i.issued_at, s.updated_at))
                when s.status = 'PAUSED' then 'infinity' else s.end_date end as end_date
      from subscription s join plan on plan.id = s.plan_id and plan.price > 0
           left join invoice i on i.payment_id = s.payment_id and i.kind = 'credit_note'
     where s.status <> 'TRIAL' and (s.payment_id is not null or exists (
             select from payment where payment.subscription_id = s.id and payment.status in ('PAID', 'REFUNDED')))),
  paid as (select * from period where end_date > start_date)`

type Subscribers = Pick<Revenue, 'active' | 'running' | 'added' | 'lost' | 'trials' | 'recurring'>

/** Returns the subscribers at the end of a month, those new and lost in it, and the trials that ended in it. */
export async function countSubscribers(db: Db, { from, until }: Span): Promise<Subscribers> {
  const { rows } = await sql<Subscribers>`
    with ${paidPeriods},
    running as (
      select *, price / case billing_period when 'YEARLY' then 12 else 1 end as monthly
        from paid where start_date <= ${until} and end_date > ${until}),
    first as (
      select distinct on (user_id) * from paid order by user_id, start_date, id),
    added as (select * from first where start_date >= ${from} and start_date <= ${until}),
    last as (
      select distinct on (user_id) * from paid order by user_id, end_date desc, id desc),
    lost as (select * from last where end_date >= ${from} and end_date <= ${until}),
    ended as (
      select distinct s.user_id, s.end_date from subscription s left join plan on plan.id = s.plan_id
       where (s.plan_id is null or plan.price = 0) and s.end_date >= ${from} and s.end_date <= ${until}),
    trial as (
      select *, (select plan from paid
                  where paid.user_id = ended.user_id and paid.start_date <= ended.end_date + interval '30 days'
                  order by start_date, id limit 1) as plan
        from ended),
    listed_trial as (
      select user_id as "userId", u.name, plan, ${isoInstant('end_date')} as at
        from trial join app_user u on u.id = user_id order by end_date desc, user_id limit 200),
    listed_running as (
      select user_id as "userId", u.name, plan, ${isoInstant('start_date')} as at, trim_scale(round(monthly, 2)) as amount, currency
        from running join app_user u on u.id = user_id order by start_date desc, running.id limit 200),
    listed_added as (
      select user_id as "userId", u.name, plan, ${isoInstant('start_date')} as at
        from added join app_user u on u.id = user_id order by start_date desc, added.id limit 200),
    listed_lost as (
      select user_id as "userId", u.name, plan, ${isoInstant('end_date')} as at,
             why, reason
        from lost join app_user u on u.id = user_id order by end_date desc, lost.id limit 200)
    select (select count(distinct user_id)::int from running) as active,
           coalesce((select json_agg(listed_running) from listed_running), '[]') as running,
           json_build_object('count', (select count(*) from added),
             'rows', coalesce((select json_agg(listed_added) from listed_added), '[]')) as added,
           json_build_object('count', (select count(*) from lost),
             'reasons', coalesce((select json_agg(json_build_object('why', why, 'count', count) order by count desc, why)
                from (select why, count(*) as count from lost group by why) whys), '[]'),
             'rows', coalesce((select json_agg(listed_lost) from listed_lost), '[]')) as lost,
           (select json_build_object('ended', count(*), 'converted', count(plan),
              'rows', coalesce((select json_agg(listed_trial) from listed_trial), '[]')) from trial) as trials,
           coalesce((select json_agg(json_build_object('currency', currency, 'count', count, 'amount', trim_scale(amount)) order by currency)
              from (select currency, count(distinct user_id) as count,
                           round(sum(monthly), 2) as amount
                      from running group by currency) sums), '[]') as recurring`.execute(db)
  return rows[0]!
}
