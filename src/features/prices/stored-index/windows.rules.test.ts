import { expect, test } from 'vitest'
import { solvePanel } from '#features/prices/price-index/measure.rules.ts'
import { windowWeeks } from '#features/prices/price-index/price-index.rules.ts'
import { indexNames, solvedFrom } from '#features/prices/stored-index/figures.rules.ts'
import { SeriesWindow, type WindowSeries } from '#features/prices/stored-index/windows.rules.ts'
import { simulatePanel } from '../../../../tests/support/simulated-panels.ts'

const pause = () => Promise.resolve()
const weeks = windowWeeks + 4
const category = (product: number) => indexNames.category(product < 2 ? 1 : 2)
/** Two products in a hundred markets, and one in a tenth of these. */
const series = simulatePanel({
  ...{ seed: 'window', products: 3, markets: 100, weeks, everyDays: 9, haggle: 0.05, silent: 0.3 },
  trend: (day) => 0.001 * day,
}).flatMap(({ product, ...each }, i) => {
  const market = i % 100
  return product === 2 && market % 10 > 0 ? [] : [{ ...each, product, market }]
})

/** Those of the window that ends with a week. */
function windowOf(last: number): Omit<WindowSeries, 'scopes'>[] {
  const first = last + 1 - windowWeeks
  return series.map(({ product, market, ...each }) => {
    const inside = [...each.weeks.keys()].filter((i) => within(each.weeks[i], first, last))
    const [own, logs] = [
      inside.map((i) => (each.weeks[i] ?? 0) - first),
      inside.map((i) => each.logs[i] ?? 0),
    ]
    return { product, market, weeks: own, logs, lastDay: 20_000 }
  })
}

function within(week: number | undefined, first: number, last: number): boolean {
  return week !== undefined && week >= first && week <= last
}

async function read(last: number): Promise<SeriesWindow> {
  const window = new SeriesWindow((product) => [category(product)])
  for (let week = 0; week <= last; week++) {
    const found = series.flatMap(({ weeks: own, logs, ...each }) => {
      const value = logs[own.indexOf(week)]
      return value === undefined ? [] : [{ ...each, value }]
    })
    await window.add(
      {
        products: found.map(({ product }) => product),
        markets: found.map(({ market }) => market),
        values: found.map(({ value }) => value),
      },
      pause,
    )
    // Equations that follow the weeks, from the first whole window on.
    if (week === windowWeeks) await window.names(pause)
  }
  window.noteLastDays({
    products: series.map(({ product }) => product),
    markets: series.map(({ market }) => market),
    values: series.map(() => 20_000),
  })
  return window
}

async function expectRight(
  window: SeriesWindow,
  panel: readonly Omit<WindowSeries, 'scopes'>[],
): Promise<void> {
  await window.names(pause)
  for (const name of [indexNames.nation, category(0), category(2)]) {
    const own = panel.filter(
      ({ product, weeks }) => weeks.length > 0 && (name === indexNames.nation || name === category(product)),
    )
    const fit = solvePanel({ start: '', weeks: windowWeeks, series: own, prices: 0, marketDays: [] })
    const figures = await window.figures(name, 0, pause)
    if (!figures) throw new Error('there are series of every index')
    const found = solvedFrom('', figures)
    expect(found.levels).toEqual(fit.levels.map((level) => level && expect.closeTo(level, 9)))
    expect([found.matchedSeries, found.knownSeries]).toEqual([fit.matchedSeries, fit.knownSeries])
    for (const from of [0, 20, windowWeeks - 2]) {
      const [one, other] = [found.movement(from, windowWeeks - 1), fit.movement(from, windowWeeks - 1)]
      expect(one?.margin ?? -1).toBeCloseTo(other?.margin ?? -1, 9)
      expect(one?.trendMargin ?? -1).toBeCloseTo(other?.trendMargin ?? -1, 9)
      expect(one).toMatchObject({ series: other?.series, products: other?.products })
    }
  }
}

test('figures of many series of a product are those of a fit, whatever week the window has moved to', async () => {
  for (const last of [windowWeeks - 1, weeks - 1]) await expectRight(await read(last), windowOf(last))
})

test('they follow series that change, go and come', async () => {
  const last = weeks - 1
  const window = await read(last)
  const panel = windowOf(last)
  await expectRight(window, panel)
  const now = panel.map((each, i) => {
    if (i % 7 === 0) return { ...each, weeks: [], logs: [] }
    return i % 5 === 0 ? { ...each, logs: each.logs.map((log, at) => log + 0.01 * at) } : each
  })
  now.push({ product: 0, market: 500, weeks: [3, 40, 52], logs: [7, 7.1, 7.05], lastDay: 20_001 })
  for (const each of now) window.put({ ...each, scopes: [category(each.product)] })
  await expectRight(window, now)
})
