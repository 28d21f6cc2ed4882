import { readFileSync } from 'node:fs'
import { countMonths } from '#features/prices/months/months.jobs.ts'
import { client, insertAccount, openSession } from '../tests/support/server.ts'
import { type BenchOptions, type Measure, percentile, timeEach } from './measure.ts'
import { fillPrices, shape } from './support/price-data.ts'
import { withPostgres } from './support/private-postgres.ts'
import { type Program, startApp } from './support/programs.ts'

export const title = `Statistics over a year of prices of ${shape.markets} markets and ${shape.products} products over HTTP, and ${200} readers who follow them`

const times = 40
const endpoints = [
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
    // As a server's jobs do.
    await countMonths(db, new Date().toISOString().slice(0, 10))
    const { rows } = await pool.query<{ productId: number; marketId: number }>(
      'select product_id as "productId", market_id as "marketId" from price order by id desc limit 1',
    )
    const app = await startApp({ connection, isOpen: true })
    try {
      const reader = client(
        app.url,
        await openSession(db, await insertAccount(db, { roles: ['collector'] })),
        null,
      )
      const tokens: string[] = []
      for (let user = 0; user < streams / perUser; user++) {
        tokens.push((await openSession(db, await insertAccount(db, { roles: ['manager'] }))) as string)
      }
      const newPrice = { ...rows[0], priceValue: 2500, currency: 'CDF', collectorName: 'Collecteur 1' }
      return [
        { what: 'prices', value: prices, unit: 'prices' },
        ...(await measureEndpoints(reader)),
        ...(await measureStreams(app, tokens, () => reader.post('/api/prices', newPrice))),
      ]
    } finally {
      app.stop()
    }
  })
}

type Reader = ReturnType<typeof client>

async function measureEndpoints(reader: Reader): Promise<Measure[]> {
  const p95 = async (path: string) => {
    const ask = async () => {
      const { status, text } = await reader.get(`/api/statistics/${path}`)
      if (status !== 200) throw new Error(`${path} answers ${status}: ${text}`)
    }
    await timeEach(3, ask)
    return percentile(await timeEach(times, ask), 0.95)
  }
  const measures: Measure[] = []
  for (const path of endpoints) {
    const query = path === 'subscriptions/growth' ? '' : '?period=1y'
    measures.push({ what: `${path}, p95`, value: await p95(path + query), unit: 'ms', atMost: 30 })
  }
  for (const [path, atMost] of [
    ['prices/trends?period=1y', 150],
    ['dashboard', 200],
    ['dashboard?period=1y', 200],
  ] as const) {
    measures.push({ what: `${path}, p95`, value: await p95(path), unit: 'ms', atMost })
  }
  return measures
}

/** How long after its answer a price that is written reaches each of the readers. */
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
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
  }
  await new Promise((resolve) => setTimeout(resolve, 2_000))
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

/** Follows prices from when the server says that it tells all. */
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
