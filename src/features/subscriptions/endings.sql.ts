import { sql } from 'kysely'
import { heldBy } from '#features/subscriptions/access.sql.ts'
import type { Db } from '#server/db/pool.ts'

export type DueReminder = {
  id: number
  days: number
  name: string
  email: string
  plan: string | null
  endDate: string
  /** Plan proposed for renewal; null where none is on sale. */
  planId: number | null
  /** How many members would lose their seat in that plan. */
  lostSeats: number
}

/** More than the time between the first reminder and the end. */
const longestNotice = sql`interval '9 days'`

/**
 * Records due reminders, some hundreds at a time: 7, 3 and 0 calendar days (in Kinshasa) before the last day of a user's
 * last period, and 1 and 3 days after it (negative), once each. A reminder sent more than nine days before the end does
 * not count: the period ended earlier then, and was prolonged since. Of several missed reminders, only the nearest is
 * sent; one after the end is at most about two days late. These users get none: those who cancelled, who can read for
 * longer as members of an organisation, or whose role gives access.
 */
export async function noteDueReminders(tx: Db, at: Date): Promise<DueReminder[]> {
  const { rows } = await sql<DueReminder>`
    with ending as (
      select s.id, s.end_date, u.name, u.email, plan.name as plan, step.days,
             case when next.is_active and next.price > 0 then next.id end as renewed,
             (select greatest(count(*) - next.seats + 1, 0) from seat
               where owner_id = s.user_id and user_id is not null) as "lostSeats"
        from subscription s join app_user u on u.id = s.user_id and u.status = 'ACTIVE' left join plan on plan.id = s.plan_id
        left join plan next on next.id = coalesce(s.next_plan_id, s.plan_id)
        cross join lateral (
          select min(days) as days from (values (7), (3), (0), (-1), (-3)) steps (days)
           where days >= ((s.end_date - interval '1 millisecond') at time zone 'Africa/Kinshasa')::date
                         - (${at}::timestamptz at time zone 'Africa/Kinshasa')::date) step
       where s.status in ('ACTIVE', 'TRIAL') and s.canceled_at is null and (s.end_date > ${at} or step.days < 0)
         and s.end_date between ${at}::timestamptz - interval '6 days' and ${at}::timestamptz + ${longestNotice}
         and s.start_date <= ${at} and step.days is not null
         and not exists (select from subscription_reminder where subscription_id = s.id and days = step.days
                            and sent_at >= s.end_date - ${longestNotice})
         and not exists (select from notification_choice
                          where user_id = s.user_id and kind = 'subscription-reminders' and not is_wanted)
         and not exists (select from ${heldBy(sql.ref('u.id'))}
                          where status = 'PAUSED' or status in ('ACTIVE', 'TRIAL') and (end_date, id) > (s.end_date, s.id))
         and not 'access.exempt' = any(permissions_of(u.id))
       order by s.end_date limit 200),
    noted as (
      insert into subscription_reminder (subscription_id, days, sent_at)
      select id, days, ${at} from ending
      on conflict (subscription_id, days) do update set sent_at = excluded.sent_at
       where subscription_reminder.sent_at < (
         select end_date - ${longestNotice} from ending where id = excluded.subscription_id)
      returning subscription_id, days)
    select ending.id, noted.days, name, email, plan, end_date as "endDate", renewed as "planId", coalesce("lostSeats", 0) as "lostSeats"
      from noted join ending on ending.id = noted.subscription_id`.execute(tx)
  return rows
}
