import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

/** Holds a content until the transaction ends: nobody removes it meanwhile, or begins to name it. */
export async function lockContent(tx: Db, hash: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(7303, hashtext(${hash}))`.execute(tx)
}
