// Retries of work that a lost connection interrupted before it could take effect.

import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { isConnectionLost } from './errors.ts'

const attempts = 4
/** Pause (ms) before a retry after a lost connection: the proxy's next health check finds the new primary. */
const pauseMs = 200

/**
 * Runs work up to four times, until it succeeds or fails with an error that is not worth a retry.
 *
 * @param retryAfter when the work may be retried after this error; false when the error is final
 */
export async function retry<T>(
  work: () => Promise<T>,
  retryAfter: (error: unknown) => 'immediately' | 'pause' | false,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const wait = attempt < attempts && retryAfter(error)
      if (!wait) throw error
      if (wait === 'pause') await sleep(pauseMs)
    }
  }
}

const retryAfterLoss = (error: unknown) => isConnectionLost(error) && 'pause'

/**
 * A pool that retries failed connections, and the first statement of a connection when it is a `select` whose
 * connection was lost: it is part of no transaction. Such a `select` may run twice, so it must write nothing.
 */
export function retryingPool(pool: pg.Pool): PostgresPool {
  const connect = () => retry(() => pool.connect(), retryAfterLoss)
  return {
    connect: async () => withReconnect(await connect(), connect),
    end: () => pool.end(),
    options: pool.options,
  }
}

function withReconnect(first: pg.PoolClient, connect: () => Promise<pg.PoolClient>): PostgresPoolClient {
  let client: pg.PoolClient | null = first
  let isFirst = true
  function query(text: string, values: readonly unknown[] = []) {
    const isRead = isFirst && /^\s*select\b/i.test(text)
    isFirst = false
    return isRead ? read(text, values) : open().query(text, [...values])
  }
  function read(text: string, values: readonly unknown[]) {
    return retry(async () => {
      client ??= await connect()
      try {
        return await client.query(text, [...values])
      } catch (error) {
        if (isConnectionLost(error)) release(true)
        throw error
      }
    }, retryAfterLoss)
  }
  function open(): pg.PoolClient {
    if (!client) throw new Error('the connection was lost')
    return client
  }
  function release(isBroken: boolean): void {
    client?.release(isBroken)
    client = null
  }
  return {
    // pg's overloads are wider than the two of the query builder, which uses one of them.
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => release(destroy === true),
  }
}
