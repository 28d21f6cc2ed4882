import { execFileSync, spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codeOf } from '../errors.ts'
import { changeOwner, type DatabaseUser } from './binaries.ts'
import type { Cluster } from './cluster.ts'

/** The server, or a tool: a command that needs the database for a while. */
export type OwnerRole = 'server' | 'tool'

/**
 * Guard process between the owner and PostgreSQL. It reads a pipe that only the owner can write to. When the owner
 * ends, even when killed, the read ends and the guard requests a fast shutdown repeatedly, because a PostgreSQL that
 * has just started ignores the signal. If the guard reads a line, it keeps the socket's directory for the next launch.
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
  // PostgreSQL ignores the first two; `findPostgres` reads the owner from them.
  const all = { 'ntalo.owner': `${role}.${process.pid}`, 'ntalo.data_dir': dir, ...settings }
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const words = [join(binaries, 'bin', 'postgres'), '-D', dataDirArgument(dir), '-k', socketDir, ...options]
  const child = spawn('/bin/sh', ['-c', guard, 'ntalo-postgres', socketDir, ...words], {
    ...user,
    cwd: dir,
    // The pid in a stale lock file may now be a zombie's or another program's; this setting makes PostgreSQL ignore it.
    env: { LC_ALL: 'C', TZ: 'UTC', PG_GRANDPARENT_PID: lockFile(dir)[0] },
    // A separate process group: Ctrl+C in a terminal reaches only the owner, which then shuts PostgreSQL down cleanly.
    detached: true,
    // The guard closes its own stdout, so the pipe closes when PostgreSQL and its children have ended.
    stdio: ['pipe', 'pipe', log],
  })
  fs.closeSync(log)
  // Writing to a killed guard fails.
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
    /** Resolves when PostgreSQL and all its children have ended, or when its guard has. */
    ended,
    isRunning: () => isRunning,
    /** Returns why it ended unexpectedly; free space is checked because a full disk cannot store the log message. */
    complaint: () =>
      failure || complaintIn(logFile, logged) || (fs.statfsSync(dir).bavail < 100 ? 'ENOSPC' : ''),
    /** Makes the guard stop PostgreSQL, and remove the socket's directory unless another launch follows. */
    release: (isFollowed = false) => void child.stdin?.end(isFollowed ? '\n' : undefined),
    /** Removes the socket's directory after all processes have ended, in case the guard was killed. */
    tidy: () => fs.rmSync(socketDir, { recursive: true, force: true }),
  }
}

/** Creates the socket's directory. A path has a limit (103 bytes on macOS), and PostgreSQL parses commas and quotes. */
function makeSocketDir(user: DatabaseUser): string {
  const isFit = user.uid === undefined && /^[\w/.-]{1,60}$/.test(tmpdir())
  const directory = fs.mkdtempSync(join(isFit ? tmpdir() : '/tmp', 'ntalo-'))
  changeOwner(directory, user)
  return directory
}

/** Returns the last fatal message after the first `offset` bytes of the log, except messages for clients. */
function complaintIn(logFile: string, offset: number): string {
  const lines = fs.readFileSync(logFile).subarray(offset).toString('utf8').split('\n')
  const forClients = /database system is|does not exist|terminating/
  const fatal = lines.findLast((line) => /FATAL|PANIC/.test(line) && !forClients.test(line))
  return fatal?.replace(/^.*(FATAL|PANIC): +/, '') ?? ''
}

export type Running = NonNullable<ReturnType<typeof findPostgres>>

/**
 * Finds the PostgreSQL that runs on the cluster, by its `postmaster.pid`, and its owner, if that is another process
 * that is still alive. Returns null when none runs.
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

/** Requests a fast shutdown of PostgreSQL (SIGINT) without waiting for it; does nothing when the process has ended. */
export function interrupt(pid: number): void {
  try {
    process.kill(pid, 'SIGINT')
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

/** Reads `postmaster.pid`, by line: pid, directory, start, port, socket directory, address, shared memory, status. */
function lockFile(dir: string): string[] {
  try {
    return fs.readFileSync(join(dir, 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

/** Returns the command line of a process; empty for a zombie, or when the process does not exist. */
export function commandLine(pid: string): string {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'command=', '-p', pid], { encoding: 'utf8' })
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

/** PostgreSQL's user may lack access to the full path (a checkout under /root), but not to its current directory. */
export function dataDirArgument(dir: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : dir
}
