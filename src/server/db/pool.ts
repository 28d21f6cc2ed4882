// Connections to PostgreSQL, with the time limits used by the whole server.

import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { timeLimits } from '#server/time-limits.ts'
import { codeOf, DatabaseStartError, isPlanOutdated, isQueryTimeout, isReadOnly } from './errors.ts'
import { createPreparation } from './preparation.ts'
import { retryingPool } from './retry.ts'
import type { Tables } from './tables.ts'
import { getTypeParser } from './type-parsers.ts'

/** A pool or a transaction (`Transaction` extends `Kysely`): the first argument of every SQL function. */
export type Db = Kysely<Tables>

export const usualConnections = 16

export type PoolOptions = {
  /** `DATABASE_URL`, or the `connection` of the embedded server. */
  connection: string | { host: string; port: number; user: string; database: string }
  /** Maximum number of connections; default `usualConnections`. */
  max?: number
  /** Time limit of a statement; default `timeLimits.statement`; 0 for none. Longer work opens a separate pool. */
  statementTimeoutMs?: number
  /** Time limit between two statements of a transaction; default `timeLimits.idleInTransaction`; 0 for none. */
  idleInTransactionTimeoutMs?: number
  /** Time limit for getting a free or new connection; default `timeLimits.connection`. */
  connectionTimeoutMs?: number
  /** How long `openDatabase` waits for a server that is starting; default 0. */
  startingMs?: number
  /** Name shown in `pg_stat_activity`; default `ntalo`. */
  applicationName?: string
}

export type Database = { db: Db; pool: pg.Pool; close(): Promise<void> }

/** Returns the settings with which a single client connects to the same server. */
export function clientConfig(connection: PoolOptions['connection']): pg.ClientConfig {
  return typeof connection === 'string' ? { connectionString: connection } : connection
}

/**
 * Creates a client outside the pool, for work that lasts longer than a request; the caller connects and ends it.
 *
 * @param statementTimeoutMs time limit of a statement, and of the idle time between two in a transaction
 */
export function createClient(connection: PoolOptions['connection'], statementTimeoutMs: number): pg.Client {
  const client = new pg.Client({
    ...clientConfig(connection),
    connectionTimeoutMillis: timeLimits.connection,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + silenceMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    application_name: 'ntalo',
    keepAlive: true,
    types: { getTypeParser },
  })
  // A connection lost between two statements makes the next statement fail.
  client.on('error', () => {})
  return client
}

/** Opens a pool that survives the loss of connections: the next query gets a new one, or an error for a 503. */
export function openPool(options: PoolOptions): pg.Pool {
  const {
    connection,
    max = usualConnections,
    connectionTimeoutMs = timeLimits.connection,
    applicationName = 'ntalo',
  } = options
  const { statementTimeoutMs = timeLimits.statement } = options
  const pool = new pg.Pool({
    ...clientConfig(connection),
    max,
    connectionTimeoutMillis: connectionTimeoutMs,
    statement_timeout: statementTimeoutMs,
    // The server cancels a slow statement; this limit is for a server or network that no longer answers.
    query_timeout: statementTimeoutMs && statementTimeoutMs + silenceMs,
    idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs ?? timeLimits.idleInTransaction,
    application_name: applicationName,
    keepAlive: true,
    // Idle connections do not keep a finished program running.
    allowExitOnIdle: true,
    types: { getTypeParser },
  })
  const nameOf = createPreparation()
  /** Connections to a read-only node; they are closed, because a new connection may reach the primary. */
  const readOnlyClients = new WeakSet<pg.PoolClient>()
  // Without these listeners, a connection lost while idle or in use would end the process. The caller of a query gets
  // the error from that query.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    watchQueries(client, nameOf, () => readOnlyClients.add(client))
  })
  // The pool does not reuse a connection that is ending.
  pool.on('release', (_error, client) => {
    if (readOnlyClients.has(client)) void client.end()
  })
  return pool
}

const silenceMs = 500

/**
 * Prepares frequent statements, and closes unusable connections: one whose statement still runs after its timeout,
 * which pg would reuse, and one whose prepared statements are outdated.
 */
function watchQueries(
  client: pg.PoolClient,
  nameOf: (text: string) => string | undefined,
  onReadOnly: () => void,
): void {
  const query: (...args: unknown[]) => unknown = client.query.bind(client)
  function watched(text: unknown, values: unknown, ...rest: unknown[]): unknown {
    const isAsked = typeof text === 'string' && Array.isArray(values) && values.length > 0
    const name = isAsked ? nameOf(text) : undefined
    const result = name ? query({ name, text, values }, ...rest) : query(text, values, ...rest)
    if (result instanceof Promise) {
      result.catch((error: unknown) => {
        // While a statement runs, this closes the socket without waiting.
        if (isQueryTimeout(error) || isPlanOutdated(error)) void client.end()
        if (isReadOnly(error)) onReadOnly()
      })
    }
    return result
  }
  // The overloads of `query` cannot be declared here; arguments and results are those of the original.
  client.query = watched as typeof client.query
}

/**
 * Opens a pool and checks that the server answers. Otherwise throws a {@link DatabaseStartError}, which never contains
 * the password, within about `connectionTimeoutMs`, or after `startingMs` when the server is starting.
 */
export async function openDatabase(options: PoolOptions): Promise<Database> {
  const pool = openValidPool(options)
  const deadline = performance.now() + (options.startingMs ?? 0)
  try {
    for (;;) {
      const failure = await pool.query('select 1').then(
        () => null,
        (error: unknown) => error,
      )
      if (failure === null) break
      if (codeOf(failure) !== '57P03' || performance.now() > deadline) throw failure
      await sleep(250)
    }
  } catch (error) {
    await pool.end()
    throw explainConnection(options.connection, error)
  }
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: retryingPool(pool) }) })
  return { db, pool, close: () => db.destroy() }
}

/** Returns a query builder on a single connection instead of a pool; the caller ends the connection. */
export function kyselyOn(client: pg.Client): Db {
  const held = Object.assign(client, { release() {} })
  const pool = { connect: async () => held, end: async () => {}, options: {} }
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

function openValidPool(options: PoolOptions): pg.Pool {
  const { connection } = options
  if (typeof connection === 'string' && namesSeveralServers.test(connection)) {
    throw new DatabaseStartError(
      'DATABASE_URL nomme plusieurs serveurs, ou un service. Indiquez une seule adresse, celle d’un proxy qui mène au serveur primaire (HAProxy devant Patroni, par exemple).',
    )
  }
  if (typeof connection === 'string' && !isPostgresUrl(connection)) {
    throw new DatabaseStartError(
      'DATABASE_URL n’est pas une adresse PostgreSQL. Écrivez-la ainsi : postgres://utilisateur:motdepasse@hôte:5432/base.',
    )
  }
  return openPool(options)
}

// Forms of libpq that are not supported here: `a:5432,b:5432`, `?host=a,b`, `?service=name`.
const namesSeveralServers =
  /^[a-z]+:\/\/(?:[^/?]*@)?[^/?@]*,|[?&](?:host|hostaddr|port)=[^&]*(?:,|%2C)|[?&]service=/i

function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:$/.test(parseUrl(text)?.protocol ?? '')
}

/** Parses an URL, also without a host: `postgres://user:password@/base?host=/directory/of/the/socket`. */
function parseUrl(text: string): URL | null {
  return URL.parse(text.replace('@/', '@localhost/'))
}

function explainConnection(connection: PoolOptions['connection'], error: unknown): DatabaseStartError {
  const where =
    typeof connection === 'string'
      ? describeAddress(parseUrl(connection))
      : `${connection.host}/${connection.database}`
  const cause = causes[codeOf(error) ?? ''] ?? 'le serveur ne répond pas'
  return new DatabaseStartError(
    `La base de données ${where} est inaccessible : ${cause}. Vérifiez DATABASE_URL et que PostgreSQL tourne.`,
  )
}

/**
 * Returns the host, port and database of an address. A password with an unescaped `/`, `?` or `#` puts a part of itself
 * into the path, so such an address is not shown.
 */
function describeAddress(url: URL | null): string {
  const isCut = url !== null && /@/.test(url.pathname + url.search + url.hash)
  return url && !isCut
    ? `${url.hostname || 'locale'}${url.port && `:${url.port}`}${url.pathname}`
    : 'de DATABASE_URL'
}

const causes: Record<string, string> = {
  ECONNREFUSED: 'la connexion est refusée',
  ENOENT: 'la connexion locale n’existe pas',
  ENOTFOUND: 'le nom de la machine est inconnu',
  EAI_AGAIN: 'le nom de la machine n’a pas pu être résolu',
  '28P01': 'l’utilisateur ou le mot de passe est refusé',
  '28000': 'l’utilisateur est refusé',
  '3D000': 'la base n’existe pas',
  '53300': 'trop de connexions sont ouvertes',
  '57P03': 'le serveur est en train de démarrer ou de s’arrêter',
}
