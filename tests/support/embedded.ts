// Runs programs on the embedded PostgreSQL, and finds and kills the processes of one data directory.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterAll, onTestFinished } from 'vitest'
import { startEmbedded } from '#server/db/embedded/embedded.ts'
import { makeFastDirectory } from './fast-directory.ts'
import { waitLimitMs } from './wait-limit.ts'
import { eventually } from './waiting.ts'

type Connection = { host: string; port: number; user: string; database: string }
type Event = {
  ready?: Connection
  refused?: string
  info?: string
  warn?: string
  error?: string
  stopped?: true
}

export type Program = {
  pid: number
  events: Event[]
  /** Resolves with the first event that has this key; rejects when the program ends before. */
  event<K extends keyof Event>(key: K): Promise<NonNullable<Event[K]>>
  /** Exit code, or the signal that ended the program. */
  ended: Promise<number | NodeJS.Signals>
  signal(signal: NodeJS.Signals): void
}

export const quiet = { info() {}, warn() {}, error() {} }

const program = join(import.meta.dirname, 'embedded-program.ts')

/** Creates a directory that only the current user can enter; removed after the test, or with `afterAll`. */
export function privateDirectory(atTheEnd: (hook: () => void) => void = onTestFinished): string {
  const directory = realpathSync(makeFastDirectory())
  atTheEnd(() => rmSync(directory, { recursive: true, force: true, maxRetries: 10 }))
  return directory
}

/**
 * Makes copies of a DATA_DIR whose database has been used and stopped. Call it once per file: creating a database takes
 * longer than most tests.
 *
 * @param use fills the database; by default, a table `kept` with the `value` 1
 */
export async function usedDataDirs(use = keepOne): Promise<() => string> {
  const original = privateDirectory(afterAll)
  const { connection, stop } = await startEmbedded({ dataDir: original, role: 'tool', log: quiet })
  await use(connection)
  await stop()
  return () => {
    const copy = privateDirectory()
    execFileSync('cp', ['-a', `${original}/.`, copy])
    return copy
  }
}

async function keepOne(connection: Connection): Promise<void> {
  await query(connection, 'create table kept as select 1 as value')
}

/**
 * Starts a program on the data directory; the program and its PostgreSQL are killed after the test if they still run.
 */
export function startProgram(
  role: 'server' | 'tool',
  dataDir: string,
  as: { uid?: number; gid?: number } = {},
): Program {
  onTestFinished(async () => {
    await killPostgres(dataDir)
    for (const { ready } of started.events) if (ready) rmSync(ready.host, { recursive: true, force: true })
  })
  const started = follow(
    spawn(process.execPath, [program, role, dataDir], { ...as, stdio: ['ignore', 'pipe', 'inherit'] }),
  )
  return started
}

/**
 * Runs a shell script in its own mount namespace: its mounts disappear with it. In the script, `$node` and `$program`
 * run the program, and `$1` … are the arguments.
 */
export function startInOwnMounts(script: string, ...parameters: string[]): Program {
  const prelude = `set -e; node='${process.execPath}'; program='${program}'; ${script}`
  const child = spawn(
    'unshare',
    ['-m', '--propagation', 'private', 'sh', '-c', prelude, 'sh', ...parameters],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  return follow(child)
}

function follow(child: ChildProcess): Program {
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const events: Event[] = []
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const check of waiting) check()
  }
  let hasEnded = false
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('close', (code, signal) => {
      hasEnded = true
      resolve(code ?? signal ?? 0)
      wake()
    })
  })
  createInterface({ input: child.stdout! }).on('line', (line) => {
    events.push(JSON.parse(line))
    wake()
  })
  return {
    pid: child.pid!,
    events,
    ended,
    signal: (signal) => void child.kill(signal),
    event: (key) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const value = events.find((event) => key in event)?.[key]
          if (value !== undefined) resolve(value)
          else if (hasEnded) reject(new Error(`no ${key}, only ${JSON.stringify(events)}`))
          else return
          waiting.delete(check)
        }
        waiting.add(check)
        check()
      }),
  }
}

/** Returns the process id of the postmaster of the data directory, from its pid file. */
export function postmasterPid(dataDir: string): number | null {
  try {
    const pid = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
    return isAlive(pid) ? pid : null
  } catch {
    return null
  }
}

/** Returns the process id of the shell between a PostgreSQL and its owner: the postmaster's parent. */
export function guardPid(postmaster: number): number {
  return Number(statOf(postmaster)?.[1])
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}

/** Whether a process runs; false for a zombie. */
export function isAlive(pid: number): boolean {
  return ![undefined, 'Z'].includes(stateOf(pid))
}

/** Returns the state letter that `ps` shows: S for sleeping, Z for a zombie; undefined when there is no process. */
export function stateOf(pid: number): string | undefined {
  return statOf(pid)?.[0]
}

/** Runs one statement on a separate connection. */
export async function query(connection: Connection, sql: string, values: unknown[] = []): Promise<unknown[]> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: waitLimitMs })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql, values)).rows
  } finally {
    await client.end()
  }
}

async function killPostgres(dataDir: string): Promise<void> {
  const pid = postmasterPid(dataDir)
  if (pid === null) return
  kill(pid)
  await eventually('PostgreSQL is gone', () => !isAlive(pid))
}

/** Returns the state and the parent of a process. */
function statOf(pid: number): string[] | null {
  try {
    // The name, in brackets, may contain any character.
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    return null
  }
}
