import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'
import { AppError } from '#server/errors.ts'

type Limit = { hits: number; windowS: number }

/**
 * Counts one hit against a key; the window starts with its first hit. Kept in the database, so it holds across
 * processes and restarts.
 *
 * @throws AppError 429 with the seconds to wait, once `limit.hits` are spent
 */
export async function spend(db: Db, key: string, limit: Limit): Promise<void> {
  const { rows } = await sql<{ hits: number; wait_s: number }>`
    insert into rate_limit as counter (key, hits, resets_at)
    values (${key}, 1, now() + make_interval(secs => ${limit.windowS}))
    on conflict (key) do update set
      hits = case when counter.resets_at <= now() then 1 else counter.hits + 1 end,
      resets_at = case when counter.resets_at <= now() then excluded.resets_at else counter.resets_at end
    returning hits, extract(epoch from resets_at - now())::float8 as wait_s`.execute(db)
  const [counter] = rows
  if (counter && counter.hits > limit.hits) {
    throw new AppError('limited', `Trop de tentatives. Réessayez dans ${waitInWords(counter.wait_s)}.`, {
      retryAfterS: counter.wait_s,
    })
  }
}

/** Gives one hit back: what was counted turned out to be no failure. */
export async function giveBack(db: Db, key: string): Promise<void> {
  await sql`delete from rate_limit where key = ${key} and hits = 1`.execute(db)
  await sql`update rate_limit set hits = hits - 1 where key = ${key} and hits > 1`.execute(db)
}

/** Starts the count of a key again from nothing. */
export async function forget(db: Db, key: string): Promise<void> {
  await sql`delete from rate_limit where key = ${key}`.execute(db)
}

/** Forgets the windows that are over. */
export async function sweepRateLimits(db: Db): Promise<void> {
  await sql`delete from rate_limit where resets_at < now()`.execute(db)
}

function waitInWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return minutes <= 1 ? 'une minute' : `${minutes} minutes`
}
