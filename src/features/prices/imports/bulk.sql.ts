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
  const query = patientQuery(client)
  let pid: number | undefined
  let cancelling = Promise.resolve()
  const cancel = () => {
    // If this cannot be sent, the database is out of reach, and the running statement fails by itself.
    const sent = pool.query('select pg_cancel_backend($1)', [pid])
    cancelling = sent.then(ignore, ignore)
  }
  signal?.addEventListener('abort', cancel)
  let isLost = false
  try {
    const { rows } = await query<{ pid: number }>('select pg_backend_pid() as pid')
    pid = rows[0]?.pid
    await query(`begin; ${settings}`)
    const result = await work({
      tx: kyselyOn(query),
      copy: (target, text) => copyText(query, target, text),
    })
    signal?.throwIfAborted()
    // Nothing stops a commit any more.
    signal?.removeEventListener('abort', cancel)
    await query(isKept ? 'commit' : 'rollback')
    return result
  } catch (error) {
    await cancelling
    // A connection that cannot even roll back is closed, which undoes the transaction as well.
    isLost = await query('rollback').then(
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

// What a pool gives up after seconds may take minutes here: 2³¹ − 1 ms, the longest that a timer holds.
const query_timeout = 2_147_483_647

/** `client.query` without the patience of its pool. */
function patientQuery(client: PoolClient): PoolClient['query'] {
  const query: (config: object) => unknown = client.query.bind(client)
  const patient = (given: string | object, values?: unknown[]) =>
    query(
      typeof given === 'string'
        ? { text: given, values, query_timeout }
        : Object.assign(given, { query_timeout }),
    )
  // The overloads of `query` cannot be written again here; what goes in and comes out is the original's.
  return patient as PoolClient['query']
}

/** The query builder on a connection that somebody else opens and closes. */
function kyselyOn(query: PoolClient['query']): Db {
  const connection = { query, release() {} }
  const pool = { connect: async () => connection, end: async () => {}, options: {} }
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

async function copyText(query: PoolClient['query'], target: string, rows: string): Promise<void> {
  const stream = query(copyFrom(`copy ${target} from stdin`))
  stream.end(rows)
  await finished(stream)
}
