import { randomStream } from '#demonstration/random.ts'
import type { WeeklySeries } from '#features/figures/price-index/normal-equations.rules.ts'
import {
  cutWeeks,
  daysCompared,
  movementBetween,
  movementOfSeries,
  trendOf,
} from '#features/figures/price-index/price-index.rules.ts'
import { fitTimeProductDummy } from '#features/figures/price-index/time-product-dummy.rules.ts'
import { fitNext } from '#features/figures/stored-index/fitting.jobs.ts'
import { readStoredIndex } from '#features/figures/stored-index/indices.sql.ts'
import { hardYear, simulatePanel, trendOfWeek } from '../tests/support/simulated-panels.ts'
import { type Measure, percentile, timeEach } from './measure.ts'
import { type PrivatePostgres, withPostgres } from './support/private-postgres.ts'

export const title =
  'The price index: what it finds of simulated markets whose true index is given, and how long it takes'

const scenes = 200
const stillWindows = 20_000
const rareWindows = 10_000
const fewScenes = 400
const shape = { products: 500, markets: 200, weeks: 150 }

export async function measure(): Promise<Measure[]> {
  return [
    ...measureTruth(),
    ...measureFalseTrends(),
    ...measureFewProducts(),
    ...(await measureFits()),
    ...(await withPostgres(measureStored)),
  ]
}

function measureTruth(): Measure[] {
  const steady = simulatePanel({
    seed: 'steady',
    products: 20,
    markets: 10,
    weeks: 53,
    everyDays: 3,
    trend: (day) => (Math.log(1.2) * day) / 364,
  })
  const shown = 100 * (movementBetween(fitTimeProductDummy(steady, 53), 0, 52)?.value ?? Number.NaN)
  const dense = errorsOfYears(3)
  const sparse = errorsOfYears(14)
  return [
    { what: 'prices up by 20 % in a year: off by', value: Math.abs(shown - 20), unit: 'points', atMost: 0.3 },
    {
      what: 'hard years, a quote in 3 days: error of the change of a year',
      value: dense.error,
      unit: 'log points',
      atMost: 1,
    },
    { what: '– a quote in 14 days', value: sparse.error, unit: 'log points', atMost: 2 },
    {
      what: 'margins that hold the truth, a quote in 3 days, at least',
      value: dense.coverage,
      unit: '',
      atLeast: 0.89,
    },
    { what: '– at most', value: dense.coverage, unit: '', atMost: 0.97 },
    { what: '– a quote in 14 days, at least', value: sparse.coverage, unit: '', atLeast: 0.89 },
    { what: '– at most', value: sparse.coverage, unit: '', atMost: 0.97 },
  ]
}

/** Returns the root mean square error in log points, and the share of margins that contain the true value. */
function errorsOfYears(everyDays: number): { error: number; coverage: number } {
  let [squares, held] = [0, 0]
  for (let i = 0; i < scenes; i++) {
    const scene = hardYear(`${everyDays}/${i}`, everyDays)
    const movement = movementBetween(fitTimeProductDummy(simulatePanel(scene), scene.weeks), 0, 52)
    const truth = trendOfWeek(scene.trend, 52) - trendOfWeek(scene.trend, 0)
    const error = Math.log1p(movement?.value ?? Number.NaN) - truth
    squares += (100 * error) ** 2
    if (Math.abs(error) <= (movement?.margin ?? 0)) held += 1
  }
  return { error: Math.sqrt(squares / scenes), coverage: held / scenes }
}

/**
 * Measures the share of windows with noise but no trend that are reported as rising or falling, for frequent and rare
 * quotes.
 */
function measureFalseTrends(): Measure[] {
  return [3, 7, 14].flatMap((everyDays) =>
    [7, 30, 90].map((days) => {
      const windows = everyDays === 3 ? stillWindows : rareWindows
      let wrong = 0
      for (let i = 0; i < windows; i++) {
        const series = 1 + (i % 20)
        const seed = `still/${everyDays === 3 ? '' : `${everyDays}/`}${days}/${i}`
        const scene = { seed, everyDays, days }
        const trend = series === 1 ? trendOfOne(scene) : trendOfMany(series, scene)
        if (trend === 'up' || trend === 'down') wrong += 1
      }
      return {
        what: `nothing moves, 1 to 20 series, a quote in ${everyDays} days, over ${days} days: said to move, of ${windows} windows`,
        value: (100 * wrong) / windows,
        unit: '%',
        atMost: 5,
      }
    }),
  )
}

type Still = { seed: string; everyDays: number; days: number }

function trendOfMany(series: number, { seed, everyDays, days }: Still) {
  const weeks = 53
  const scene = {
    seed,
    products: series,
    markets: 1,
    weeks,
    everyDays,
    trend: () => 0,
    haggle: 0.03,
  }
  const fit = fitTimeProductDummy(simulatePanel(scene), weeks)
  const last = fit.levels.findLastIndex((level) => level !== null)
  return trendOf(movementBetween(fit, last - Math.round(days / 7), last))
}

function trendOfOne({ seed, everyDays, days }: Still) {
  const random = randomStream(seed.replace('still', 'still/one'))
  const quotes = Array.from({ length: Math.round(daysCompared(days) / everyDays) }, () => 0)
  const window = () => quotes.map(() => 7 + 0.03 * random.normal())
  return trendOf(movementOfSeries(window(), window()))
}

/**
 * Measures the share of a month's margins that contain the true value with few products, and with few of twenty
 * products in the last week.
 */
function measureFewProducts(): Measure[] {
  const held = (products: number, inLastWeek: number) => {
    let [judged, right] = [0, 0]
    for (let i = 0; i < fewScenes; i++) {
      const strays = { product: 0.02, series: 0.05 }
      const scene = { products, markets: 5, weeks: 53, everyDays: 3, trend: () => 0, haggle: 0.03, strays }
      const panel = simulatePanel({ ...scene, seed: `few/${products}/${inLastWeek}/${i}` })
      const fit = fitTimeProductDummy(
        panel.map((series) => (series.product < inLastWeek ? series : beforeWeek(52, series))),
        53,
      )
      const movement = movementBetween(fit, 48, 52)
      if (!movement || movement.margin === null) continue
      judged += 1
      right += Number(Math.abs(Math.log1p(movement.value)) <= movement.margin)
    }
    return right / judged
  }
  return [2, 3, 4, 5].flatMap((few) => [
    {
      what: `margins of ${few} products that hold the truth`,
      value: held(few, few),
      unit: '',
      atLeast: 0.89,
    },
    { what: `– of 20, of which ${few} in the last week`, value: held(20, few), unit: '' },
  ])
}

function beforeWeek(week: number, series: WeeklySeries): WeeklySeries {
  return cutWeeks([series], 0, week)[0] ?? series
}

async function measureFits(): Promise<Measure[]> {
  const goals = [
    [500, 60],
    [4_000, 300],
  ] as const
  const measures: Measure[] = []
  for (const [series, atMost] of goals) {
    const panel = simulatePanel({
      seed: 'speed',
      products: 100,
      markets: series / 100,
      weeks: 53,
      everyDays: 3,
      trend: () => 0,
    })
    await timeEach(3, () => fitTimeProductDummy(panel, 53))
    const times = await timeEach(20, () => fitTimeProductDummy(panel, 53))
    measures.push({
      what: `a fit of ${series} series over 53 weeks, p95`,
      value: percentile(times, 0.95),
      unit: 'ms',
      atMost,
    })
  }
  return measures
}

/** Measures reading the weekly cells of 100 000 series, the input of an index. */
async function measureStored({ db, pool }: PrivatePostgres): Promise<Measure[]> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    const patient = (text: string) => client.query({ text, query_timeout: 2 ** 31 - 1 } as { text: string })
    await patient(cells)
    await patient('vacuum analyze')
  } finally {
    client.release(true)
  }
  const [scratch = Number.NaN] = await timeEach(1, () => fitNext(db))
  const reads = await timeEach(100, () => readStoredIndex(db, 'nation '))
  return [
    { what: 'series', value: shape.products * shape.markets, unit: 'series' },
    { what: 'all stored indices from scratch', value: scratch, unit: 'ms' },
    { what: 'reading one, p95', value: percentile(reads, 0.95), unit: 'ms', atMost: 5 },
  ]
}

const cells = `
  insert into category (name) select 'Catégorie ' || i from generate_series(1, 8) i;
  insert into product_type (name, category_id) select 'Type ' || i, 1 + i % 8 from generate_series(1, 40) i;
  insert into product (code, name, type_id, weight, origin, format)
  select 'P-' || i, 'Produit ' || i, 1 + i % 40, '1 kg', 'RD Congo', 'Sac' from generate_series(1, ${shape.products}) i;
  insert into market (name, location) select 'Marché ' || i, 'Ville ' || i % 40 from generate_series(1, ${shape.markets}) i;
  insert into price_week_series (week, product_id, market_id, currency, lane, n, sum_log_cdf)
  select monday_of(current_date) - 7 * week, product, market, 'CDF', 0, 1,
         (7e12 + 1e12 * sin(product) + 2e9 * -week + 3e10 * sin(product * week + market))::bigint
    from generate_series(0, ${shape.weeks - 1}) week, generate_series(1, ${shape.products}) product,
         generate_series(1, ${shape.markets}) market
   where (product + market + week) % 10 < 9;
  insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on)
  values (1, 1, 1000, 'Amina', now(), current_date)`
