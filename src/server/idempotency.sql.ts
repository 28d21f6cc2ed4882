import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

/** Retention of stored responses (hours). */
const retentionHours = 24

type Request = { userId: number; key: string; fingerprint: Buffer }

/** Claims a key; a concurrent claim waits until our transaction is over. @returns false when it has been used */
export async function claimKey(tx: Db, { userId, key, fingerprint }: Request): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotent_request as stored (user_id, key, fingerprint) values (${userId}, ${key}, ${fingerprint})
    on conflict (user_id, key) do update set fingerprint = excluded.fingerprint, answer = null, created_at = now()
     where stored.created_at < now() - make_interval(hours => ${retentionHours})
    returning key`.execute(tx)
  return rows.length > 0
}

/** Finds the stored response of a key; `isSame`: it was stored for the same request (equal fingerprints). */
export async function findAnswer(
  tx: Db,
  { userId, key, fingerprint }: Request,
): Promise<{ answer: unknown; isSame: boolean } | undefined> {
  const { rows } = await sql<{ answer: unknown; isSame: boolean }>`
    select answer, fingerprint = ${fingerprint} as "isSame" from idempotent_request
     where user_id = ${userId} and key = ${key}`.execute(tx)
  return rows[0]
}

/** Stores the response of a claimed key, in the transaction of the write. */
export async function storeAnswer(tx: Db, { userId, key }: Request, answer: unknown): Promise<void> {
  await sql`update idempotent_request set answer = ${JSON.stringify(answer)}::jsonb
             where user_id = ${userId} and key = ${key}`.execute(tx)
}

/** Deletes keys past their retention. */
export async function sweepIdempotentRequests(db: Db): Promise<void> {
  await sql`
    delete from idempotent_request
     where created_at < now() - make_interval(hours => ${retentionHours})`.execute(db)
}
