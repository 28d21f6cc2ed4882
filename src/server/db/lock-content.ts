import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

/** Locks a content hash until the transaction ends: no other transaction may then remove or reference the content. */
export async function lockContent(tx: Db, hash: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(7303, hashtext(${hash}))`.execute(tx)
}
