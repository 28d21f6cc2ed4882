// One transaction that moves more rows than requests do: without time limits, and with COPY.

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Db } from './pool.ts'
import type { Tables } from './tables.ts'

export type Bulk = {
  tx: Db
  /**
   * `copy … from` of lines in PostgreSQL's text format (columns separated by tabs, `\n` at the end), made as fast as
   * the server takes them.
   */
  copy(table: string, columns: readonly string[], lines: Iterable<string>): Promise<void>
}

const chunkLength = 64 * 1024

/**
 * Runs work in one transaction on a connection of its own. When it throws, or its process is killed, nothing of it is
 * kept.
 */
export async function inBulkTransaction<T>(pool: pg.Pool, work: (bulk: Bulk) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    ...pool.options,
    statement_timeout: 0,
    query_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  })
  // A connection lost between two statements: the next one says so.
  client.on('error', () => {})
  await client.connect()
  try {
    // Kysely gives its connection back after each statement; this one is kept until the transaction ends.
    const kept = Object.assign(client, { release() {} })
    const dialect = new PostgresDialect({
      pool: { connect: async () => kept, end: async () => {}, options: {} },
    })
    await client.query('begin')
    const result = await work({
      tx: new Kysely<Tables>({ dialect }),
      copy: (table, columns, lines) =>
        pipeline(
          Readable.from(inChunks(lines), { objectMode: false }),
          client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`)),
        ),
    })
    await client.query('commit')
    return result
  } finally {
    // Closing the connection undoes what was not committed, whatever state a failed COPY left it in.
    await client.end()
  }
}

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
