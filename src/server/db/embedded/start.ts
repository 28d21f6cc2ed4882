// Bringing the embedded PostgreSQL up, whatever state the last one left things in, and seeing it go down.

import { rmdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { codeOf, DatabaseStartError, isUnavailable } from '../errors.ts'
import { type Cluster, openSocketDir } from './cluster.ts'
import type { Log } from './embedded.ts'
import { disarmStaleLock, isGuarded, type Launch, launch, runningPostgres } from './process.ts'

const user = 'ntalo'
const database = 'ntalo'
const port = 5432

const startTimeoutMs = 120_000
const stopTimeoutMs = 30_000
const strangerTimeoutMs = 3_000
const connectTimeoutMs = 4_000
const pollMs = 10

export type StartOptions = {
  applicationName: string
  settings: Record<string, string>
  log: Log
  /** Gives up when aborted. */
  signal: AbortSignal
}

/** How any client reaches the cluster's PostgreSQL. */
export function connectionTo(cluster: Cluster, name = database) {
  return { host: cluster.socketDir, port, user, database: name }
}

/**
 * Connects, starting PostgreSQL when none runs and waiting for one that is starting or stopping. Of several
 * processes that do this at once, PostgreSQL's own lock file lets one win, and the others connect to it.
 */
export async function startPostgres(cluster: Cluster, options: StartOptions): Promise<pg.Client> {
  const { applicationName, settings, log, signal } = options
  const deadline = Date.now() + startTimeoutMs
  let nextMessageAt = Date.now() + 3_000
  let launched: Launch | null = null
  for (;;) {
    signal.throwIfAborted()
    const client = await tryToConnect(cluster, applicationName)
    if (client) return client

    if (launched?.hasEnded()) {
      const complaint = launched.complaint()
      if (!isPassing(complaint)) throw new Error(complaint)
      launched = null
    } else if (!launched && !runningPostgres(cluster.dir)) {
      openSocketDir(cluster)
      disarmStaleLock(cluster)
      launched = launch(cluster, settings)
    }

    if (Date.now() > deadline) {
      throw new DatabaseStartError(
        `PostgreSQL ne répond pas après ${startTimeoutMs / 1000} s. Son journal est ${cluster.logFile}.`,
      )
    }
    if (Date.now() > nextMessageAt) {
      log.info('PostgreSQL se prépare (récupération ou arrêt en cours) ; un peu de patience.')
      nextMessageAt = Date.now() + 5_000
    }
    await sleep(pollMs)
  }
}

/**
 * Somebody keeps a PostgreSQL running on the data directory, and yet no such process is to be seen: it runs in another
 * container, where its lock file means nothing to us. Two on the same files would destroy them.
 */
export async function refuseStranger(cluster: Cluster, dataDir: string): Promise<void> {
  // One that is just starting or stopping is also invisible, for an instant.
  if (await until(() => runningPostgres(cluster.dir) !== null || !isGuarded(cluster), strangerTimeoutMs))
    return
  throw new DatabaseStartError(
    `DATA_DIR (${dataDir}) sert à un PostgreSQL qui tourne ailleurs, sans doute dans un autre conteneur. Arrêtez-le, ou indiquez un autre dossier dans DATA_DIR.`,
  )
}

/**
 * Stops a PostgreSQL whose guard was killed: it would outlive everybody. A fast shutdown first, then an immediate
 * one, which loses nothing either.
 */
export async function stopUnguarded(cluster: Cluster, log: Log): Promise<void> {
  const running = runningPostgres(cluster.dir)
  if (!running) return
  log.warn(`Un PostgreSQL abandonné (processus ${running.pid}) est arrêté avant d’en démarrer un autre.`)
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    process.kill(running.pid, signal)
    if (await until(() => runningPostgres(cluster.dir)?.pid !== running.pid, stopTimeoutMs)) return
  }
  throw new DatabaseStartError(
    `Le PostgreSQL abandonné (processus ${running.pid}) ne s’arrête pas. Arrêtez-le, puis relancez Ntalo.`,
  )
}

/** True once PostgreSQL has stopped or somebody but `me` turns out to use it; false when neither came in 30 s. */
export async function waitUntilLeft(cluster: Cluster, me: string): Promise<boolean> {
  // One that was just being started is not to be seen yet, but is guarded.
  const isGone = () => !runningPostgres(cluster.dir) && !isGuarded(cluster)
  const hasLeft = await until(async () => isGone() || (await hasOtherUsers(cluster, me)), stopTimeoutMs)
  tidy(cluster)
  return hasLeft
}

/** Removes the socket's directory of a PostgreSQL that has stopped: temporary directories are not to be littered. */
export function tidy(cluster: Cluster): void {
  if (runningPostgres(cluster.dir)) return
  try {
    rmdirSync(cluster.socketDir)
  } catch {
    // Somebody uses it again, or it is gone already.
  }
}

async function hasOtherUsers(cluster: Cluster, me: string): Promise<boolean> {
  const client = await tryToConnect(cluster, 'ntalo stop').catch(() => null)
  if (!client) return false
  try {
    const { rowCount } = await client.query(
      `select from pg_stat_activity where application_name ~ '^ntalo (server|tool) ' and application_name <> $1`,
      [me],
    )
    return rowCount !== 0
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/** A connected client, or null when PostgreSQL is absent, starting or stopping. */
async function tryToConnect(
  cluster: Cluster,
  applicationName: string,
  name = database,
): Promise<pg.Client | null> {
  const client = new pg.Client({
    ...connectionTo(cluster, name),
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
  })
  // What goes wrong also ends the client, and that is what is watched.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    if (codeOf(error) === '3D000') return createDatabase(cluster, applicationName)
    if (isUnavailable(error)) return null
    throw error
  }
}

/** initdb makes no database of ours; one killed between the two steps is completed by the next start. */
async function createDatabase(cluster: Cluster, applicationName: string): Promise<pg.Client | null> {
  const client = await tryToConnect(cluster, applicationName, 'postgres')
  if (!client) return null
  try {
    await client.query(`create database ${database}`)
  } catch (error) {
    // Two first starts: the other one has made it.
    if (!['42P04', '23505'].includes(codeOf(error) ?? '')) throw error
  } finally {
    await client.end()
  }
  return tryToConnect(cluster, applicationName)
}

/** Whether the next attempt will go better: another start won, or the backends of a killed one are still going. */
function isPassing(complaint: string): boolean {
  return (
    complaint === '' ||
    /lock file .* already exists|pre-existing shared memory block|lock file .* is empty/.test(complaint)
  )
}

async function until(condition: () => boolean | Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs
  while (!(await condition())) {
    if (Date.now() > deadline) return false
    await sleep(pollMs)
  }
  return true
}
