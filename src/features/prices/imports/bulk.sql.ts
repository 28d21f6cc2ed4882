import { finished } from 'node:stream/promises'
import { Kysely, PostgresDialect } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Db } from '#server/db/pool.ts'
import type { Tables } from '#server/db/tables.ts'

export type Bulk = {
  tx: Db
  /** Sends rows in PostgreSQL's text format (tabs, `\N`, line feeds) to `copy … from stdin`. */
  copy(target: string, rows: string): Promise<void>
}

/**
 * Runs work of any length in one transaction on a connection without time limits, which also takes COPY.
 *
 * @param isKept false to undo everything at the end, whatever the outcome
 * @param signal cancels the running statement and undoes everything; the promise rejects with the signal's reason
 */
export async function inBulkTransaction<T>(
  pool: Pool,
  { isKept, signal }: { isKept: boolean; signal?: AbortSignal | undefined },
  work: (bulk: Bulk) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const client = await pool.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  let cancelling = Promise.resolve()
  const cancel = () => {
    // If this cannot be sent, the database is out of reach, and the running statement fails by itself.
    const sent = pool.query('select pg_cancel_backend($1)', [rows[0]?.pid])
    cancelling = sent.then(ignore, ignore)
  }
  signal?.addEventListener('abort', cancel)
  let isLost = false
  try {
    await client.query(`begin; ${settings}`)
    const result = await work({
      tx: kyselyOn(client),
      copy: (target, text) => copyText(client, target, text),
    })
    signal?.throwIfAborted()
    // Nothing stops a commit any more.
    signal?.removeEventListener('abort', cancel)
    await client.query(isKept ? 'commit' : 'rollback')
    return result
  } catch (error) {
    await cancelling
    // A connection that cannot even roll back is closed, which undoes the transaction as well.
    isLost = await client.query('rollback').then(
      () => false,
      () => true,
    )
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', cancel)
    client.release(isLost)
  }
}

function ignore(): void {}

// Sorting a million rows in memory takes 100 MB; only this transaction may use as much.
const settings = `
  set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;
  set local work_mem = '128MB'`

/** The query builder on a connection that somebody else opens and closes. */
function kyselyOn(client: PoolClient): Db {
  const connection = {
    query: client.query.bind(client),
    release() {},
  }
  const pool = { connect: async () => connection, end: async () => {}, options: {} }
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

async function copyText(client: PoolClient, target: string, rows: string): Promise<void> {
  const stream = client.query(copyFrom(`copy ${target} from stdin`))
  stream.end(rows)
  await finished(stream)
}
