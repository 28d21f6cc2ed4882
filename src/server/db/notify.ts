import { sql } from 'kysely'
import type { Db } from './pool.ts'

/**
 * Sends a notification to a channel; within a transaction, when it commits.
 *
 * Transactions that notify commit one at a time, because PostgreSQL holds a lock from before the commit until it is on
 * disk to order notifications. Ordinary writes therefore notify after the commit (docs/decisions/0009-live.md).
 *
 * @param payload less than 8 000 bytes
 */
export async function notify(db: Db, channel: string, payload: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${payload})`.execute(db)
}
