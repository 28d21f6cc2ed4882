// The embedded PostgreSQL, for a machine that has none. The process that launches it owns it, and it stops when its
// owner ends. A tool uses the PostgreSQL of a running server; two servers, or two tools, do not share one
// (docs/decisions/0014-one-owner-of-the-database.md).

import { totalmem } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseStartError } from '../errors.ts'
import { openCluster } from './cluster.ts'
import { explainDataDir } from './faults.ts'
import { findPostgres, interrupt, type Launch, launch, type OwnerRole, type Running } from './process.ts'

export type EmbeddedOptions = {
  /** `DATA_DIR`; the cluster is its sub-directory `postgres`. Created when absent. */
  dataDir: string
  role: OwnerRole
  log: Record<'info' | 'warn' | 'error', (message: string) => void>
  /** Overrides of settings, for example for tests; the data may then be less durable. */
  relaxedSettings?: Record<string, string>
}

export type Embedded = Awaited<ReturnType<typeof start>>

const memoryBytes = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem())

const defaultSettings = {
  listen_addresses: '',
  // A sixteenth of the available memory; Node and the page cache of the system use the rest.
  shared_buffers: `${Math.min(1024, Math.max(128, Math.round(memoryBytes / 2 ** 24)))}MB`,
  // An import of a million rows writes more than the default 1 GB; a checkpoint during it doubles the log that follows.
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
  log_checkpoints: 'off',
  // Errors of statements quote user input, so they are not logged here; the caller logs what it needs.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
}

// Time (ms) that a stopping owner has to end, and minimum time between two launches after a crash.
const secondMs = 1_000
const pollMs = 10

/** Starts PostgreSQL on `dataDir`; a tool uses a running server's. Throws a {@link DatabaseStartError}. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const notice = setTimeout(() => options.log.info('PostgreSQL se prépare ; un peu de patience.'), 3_000)
  return start(options)
    .catch((error: unknown) => Promise.reject(explainDataDir(options.dataDir, error)))
    .finally(() => clearTimeout(notice))
}

async function start({ dataDir, role, log, relaxedSettings }: EmbeddedOptions) {
  const cluster = openCluster(dataDir, !relaxedSettings)
  let launched = null as Launch | null
  let isStopping = false

  /** Resolves when PostgreSQL is ready, launched here or by the server. Its lock file lets only one launch win. */
  async function bringUp(): Promise<Running> {
    const startedAt = Date.now()
    let isRetry = false
    while (!isStopping) {
      const waitedMs = Date.now() - startedAt
      const running = findPostgres(cluster.dir)
      if (running?.owner) {
        const isShared = role === 'tool' && running.owner.isServer
        if (isShared && running.isReady) return running
        if (!isShared && waitedMs > secondMs) throw inUse(dataDir, running.owner)
      } else if (launched?.isRunning()) {
        if (running?.isReady) return running
      } else if (running) {
        // Its owner or its guard process is dead.
        interrupt(running.pid)
      } else {
        const complaint = (isRetry && launched?.complaint()) || ''
        if (isRetry && !transientFailure.test(complaint)) throw new Error(complaint)
        launched?.release(true)
        launched = launch(cluster, role, { ...defaultSettings, ...relaxedSettings }, launched?.socketDir)
        isRetry = true
      }
      if (waitedMs > 120_000) break
      await sleep(pollMs)
    }
    throw new DatabaseStartError(`PostgreSQL ne répond pas. Son journal est ${cluster.logFile}.`)
  }

  async function keepUp(): Promise<void> {
    await Promise.all([launched?.ended, sleep(secondMs, null, { ref: false })])
    if (isStopping) return
    log.warn('PostgreSQL s’est arrêté ; il est redémarré.')
    await bringUp().then(
      () => log.info('PostgreSQL répond de nouveau.'),
      (error: unknown) => isStopping || log.error(explainDataDir(dataDir, error).message),
    )
    return keepUp()
  }

  /** Stops PostgreSQL if this process owns it; resolves when it has stopped, or after 30 s. */
  async function stop(): Promise<void> {
    isStopping = true
    launched?.release()
    for (const stopAt = Date.now() + 30_000; Date.now() < stopAt; await sleep(pollMs)) {
      if (launched?.isRunning()) continue
      const running = findPostgres(cluster.dir)
      if (!running || running.owner) return launched?.tidy()
      // Its guard process was killed.
      interrupt(running.pid)
    }
    log.warn('PostgreSQL n’a pas fini de s’arrêter ; il continue seul.')
  }

  try {
    const { owner, socketDir } = await bringUp()
    if (!owner) void keepUp()
    return { connection: { host: socketDir, port: 5432, user: 'ntalo', database: 'ntalo' }, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

// Another launch won, or children of a killed PostgreSQL are still running.
const transientFailure = /lock file .* (already exists|is empty)|pre-existing shared memory block/

function inUse(dataDir: string, { isServer, pid }: NonNullable<Running['owner']>): DatabaseStartError {
  const [who, what] = isServer
    ? ['Un autre serveur Ntalo', 'Arrêtez-le']
    : ['Une commande de Ntalo', 'Attendez qu’elle ait fini']
  return new DatabaseStartError(
    `${who} (processus ${pid}) utilise déjà DATA_DIR (${dataDir}). ${what}, ou indiquez un autre dossier dans DATA_DIR.`,
  )
}
