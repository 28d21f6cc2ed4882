import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { solvePanel } from '#features/figures/price-index/measure.rules.ts'
import {
  daysCompared,
  marginsOf,
  movementBetween,
  movementOfSeries,
  trendOf,
} from '#features/figures/price-index/price-index.rules.ts'
import { chainLevels } from '#features/figures/price-index/splice.rules.ts'
import { student975 } from '#features/figures/price-index/student.rules.ts'
import { errorsOf, fitTimeProductDummy } from '#features/figures/price-index/time-product-dummy.rules.ts'
import { plainIndex } from '../../../../tests/support/plain-index.ts'

type Prices = (number | null)[]
const series = (prices: Prices, product = 0, market = 0) => {
  const quoted = prices.flatMap((price, week) => (price === null ? [] : [{ week, log: Math.log(price) }]))
  return { product, market, weeks: quoted.map(({ week }) => week), logs: quoted.map(({ log }) => log) }
}
const panelOf = (...rows: Prices[]) => rows.map((row, product) => series(row, product))
const indexOf = (levels: (number | null)[]) => levels.map((level) => level && 100 * Math.exp(level))

describe('the time-product dummy index', () => {
  test('of a panel with gaps equals the one computed by hand', () => {
    const panel = panelOf(
      [100, 110, null, 121],
      [50, null, 57, null],
      [null, 210, 205, 230],
      [20, 21, null, 25],
    )
    const { levels } = fitTimeProductDummy(panel, 4)
    expect(levels[0]).toBe(0)
    for (const [week, value] of [109.6538, 111.4356, 123.6605].entries()) {
      expect(indexOf(levels)[week + 1]).toBeCloseTo(value, 4)
    }
  })

  test('is the Jevons index where every series is quoted in both weeks', () => {
    const { levels } = fitTimeProductDummy(panelOf([100, 120], [50, 45], [10, 11]), 2)
    expect(levels[1]).toBeCloseTo(Math.log((1.2 * 0.9 * 1.1) ** (1 / 3)), 12)
  })

  test('does not move when other products are collected and no price changes', () => {
    const { levels } = fitTimeProductDummy(
      panelOf([10, 10, null, null], [null, 9000, 9000, null], [null, null, 500, 500]),
      4,
    )
    for (const level of levels) expect(level).toBeCloseTo(0, 12)
  })

  test('has no value for a week that no series links to the others, nor for one with new series only', () => {
    const { levels, series: fitted } = fitTimeProductDummy(
      panelOf(
        [10, 11, null, null, null],
        [20, 22, null, null, null],
        [null, null, 5, 6, null],
        [null, null, null, null, 7],
      ),
      5,
    )
    expect(levels.map((level) => level !== null)).toEqual([true, true, false, false, false])
    expect(fitted).toHaveLength(2)
  })

  test('of no prices has no value', () => {
    expect(fitTimeProductDummy([], 3)).toMatchObject({ levels: [null, null, null], series: [] })
    expect(fitTimeProductDummy(panelOf([1, null]), 2).levels).toEqual([null, null])
  })

  test('treats products quoted every day and products quoted now and then alike', () => {
    const often = [1, 2].map((product) =>
      series(
        Array.from({ length: 53 }, (_, week) => 100 * 1.3 ** (week / 52)),
        product,
      ),
    )
    // Each product is quoted every second week, in different weeks.
    const rarely = [3, 4].map((product) =>
      series(
        Array.from({ length: 53 }, (_, week) => ((week + product) % 2 === 0 ? 100 : null)),
        product,
      ),
    )
    const { levels } = fitTimeProductDummy([...often, ...rarely], 53)
    expect(Math.exp((levels[52] ?? 0) - (levels[0] ?? 0))).toBeCloseTo(1.3 ** 0.5, 2)
  })

  test('is the dense weighted least squares of its definition, on any panel, and so is the margin of any change', () => {
    const price = fc.option(fc.integer({ min: 50, max: 5000 }), { freq: 3, nil: null })
    const weeks = 6
    const drawn = fc.record({
      product: fc.integer({ min: 1, max: 3 }),
      prices: fc.array(price, { minLength: weeks, maxLength: weeks }),
    })
    fc.assert(
      fc.property(fc.array(drawn, { minLength: 2, maxLength: 8 }), (rows) => {
        const fit = fitTimeProductDummy(
          rows.map(({ product, prices }, market) => series(prices, product, market)),
          weeks,
        )
        const { errors, quoted, clusters } = errorsOf(fit)
        const quotes = rows.flatMap(({ product, prices }, market) =>
          prices.flatMap((cdf, week) =>
            cdf === null ? [] : [{ series: String(market), product, day: dayOf(week), cdf }],
          ),
        )
        const last = fit.levels.findLastIndex((level) => level !== null)
        for (let weeksBefore = 1; weeksBefore <= last; weeksBefore++) {
          const from = last - weeksBefore
          const period = { start: dayOf(from + 1), end: dayOf(last, 6) }
          const { change, matchedSeries } = plainIndex(quotes, period, false)
          const movement = movementBetween(fit, from, last)
          expect(movement === null).toBe(change === null)
          if (!movement || !change) continue
          const { error } = change
          expect(Math.log1p(movement.value)).toBeCloseTo(Math.log1p(change.value), 8)
          expect(movement).toMatchObject({ series: matchedSeries, products: error.products })
          expect(movement.margin === null).toBe(error.error === null)
          if (error.error !== null)
            expect((movement.margin ?? 0) / student975(error.clusters - 1)).toBeCloseTo(error.error, 8)
          // The stored errors give the same margins.
          const at = (row: number, column: number) => errors[(row * (row + 1)) / 2 + column] ?? 0
          const squares = at(last, last) + at(from, from) - 2 * at(last, from)
          const stored = marginsOf({
            clusters,
            quoted: Math.min(quoted[from] ?? 0, quoted[last] ?? 0),
            squares,
          })
          if (error.error !== null) {
            expect(stored.margin).toBeCloseTo(movement.margin ?? 0, 7)
            expect(stored.trendMargin).toBeCloseTo(movement.trendMargin ?? 0, 7)
          }
        }
      }),
      { numRuns: 200, seed: 7 },
    )
  })
})

describe('an index of more than a year', () => {
  const steady = (rate: number, weeks: number) =>
    Array.from({ length: weeks }, (_, week) => 1000 * Math.exp(rate * week))

  test('shows a steady rise correctly, year after year', () => {
    const levels = chainLevels(panelOf(steady(0.0035, 130), steady(0.0035, 130)), 130)
    for (const [week, level] of levels.entries()) expect(level).toBeCloseTo(0.0035 * week, 9)
  })

  test('is stable when every series is replaced by a more expensive one', () => {
    const old = steady(0, 120).map((price, week) => (week < 70 ? price : null))
    const dear = steady(0, 120).map((price, week) => (week < 60 ? null : price * 5))
    for (const level of chainLevels(panelOf(old, dear), 120)) expect(level).toBeCloseTo(0, 9)
  })

  test('starts again after more than a year without a price', () => {
    const rows = [1, 2].map((factor) =>
      steady(0.01, 150).map((price, week) => (week >= 4 && week < 80 ? null : price * factor)),
    )
    const levels = chainLevels(panelOf(...rows), 150)
    expect(levels.slice(0, 80).every((level) => level === null)).toBe(true)
    for (const [at, level] of levels.slice(80).entries()) expect(level).toBeCloseTo(0.01 * at, 9)
  })

  test('continues after weeks without a price', () => {
    const rows = [1, 2].map((factor) =>
      steady(0.01, 70).map((price, week) => (week > 55 && week < 60 ? null : price * factor)),
    )
    const levels = chainLevels(panelOf(...rows), 70)
    expect(levels.slice(56, 60)).toEqual([null, null, null, null])
    expect(levels[69]).toBeCloseTo(0.69, 9)
  })

  test('of one product uses the series that link its weeks, not an isolated one', () => {
    const often = [1, 2].map((factor) =>
      steady(0.01, 60).map((price, week) => (week === 20 || week === 30 ? null : price * factor)),
    )
    const apart = steady(0, 60).map((price, week) => (week === 20 || week === 30 ? price : null))
    const solved = solvePanel({
      start: '2025-01-06',
      weeks: 60,
      series: [...often, apart].map((row, market) => ({
        ...series(row, 0, market),
        counts: [],
        lastDay: null,
      })),
    })
    expect(solved).toMatchObject({ matchedSeries: 2, knownSeries: 3 })
    expect(solved.movement(0, 59)).toMatchObject({ series: 2, products: 1, margin: null })
  })
})

describe('a change between two weeks', () => {
  test('has a margin clustered by product', () => {
    const fit = fitTimeProductDummy(
      [series([100, 110], 1), series([100, 112], 1), series([100, 104], 2), series([100, 103], 3)],
      2,
    )
    const logs = [Math.log(1.1) + Math.log(1.12), Math.log(1.04), Math.log(1.03)] as const
    const mean = sum(logs) / 4
    // Two weeks each, quoted by all: a product contributes to the error a quarter of the movement of its series beyond
    // the mean.
    const z = [logs[0] - 2 * mean, logs[1] - mean, logs[2] - mean].map((each) => each / 4)
    const error = Math.sqrt((3 / 2) * sum(z.map((each) => each * each)))
    const movement = movementBetween(fit, 0, 1)
    expect(movement).toMatchObject({ series: 4, products: 3 })
    expect(movement?.value).toBeCloseTo(Math.expm1(mean), 12)
    expect(movement?.margin).toBeCloseTo(4.302652729911 * error, 9)
  })

  test('of one product in several markets has a margin clustered by market', () => {
    const fit = fitTimeProductDummy([series([100, 110], 5, 1), series([100, 120], 5, 2)], 2)
    const [first, second] = [Math.log(1.1), Math.log(1.2)]
    const error = Math.sqrt(2 * 2 * ((second - first) / 4) ** 2)
    expect(movementBetween(fit, 0, 1)?.margin).toBeCloseTo(12.706204736175 * error, 9)
  })

  test('has no margin where all series move alike: zero would be false precision', () => {
    const fit = fitTimeProductDummy([series([100, 110], 1), series([200, 220], 2), series([30, 33], 3)], 2)
    expect(movementBetween(fit, 0, 1)).toMatchObject({ margin: null, trendMargin: null, products: 3 })
  })

  test('has no margin when a week has one product, and so no residual', () => {
    const quoted = [
      series([100, 110, 120], 1),
      series([50, 57, null], 2),
      series([20, 21, 22], 1),
      series([9, 8, null], 3),
    ]
    const fit = fitTimeProductDummy(quoted, 3)
    expect(movementBetween(fit, 0, 1)?.margin).toBeGreaterThan(0)
    expect(movementBetween(fit, 0, 2)).toMatchObject({ margin: null, products: 3 })
  })

  test('has a trend judged by the products of the smallest week, and a margin from all of them', () => {
    const quoted = [
      series([100, 110, 112], 1),
      series([50, 57, null], 2),
      series([20, 21, 23], 3),
      series([9, 8, null], 4),
      series([null, 8, 9], 5),
    ]
    const fit = fitTimeProductDummy(quoted, 3)
    const error = (movementBetween(fit, 0, 2)?.margin ?? 0) / student975(4)
    expect(error).toBeGreaterThan(0)
    expect(movementBetween(fit, 0, 2)?.trendMargin).toBeCloseTo(student975(2) * error, 12)
    expect(movementBetween(fit, 2, 0)?.trendMargin).toBeCloseTo(student975(2) * error, 12)
    const all = movementBetween(fitTimeProductDummy(quoted.slice(0, 4), 2), 0, 1)
    expect(all?.trendMargin).toBe(all?.margin)
  })

  test('is unknown where a week has no value', () => {
    expect(movementBetween(fitTimeProductDummy(panelOf([10, null, 12]), 3), 0, 1)).toBeNull()
  })
})

describe('the change of one series', () => {
  test('is that of the geometric means of its windows, with Student’s margin', () => {
    const logs = (...prices: number[]) => prices.map(Math.log)
    const movement = movementOfSeries(logs(100, 110, 90), logs(120, 130))
    const [before, after] = [sum(logs(100, 110, 90)) / 3, sum(logs(120, 130)) / 2]
    expect(movement?.value).toBeCloseTo(Math.expm1(after - before), 12)
    const squares =
      sum(logs(100, 110, 90).map((log) => (log - before) ** 2)) +
      sum(logs(120, 130).map((log) => (log - after) ** 2))
    expect(movement?.margin).toBeCloseTo(
      3.182446305284 * Math.sqrt(squares / 3) * Math.sqrt(1 / 3 + 1 / 2),
      9,
    )
  })

  test('has no margin with one price in a window, and is unknown with none', () => {
    expect(movementOfSeries([1], [2, 3])).toMatchObject({ margin: null })
    expect(movementOfSeries([1, 1], [2, 2, 2])).toMatchObject({ margin: null, trendMargin: null })
    expect(movementOfSeries([], [2])).toBeNull()
    expect(movementOfSeries([2], [])).toBeNull()
  })

  test.each([
    [7, 7],
    [30, 7],
    [31, 15],
    [90, 15],
    [91, 30],
    [365, 30],
  ])('over %d days compares %d days', (period, days) => {
    expect(daysCompared(period)).toBe(days)
  })
})

test.each([
  [{ value: 0.05, margin: 0.02, trendMargin: 0.03 }, 'up'],
  [{ value: -0.05, margin: 0.02, trendMargin: 0.03 }, 'down'],
  [{ value: 0.03, margin: 0.04, trendMargin: 0.07 }, 'stable'],
  [{ value: 0.05, margin: 0.06, trendMargin: 0.07 }, null],
  [{ value: 0.009, margin: 0.2, trendMargin: 0.2 }, null],
  // The interval is in logarithms: ln 1.4 is 0.336.
  [{ value: 0.4, margin: 0.35, trendMargin: 0.35 }, null],
  [{ value: 0.4, margin: 0.33, trendMargin: 0.33 }, 'up'],
  [{ value: 0.05, margin: 0.02, trendMargin: 0.06 }, null],
  [{ value: -0.05, margin: 0.02, trendMargin: 0.06 }, null],
  [{ value: 0.009, margin: 0.001, trendMargin: 0.02 }, 'stable'],
  [{ value: 0.05, margin: null, trendMargin: null }, null],
  [null, null],
] as const)('of a change of %j the trend is %s', (movement, trend) => {
  expect(trendOf(movement)).toBe(trend)
})

test.each([
  [1, 12.706204736],
  [2, 4.30265273],
  [5, 2.570581836],
  [10, 2.228138852],
  [30, 2.042272456],
  [120, 1.979930405],
  [10_000, 1.96020124],
])('Student’s quantile for %d degrees of freedom equals that of the tables', (freedom, quantile) => {
  expect(student975(freedom)).toBeCloseTo(quantile, 8)
})

/** Returns a day of a week of a panel; by default its Monday. */
function dayOf(week: number, day = 0): string {
  return new Date(Date.UTC(2026, 0, 5 + 7 * week + day)).toISOString().slice(0, 10)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
