// Long reads, too long for the request pool: one snapshot of the database on a separate connection.

import { type Expression, sql } from 'kysely'
import { createClient, type Db, kyselyOn, type PoolOptions } from './pool.ts'

export type Snapshot = {
  db: Db
  /** Reads the rows of a query through a cursor, computed only as they are fetched. One read at a time. */
  read<Row>(query: Expression<Row>, rowsPerBatch: number): AsyncGenerator<Row[], void, undefined>
  close(): Promise<void>
}

/**
 * Opens a connection that sees the current state of the database until it is closed; later writes are not visible.
 *
 * @param limitMs time limit of a statement, and of the pause between two
 * @param signal closes the connection at once, even during a statement
 */
export async function openSnapshot(
  connection: PoolOptions['connection'],
  { limitMs, signal }: { limitMs: number; signal: AbortSignal },
): Promise<Snapshot> {
  signal.throwIfAborted()
  const client = createClient(connection, limitMs)
  const close = () => client.end()
  signal.addEventListener('abort', close)
  try {
    await client.connect()
    // The server checks every second whether the client is still connected.
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
