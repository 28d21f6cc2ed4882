// Writes prices over HTTP at full speed while the server and its PostgreSQL are killed, then compares what is stored.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { startEmbedded } from '#server/db/embedded/embedded.ts'
import { type Db, openDatabase } from '#server/db/pool.ts'
import { compareWithDesk, type DeskReport, openDesk, prepareDesk } from './desk.ts'
import { kill, postmasterPid } from './embedded.ts'
import { programEnv } from './program-env.ts'

export const victims = ['PostgreSQL', 'one backend', 'the server', 'everything'] as const
export type Victim = (typeof victims)[number]

export type KillReport = DeskReport & {
  /** Time from each kill to the next price acknowledged, in ms. */
  backAfterMs: { victim: Victim; ms: number }[]
}

const root = resolve(import.meta.dirname, '../..')
const realServer = join(root, 'src/main/server.ts')
const wideLimits = join(root, 'tests/support/wide-limits.ts')
const quiet = { info() {}, warn() {}, error() {} }

/**
 * @param dataDir an empty directory for this trial
 * @param program the program that serves it; the real server by default
 * @throws Error when a rollup differs from the sum of its prices, or the service does not come back
 */
export async function killTrial(options: {
  dataDir: string
  kills: readonly Victim[]
  writers: number
  seed: number
  program?: string
  relaxedSettings?: Record<string, string>
}): Promise<KillReport> {
  const { dataDir, kills, writers, seed, program = realServer } = options
  const port = await freePort()
  let server = await startServer(dataDir, port, { program })
  const withDb = <T>(work: (db: Db) => Promise<T>) => onDatabase(dataDir, work, options.relaxedSettings)
  try {
    const { token, price } = await withDb(prepareDesk)
    const desk = openDesk({ urls: [`http://127.0.0.1:${port}`], token, price })
    const writing = Array.from({ length: writers }, (_, index) => desk.write(index))
    const pauses = fc.sample(fc.integer({ min: 100, max: 1_000 }), { seed, numRuns: kills.length })
    const backAfterMs: KillReport['backAfterMs'] = []
    await desk.nextAcknowledged(performance.now())
    for (const [index, victim] of kills.entries()) {
      await sleep(pauses[index])
      const killedAt = performance.now()
      if (victim !== 'the server') killPostgres(dataDir, victim, index)
      if (victim === 'the server' || victim === 'everything') {
        server.kill('SIGKILL')
        await once(server, 'exit')
        server = await startServer(dataDir, port, { program })
      }
      backAfterMs.push({ victim, ms: (await desk.nextAcknowledged(killedAt)) - killedAt })
    }
    desk.close()
    await Promise.all(writing)
    return { ...(await withDb((db) => compareWithDesk(db, desk.acknowledged))), backAfterMs }
  } finally {
    server.kill('SIGKILL')
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}

/**
 * Starts the server as `npm start` does; resolves once it listens.
 *
 * @param isPatient whether its time limits are widened, in tests that a refusal of a busy server would end
 */
export async function startServer(
  dataDir: string,
  port: number,
  {
    program = realServer,
    settings = {},
    isPatient = false,
  }: { program?: string; settings?: Record<string, string>; isPatient?: boolean } = {},
): Promise<ChildProcess> {
  const env = {
    DATA_DIR: dataDir,
    PORT: String(port),
    DEMONSTRATION_PRICES: '0',
    LOG_LEVEL: 'silent',
    ...(isPatient && { NODE_OPTIONS: `${programEnv.NODE_OPTIONS} --import=${wideLimits}` }),
    ...settings,
  }
  const child = spawn(process.execPath, [program], {
    cwd: root,
    env: { ...programEnv, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const chunk of child.stdout ?? []) if (String(chunk).includes('Ntalo écoute')) return child
  throw new Error(`${program} ended with ${child.exitCode}`)
}

/** Works as a command does: on the running server's database, or on one that it starts. */
export async function onDatabase<T>(
  dataDir: string,
  work: (db: Db) => Promise<T>,
  relaxedSettings?: Record<string, string>,
): Promise<T> {
  const relaxed = relaxedSettings && { relaxedSettings }
  const embedded = await startEmbedded({ dataDir, role: 'tool', log: quiet, ...relaxed })
  const database = await openDatabase({ connection: embedded.connection, statementTimeoutMs: 60_000 })
  try {
    return await work(database.db)
  } finally {
    await database.close()
    await embedded.stop()
  }
}

/** Kills all processes of a directory's PostgreSQL, or one of them, chosen by `index`. */
export function killPostgres(dataDir: string, victim: Victim, index: number): void {
  const postmaster = postmasterPid(dataDir)
  if (postmaster === null) throw new Error('PostgreSQL does not run')
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
    .split(' ')
    // Process 0, which an empty list would give, means the whole process group of the tests.
    .flatMap((pid) => (/^\d+$/.test(pid) ? [Number(pid)] : []))
  const chosen = children[index % children.length]
  const pids = victim === 'one backend' && chosen ? [chosen] : [postmaster, ...children]
  for (const pid of pids) kill(pid)
}
