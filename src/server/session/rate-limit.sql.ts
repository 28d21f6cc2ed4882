import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'
import { AppError } from '#server/errors.ts'

type Budget = {
  hits: number
  windowS: number
  /** Doubles the wait, up to a day, for each window used up within a day of the previous one. */
  grows?: boolean
  /** Message of the refusal, where the default advice to wait does not apply. */
  refusal?: string
}

/**
 * Counts one hit against a key, `<what>:<of what>:<whose>`; the window starts with its first hit. The count is stored
 * in the database, so it is shared by all processes and survives restarts.
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

/** Refunds one hit, when the counted attempt was not a failure. */
export async function refundHit(db: Db, key: string): Promise<void> {
  await sql`delete from rate_limit where key = ${key} and hits = 1`.execute(db)
  await sql`update rate_limit set hits = hits - 1 where key = ${key} and hits > 1`.execute(db)
}

/** Deletes the counters of these keys. */
export async function resetCounters(db: Db, ...keys: string[]): Promise<void> {
  await sql`delete from rate_limit where key = any(${keys})`.execute(db)
}

/** Deletes the counter of a key and those of all keys that extend it, as in `<key>:<network>`. */
export async function resetCountersUnder(db: Db, key: string): Promise<void> {
  await sql`delete from rate_limit where key = ${key} or starts_with(key, ${`${key}:`})`.execute(db)
}

/** Deletes windows that ended more than a day ago, which no longer lengthen the next wait. */
export async function sweepRateLimits(db: Db): Promise<void> {
  await sql`delete from rate_limit where resets_at < now() - interval '1 day'`.execute(db)
}

function waitInWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return minutes <= 1 ? 'une minute' : `${minutes} minutes`
}
