import { sql } from 'kysely'
import { accessFacts } from '#features/subscriptions/access.sql.ts'
import type { AccessFacts, CallFacts } from '#features/subscriptions/subscriptions.rules.ts'
import type { Db } from '#server/db/pool.ts'

export type Caller = {
  userId: number
  name: string
  email: string
  /** Number of calls in the month. */
  calls: number
  month: string
  isExempt: boolean
  access: AccessFacts & CallFacts
  /** Highest percentage already warned about this month; 0 for none. */
  warned: number
}

/** Number of owners processed together. */
const together = 500

/** Returns the owners of keys used this month, in order of ids, after a given id. */
export async function listCallers(tx: Db, at: Date, afterId: number): Promise<Caller[]> {
  const { rows } = await sql<Caller>`
    with month as (select date_trunc('month', ${at}::timestamptz at time zone 'Africa/Kinshasa')::date as start),
    called as (
      select user_id, sum(calls)::integer as calls
        from api_call join api_key on api_key.id = key_id, month
       where day >= month.start and user_id > ${afterId} group by user_id order by user_id limit ${together})
    select u.id as "userId", u.name, u.email, called.calls, month.start::text as month, ${accessFacts} as access,
           'access.exempt' = any(permissions_of(u.id)) as "isExempt",
           coalesce((select max(percent) from quota_warning
                      where user_id = u.id and quota_warning.month = month.start), 0) as warned
      from called join app_user u on u.id = user_id and u.status = 'ACTIVE', month
     order by u.id`.execute(tx)
  return rows
}

/** @returns whether it is new */
export async function noteWarning(
  tx: Db,
  { userId, month, percent }: { userId: number; month: string; percent: number },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into quota_warning (user_id, month, percent) values (${userId}, ${month}::date, ${percent})
    on conflict do nothing`.execute(tx)
  return numAffectedRows === 1n
}
