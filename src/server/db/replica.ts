// Sends read-only requests to a replica, when the replica has replayed all that the request must see.

import { AsyncLocalStorage } from 'node:async_hooks'
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { isReadOnly, isSerializationFailure, isUnavailable } from './errors.ts'
import { type Db, openPool, type PoolOptions } from './pool.ts'
import { retryingPool } from './retry.ts'
import type { Tables } from './tables.ts'

/** A position in the write-ahead log of the primary, as PostgreSQL writes it (`0/16B3748`). */
export type LogPosition = string

export type Replica = {
  /** The primary; within {@link Replica.runReading}, the replica while it can serve the request. */
  db: Db
  /** Runs the work of a read-only request that must see everything written before these positions. */
  runReading<T>(shown: readonly LogPosition[], work: () => T): T
  /** Connection settings for reading a whole file, for the current request. */
  connection(): PoolOptions['connection']
  /** Current position: everything committed so far is before it. */
  position(): Promise<LogPosition>
  /** Replication lag (s); null when the replica does not answer. */
  lagSeconds(): number | null
  close(): Promise<void>
}

const pollEveryMs = 1_000
/** Maximum lag (ms); a replica that is later is not used until it has caught up. */
const usualLongestLagMs = 5_000
/** Maximum number of positions in `missing`: ten minutes of polls. */
const mostMissing = 600
/** Position of a server that is not in recovery: the former replica is now a primary and has all data. */
const everything = 2n ** 64n

/**
 * Opens the replica. While it is unavailable, reads go to the primary.
 *
 * @param primary closed by the caller, not by the replica
 */
export async function openReplica(options: {
  connection: PoolOptions['connection']
  primary: pg.Pool
  primaryConnection: PoolOptions['connection']
  max?: number
  longestLagMs?: number
}): Promise<Replica> {
  const { primary, longestLagMs = usualLongestLagMs } = options
  const pool = openPool({
    connection: options.connection,
    max: options.max ?? 16,
    applicationName: 'ntalo reads',
  })
  const request = new AsyncLocalStorage<{ least: bigint }>()
  /** Last known replay position of the replica; null while it does not answer. */
  let replayedPosition: bigint | null = null
  /** Positions of the primary, with the time they were read, that the replica had not replayed at the last check. */
  let missing: { at: number; position: bigint }[] = []

  const positionOf = async (server: pg.Pool, expression: string) => {
    const { rows } = await server.query<{ position: LogPosition | null }>(
      `select (${expression})::text as position`,
    )
    return rows[0]?.position ?? null
  }
  const position = async () => (await positionOf(primary, 'pg_current_wal_lsn()')) ?? ''
  const lagMs = () => (missing[0] ? performance.now() - missing[0].at : 0)

  async function poll(): Promise<void> {
    const at = performance.now()
    // An unavailable primary writes nothing, so the lag does not grow.
    const written = await position().catch(() => null)
    if (written) missing = [...missing, { at, position: bytesBefore(written) }].slice(0, mostMissing)
    try {
      const replayed = await positionOf(
        pool,
        'case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end',
      )
      const seen = replayed === null ? everything : bytesBefore(replayed)
      replayedPosition = seen
      missing = missing.filter((each) => each.position > seen)
    } catch {
      replayedPosition = null
    }
  }

  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  async function watch(): Promise<void> {
    await poll()
    if (!isClosed) timer = setTimeout(watch, pollEveryMs).unref()
  }

  /** Whether the current request may read from the replica. */
  function serves(): boolean {
    const required = request.getStore()
    if (required === undefined || replayedPosition === null) return false
    return replayedPosition >= required.least && lagMs() <= longestLagMs
  }

  const primaryPool = retryingPool(primary)

  /** Wraps a replica connection; the first statement that the replica cannot run replaces it by one of the primary. */
  function withFallback(first: pg.PoolClient): PostgresPoolClient {
    let client: PostgresPoolClient = first
    let state: 'replica' | 'transaction' | 'primary' = 'replica'
    async function query(text: string, values: readonly unknown[]) {
      if (state === 'replica' && /^(begin|start transaction)/i.test(text)) {
        if (/read only/i.test(text)) state = 'transaction'
        else await switchToPrimary()
      }
      try {
        return await client.query(text, [...values])
      } catch (error) {
        if (state !== 'replica' || !isOfReplica(error)) throw error
        const isLost = isUnavailable(error) && !isReadOnly(error)
        if (isLost) replayedPosition = null
        await switchToPrimary(isLost)
        return client.query(text, [...values])
      }
    }
    async function switchToPrimary(isLost = false): Promise<void> {
      const own = await primaryPool.connect()
      client.release(isLost)
      client = own
      state = 'primary'
    }
    return {
      // The query builder declares two overloads and uses one; pg declares more.
      query: query as unknown as PostgresPoolClient['query'],
      release: (destroy) => client.release(destroy),
    }
  }

  async function connect(): Promise<PostgresPoolClient> {
    if (serves()) {
      try {
        return withFallback(await pool.connect())
      } catch {
        replayedPosition = null
      }
    }
    return primaryPool.connect()
  }

  await watch()
  return {
    db: new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: { connect, end: async () => {}, options: primary.options } }),
    }),
    runReading(shown, work) {
      const least = shown.map(bytesBefore).reduce((most, each) => (each > most ? each : most), 0n)
      return request.run({ least }, work)
    },
    connection: () => (serves() ? options.connection : options.primaryConnection),
    position,
    lagSeconds: () => (replayedPosition === null ? null : lagMs() / 1_000),
    async close() {
      isClosed = true
      clearTimeout(timer)
      await pool.end()
    },
  }
}

/** Whether the primary could run a statement that failed: a write, a recovery conflict, or an unavailable replica. */
function isOfReplica(error: unknown): boolean {
  return isReadOnly(error) || isSerializationFailure(error) || isUnavailable(error)
}

/** @returns 0 for a text that is not a position */
function bytesBefore(position: LogPosition): bigint {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(position) ?? []
  return high && low ? (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`) : 0n
}
