import { sql } from 'kysely'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'

/** A minute, or a month of Kinshasa's calendar. */
export type Window = 'minute' | 'month'
export const windows = ['minute', 'month'] as const

// Computed with the database's clock, so that all processes agree.
const startOf = (window: Window) => sql`date_trunc(${sql.lit(window)}, now(), 'Africa/Kinshasa')`
const lengthOf = (window: Window) => sql`interval ${sql.lit(`1 ${window}`)}`

/**
 * A lease as the database grants it: the calls that one process may spend until the window ends, those granted to all
 * processes so far, and the start of the window.
 */
export type LeaseGrant = { granted: number; used: number; startsAt: string; msLeft: number }

/**
 * Takes a lease: a sixteenth of the rest of the quota, from 1 to 50 calls, or none once it is spent. The row lock
 * serialises the processes, so that together they never hold more than the quota.
 */
export async function takeLease(db: Db, userId: number, window: Window, limit: number): Promise<LeaseGrant> {
  const share = (used: ReturnType<typeof sql>) =>
    sql`greatest(0, least(${limit} - ${used}, greatest(1, least(50, (${limit} - ${used}) / 16))))`
  // A process that waited for the row lock may bring a window that has ended; the newer one stays.
  const current = sql`case when api_usage.starts_at >= excluded.starts_at then api_usage.used else 0 end`
  const end = sql`(new.starts_at at time zone 'Africa/Kinshasa' + ${lengthOf(window)}) at time zone 'Africa/Kinshasa'`
  const { rows } = await sql<LeaseGrant>`
    insert into api_usage (user_id, "window", starts_at, used)
    values (${userId}, ${window}, ${startOf(window)}, ${share(sql`0`)})
    on conflict (user_id, "window") do update
      set used = ${current} + ${share(current)}, starts_at = greatest(api_usage.starts_at, excluded.starts_at)
    returning new.used - case when old.starts_at = new.starts_at then old.used else 0 end as granted, new.used,
              new.starts_at::text as "startsAt",
              (extract(epoch from ${end} - clock_timestamp()) * 1000)::float as "msLeft"`.execute(db)
  return rows[0]!
}

/** Returns the unspent calls of a lease to the quota; does nothing when its window has ended. */
export async function returnLease(
  db: Db,
  userId: number,
  window: Window,
  { startsAt, left }: { startsAt: string; left: number },
): Promise<void> {
  await sql`update api_usage set used = used - ${left}
             where user_id = ${userId} and "window" = ${window} and starts_at = ${startsAt}::timestamptz and used >= ${left}`.execute(
    db,
  )
}

/** Reads the calls of the current windows, unspent leases included, and the end of each window. */
export async function readUsage(
  db: Db,
  userId: number,
): Promise<{ window: Window; used: number; resetsAt: string }[]> {
  const { rows } = await sql<{ window: Window; used: number; resetsAt: string }>`
    select current.window, coalesce(usage.used, 0) as used,
           ${isoInstant('current.ends_at')} as "resetsAt"
      from (values ${sql.join(
        windows.map((window) => {
          const start = startOf(window)
          return sql`(${window}, ${start}, (${start} at time zone 'Africa/Kinshasa' + ${lengthOf(window)}) at time zone 'Africa/Kinshasa')`
        }),
      )}) as current("window", starts_at, ends_at)
      left join api_usage usage
        on usage.user_id = ${userId} and usage."window" = current.window and usage.starts_at = current.starts_at`.execute(
    db,
  )
  return rows
}

/** Adds calls to the daily counts of keys, and updates when each key was last used. */
export async function addCalls(db: Db, calls: { keyId: number; calls: number }[]): Promise<void> {
  if (calls.length === 0) return
  // Sorted, so that concurrent processes do not deadlock.
  const list = JSON.stringify(calls.toSorted((a, b) => a.keyId - b.keyId))
  await sql`
    with given as (select * from json_to_recordset(${list}) as given("keyId" integer, calls integer)),
    touched as (update api_key set last_used_at = now() from given where id = given."keyId" returning id)
    insert into api_call as sum (key_id, day, calls)
    select "keyId", (now() at time zone 'Africa/Kinshasa')::date, given.calls
      from given join api_key on api_key.id = given."keyId" order by "keyId"
    on conflict (key_id, day) do update set calls = sum.calls + excluded.calls`.execute(db)
}
