import { execFileSync, spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codeOf } from '../errors.ts'
import { type DatabaseUser, give } from './binaries.ts'
import type { Cluster } from './cluster.ts'

/** The server, or a tool: a command that needs the database for a while. */
export type OwnerRole = 'server' | 'tool'

/**
 * Stands between the owner and PostgreSQL, reading what only the owner can write: when that ends, however it died, the
 * read ends and PostgreSQL gets a fast shutdown; again and again, for one that was just started does not listen yet.
 * A line read instead says that the next PostgreSQL will need the socket's directory.
 */
const guard = `
socket_dir=$1; shift
"$@" </dev/null &
exec >&- 2>&-
read -r _ && socket_dir=
while kill -INT $!; do sleep 0.1; done
[ "$socket_dir" ] && rm -rf "$socket_dir"
`

export type Launch = ReturnType<typeof launch>

/** Starts PostgreSQL on the cluster. */
export function launch(cluster: Cluster, role: OwnerRole, settings: object, usedSocketDir?: string) {
  const { dir, logFile, binaries, user } = cluster
  const socketDir = usedSocketDir ?? makeSocketDir(user)
  const log = fs.openSync(logFile, 'a', 0o600)
  if (fs.fstatSync(log).size > 10_000_000) fs.ftruncateSync(log)
  const logged = fs.fstatSync(log).size
  // The first two mean nothing to PostgreSQL: they show whose process this is, see `findPostgres`.
  const all = { 'ntalo.owner': `${role}.${process.pid}`, 'ntalo.data_dir': dir, ...settings }
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const words = [join(binaries, 'bin', 'postgres'), '-D', dataDirArgument(dir), '-k', socketDir, ...options]
  const child = spawn('/bin/sh', ['-c', guard, 'ntalo-postgres', socketDir, ...words], {
    ...user,
    cwd: dir,
    // The number in a stale lock file may be a zombie's or another program's by now; this one PostgreSQL ignores.
    env: { LC_ALL: 'C', TZ: 'UTC', PG_GRANDPARENT_PID: lockFile(dir)[0] },
    // Its own group: Ctrl+C in a terminal is for the owner, which then stops PostgreSQL in good order.
    detached: true,
    // The guard closes its output, which thus ends with PostgreSQL and its children.
    stdio: ['pipe', 'pipe', log],
  })
  fs.closeSync(log)
  // A guard that was killed reads nothing any more.
  child.stdin?.on('error', () => {})

  let isRunning = true
  let failure = ''
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  function end(error?: unknown): void {
    if (error instanceof Error) failure = error.message
    isRunning = false
    resolve()
  }
  child.once('error', end).once('exit', end).stdout?.resume().once('close', end)
  return {
    socketDir,
    /** Resolves when PostgreSQL with all its children, or its guard, has gone. */
    ended,
    isRunning: () => isRunning,
    /** Why it ended by itself; a full disk cannot hold the message that says so. */
    complaint: () =>
      failure || complaintIn(logFile, logged) || (fs.statfsSync(dir).bavail < 100 ? 'ENOSPC' : ''),
    /** Lets it stop if it runs, and remove the socket's directory unless another launch follows. */
    release: (isFollowed = false) => void child.stdin?.end(isFollowed ? '\n' : undefined),
    /** Once all have gone: what its guard leaves when it was killed too. */
    tidy: () => fs.rmSync(socketDir, { recursive: true, force: true }),
  }
}

/** A socket's path has a narrow limit (103 bytes on macOS), and PostgreSQL reads commas and quotes in it. */
function makeSocketDir(user: DatabaseUser): string {
  const isFit = user.uid === undefined && /^[\w/.-]{1,60}$/.test(tmpdir())
  const directory = fs.mkdtempSync(join(isFit ? tmpdir() : '/tmp', 'ntalo-'))
  give(directory, user)
  return directory
}

/** The last fatal message written after the first `offset` bytes of the log, but for those meant for a client. */
function complaintIn(logFile: string, offset: number): string {
  const lines = fs.readFileSync(logFile).subarray(offset).toString('utf8').split('\n')
  const forClients = /database system is|does not exist|terminating/
  const fatal = lines.findLast((line) => /FATAL|PANIC/.test(line) && !forClients.test(line))
  return fatal?.replace(/^.*(FATAL|PANIC): +/, '') ?? ''
}

export type Running = NonNullable<ReturnType<typeof findPostgres>>

/**
 * The PostgreSQL that runs on the cluster now, by its `postmaster.pid`, or null; and its owner, if that is another
 * process and still alive.
 */
export function findPostgres(dir: string) {
  const [pid, , , , socketDir = '', , , status] = lockFile(dir)
  const words = pid ? commandLine(pid) : ''
  if (!words.includes(`ntalo.data_dir=${dir} `)) return null
  const [, role, ownerPid = ''] = /ntalo\.owner=(server|tool)\.(\d+) /.exec(words) ?? []
  const isOthers = Number(ownerPid) !== process.pid && commandLine(ownerPid) !== ''
  const owner = isOthers ? { isServer: role === 'server', pid: ownerPid } : null
  return { pid: Number(pid), socketDir, isReady: status?.trim() === 'ready', owner }
}

export function interrupt(pid: number): void {
  try {
    process.kill(pid, 'SIGINT')
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

/** Its lines: process, directory, start, port, directory of the socket, address, shared memory, status. */
function lockFile(dir: string): string[] {
  try {
    return fs.readFileSync(join(dir, 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

/** The command line of a process; empty for a zombie, and when there is none. */
export function commandLine(pid: string): string {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'command=', '-p', pid], { encoding: 'utf8' })
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

/** PostgreSQL's user may be unable to walk to a directory (a checkout under /root), but not to his current one. */
export function dataDirArgument(dir: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : dir
}
