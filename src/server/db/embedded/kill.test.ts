// Processes are really killed, while a load of writes runs: every acknowledged write must exist afterwards.

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  guardPid,
  isAlive,
  kill,
  postmasterPid,
  privateDirectory,
  query,
  startProgram,
  stateOf,
  usedDataDirs,
} from '../../../../tests/support/embedded.ts'
import { eventually } from '../../../../tests/support/waiting.ts'
import { openPool } from '../pool.ts'
import { launch } from './process.ts'

const usedDataDir = await usedDataDirs()
const writers = 8
const victims = ['postgres', 'everything', 'guard'] as const

describe.skipIf(process.platform !== 'linux')('killed processes', () => {
  test('whichever process is killed under load, PostgreSQL is back with every acknowledged write', async () => {
    const dataDir = usedDataDir()
    let server = startProgram('server', dataDir)
    const load = await startLoad(await server.event('ready'))
    for (const [round, victim] of victims.entries()) {
      // Different for each round, and the same in every run.
      await load.proceed((round * 73) % 200)
      const postmaster = await eventually('PostgreSQL runs', () => postmasterPid(dataDir))
      const guard = guardPid(postmaster)
      if (victim === 'everything') {
        server.signal('SIGKILL')
        for (const pid of [guard, postmaster]) kill(pid)
        // PostgreSQL may still be stopping.
        server = startProgram('server', dataDir)
        load.turnTo(await server.event('ready'))
      } else {
        kill(victim === 'guard' ? guard : postmaster)
      }
      await eventually('another runs', () => ![null, postmaster].includes(postmasterPid(dataDir)))
      await load.proceed(1)
    }
    await load.expectNothingLost()
  })

  test('a PostgreSQL that has lost its server and its guard is stopped and replaced', async () => {
    const dataDir = usedDataDir()
    const killed = startProgram('server', dataDir)
    await killed.event('ready')
    const orphan = postmasterPid(dataDir)!
    const guard = guardPid(orphan)
    killed.signal('SIGSTOP')
    for (const pid of [guard, killed.pid]) kill(pid)
    await killed.ended
    expect(isAlive(orphan)).toBe(true)

    const connection = await startProgram('server', dataDir).event('ready')
    expect(isAlive(orphan)).toBe(false)
    expect(await query(connection, 'select value from kept')).toEqual([{ value: 1 }])
  })

  test.each(['postgres', 'guard'] as const)(
    'just after its %s was killed, a server can be stopped',
    async (victim) => {
      const dataDir = usedDataDir()
      const server = startProgram('server', dataDir)
      const { host } = await server.event('ready')
      const postmaster = postmasterPid(dataDir)!
      kill(victim === 'guard' ? guardPid(postmaster) : postmaster)
      server.signal('SIGTERM')
      expect(await server.ended).toBe(0)
      expect([isAlive(postmaster), postmasterPid(dataDir), existsSync(host)]).toEqual([false, null, false])
    },
  )

  test('a server killed while PostgreSQL starts takes PostgreSQL down with it', async () => {
    const dataDir = usedDataDir()
    const server = startProgram('server', dataDir)
    const pid = await eventually('PostgreSQL starts', () => postmasterPid(dataDir))
    server.signal('SIGKILL')
    await eventually('PostgreSQL has stopped', () => !isAlive(pid))
    expect(postmasterPid(dataDir)).toBeNull()
  })

  test('a PostgreSQL that loses its owner before it handles signals is stopped all the same', async () => {
    const root = privateDirectory()
    const cluster = { dir: join(root, 'postgres'), logFile: join(root, 'log'), binaries: root, user: {} }
    for (const directory of [cluster.dir, join(root, 'bin')]) mkdirSync(directory)
    const program = [
      `#!${process.execPath}`,
      'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)',
      "process.on('SIGINT', () => process.exit())",
      'setInterval(() => {}, 60_000)',
    ]
    writeFileSync(join(root, 'bin', 'postgres'), program.join('\n'), { mode: 0o700 })
    const { release, isRunning, ended } = launch(cluster, 'tool', {})
    release()
    expect(isRunning()).toBe(true)
    await ended
  })

  test('a PostgreSQL that cannot restart is tried again until it can', async () => {
    const dataDir = usedDataDir()
    const server = startProgram('server', dataDir)
    const connection = await server.event('ready')
    const cluster = join(dataDir, 'postgres')
    renameSync(cluster, `${cluster}.away`)
    kill(Number(readFileSync(join(`${cluster}.away`, 'postmaster.pid'), 'utf8').split('\n')[0]))
    await eventually('two attempts', () => server.events.filter(({ error }) => error).length >= 2)
    renameSync(`${cluster}.away`, cluster)
    await eventually('it can', () => server.events.some(({ info }) => info?.includes('de nouveau')))
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test.each(['a zombie', 'another program'])(
    'a lock file whose process id now belongs to %s does not prevent a start',
    async (who) => {
      const dataDir = usedDataDir()
      const killed = startProgram('server', dataDir)
      await killed.event('ready')
      const pid = postmasterPid(dataDir)!
      const guard = guardPid(pid)
      killed.signal('SIGKILL')
      for (const victim of [guard, pid]) kill(victim)
      await eventually('everything is dead', () => !isAlive(pid))

      const impostor = await startImpostor(who === 'a zombie', statSync(join(dataDir, 'postgres')))
      const file = join(dataDir, 'postgres', 'postmaster.pid')
      const [, ...rest] = readFileSync(file, 'utf8').split('\n')
      writeFileSync(file, [impostor, ...rest].join('\n'))
      const connection = await startProgram('server', dataDir).event('ready')
      expect(await query(connection, 'select value from kept')).toEqual([{ value: 1 }])
    },
  )
})

type Connection = { host: string; port: number; user: string; database: string }

/** Starts writers that count upwards, each in a separate series, and retry the same number when a write fails. */
async function startLoad(connection: Connection) {
  let pool = openPool({ connection, max: writers })
  const left: Pool[] = []
  await pool.query('create table written (writer int, number int)')
  const acknowledged = new Map<number, number>()
  const total = () => [...acknowledged.values()].reduce((sum, number) => sum + number, 0)
  let isOver = false
  const running = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  onTestFinished(stop)

  async function write(writer: number): Promise<void> {
    while (!isOver) {
      const number = (acknowledged.get(writer) ?? 0) + 1
      try {
        await pool.query('insert into written values ($1, $2)', [writer, number])
        acknowledged.set(writer, number)
      } catch {
        await sleep(5)
      }
    }
  }

  async function stop(): Promise<void> {
    isOver = true
    await running
    for (const used of [...left.splice(0), pool]) if (!used.ended) await used.end()
  }

  return {
    /** Waits until this many more writes have been acknowledged. */
    async proceed(writes: number): Promise<void> {
      const goal = total() + writes
      await eventually(`${writes} more writes`, () => total() >= goal)
    },
    turnTo(another: Connection): void {
      left.push(pool)
      pool = openPool({ connection: another, max: writers })
    },
    /**
     * Checks that every number up to the last acknowledged one exists; one more may exist, whose answer was cut off.
     */
    async expectNothingLost(): Promise<void> {
      isOver = true
      await running
      const { rows } = await pool.query<{ writer: number; last: number; numbers: number }>(
        'select writer, max(number)::int as last, count(distinct number)::int as numbers from written group by writer',
      )
      expect(rows).toHaveLength(writers)
      for (const row of rows) {
        expect(row.last).toBeGreaterThanOrEqual(acknowledged.get(row.writer)!)
        expect(row.numbers).toBe(row.last)
      }
    },
  }
}

/** Returns the id of a running process, or of a zombie, owned by the user who runs PostgreSQL. */
async function startImpostor(isZombie: boolean, { uid, gid }: { uid: number; gid: number }): Promise<number> {
  const script = isZombie ? 'sleep 0.1 & echo $!; exec sleep 60' : 'echo $$; exec sleep 60'
  const child: ChildProcess = spawn('/bin/sh', ['-c', script], {
    uid,
    gid,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const pid = await new Promise<number>((resolve) => {
    child.stdout!.once('data', (text) => resolve(Number(String(text))))
  })
  await eventually('the impostor is ready', () => stateOf(pid) === (isZombie ? 'Z' : 'S'))
  return pid
}
