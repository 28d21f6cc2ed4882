import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '#server/db/pool.ts'
import { dayMs } from '#shared/days.ts'
import { freePort, onDatabase } from '../tests/support/kill-trial.ts'
import { type Client, client, insertAccount, openSession } from '../tests/support/server.ts'
import type { BenchOptions, Measure } from './measure.ts'
import { everyAttack, goOn, settle } from './support/every-attack.ts'

export const title =
  'What the server holds in memory while it reads, writes, imports, exports and is attacked'

const root = join(import.meta.dirname, '..')
const prices = 100_000
const importedRows = 5_000
const attackSeconds = 20
// A session lasts a quarter of an hour.
const renewEveryMs = 10 * 60_000
const sampleEveryMs = 2_000
const periods = 6

type World = { productId: number; marketId: number; collector: Client; manager: Client; attacker: Client }

/** @param options.minutes duration of the load */
export async function measure({ minutes }: BenchOptions): Promise<Measure[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ntalo-bench-'))
  const url = `http://127.0.0.1:${await freePort()}`
  const server = await startServer(dataDir, url)
  try {
    const ended = AbortSignal.timeout(minutes * 60_000)
    const samples: number[] = []
    const counts = { answers: 0, imports: 0, exports: 0, attacks: 0 }
    while (!ended.aborted) {
      const world = await onDatabase(dataDir, (db) => enter(db, url))
      // The timer holds the controller: a signal that only another signal follows may be garbage-collected early, and
      // sessions would then expire.
      const renewal = new AbortController()
      const timer = setTimeout(() => renewal.abort(), renewEveryMs)
      const signal = AbortSignal.any([ended, renewal.signal])
      await Promise.all([
        ...[0, 1, 2, 3].map((index) => read(world, index, signal, counts)),
        ...[0, 1].map((index) => write(world, index, signal, counts)),
        importAndUndo(world, signal, counts),
        exportAll(world, signal, counts),
        attack(world, url, signal, counts),
        sample(server.pid, signal, samples),
      ])
      clearTimeout(timer)
    }
    return [
      ...figures(samples),
      ...Object.entries(counts).map(([what, value]) => ({ what, value, unit: what })),
    ]
  } finally {
    server.child.kill('SIGTERM')
    await once(server.child, 'exit')
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
  }
}

/**
 * Returns the peak of each sixth of the duration, and how much the median of the last third exceeds that of the middle
 * third.
 */
function figures(samples: readonly number[]): Measure[] {
  const each = Math.ceil(samples.length / periods)
  const peaks = Array.from({ length: periods }, (_, period) =>
    Math.max(...samples.slice(period * each, (period + 1) * each)),
  )
  const median = (part: readonly number[]) => part.toSorted((a, b) => a - b)[Math.floor(part.length / 2)] ?? 0
  const middle = median(samples.slice(2 * each, 4 * each))
  return [
    { what: 'most memory of the server, VmRSS', value: Math.max(...samples), unit: 'MB', atMost: 350 },
    ...peaks.map((value, index) => ({ what: `most of part ${index + 1} of ${periods}`, value, unit: 'MB' })),
    { what: 'median of the middle third', value: middle, unit: 'MB' },
    {
      what: 'median of the last third, beyond that',
      value: median(samples.slice(4 * each)) - middle,
      unit: 'MB',
      atMost: 10,
    },
  ]
}

async function startServer(dataDir: string, url: string): Promise<{ child: ChildProcess; pid: number }> {
  const settings = {
    DATA_DIR: dataDir,
    PORT: new URL(url).port,
    DEMONSTRATION_PRICES: String(prices),
    LOG_LEVEL: 'silent',
  }
  // Started like `npm start`, with its memory settings.
  const child = spawn(process.execPath, [join(root, 'scripts/start.mjs')], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const chunk of child.stdout ?? []) if (String(chunk).includes('Ntalo écoute')) break
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
  return { child, pid: Number(children.trim().split(' ')[0]) }
}

async function enter(db: Db, url: string): Promise<World> {
  const as = async (role: string) => {
    const userId = await insertAccount(db, { roles: [role], email: `${role}-${Date.now()}@exemple.cd` })
    return client(url, await openSession(db, userId), userId)
  }
  const product = await db.selectFrom('product').select('id').orderBy('id').executeTakeFirstOrThrow()
  const market = await db.selectFrom('market').select('id').orderBy('id').executeTakeFirstOrThrow()
  return {
    productId: product.id,
    marketId: market.id,
    collector: await as('collector'),
    manager: await as('admin'),
    attacker: await as('collector'),
  }
}

type Counts = { answers: number; imports: number; exports: number; attacks: number }

function read(world: World, reader: number, signal: AbortSignal, counts: Counts): Promise<void> {
  const paths = [
    '/api/prices?limit=50',
    `/api/prices?productId=${world.productId}&limit=100`,
    '/api/prices/analytics/summary',
    `/api/prices/analytics/summary?marketId=${world.marketId}`,
    '/api/products?limit=50',
    `/api/products/${world.productId}`,
    '/api/products?search=riz',
    '/api/markets?limit=20',
    '/api/categories',
    '/',
  ]
  return goOn(signal, 60, async (turn) => {
    await world.collector.get(paths[(turn + reader) % paths.length] ?? '/')
    counts.answers += 1
  })
}

function write(world: World, writer: number, signal: AbortSignal, counts: Counts): Promise<void> {
  const { productId, marketId, collector } = world
  return goOn(signal, 120, async (turn) => {
    const day = new Date(Date.now() - ((turn * 7 + writer) % 500) * dayMs).toISOString().slice(0, 10)
    const body = { productId, marketId, priceValue: 1000 + turn, collectorName: 'Amina', collectedAt: day }
    const { body: created } = await collector.post('/api/prices', body)
    const id = Object(created).id
    await collector.put(`/api/prices/${id}`, { priceValue: 1001 + turn })
    if (turn % 3 > 0) await collector.delete(`/api/prices/${id}`)
    counts.answers += 3
  })
}

function importAndUndo({ manager }: World, signal: AbortSignal, counts: Counts): Promise<void> {
  return goOn(signal, 15_000, async (turn) => {
    const lines = Array.from({ length: importedRows }, (_, index) => {
      const date = new Date(Date.UTC(2019, 0, 1 + (index % 900))).toISOString().slice(0, 10)
      const market = `Marché ${Math.floor(index / 900)}`
      return `${date},Kinshasa,Kinshasa,${market},-4.3,15.3,cereals and tubers,Riz d’essai,KG,actual,Retail,CDF,${1000 + turn + index},1`
    })
    const titles =
      'date,admin1,admin2,market,latitude,longitude,category,commodity,unit,priceflag,pricetype,currency,price,usdprice'
    const form = new FormData()
    form.set('file', new File([[titles, ...lines].join('\n')], 'prix.csv'))
    const { body } = await manager.post('/api/imports?kind=prices', form)
    const id: number = Object(body).id
    if ((await settle(manager, id, signal)) === 'checked') await manager.post(`/api/imports/${id}/confirm`)
    if ((await settle(manager, id, signal)) === 'done') await manager.post(`/api/imports/${id}/undo`)
    if ((await settle(manager, id, signal)) === 'undone') counts.imports += 1
  })
}

function exportAll({ manager }: World, signal: AbortSignal, counts: Counts): Promise<void> {
  const paths = [
    '/api/prices/export?fileFormat=csv',
    '/api/prices/export?fileFormat=xlsx',
    '/api/products/export?fileFormat=xlsx',
  ]
  return goOn(signal, 10_000, async (turn) => {
    const { status } = await manager.get(paths[turn % paths.length] ?? '')
    if (status === 200) counts.exports += 1
  })
}

/** Runs one attack after the other. */
async function attack(world: World, url: string, signal: AbortSignal, counts: Counts): Promise<void> {
  const { attacker: clerk, manager: importer, productId } = world
  const attacks = Object.values(await everyAttack(url, productId, { clerk, importer }))
  await goOn(signal, 1_000, async (turn) => {
    const end = new AbortController()
    const timer = setTimeout(() => end.abort(), attackSeconds * 1000)
    await attacks[turn % attacks.length]?.(AbortSignal.any([signal, end.signal]))
    clearTimeout(timer)
    counts.attacks += 1
  })
}

async function sample(pid: number, signal: AbortSignal, samples: number[]): Promise<void> {
  await goOn(signal, sampleEveryMs, async () => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    samples.push(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1000)
  })
}
