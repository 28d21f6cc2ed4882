import { expect, test } from 'vitest'
import { type SolvedIndex, solvePanel } from '#features/prices/price-index/measure.rules.ts'
import { windowWeeks } from '#features/prices/price-index/price-index.rules.ts'
import { Book, type BookSeries, solvedFrom } from '#features/prices/stored-index/book.rules.ts'
import { simulatePanel } from '../../../../tests/support/simulated-panels.ts'

const start = '2025-06-30'
const scene = {
  ...{ products: 3, markets: 130, weeks: windowWeeks, everyDays: 9, trend: (day: number) => day / 2000 },
  ...{ strays: { product: 0.1, series: 0.05 }, haggle: 0.05, silent: 0.3 },
}

function drawn(seed: string): BookSeries[] {
  return simulatePanel({ seed, ...scene }).map(({ product, weeks, logs }, i) => ({
    ...{ product, weeks: [...weeks], logs: [...logs], market: i % 130, lastDay: '2026-06-30' },
    // The last product is in few markets of the second city.
    scopes: [`category ${product % 2}`, product === 2 && i % 13 > 0 ? 'city one' : `city ${i % 2}`],
  }))
}

function expectSame(one: SolvedIndex, other: SolvedIndex): void {
  expect([one.matchedSeries, one.knownSeries]).toEqual([other.matchedSeries, other.knownSeries])
  for (const [from, to] of [
    [0, 52],
    [48, 52],
    [13, 40],
  ] as const) {
    const [stored, fitted] = [one.movement(from, to), other.movement(from, to)]
    expect(stored?.value ?? -1).toBeCloseTo(fitted?.value ?? -1, 10)
    expect(stored?.margin ?? -1).toBeCloseTo(fitted?.margin ?? -1, 10)
    expect([stored?.series, stored?.products]).toEqual([fitted?.series, fitted?.products])
  }
}

test('the margin of an index is that of a fit, of products with many series or few, whatever is put in their place', async () => {
  const book = new Book(start)
  const now = new Map<string, BookSeries>()
  const put = (series: BookSeries) => {
    now.set(`${series.product} ${series.market}`, series)
    book.put(series)
  }
  const gone = { weeks: [], logs: [] }
  const rounds = [
    drawn('first'),
    drawn('second').filter((_, i) => i % 7 === 0),
    // Of one product few are left.
    drawn('third').flatMap((series, i) =>
      series.product === 1 && i % 5 > 0 ? [{ ...series, ...gone }] : [],
    ),
    drawn('fourth').filter((_, i) => i % 3 === 0),
  ]
  for (const round of rounds) {
    for (const series of round) put(series)
    for (const name of book.takeChanged()) {
      const figures = await book.figuresOf(
        name,
        (day) => day,
        async () => {},
      )
      const series = [...now.values()].filter(
        ({ scopes, weeks }) => weeks.length > 0 && (name === 'nation ' || scopes.includes(name)),
      )
      if (!figures) throw new Error(`${name} has series`)
      const panel = { start, weeks: windowWeeks, series, prices: 0, silentMarkets: 0 }
      expectSame(solvedFrom(start, figures), solvePanel(panel))
    }
  }
})
