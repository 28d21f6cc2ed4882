import { sql } from 'kysely'
import type { Db } from './pool.ts'

/**
 * Notifies a channel, when the transaction commits if there is one.
 *
 * A transaction that notifies commits alone: PostgreSQL orders notifications by holding a lock from before the commit
 * until it is on disk. Ordinary writes therefore notify after they have committed (docs/decisions/0009-live.md).
 *
 * @param payload less than 8 000 bytes
 */
export async function notify(db: Db, channel: string, payload: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${payload})`.execute(db)
}
