// A transaction for more rows than a request handles: no time limits, and COPY.

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { type Db, kyselyOn } from './pool.ts'

export type Bulk = {
  tx: Db
  /**
   * Runs `copy … from` on lines in PostgreSQL's text format (columns separated by tabs, `\N`, `\n` at the end).
   * Lines are produced only as fast as the server reads them.
   *
   * @param target a table, with its columns in brackets unless all are given
   */
  copy(target: string, lines: Iterable<string>): Promise<void>
}

type Options = {
  /** False to roll back at the end even when the work succeeds. */
  isKept?: boolean
  /** Cancels the running statement and rolls back; the promise then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

/**
 * Runs work in one transaction on a separate connection. It is rolled back when the work throws or the process is
 * killed.
 */
export async function inBulkTransaction<T>(
  pool: pg.Pool,
  work: (bulk: Bulk) => Promise<T>,
  { isKept = true, signal }: Options = {},
): Promise<T> {
  signal?.throwIfAborted()
  const client = new pg.Client({ ...pool.options, statement_timeout: 0, query_timeout: 0 })
  // A connection lost between two statements makes the next statement fail.
  client.on('error', () => {})
  let cancelling = Promise.resolve()
  let pid: number | undefined
  const cancel = () => {
    // If this cannot be sent, the database is unreachable and the running statement fails anyway.
    const sent = pool.query('select pg_cancel_backend($1)', [pid])
    cancelling = sent.then(ignore, ignore)
  }
  try {
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    pid = rows[0]?.pid
    signal?.throwIfAborted()
    signal?.addEventListener('abort', cancel)
    await client.query(`begin; ${settings}`)
    const result = await work({
      tx: kyselyOn(client),
      copy: (target, lines) =>
        pipeline(
          Readable.from(inChunks(lines), { objectMode: false }),
          client.query(copyFrom(`copy ${target} from stdin`)),
        ),
    })
    signal?.throwIfAborted()
    // From here on, the signal no longer cancels: a commit must not be interrupted.
    signal?.removeEventListener('abort', cancel)
    await client.query(isKept ? 'commit' : 'rollback')
    return result
  } catch (error) {
    await cancelling
    // Releases the locks before the caller gets the error. If this fails, the lost connection releases them too.
    await client.query('rollback').then(ignore, ignore)
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', cancel)
    await client.end()
  }
}

function ignore(): void {}

// Sorting a million rows in memory takes 100 MB; only this transaction may use as much.
const settings = `
  set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;
  set local work_mem = '128MB'`

const chunkLength = 64 * 1024

function* inChunks(lines: Iterable<string>): Generator<Buffer> {
  let chunk = ''
  for (const line of lines) {
    chunk += line
    if (chunk.length >= chunkLength) {
      yield Buffer.from(chunk)
      chunk = ''
    }
  }
  if (chunk) yield Buffer.from(chunk)
}
