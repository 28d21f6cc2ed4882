// Reads on a replica: a request that only reads is answered there, where the replica holds all that it must show.

import { AsyncLocalStorage } from 'node:async_hooks'
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { isReadOnly, isSerializationFailure, isUnavailable } from './errors.ts'
import { type Db, openPool, type PoolOptions } from './pool.ts'
import type { Tables } from './tables.ts'

/** A place in the log of changes of the primary, as PostgreSQL writes it (`0/16B3748`): what is before it has been written. */
export type LogPosition = string

export type Replica = {
  /** The primary, but for requests within {@link Replica.reading}: what these read comes from the replica, while it can. */
  db: Db
  /** Does the work of a request that only reads, and that must show what was written before some positions. */
  reading<T>(shown: readonly LogPosition[], work: () => T): T
  /** Where a whole file is read from, for the request that asks. */
  connection(): PoolOptions['connection']
  /** All that has been committed by now is before it. */
  position(): Promise<LogPosition>
  /** For how long (s) what the primary has written is missing on the replica; null where it does not answer. */
  lagSeconds(): number | null
  close(): Promise<void>
}

const lookEveryMs = 1_000
/** A replica this late is left out until it has caught up. */
const longestLagMs = 5_000
const mostLooks = 600
/** A primary that took the place of the replica's own has all that there is. */
const everything = 2n ** 64n

/**
 * Opens the replica, which may be away: reads then go to the primary.
 *
 * @param primary stays its owner's to close
 */
export async function openReplica(options: {
  connection: PoolOptions['connection']
  primary: pg.Pool
  primaryConnection: PoolOptions['connection']
  max?: number
  longestLagMs?: number
}): Promise<Replica> {
  const { primary, longestLagMs: patienceMs = longestLagMs } = options
  const pool = openPool({
    connection: options.connection,
    max: options.max ?? 16,
    applicationName: 'ntalo reads',
  })
  const request = new AsyncLocalStorage<{ least: bigint }>()
  /** What the replica has of the log, as last seen; null while it does not answer. */
  let held: bigint | null = null
  /** Positions of the primary, by the time they were seen at, that the replica did not have when last seen. */
  let missing: { at: number; position: bigint }[] = []

  const positionOf = async (asked: pg.Pool, expression: string) => {
    const { rows } = await asked.query<{ position: LogPosition | null }>(
      `select (${expression})::text as position`,
    )
    return rows[0]?.position ?? null
  }
  const position = async () => (await positionOf(primary, 'pg_current_wal_lsn()')) ?? ''
  const lagMs = () => (missing[0] ? performance.now() - missing[0].at : 0)

  async function look(): Promise<void> {
    const at = performance.now()
    // A primary that is away writes nothing that could be missing.
    const written = await position().catch(() => null)
    if (written) missing = [...missing, { at, position: bytesBefore(written) }].slice(0, mostLooks)
    try {
      const replayed = await positionOf(
        pool,
        'case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end',
      )
      const seen = replayed === null ? everything : bytesBefore(replayed)
      held = seen
      missing = missing.filter((each) => each.position > seen)
    } catch {
      held = null
    }
  }

  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  async function watch(): Promise<void> {
    await look()
    if (!isClosed) timer = setTimeout(watch, lookEveryMs).unref()
  }

  /** Whether the request that runs now may read there. */
  function serves(): boolean {
    const asked = request.getStore()
    return asked !== undefined && held !== null && held >= asked.least && lagMs() <= patienceMs
  }

  /** A connection of the replica that is exchanged for one of the primary by the first statement that it cannot do. */
  function exchangeable(first: pg.PoolClient): PostgresPoolClient {
    let client = first
    let isIn: 'replica' | 'transaction' | 'primary' = 'replica'
    async function query(text: string, values: readonly unknown[]) {
      if (isIn === 'replica' && /^(begin|start transaction)/i.test(text)) {
        if (/read only/i.test(text)) isIn = 'transaction'
        else await exchange()
      }
      try {
        return await client.query(text, [...values])
      } catch (error) {
        if (isIn !== 'replica' || !isOfReplica(error)) throw error
        const isLost = isUnavailable(error) && !isReadOnly(error)
        if (isLost) held = null
        await exchange(isLost)
        return client.query(text, [...values])
      }
    }
    async function exchange(isLost = false): Promise<void> {
      const own = await primary.connect()
      client.release(isLost)
      client = own
      isIn = 'primary'
    }
    return {
      // pg's overloads are wider than the two that the query builder knows, of which it uses one.
      query: query as unknown as PostgresPoolClient['query'],
      release: (destroy) => client.release(destroy),
    }
  }

  async function connect(): Promise<PostgresPoolClient> {
    if (serves()) {
      try {
        return exchangeable(await pool.connect())
      } catch {
        held = null
      }
    }
    return primary.connect()
  }

  await watch()
  return {
    db: new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: { connect, end: async () => {}, options: primary.options } }),
    }),
    reading(shown, work) {
      const least = shown.map(bytesBefore).reduce((most, each) => (each > most ? each : most), 0n)
      return request.run({ least }, work)
    },
    connection: () => (serves() ? options.connection : options.primaryConnection),
    position,
    lagSeconds: () => (held === null ? null : lagMs() / 1_000),
    async close() {
      isClosed = true
      clearTimeout(timer)
      await pool.end()
    },
  }
}

/** What the primary would do all the same: a write, a row that the replica had to change under the reader, a replica that is gone. */
function isOfReplica(error: unknown): boolean {
  return isReadOnly(error) || isSerializationFailure(error) || isUnavailable(error)
}

/** @returns 0 for what is no position */
function bytesBefore(position: LogPosition): bigint {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(position) ?? []
  return high && low ? (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`) : 0n
}
