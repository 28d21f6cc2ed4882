import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { countMonths } from '#features/figures/months/months.jobs.ts'
import { indexNames } from '#features/figures/stored-index/figures.rules.ts'
import { hasToFit } from '#features/figures/stored-index/fitting.sql.ts'
import { readStoredIndex } from '#features/figures/stored-index/indices.sql.ts'
import { dayMs } from '#shared/days.ts'
import { client, insertAccount, openSession } from '../tests/support/server.ts'
import { type BenchOptions, type Measure, percentile, timeEach } from './measure.ts'
import { fillPrices, shape } from './support/price-data.ts'
import { type PrivatePostgres, withPostgres } from './support/private-postgres.ts'
import { type Program, startApp } from './support/programs.ts'

export const title = `Statistics, summaries and maps of prices of ${shape.markets} markets and ${shape.products} products over HTTP, and ${200} readers who follow them`

const times = 40
const counts = [
  'overview',
  'markets/activity',
  'categories/distribution',
  'brands/ranking',
  'subscriptions/growth',
] as const
const streams = 200
const perUser = 8
const pricesPerSecond = 20
const seconds = 10

export async function measure({ prices }: BenchOptions): Promise<Measure[]> {
  return withPostgres(async ({ db, pool, connection }) => {
    await fillPrices(pool, prices)
    // As the server's jobs do.
    await countMonths(db, new Date().toISOString().slice(0, 10))
    const app = await startApp({ connection, isOpen: true, keepsIndices: true })
    try {
      await untilStored(db)
      const reader = client(
        app.url,
        await openSession(db, await insertAccount(db, { roles: ['collector'] })),
        null,
      )
      const tokens: string[] = []
      for (let user = 0; user < streams / perUser; user++) {
        tokens.push((await openSession(db, await insertAccount(db, { roles: ['manager'] }))) as string)
      }
      const subjects = await findSubjects(db)
      // A price in every measured selection: no response about it is cached.
      const { productId, marketId } = subjects
      const newPrice = {
        productId,
        marketId,
        priceValue: 2500,
        currency: 'CDF',
        collectorName: 'Collecteur 1',
      }
      const write = () => reader.post('/api/prices', newPrice)
      const stored = await timeEach(100, () => readStoredIndex(db, indexNames.nation))
      return [
        { what: 'prices', value: prices, unit: 'prices' },
        ...(await measureEndpoints(reader, write, subjects)),
        { what: 'reading a stored index, p95', value: percentile(stored, 0.95), unit: 'ms', atMost: 5 },
        ...(await measureStreams(app, tokens, write)),
      ]
    } finally {
      app.stop()
    }
  })
}

type Reader = ReturnType<typeof client>
/** Values of the filters of selections. */
type Subjects = { categoryId: number; productId: number; marketId: number; location: string }

async function findSubjects(db: PrivatePostgres['db']): Promise<Subjects> {
  const { rows } = await sql<Subjects>`
    select category_id as "categoryId", product.id as "productId", market.id as "marketId", location
      from market, product join product_type type on type.id = type_id order by market.id, product.id limit 1`.execute(
    db,
  )
  if (!rows[0]) throw new Error('prices come with a catalogue')
  return rows[0]
}

/**
 * Waits until the indices of all prices and the windows of past weeks are stored, which takes minutes, a quarter of the
 * total time.
 */
async function untilStored(db: PrivatePostgres['db']): Promise<void> {
  while (!(await readStoredIndex(db, indexNames.nation))) await setTimeout(500)
  while (await hasToFit(db)) await setTimeout(2_000)
}

async function measureEndpoints(
  reader: Reader,
  write: () => Promise<unknown>,
  { categoryId, productId, marketId, location }: Subjects,
): Promise<Measure[]> {
  const ask = async (path: string) => {
    const { status, text } = await reader.get(path)
    if (status !== 200) throw new Error(`${path} answers ${status}: ${text}`)
  }
  const p95 = async (path: string) => {
    await timeEach(3, () => ask(path))
    return percentile(await timeEach(times, () => ask(path)), 0.95)
  }
  /** Returns the p95 of reads that each follow a write, so that none is served from the cache. */
  const p95AfterWrites = async (path: string) => {
    const taken: number[] = []
    for (let turn = 0; turn < times; turn++) {
      await write()
      taken.push(...(await timeEach(1, () => ask(path))))
    }
    return percentile(
      taken.sort((a, b) => a - b),
      0.95,
    )
  }
  const day = (ago: number) => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10)
  const days90 = `startDate=${day(89)}&endDate=${day(0)}`
  const year = `startDate=${day(364)}&endDate=${day(0)}`
  const selections: [what: string, query: string][] = [
    ['all', ''],
    ['a place', `location=${encodeURIComponent(location)}`],
    ['a category', `categoryId=${categoryId}`],
    ['a product', `productId=${productId}`],
    ['a market', `marketId=${marketId}`],
  ]
  const measures: Measure[] = []
  const add = async (what: string, path: string, atMost: number) => {
    measures.push({ what: `${what}, p95`, value: await p95(path), unit: 'ms', atMost })
  }
  const addBoth = async (what: string, path: string, atMost: number) => {
    await add(what, path, atMost)
    const value = await p95AfterWrites(path)
    measures.push({ what: '– right after a price was written, p95', value, unit: 'ms', atMost })
  }
  for (const path of counts) {
    const query = path === 'subscriptions/growth' ? '' : '?period=1y'
    await add(path, `/api/statistics/${path}${query}`, 30)
  }
  await addBoth('prices/trends of a year', '/api/statistics/prices/trends?period=1y', 150)
  await addBoth('dashboard', '/api/statistics/dashboard', 200)
  await addBoth('dashboard of a year', '/api/statistics/dashboard?period=1y', 200)
  await addBoth('map', '/api/statistics/map', 150)
  await addBoth('map of a year', '/api/statistics/map?period=1y', 150)
  await add('map of a product', `/api/statistics/map?productId=${productId}`, 150)
  const inflation = '/api/statistics/inflation'
  await addBoth('inflation', inflation, 150)
  await add('inflation of a place', `${inflation}?location=${encodeURIComponent(location)}`, 150)
  await add('alerts', '/api/statistics/alerts', 30)
  await add(
    'comparison over a year',
    `/api/statistics/comparison?series=${productId}-${marketId}&${year}`,
    30,
  )
  for (const [what, query] of selections) {
    const summary = '/api/prices/analytics/summary?'
    await addBoth(`summary of ${what}, all time`, summary + query, 150)
    await add(`summary of ${what}, a year`, `${summary}${query}&${year}`, 150)
    await addBoth(`summary of ${what}, 90 days`, `${summary}${query}&${days90}`, 150)
  }
  return measures
}

/** Measures the time from the response to a write until the price reaches each reader. */
async function measureStreams(
  app: Program,
  tokens: string[],
  write: () => Promise<{ body: unknown }>,
): Promise<Measure[]> {
  const leaving = new AbortController()
  const arrived = new Map<number, number[]>()
  await Promise.all(
    tokens.flatMap((token) =>
      Array.from({ length: perUser }, () => follow(app.url, token, leaving.signal, arrived)),
    ),
  )
  const before = residentMegabytes(app.pid)
  const written: { id: number; at: number }[] = []
  for (let n = 0; n < seconds * pricesPerSecond; n++) {
    const due = performance.now() + 1000 / pricesPerSecond
    const { body } = await write()
    written.push({ id: Object(body).id, at: performance.now() })
    await setTimeout(Math.max(0, due - performance.now()))
  }
  await setTimeout(2_000)
  const after = residentMegabytes(app.pid)
  leaving.abort()
  const delays = written.flatMap(({ id, at }) =>
    (arrived.get(id) ?? []).map((each) => Math.max(0, each - at)),
  )
  delays.sort((a, b) => a - b)
  return [
    { what: 'readers', value: streams, unit: 'streams' },
    {
      what: 'prices that reached all of them',
      value: (100 * delays.length) / (written.length * streams),
      unit: '%',
      atLeast: 100,
    },
    { what: 'price to reader, p99', value: percentile(delays, 0.99), unit: 'ms', atMost: 500 },
    { what: 'price to reader, longest', value: percentile(delays, 1), unit: 'ms', atMost: 500 },
    { what: 'memory of the server after, beyond before', value: after - before, unit: 'MB', atMost: 50 },
  ]
}

/** Follows prices; resolves once the server confirms that the stream is complete. */
async function follow(
  url: string,
  token: string,
  signal: AbortSignal,
  arrived: Map<number, number[]>,
): Promise<void> {
  const response = await fetch(`${url}/api/prices/live`, {
    headers: { authorization: `Bearer ${token}` },
    signal,
  })
  if (!response.ok || !response.body) throw new Error(`a stream was answered ${response.status}`)
  const ready = Promise.withResolvers<void>()
  void read(response.body, ready.resolve, arrived).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  await ready.promise
}

async function read(
  body: ReadableStream,
  onReady: () => void,
  arrived: Map<number, number[]>,
): Promise<void> {
  let kept = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const at = performance.now()
    const events = (kept + chunk).split('\n\n')
    kept = events.pop() ?? ''
    for (const event of events) {
      if (event.includes('event: ready')) onReady()
      const data = /^data: ?(.*)$/m.exec(event)?.[1]
      if (!event.includes('event: change') || !data) continue
      for (const { id } of Object(JSON.parse(data)).prices ?? []) {
        arrived.set(id, [...(arrived.get(id) ?? []), at])
      }
    }
  }
}

function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
}
