// Writes prices over HTTP as fast as it goes while the server and its PostgreSQL are killed, then counts what is left.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { sql } from 'kysely'
import { startEmbedded } from '#server/db/embedded/embedded.ts'
import { type Db, openDatabase } from '#server/db/pool.ts'
import { insertMarket, insertProduct } from './catalogue.ts'
import { kill, postmasterPid } from './embedded.ts'
import { expectExactRollups } from './exact-rollups.ts'
import { programEnv } from './program-env.ts'
import { insertAccount, openSession } from './server.ts'

export const victims = ['PostgreSQL', 'one backend', 'the server', 'everything'] as const
export type Victim = (typeof victims)[number]

export type KillReport = {
  acknowledged: number
  /** Acknowledged, but not there, or not as acknowledged. */
  lost: number
  /** Written twice. */
  doubled: number
  /** Prices without their audit entry, or the other way round. */
  halves: number
  /** Time from each kill to the next price acknowledged, in ms. */
  backAfterMs: { victim: Victim; ms: number }[]
}

const root = resolve(import.meta.dirname, '../..')
const realServer = join(root, 'src/main/server.ts')
const quiet = { info() {}, warn() {}, error() {} }
const longestAbsenceMs = 60_000

/**
 * @param dataDir an empty directory of the trial's own
 * @param program what serves it: the real server by default
 * @throws when a rollup is not exactly the sum of its prices, or the service does not come back
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
    const { token, price } = await withDb(prepare)
    const desk = openDesk(`http://127.0.0.1:${port}`, token, price)
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
    return { ...(await withDb((db) => compare(db, desk.acknowledged))), backAfterMs }
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

/** Starts the server as `npm start` does; resolves once it listens. */
export async function startServer(
  dataDir: string,
  port: number,
  { program = realServer, settings = {} }: { program?: string; settings?: Record<string, string> } = {},
): Promise<ChildProcess> {
  const env = {
    DATA_DIR: dataDir,
    PORT: String(port),
    DEMONSTRATION_PRICES: '0',
    LOG_LEVEL: 'silent',
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

/** Works as a command does: beside the server, or with the database of its own. */
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

async function prepare(db: Db) {
  const userId = await insertAccount(db, { roles: ['collector'] })
  const token = await openSession(db, userId)
  const price = { productId: await insertProduct(db), marketId: await insertMarket(db) }
  return { token, price }
}

/** Writers that never stop, and the answers they got. */
function openDesk(url: string, token: string, price: { productId: number; marketId: number }) {
  const acknowledged = new Map<string, { id: number; priceValue: number }>()
  let isOpen = true
  let lastAt = 0
  return {
    acknowledged,
    async write(writer: number): Promise<void> {
      for (let index = 1; isOpen; index++) {
        const source = `${writer}-${index}`
        const priceValue = (writer * 1_000_000 + index) / 100
        const body = { ...price, priceValue, source, collectorName: 'Amina', collectedAt: '2026-01-15' }
        const startedAt = performance.now()
        const id = await post(body)
        if (id === null) {
          await sleep(20)
        } else {
          acknowledged.set(source, { id, priceValue })
          lastAt = Math.max(lastAt, startedAt)
        }
      }
    },
    close() {
      isOpen = false
    },
    /** The moment (`performance.now`) when a price sent after `since` is acknowledged. */
    async nextAcknowledged(since: number): Promise<number> {
      while (lastAt <= since) {
        if (performance.now() - since > longestAbsenceMs) throw new Error('the service does not come back')
        await sleep(5)
      }
      return performance.now()
    },
  }

  /** @returns the id, or null when nobody knows whether it was written */
  async function post(body: object): Promise<number | null> {
    try {
      const answer = await fetch(`${url}/api/prices`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const text = await answer.text()
      if (answer.status === 201) return Number(JSON.parse(text).id)
      if (answer.status !== 503) throw new Unexpected(`${answer.status} ${text}`)
    } catch (error) {
      if (error instanceof Unexpected) throw error
      // The connection broke, or nobody listens.
    }
    return null
  }
}

class Unexpected extends Error {}

/** Kills all of the PostgreSQL of a directory, or one of its processes, chosen by its number among them. */
export function killPostgres(dataDir: string, victim: Victim, index: number): void {
  const postmaster = postmasterPid(dataDir)
  if (postmaster === null) throw new Error('PostgreSQL does not run')
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
    .split(' ')
    // Number 0, which an empty list would give, is not a process but all of our own.
    .flatMap((pid) => (/^\d+$/.test(pid) ? [Number(pid)] : []))
  const chosen = children[index % children.length]
  const pids = victim === 'one backend' && chosen ? [chosen] : [postmaster, ...children]
  for (const pid of pids) kill(pid)
}

async function compare(
  db: Db,
  acknowledged: ReadonlyMap<string, { id: number; priceValue: number }>,
): Promise<Omit<KillReport, 'backAfterMs'>> {
  const rows = await db.selectFrom('price').select(['id', 'source', 'price_value']).execute()
  const bySource = new Map(rows.map((row) => [row.source, row]))
  const lost = [...acknowledged].filter(([source, { id, priceValue }]) => {
    const row = bySource.get(source)
    return row?.id !== id || Number(row.price_value) !== priceValue
  })
  const halves = await sql<{ n: number }>`
    select count(*) as n from price
      full join (select entity_id as id from audit_entry where entity = 'prices' and action = 'create') entry using (id)
     where price.product_id is null or not exists (
       select from audit_entry where entity = 'prices' and action = 'create' and entity_id = id)`.execute(db)
  await expectExactRollups(db)
  return {
    acknowledged: acknowledged.size,
    lost: lost.length,
    doubled: rows.length - bySource.size,
    halves: halves.rows[0]?.n ?? 0,
  }
}
