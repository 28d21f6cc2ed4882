// One PostgreSQL process: starting it so that it never outlives those who use it, and telling a living one from a dead one.

import { execFileSync, spawn } from 'node:child_process'
import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../errors.ts'
import type { Cluster } from './cluster.ts'

/**
 * Stands between us and PostgreSQL. Its input is the cluster's named pipe: when the last process that holds the
 * pipe open is gone, however it died, the read ends and PostgreSQL gets a fast shutdown; again and again, for one that
 * has just been started does not listen yet. The pipe has a reader until it has stopped. If this shell itself was
 * killed, the number in postmaster.pid protects whoever got PostgreSQL's number since.
 */
const guard = `
exec 3<&0 </dev/null
"$@" 3<&- & pg=$!
{ while read -r _ <&3; do :; done
  while kill -0 $$ || { read -r pid < postmaster.pid && [ "$pid" = "$pg" ]; }; do
    kill -INT "$pg" || exit
    sleep 1 3<&-
  done
} & watch=$!
exec 3<&-
wait "$pg"; code=$?
kill "$watch" 2>/dev/null
exit $code
`

const maxLogBytes = 10_000_000

// No process ever has this number.
const nobodysPid = 2 ** 31 - 1

export type Launch = { hasEnded(): boolean; complaint(): string }

/**
 * Starts PostgreSQL on the cluster, which the caller must already hold (`holdCluster`). Once it has ended,
 * `complaint` is the reason that its log gives.
 */
export function launch(cluster: Cluster, settings: Record<string, string>): Launch {
  const log = openLog(cluster.logFile)
  const hold = openSync(cluster.holdFile, constants.O_RDONLY)
  const child = spawn(
    '/bin/sh',
    [
      ...['-c', guard, 'ntalo-postgres', join(cluster.binaries, 'bin', 'postgres')],
      ...['-D', dataDirArgument(cluster.dir), '-k', cluster.socketDir],
      // Not a setting of PostgreSQL: it shows in `ps` whose process this is, see `runningPostgres`.
      ...['-c', identity(cluster.dir)],
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    {
      ...cluster.user,
      cwd: cluster.dir,
      env: { LC_ALL: 'C', TZ: 'UTC' },
      // Its own group: Ctrl+C in a terminal is for the server, which then stops PostgreSQL in good order.
      detached: true,
      stdio: [hold, log.descriptor, log.descriptor],
    },
  )
  closeSync(hold)
  closeSync(log.descriptor)
  child.unref()

  let failure = ''
  child.once('error', (error) => {
    failure = error.message
  })
  return {
    hasEnded: () => failure !== '' || child.exitCode !== null || child.signalCode !== null,
    complaint: () => failure || complaintIn(cluster.logFile, log.size) || complaintOfDisk(cluster.dir),
  }
}

function openLog(path: string): { descriptor: number; size: number } {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  // PostgreSQL is stopped when we come here, so nobody writes to the old one.
  if (size <= maxLogBytes) return { descriptor: openSync(path, 'a', 0o600), size }
  return { descriptor: openSync(path, 'w', 0o600), size: 0 }
}

/** The last fatal message written after the first `offset` bytes of the log, but for those meant for a client. */
function complaintIn(logFile: string, offset: number): string {
  const lines = readFileSync(logFile).subarray(offset).toString('utf8').split('\n')
  const fatal =
    lines.findLast(
      (line) => /FATAL|PANIC/.test(line) && !/database system is|does not exist|terminating/.test(line),
    ) ?? ''
  return fatal.replace(/^.*(FATAL|PANIC): +/, '')
}

/** A full disk cannot hold the message that says so. */
function complaintOfDisk(dir: string): string {
  const { bavail } = statfsSync(dir)
  return bavail < 100 ? 'No space left on device' : ''
}

/**
 * Holds the named pipe open for writing, which keeps PostgreSQL running; close the descriptor to let go.
 * `isGuarded` says whether a shell was already reading it, that is, whether a PostgreSQL found running will stop by itself.
 */
export function holdCluster(cluster: Cluster): { descriptor: number; isGuarded: boolean } {
  const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants
  if (!existsSync(cluster.holdFile)) {
    try {
      const make = ['-c', 'mkfifo -m 600 "$1"', 'mkfifo', cluster.holdFile]
      execFileSync('/bin/sh', make, { stdio: 'pipe', env: { LC_ALL: 'C' } })
    } catch (error) {
      if (!existsSync(cluster.holdFile)) throw error
    }
  }
  const descriptor = openToWrite(cluster)
  if (descriptor !== null) return { descriptor, isGuarded: true }
  // A pipe opens for writing only while somebody reads it.
  const reader = openSync(cluster.holdFile, O_RDONLY | O_NONBLOCK)
  try {
    return { descriptor: openSync(cluster.holdFile, O_WRONLY | O_NONBLOCK), isGuarded: false }
  } finally {
    closeSync(reader)
  }
}

/** Whether a guard reads the pipe, wherever it runs. */
export function isGuarded(cluster: Cluster): boolean {
  const descriptor = openToWrite(cluster)
  if (descriptor === null) return false
  closeSync(descriptor)
  return true
}

/** Null when nobody reads. */
function openToWrite({ holdFile }: Cluster): number | null {
  try {
    return openSync(holdFile, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (codeOf(error) === 'ENXIO') return null
    throw error
  }
}

/**
 * The PostgreSQL that serves the cluster now, by its `postmaster.pid`, or null. Where its socket is it writes there
 * only once it has opened it.
 */
export function runningPostgres(dir: string): { pid: number; socketDir: string | null } | null {
  const lines = readLockFile(join(dir, 'postmaster.pid'))
  const pid = Number(lines?.[0])
  if (!pid || !commandLine(pid)?.includes(`${identity(dir)} `)) return null
  return { pid, socketDir: lines?.[4] || null }
}

/**
 * A lock file left by a killed PostgreSQL makes the next one refuse to start when its number now belongs to a zombie
 * or to another program. The number alone is replaced: PostgreSQL needs the rest to check that no old backend is alive.
 */
export function disarmStaleLock(cluster: Cluster): void {
  for (const file of [join(cluster.dir, 'postmaster.pid'), join(cluster.socketDir, '.s.PGSQL.5432.lock')]) {
    const lines = readLockFile(file)
    if (!lines || Number(lines[0]) === nobodysPid || runningPostgres(cluster.dir)) continue
    if (commandLine(Number(lines[0])) === null) continue
    writeFileSync(file, [nobodysPid, ...lines.slice(1)].join('\n'))
  }
}

/**
 * PostgreSQL's user may not be able to walk to the data directory (a checkout under /root): it is given as the
 * current directory, which needs no walking.
 */
export function dataDirArgument(dir: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : dir
}

function identity(dir: string): string {
  return `ntalo.data_dir=${dir}`
}

function readLockFile(path: string): string[] | null {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** The command line of a process; empty for a zombie; null when there is no such process. */
function commandLine(pid: number): string | null {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' })
  } catch {
    return null
  }
}
