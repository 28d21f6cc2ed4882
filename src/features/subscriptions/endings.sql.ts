import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

export type DueReminder = {
  id: number
  days: number
  name: string
  email: string
  plan: string | null
  endDate: string
}

/**
 * Notes which reminders are due and not sent, some hundreds at a time: 7, 3 and 0 calendar days of Kinshasa before the
 * last day that the last of what a user has covers. Of several that were missed, the nearest alone is still worth sending.
 */
export async function noteDueReminders(tx: Db, at: Date): Promise<DueReminder[]> {
  const { rows } = await sql<DueReminder>`
    with ending as (
      select s.id, s.end_date, u.name, u.email, plan.name as plan, step.days
        from subscription s join app_user u on u.id = s.user_id and u.status = 'ACTIVE' left join plan on plan.id = s.plan_id
        cross join lateral (
          select min(days) as days from (values (7), (3), (0)) steps (days)
           where days >= ((s.end_date - interval '1 millisecond') at time zone 'Africa/Kinshasa')::date
                         - (${at}::timestamptz at time zone 'Africa/Kinshasa')::date) step
       where s.status in ('ACTIVE', 'TRIAL') and s.end_date > ${at} and s.end_date < ${at}::timestamptz + interval '9 days'
         and s.start_date <= ${at} and step.days is not null
         and not exists (select from subscription_reminder where subscription_id = s.id and days = step.days)
         and not exists (select from notification_choice
                          where user_id = s.user_id and kind = 'subscription-reminders' and not is_wanted)
         and not exists (select from subscription later
                          where later.user_id = s.user_id and later.status in ('ACTIVE', 'TRIAL')
                            and (later.end_date, later.id) > (s.end_date, s.id))
       order by s.end_date limit 200),
    noted as (
      insert into subscription_reminder (subscription_id, days, sent_at)
      select id, days, ${at} from ending
      on conflict do nothing returning subscription_id, days)
    select ending.id, noted.days, name, email, plan, end_date as "endDate"
      from noted join ending on ending.id = noted.subscription_id`.execute(tx)
  return rows
}
