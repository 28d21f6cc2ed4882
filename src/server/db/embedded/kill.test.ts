// Processes are really killed, at other instants of a write load each time: what was acknowledged has to be there afterwards.

import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  eventually,
  guardPids,
  isAlive,
  kill,
  postmasterPid,
  privateDirectory,
  query,
  startProgram,
  stateOf,
} from '../../../../tests/support/embedded.ts'
import { openPool } from '../pool.ts'

// Each starts several programs, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 })

const writers = 8

/** How many writes a kill waits for: another number each time, and the same ones in every run. */
const writesBefore = (round: number) => (round * 73) % 200

describe.skipIf(process.platform !== 'linux')('killed processes', () => {
  test('a PostgreSQL killed under load comes back by itself in 5 s, with every acknowledged write', async () => {
    const dataDir = privateDirectory()
    const server = startProgram('server', dataDir)
    const connection = await server.event('ready')
    const load = await startLoad(connection)

    for (let round = 0; round < 6; round += 1) {
      await load.proceed(writesBefore(round))
      const pid = await eventually('PostgreSQL runs', () => postmasterPid(dataDir))
      kill(pid)
      const killedAt = Date.now()
      await eventually('another PostgreSQL runs', () => ![null, pid].includes(postmasterPid(dataDir)))
      await load.proceed(1)
      expect(Date.now() - killedAt).toBeLessThan(5_000)
    }
    await load.stop()
    await expectNothingLost(connection, load.acknowledged)
  })

  test('a killed server’s PostgreSQL stops, and the next server finds every acknowledged write', async () => {
    const dataDir = privateDirectory()
    let server = startProgram('server', dataDir)
    const connection = await server.event('ready')
    const load = await startLoad(connection)

    for (let round = 0; round < 4; round += 1) {
      await load.proceed(writesBefore(round))
      server.signal('SIGKILL')
      // The next one starts while PostgreSQL is still stopping.
      server = startProgram('server', dataDir)
      await server.event('ready')
    }
    await load.stop()
    await expectNothingLost(connection, load.acknowledged)
  })

  test('server, guard and PostgreSQL killed together leave a database that starts with every acknowledged write', async () => {
    const dataDir = privateDirectory()
    let server = startProgram('server', dataDir)
    const connection = await server.event('ready')
    const load = await startLoad(connection)

    for (let round = 0; round < 4; round += 1) {
      await load.proceed(writesBefore(round))
      const pid = postmasterPid(dataDir)!
      const guards = guardPids(pid)
      server.signal('SIGKILL')
      for (const victim of [...guards, pid]) kill(victim)
      server = startProgram('server', dataDir)
      await server.event('ready')
    }
    await load.stop()
    await expectNothingLost(connection, load.acknowledged)
  })

  test('a PostgreSQL orphaned by the death of its guard is stopped and replaced', async () => {
    const dataDir = privateDirectory()
    const killed = startProgram('server', dataDir)
    await query(await killed.event('ready'), 'create table kept as select 1 as value')
    const orphan = postmasterPid(dataDir)!
    const guards = guardPids(orphan)
    expect(guards).toHaveLength(2)
    for (const victim of guards) kill(victim)
    killed.signal('SIGKILL')
    await killed.ended
    expect(isAlive(orphan)).toBe(true)

    const connection = await startProgram('server', dataDir).event('ready')
    expect(isAlive(orphan)).toBe(false)
    expect(await query(connection, 'select value from kept')).toEqual([{ value: 1 }])
  })

  test.each(['server', 'tool'] as const)(
    'a %s can be stopped just after PostgreSQL was killed',
    async (role) => {
      const dataDir = privateDirectory()
      const program = startProgram(role, dataDir)
      await program.event('ready')
      kill(postmasterPid(dataDir)!)
      program.signal('SIGTERM')
      expect(await program.ended).toBe(0)
      expect(postmasterPid(dataDir)).toBeNull()
    },
  )

  test('one killed backend is PostgreSQL’s own affair: the server goes on', async () => {
    const dataDir = privateDirectory()
    const server = startProgram('server', dataDir)
    const connection = await server.event('ready')
    const postmaster = postmasterPid(dataDir)
    const [row] = await query(
      connection,
      `select pid from pg_stat_activity where application_name like 'ntalo server%'`,
    )
    kill((row as { pid: number }).pid)
    await server.event('info')
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(postmasterPid(dataDir)).toBe(postmaster)
    // It is still the one that holds the data directory.
    expect(await startProgram('server', dataDir).event('refused')).toContain(`processus ${server.pid}`)
  })

  test('a PostgreSQL that cannot start again is tried again with growing pauses until it can', async () => {
    const dataDir = privateDirectory()
    const server = startProgram('server', dataDir)
    const connection = await server.event('ready')
    const cluster = join(dataDir, 'postgres')
    renameSync(cluster, `${cluster}.away`)
    kill(Number(readFileSync(join(`${cluster}.away`, 'postmaster.pid'), 'utf8').split('\n')[0]))
    await eventually('three attempts', () => server.events.filter(({ error }) => error).length >= 3)
    renameSync(`${cluster}.away`, cluster)
    await server.event('info')
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
    const attempts = server.events.filter(({ error }) => error).length
    expect(attempts).toBeLessThan(10)
  })

  test.each(['a zombie', 'another program'])(
    'a lock file whose number now belongs to %s does not stop a start',
    async (who) => {
      const dataDir = privateDirectory()
      const killed = startProgram('server', dataDir)
      const { host } = await killed.event('ready')
      await query(
        { host, port: 5432, user: 'ntalo', database: 'ntalo' },
        'create table kept as select 1 as value',
      )
      const pid = postmasterPid(dataDir)!
      const guards = guardPids(pid)
      killed.signal('SIGKILL')
      for (const victim of [...guards, pid]) kill(victim)
      await eventually('everything is dead', () => !isAlive(pid))

      const impostor = await startImpostor(who === 'a zombie', statSync(join(dataDir, 'postgres')))
      for (const file of [join(dataDir, 'postgres', 'postmaster.pid'), join(host, '.s.PGSQL.5432.lock')]) {
        const [, ...rest] = readFileSync(file, 'utf8').split('\n')
        writeFileSync(file, [impostor, ...rest].join('\n'))
      }
      const connection = await startProgram('server', dataDir).event('ready')
      expect(await query(connection, 'select value from kept')).toEqual([{ value: 1 }])
    },
  )
})

type Load = {
  acknowledged: Map<number, number>
  /** Waits until as many more writes have been acknowledged as asked, by whatever server answers. */
  proceed(writes: number): Promise<void>
  stop(): Promise<void>
}

/** Writers that count upwards, each in a series of its own, and try the same number again when a write fails. */
async function startLoad(connection: {
  host: string
  port: number
  user: string
  database: string
}): Promise<Load> {
  const pool = openPool({ connection, max: writers })
  await pool.query('create table written (writer int, number int)')
  await pool.query('checkpoint')
  const acknowledged = new Map<number, number>()
  let isOver = false
  const running = Promise.all(Array.from({ length: writers }, (_, writer) => write(pool, writer)))
  onTestFinished(stop)

  async function write(from: Pool, writer: number): Promise<void> {
    while (!isOver) {
      const number = (acknowledged.get(writer) ?? 0) + 1
      try {
        await from.query('insert into written values ($1, $2)', [writer, number])
        acknowledged.set(writer, number)
      } catch {
        await sleep(5)
      }
    }
  }

  async function stop(): Promise<void> {
    if (isOver) return
    isOver = true
    await running
    await pool.end()
  }

  const total = () => [...acknowledged.values()].reduce((sum, number) => sum + number, 0)
  return {
    acknowledged,
    stop,
    async proceed(writes) {
      const goal = total() + writes
      await eventually(`${writes} more writes`, () => total() >= goal)
    },
  }
}

/** Every number up to the last acknowledged one is there. One more may be: written, but its answer was cut off. */
async function expectNothingLost(connection: Parameters<typeof query>[0], acknowledged: Map<number, number>) {
  const rows = await query(
    connection,
    'select writer, max(number)::int as last, count(distinct number)::int as numbers from written group by writer',
  )
  expect(rows).toHaveLength(writers)
  for (const row of rows as { writer: number; last: number; numbers: number }[]) {
    expect(row.last).toBeGreaterThanOrEqual(acknowledged.get(row.writer)!)
    expect(row.numbers).toBe(row.last)
  }
}

/** The number of a living process, or of a dead one that nobody has reaped, of the user who runs PostgreSQL. */
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
