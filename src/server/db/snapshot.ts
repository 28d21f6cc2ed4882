// What is too long for a request's pool: one unchanging view of the database, read to its end on its own connection.

import { type Expression, sql } from 'kysely'
import { type Db, kyselyOn, ownClient, type PoolOptions } from './pool.ts'

export type Snapshot = {
  db: Db
  /** The rows of a query through a cursor: the database makes no more of them than are asked for. One at a time. */
  read<Row>(query: Expression<Row>, rowsPerBatch: number): AsyncGenerator<Row[], void, undefined>
  close(): Promise<void>
}

/**
 * Opens a connection that sees the database as it is now until it is closed, whatever is written meanwhile.
 *
 * @param limitMs longest time one statement may take, and longest pause between two
 * @param signal closes it at once, in the middle of a statement if need be
 */
export async function openSnapshot(
  connection: PoolOptions['connection'],
  { limitMs, signal }: { limitMs: number; signal: AbortSignal },
): Promise<Snapshot> {
  signal.throwIfAborted()
  const client = ownClient(connection, limitMs)
  const close = () => client.end()
  signal.addEventListener('abort', close)
  try {
    await client.connect()
    // The server looks from time to time whether anybody still waits for what it computes.
    await client.query(
      "begin isolation level repeatable read read only; set local client_connection_check_interval = '1s'",
    )
  } catch (error) {
    await close()
    throw error
  }
  const db = kyselyOn(client)

  return {
    db,
    async *read<Row>(query: Expression<Row>, rowsPerBatch: number) {
      await sql`declare reading no scroll cursor for ${query}`.execute(db)
      for (;;) {
        const { rows } = await sql<Row>`fetch forward ${sql.lit(rowsPerBatch)} from reading`.execute(db)
        if (rows.length > 0) yield rows
        if (rows.length < rowsPerBatch) break
      }
      await sql`close reading`.execute(db)
    },
    async close() {
      signal.removeEventListener('abort', close)
      await close()
    },
  }
}
