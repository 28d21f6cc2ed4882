import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'
import { AppError } from '#server/errors.ts'

type Budget = {
  hits: number
  windowS: number
  /** Each window that is spent to the end soon after another doubles the wait, up to a day. */
  grows?: boolean
  /** What is said once all are spent, where waiting is not what to do. */
  refusal?: string
}

/**
 * Counts one hit against a key, `<what>:<of what>:<whose>`; the window starts with its first hit. Stored in the database, so
 * it holds across processes and restarts.
 *
 * @throws AppError 429 with the seconds to wait, once `budget.hits` are spent
 */
export async function spend(db: Db, key: string, budget: Budget): Promise<void> {
  const { hits, windowS, grows = false, refusal } = budget
  const { rows } = await sql<{ hits: number; wait_s: number }>`
    insert into rate_limit as counter (key, hits, resets_at)
    values (${key}, 1, now() + make_interval(secs => ${windowS}))
    on conflict (key) do update set
      hits = case when counter.resets_at <= now() then 1 else counter.hits + 1 end,
      spent_windows = case
        when counter.resets_at > now() then counter.spent_windows
        when ${grows} and counter.hits >= ${hits} and counter.resets_at > now() - interval '1 day'
          then least(counter.spent_windows + 1, 10)
        else 0 end,
      resets_at = case
        when counter.resets_at <= now() then excluded.resets_at
        when counter.hits + 1 = ${hits} and counter.spent_windows > 0
          then now() + least(make_interval(secs => ${windowS}) * power(2, counter.spent_windows), interval '1 day')
        else counter.resets_at end
    returning hits, extract(epoch from resets_at - now())::float8 as wait_s`.execute(db)
  const [counter] = rows
  if (counter && counter.hits > hits) {
    const message = refusal ?? `Trop de tentatives. Réessayez dans ${waitInWords(counter.wait_s)}.`
    throw new AppError('limited', message, {
      retryAfterS: counter.wait_s,
      limit: { name: key.split(':').slice(0, 2).join('-'), hits, windowS },
    })
  }
}

/** Gives one hit back: what was counted turned out to be no failure. */
export async function giveBack(db: Db, key: string): Promise<void> {
  await sql`delete from rate_limit where key = ${key} and hits = 1`.execute(db)
  await sql`update rate_limit set hits = hits - 1 where key = ${key} and hits > 1`.execute(db)
}

/** Starts the counts of keys again from nothing. */
export async function forget(db: Db, ...keys: string[]): Promise<void> {
  await sql`delete from rate_limit where key = any(${keys})`.execute(db)
}

/** Starts again whatever is counted under a key and after it, as in `<key>:<network>`. */
export async function forgetAllUnder(db: Db, key: string): Promise<void> {
  await sql`delete from rate_limit where key = ${key} or starts_with(key, ${`${key}:`})`.execute(db)
}

/** Forgets the windows that have been over for so long that they no longer make the next wait longer. */
export async function sweepRateLimits(db: Db): Promise<void> {
  await sql`delete from rate_limit where resets_at < now() - interval '1 day'`.execute(db)
}

function waitInWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return minutes <= 1 ? 'une minute' : `${minutes} minutes`
}
