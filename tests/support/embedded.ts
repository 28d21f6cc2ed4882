// Runs programs on the embedded PostgreSQL, and finds and kills the processes that belong to one data directory.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterAll, onTestFinished } from 'vitest'
import { startEmbedded } from '#server/db/embedded/embedded.ts'
import { fastDirectory } from './fast-directory.ts'
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
  /** Resolves with the first event that has this key; rejects when the program ends without. */
  event<K extends keyof Event>(key: K): Promise<NonNullable<Event[K]>>
  /** Exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>
  signal(signal: NodeJS.Signals): void
}

export const quiet = { info() {}, warn() {}, error() {} }

const program = join(import.meta.dirname, 'embedded-program.ts')

/** A directory of the test's own, which nobody else can enter; removed after it, or with `afterAll`. */
export function privateDirectory(atTheEnd: (hook: () => void) => void = onTestFinished): string {
  const directory = realpathSync(mkdtempSync(join(fastDirectory, 'ntalo-test-')))
  atTheEnd(() => rmSync(directory, { recursive: true, force: true, maxRetries: 10 }))
  return directory
}

/**
 * Makes copies of a DATA_DIR whose database has been used and stopped. To be called once for a file, since to make a
 * database takes longer than most tests.
 *
 * @param use what is in it: a table `kept` with the `value` 1, by default
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

/** A program that uses the data directory; whatever is left of it and of its PostgreSQL is killed after the test. */
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
 * Runs a shell script that sees file systems of its own: what it mounts is gone with it. In the script, `$node` and
 * `$program` run the program, `$1` … are the arguments.
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

/** The number of the postmaster that serves the data directory, by the file it writes. */
export function postmasterPid(dataDir: string): number | null {
  try {
    const pid = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
    return isAlive(pid) ? pid : null
  } catch {
    return null
  }
}

/** The shell that stands between a PostgreSQL and its owner: its parent. */
export function guardPid(postmaster: number): number {
  return Number(statOf(postmaster)?.[1])
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}

/** True for a process that runs; a zombie does not. */
export function isAlive(pid: number): boolean {
  return ![undefined, 'Z'].includes(stateOf(pid))
}

/** The letter that `ps` shows: S for one that sleeps, Z for a zombie; undefined for none. */
export function stateOf(pid: number): string | undefined {
  return statOf(pid)?.[0]
}

/** Runs one statement on a connection of its own. */
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

/** State and parent of a process. */
function statOf(pid: number): string[] | null {
  try {
    // The name, in brackets, may contain anything.
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    return null
  }
}
