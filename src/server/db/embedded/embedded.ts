// The platform's own PostgreSQL, for a machine that has none: `npm start` on a bare clone needs nothing else.
//
// Whoever uses it, server or command, holds a named pipe open, and PostgreSQL stops when nobody does any more. So
// it does not matter who started it, who stops first, or who was killed. What a server adds is a session lock, which
// keeps a second server off the same data, and watching: a PostgreSQL that dies is started again.

import { closeSync } from 'node:fs'
import { totalmem } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { assertDurable } from '../durability.ts'
import { DatabaseStartError, isUnavailable } from '../errors.ts'
import { openCluster } from './cluster.ts'
import { explainDataDir } from './faults.ts'
import { holdCluster } from './process.ts'
import { connectionTo, refuseStranger, startPostgres, stopUnguarded, tidy, waitUntilLeft } from './start.ts'

/** What pino and console have in common. */
export type Log = { info(message: string): void; warn(message: string): void; error(message: string): void }

export type EmbeddedOptions = {
  /** `DATA_DIR`; the cluster is its sub-directory `postgres`. Made when absent. */
  dataDir: string
  /** One server per data directory; any number of tools (import, benchmarks), with or without it. */
  role: 'server' | 'tool'
  log: Log
  /** For tests only: overrides settings, and skips the check that they are durable. */
  relaxedSettings?: Record<string, string>
}

export type Embedded = {
  connection: { host: string; port: number; user: string; database: string }
  /** Lets go of PostgreSQL; when nobody else uses it, resolves once it has stopped (at most 30 s). */
  stop(): Promise<void>
}

const settings = {
  listen_addresses: '',
  max_connections: '100',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  shared_buffers: `${pageCacheMb()}MB`,
  // An import of a million prices writes more than the usual 1 GB; a checkpoint in its middle doubles what follows.
  max_wal_size: '2GB',
  // Containers have 64 MB of /dev/shm, which parallel queries would overflow.
  min_dynamic_shared_memory: '128MB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  effective_cache_size: '1GB',
  random_page_cost: '1.1',
  jit: 'off',
  unix_socket_permissions: '0700',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Errors of statements quote what people typed; whoever sent the statement logs what it needs.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
}

/** A sixteenth of the memory that we may use: beside Node, and the pages that the system keeps itself. */
function pageCacheMb(): number {
  const memory = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem())
  return Math.min(1024, Math.max(128, Math.round(memory / 2 ** 24)))
}

// Any number will do, as long as nothing else in the database locks it.
const serverLock = 20_260_101
const serverLockTimeoutMs = 1_000
const longestBackOffMs = 2_000
const healthyAfterMs = 1_000

let uses = 0

/** Starts PostgreSQL on `dataDir`, or joins the one that already serves it. Throws a {@link DatabaseStartError}. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { dataDir, role, log } = options
  const cluster = openCluster(dataDir, !options.relaxedSettings)
  const hold = holdCluster(cluster)
  const stopping = new AbortController()
  uses += 1
  const me = `ntalo ${role} ${process.pid} ${uses}`

  async function connect(isSecond = false): Promise<pg.Client> {
    const client = await startPostgres(cluster, {
      applicationName: me,
      settings: { ...settings, ...options.relaxedSettings },
      log,
      signal: stopping.signal,
    })
    try {
      if (!options.relaxedSettings) await assertDurable(client)
      if (role === 'server') await lockServer(client, dataDir)
      return client
    } catch (error) {
      await client.end()
      // Its last user had left just before we came, and it was stopping.
      if (isUnavailable(error) && !isSecond) return connect(true)
      throw error
    }
  }

  let monitor: pg.Client
  try {
    if (hold.isGuarded) await refuseStranger(cluster, dataDir)
    else await stopUnguarded(cluster, log)
    monitor = await connect()
  } catch (error) {
    closeSync(hold.descriptor)
    tidy(cluster)
    throw explainDataDir(dataDir, error)
  }

  let connectedAt = Date.now()
  let backOffMs = 0
  let reconnecting = Promise.resolve()
  watch()

  function watch(): void {
    if (role === 'tool') return
    monitor.once('end', () => {
      if (!stopping.signal.aborted) reconnecting = reconnect()
    })
  }

  async function reconnect(): Promise<void> {
    log.warn('La connexion à PostgreSQL est perdue ; elle va être rétablie.')
    if (Date.now() - connectedAt > healthyAfterMs) backOffMs = 0
    while (!stopping.signal.aborted) {
      await pause(backOffMs, stopping.signal)
      backOffMs = Math.min(longestBackOffMs, Math.max(100, backOffMs * 2))
      try {
        monitor = await connect()
        connectedAt = Date.now()
        watch()
        log.info('PostgreSQL répond de nouveau.')
        return
      } catch (error) {
        if (!stopping.signal.aborted) log.error(explainDataDir(dataDir, error).message)
      }
    }
  }

  return {
    connection: connectionTo(cluster),
    async stop() {
      if (stopping.signal.aborted) return
      stopping.abort()
      // A PostgreSQL being started meanwhile still needs the hold.
      await reconnecting
      await monitor.end()
      closeSync(hold.descriptor)
      if (await waitUntilLeft(cluster, me)) return
      log.warn('PostgreSQL n’a pas fini de s’arrêter ; il continue seul.')
    },
  }
}

/** Sleeps, but not beyond the signal. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {})
}

/** A session lock cannot be stale: it goes with the connection, and the connection with the process. */
async function lockServer(client: pg.Client, dataDir: string): Promise<void> {
  // The connection of a server that was just killed may take an instant to be noticed.
  const deadline = Date.now() + serverLockTimeoutMs
  for (;;) {
    const { rows } = await client.query<{ isMine: boolean; holder: string | null }>(
      `select pg_try_advisory_lock($1) as "isMine",
        (select application_name from pg_locks join pg_stat_activity using (pid)
          where locktype = 'advisory' and objid = $1 and granted and pid <> pg_backend_pid() limit 1) as holder`,
      [serverLock],
    )
    if (rows[0]?.isMine) return
    if (Date.now() > deadline) {
      const pid = /^ntalo server (\d+)/.exec(rows[0]?.holder ?? '')?.[1] ?? 'inconnu'
      throw new DatabaseStartError(
        `Un autre serveur Ntalo (processus ${pid}) utilise déjà DATA_DIR (${dataDir}). Arrêtez-le, ou indiquez un autre dossier dans DATA_DIR.`,
      )
    }
    await sleep(20)
  }
}
