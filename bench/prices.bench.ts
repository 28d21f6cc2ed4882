import { setTimeout } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import { partsOf } from '#features/figures/parts/parts.rules.ts'
import { indexNames } from '#features/figures/stored-index/figures.rules.ts'
import { readStoredIndex } from '#features/figures/stored-index/indices.sql.ts'
import { readFigures } from '#features/figures/summary/summary.sql.ts'
import { listPrices } from '#features/prices/listing/listing.sql.ts'
import { prices as contract } from '#features/prices/prices.contract.ts'
import type { Tables } from '#server/db/tables.ts'
import { dayMs } from '#shared/days.ts'
import { goodput, load } from '../tests/support/load.ts'
import { client, insertAccount, openSession } from '../tests/support/server.ts'
import { type BenchOptions, type Measure, percentile, timeEach } from './measure.ts'
import type { Statement } from './support/bare-program.ts'
import { fillPrices, shape } from './support/price-data.ts'
import { type PrivatePostgres, withPostgres } from './support/private-postgres.ts'
import { startApp, startBare } from './support/programs.ts'

export const title = `Reading and writing among prices of ${shape.markets} markets, ${shape.products} products and ${shape.days / 365} years, beside a bare Fastify route on the same driver`

const seconds = 6
const smallSize = 1_000_000
const times = 60

export async function measure({ prices }: BenchOptions): Promise<Measure[]> {
  // Times with a million prices, for comparison with ten million.
  const small = prices > smallSize ? await withPrices(smallSize, summaryTimes) : null
  return withPrices(prices, async (world) => {
    const large = await summaryTimes(world)
    return [
      { what: 'prices', value: prices, unit: 'prices' },
      ...(await measureList(world)),
      ...(await measureWrite(world)),
      ...(await measurePace(world)),
      ...presentSummary(large, small),
    ]
  })
}

type World = PrivatePostgres & { url: string; token: string; bareUrl: string; newPrice: object }

async function withPrices<T>(count: number, work: (world: World) => Promise<T>): Promise<T> {
  return withPostgres(async (postgres) => {
    const { db, pool, connection } = postgres
    await fillPrices(pool, count)
    const userId = await insertAccount(db, { roles: ['collector'] })
    const token = await openSession(db, userId)
    const { rows } = await pool.query<{ productId: number; marketId: number }>(
      'select product_id as "productId", market_id as "marketId" from price order by id desc limit 1',
    )
    const newPrice = { ...rows[0], priceValue: 2500, currency: 'CDF', collectorName: 'Collecteur 1' }
    await pool.query(
      'create table bare_price (like price including defaults including identity including generated)',
    )
    await pool.query('alter table bare_price add primary key (id)')
    const app = await startApp({
      connection,
      isOpen: true,
      keepsIndices: true,
    })
    const bare = await startBare({
      connection,
      reads: await statementsOfList(postgres),
      write: bareInsert(newPrice),
    })
    try {
      await untilStored(db)
      return await work({ ...postgres, url: app.url, token, bareUrl: bare.url, newPrice })
    } finally {
      app.stop()
      bare.stop()
    }
  })
}

/** Waits until the indices of all prices are stored. */
async function untilStored(db: World['db']): Promise<void> {
  while (!(await readStoredIndex(db, indexNames.nation))) await setTimeout(500)
}

async function measureList({ url, token, bareUrl }: World): Promise<Measure[]> {
  const asked = { token, rate: null, connections: 32, seconds }
  const rates = await alternately(
    async () => goodput(await load({ ...asked, url: `${url}/api/prices?limit=10` }), seconds),
    async () => goodput(await load({ ...asked, url: `${bareUrl}/read` }), seconds),
  )
  return [
    { what: 'list of 10 with its total, 32 clients', value: rates.ours, unit: 'answers/s' },
    { what: 'bare route with the same two statements', value: rates.bare, unit: 'answers/s' },
    { what: 'list, share of the bare route', value: rates.ours / rates.bare, unit: '×', atLeast: 0.5 },
  ]
}

async function measureWrite({ url, token, bareUrl, newPrice }: World): Promise<Measure[]> {
  const one = { token, rate: null, connections: 1, seconds, body: newPrice }
  const sixteen = { ...one, connections: 16 }
  const medianOf = async (options: typeof one & { url: string }) => {
    const { answers } = await load(options)
    const good = answers[200] ?? answers[201]
    if (!good) throw new Error(`${options.url} answers ${Object.keys(answers)}`)
    return good.msMedian
  }
  const alone = await alternately(
    () => medianOf({ ...one, url: `${url}/api/prices` }),
    () => medianOf({ ...one, url: `${bareUrl}/write` }),
  )
  const together = await alternately(
    async () => goodput(await load({ ...sixteen, url: `${url}/api/prices` }), seconds),
    async () => goodput(await load({ ...sixteen, url: `${bareUrl}/write` }), seconds),
  )
  return [
    { what: 'one price with rollups and audit, one connection, median', value: alone.ours, unit: 'ms' },
    { what: 'bare insert, one connection, median', value: alone.bare, unit: 'ms' },
    { what: 'one price, times the bare insert', value: alone.ours / alone.bare, unit: '×', atMost: 3 },
    { what: '16 writers of the same day', value: together.ours, unit: 'prices/s' },
    { what: 'bare insert by 16 writers', value: together.bare, unit: 'prices/s' },
    {
      what: '16 writers, share of the bare route',
      value: together.ours / together.bare,
      unit: '×',
      atLeast: 0.7,
    },
  ]
}

/** Measures the wait of each request at a fixed rate per second, whether or not earlier ones are answered. */
async function measurePace({ url, token, newPrice }: World): Promise<Measure[]> {
  const month = new Date(Date.now() - 29 * dayMs).toISOString().slice(0, 10)
  const paces = [
    { what: 'list of 50', path: '/api/prices?limit=50', rate: 500, p99: 60 },
    { what: 'one price', path: '/api/prices', rate: 500, p99: 50, body: newPrice },
    {
      what: 'summary of a month',
      path: `/api/prices/analytics/summary?startDate=${month}`,
      rate: 100,
      p99: 150,
    },
  ]
  const measures: Measure[] = []
  for (const { what, path, rate, p99, ...body } of paces) {
    const asked = { url: url + path, token, connections: 64, ...body }
    await load({ ...asked, rate, seconds: 2 })
    const { answers, unanswered } = await load({ ...asked, rate, seconds })
    const good = answers[200] ?? answers[201]
    const others = Object.entries(answers).filter(([status]) => Number(status) < 200 || Number(status) >= 300)
    const failed = others.reduce((sum, [, { count }]) => sum + count, unanswered)
    measures.push(
      { what: `${what}, ${rate} a second, p99`, value: good?.msP99 ?? Number.NaN, unit: 'ms', atMost: p99 },
      { what: '– not answered as wished', value: failed, unit: 'answers', atMost: 0 },
    )
  }
  return measures
}

/**
 * Measures ours and bare in turns, three times each, and takes the medians, so that other work of the machine affects
 * both equally.
 */
async function alternately(ours: () => Promise<number>, bare: () => Promise<number>) {
  const samples = { ours: [] as number[], bare: [] as number[] }
  for (let turn = 0; turn < 3; turn++) {
    samples.ours.push(await ours())
    samples.bare.push(await bare())
  }
  const middle = (values: number[]) => values.sort((a, b) => a - b)[1] ?? Number.NaN
  return { ours: middle(samples.ours), bare: middle(samples.bare) }
}

type SummaryTimes = Record<'everything' | 'product' | 'whole' | 'wholeAnew' | 'wholeOfProduct', number>

/** Returns the p95 (ms), over the last 90 days, of the daily figures alone and of whole responses over HTTP. */
async function summaryTimes({ db, url, token, newPrice }: World): Promise<SummaryTimes> {
  const { productId } = { productId: 0, ...newPrice }
  const startDate = new Date(Date.now() - 89 * dayMs).toISOString().slice(0, 10)
  const endDate = new Date().toISOString().slice(0, 10)
  const reader = client(url, token, null)
  const p95 = async (work: () => Promise<unknown>) => {
    await timeEach(5, work)
    return percentile(await timeEach(times, work), 0.95)
  }
  const address = `/api/prices/analytics/summary?startDate=${startDate}&endDate=${endDate}`
  const nothingWhole = { indexName: null, categoryId: null, place: null }
  return {
    everything: await p95(() => readFigures(db, partsOf({ startDate, endDate }, {}), nothingWhole)),
    product: await p95(() => readFigures(db, partsOf({ productId, startDate, endDate }, {}), nothingWhole)),
    whole: await p95(() => reader.get(address)),
    wholeAnew: await afterWrites(
      () => reader.post('/api/prices', newPrice),
      () => reader.get(address),
    ),
    wholeOfProduct: await p95(() => reader.get(`${address}&productId=${productId}`)),
  }
}

/** Returns the p95 (ms) of reads that each follow a write, so that none is served from the cache. */
async function afterWrites(write: () => Promise<unknown>, read: () => Promise<unknown>): Promise<number> {
  const taken: number[] = []
  for (let turn = 0; turn < 20; turn++) {
    await write()
    taken.push(...(await timeEach(1, read)))
  }
  return percentile(
    taken.sort((a, b) => a - b),
    0.95,
  )
}

function presentSummary(large: SummaryTimes, small: SummaryTimes | null): Measure[] {
  const goals = { everything: 30, product: 30, whole: 150, wholeAnew: 150, wholeOfProduct: 150 }
  const names = {
    everything: '90 days: count, average, minimum, maximum and daily points, p95',
    product: '90 days of a product: the same, p95',
    whole: '90 days: the whole summary with inflation and trend over every series, over HTTP, p95',
    wholeAnew: '– the same right after a price was written, p95',
    wholeOfProduct: '90 days of a product: the whole summary, p95',
  }
  // The object's keys are those of its type.
  const keys = Object.keys(names) as (keyof SummaryTimes)[]
  return keys.flatMap((key): Measure[] => [
    { what: names[key], value: large[key], unit: 'ms', atMost: goals[key] },
    ...(small
      ? [
          { what: '– among a million prices', value: small[key], unit: 'ms' },
          {
            what: '– times that',
            value: large[key] / small[key],
            unit: '×',
            ...(goals[key] === 30 && { atMost: 1.5 }),
          },
        ]
      : []),
  ])
}

/** Returns the statements that the list sends to the database, for the bare route to send. */
async function statementsOfList({ pool }: PrivatePostgres): Promise<Statement[]> {
  const sent: Statement[] = []
  const logged = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query: { sql, parameters } }) => {
      sent.push({ sql, parameters })
    },
  })
  await listPrices(logged, contract.list.query.parse({ limit: '10' }))
  return sent
}

function bareInsert(price: object): Statement {
  const { productId, marketId, priceValue } = { productId: 0, marketId: 0, priceValue: 0, ...price }
  return {
    sql: `insert into bare_price (product_id, market_id, price_value, collector_name, collected_at, observed_on)
          values ($1, $2, $3, 'Collecteur 1', now(), now()::date) returning id`,
    parameters: [productId, marketId, priceValue],
  }
}
