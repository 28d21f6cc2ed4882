import { describe, expect, test } from 'vitest'
import { contributionsOf, movedBetween } from '#features/figures/price-index/contributions.rules.ts'
import type { WeeklySeries } from '#features/figures/price-index/normal-equations.rules.ts'
import { fitWindow, type Weigh } from '#features/figures/price-index/price-index.rules.ts'
import { residualIn, weightOfMean } from '#features/figures/price-index/time-product-dummy.rules.ts'
import { annualise, isoWeekNumber, splitByDollar, weekFigures } from '#features/inflation/inflation.rules.ts'
import { explain } from '#features/inflation/published/published.rules.ts'
import { weighByType, weightsOn } from '#features/inflation/weighing.rules.ts'

describe('an annualised figure', () => {
  test.each([
    [18.919, 25, 43.391],
    [46.09, 45, 54.963],
    [12.447, 21, 33.707],
    [4.369, 19, 12.416],
    [4.751, 19, 13.545],
  ])('of %d %% in week %d is the %d %% published by the INS', (cumulative, week, published) => {
    expect(100 * annualise(cumulative / 100, week)).toBeCloseTo(published, 2)
  })
})

test.each([
  ['2025-12-29', 1],
  ['2026-01-05', 2],
  ['2026-11-16', 47],
  ['2020-12-28', 53],
  ['2021-01-04', 1],
])('the week of Monday %s has the number %d', (monday, number) => {
  expect(isoWeekNumber(monday)).toBe(number)
})

describe('the figures of a week', () => {
  // A hundredth (ln) per week, from Monday 23 December 2024 on.
  const levels = Array.from({ length: 60 }, (_, week) => (week === 40 ? null : week / 100))
  const figures = weekFigures(levels, '2024-12-23', new Map())

  test('compare it with the week before, the last of last year, and the same week a year before', () => {
    // Monday 22 December 2025 is 52 weeks after the same week of 2024.
    expect(figures[52]).toMatchObject({ week: '2025-12-22', number: 52 })
    expect(figures[52]?.weekly).toBeCloseTo(Math.expm1(0.01), 12)
    expect(figures[52]?.cumulative).toBeCloseTo(Math.expm1(0.52), 12)
    expect(figures[52]?.annualised).toBeCloseTo(Math.expm1(0.52), 12)
    expect(figures[52]?.yearly).toBeCloseTo(Math.expm1(0.52), 12)
    expect(figures[55]?.number).toBe(3)
    expect(figures[55]?.cumulative).toBeCloseTo(Math.expm1(0.03), 12)
    expect(figures[55]?.annualised).toBeCloseTo(Math.exp((0.03 * 52) / 3) - 1, 12)
  })

  test('are missing when a week that they need is missing', () => {
    expect(figures[40]).toMatchObject({ weekly: null, cumulative: null, annualised: null, yearly: null })
    expect(figures[41]?.weekly).toBeNull()
    expect(figures[0]).toMatchObject({ weekly: null, yearly: null })
  })
})

describe('the part of the dollar', () => {
  test('multiplies with the part of dollar prices to the change in francs, exactly', () => {
    const split = splitByDollar(Math.log(1.09), [Math.log(2800), Math.log(2968)])
    expect(split?.dollar).toBeCloseTo(0.06, 12)
    expect(
      ((1 + (split?.dollar ?? 0)) * (1 + (split?.inDollars ?? 0))) / (1 + (split?.francs ?? 0)),
    ).toBeCloseTo(1, 14)
  })

  test('is unknown without the rate of one of the weeks', () => {
    expect(splitByDollar(0.1, [null, 7.9])).toBeNull()
    expect(splitByDollar(0.1, [7.9, null])).toBeNull()
  })
})

const series = (product: number, prices: (number | null)[]): WeeklySeries => {
  const quoted = prices.flatMap((price, week) => (price === null ? [] : [{ week, log: Math.log(price) }]))
  return { product, market: 1, weeks: quoted.map(({ week }) => week), logs: quoted.map(({ log }) => log) }
}
const panel = [
  series(1, [100, 110, null, 121]),
  series(1, [50, null, 57, null]),
  series(2, [null, 210, 205, 230]),
  series(3, [20, 21, null, 25]),
]
const typeOf = (product: number) => product * 10
const weighed = (weights: Record<number, number>, day = '2026-01-01') =>
  weighByType(
    Object.entries(weights).map(([type, weight]) => ({ type: Number(type), weight, day, source: 'Enquête' })),
    '2026-01-05',
    typeOf,
  )
const asTheyAre: Weigh = (series) => series
const levelsOf = (weigh: Weigh) => fitWindow(panel, 3, weigh).levels
const levelsWith = (weights: Record<number, number>) => levelsOf(weighed(weights))

describe('contributions', () => {
  test('add up to the change, and are the share of each when every series is quoted in both weeks', () => {
    const full = [series(1, [100, 110]), series(2, [100, 120]), series(2, [50, 50]), series(3, [10, 9])]
    const fit = fitWindow(full, 1, asTheyAre)
    const change = fit.levels[1] ?? 0
    const parts = contributionsOf(movedBetween(fit, [0, 1]), change, typeOf)
    expect(parts.reduce((sum, { log }) => sum + log, 0)).toBeCloseTo(change, 12)
    expect(parts.find(({ group }) => group === 20)).toMatchObject({ series: 2, share: 0.5 })
    expect(parts.find(({ group }) => group === 20)?.log).toBeCloseTo(Math.log(1.2) / 4, 12)
    expect(parts.find(({ group }) => group === 30)?.log).toBeCloseTo(Math.log(0.9) / 4, 12)
  })

  test('add up to the change where prices are missing and weights differ', () => {
    const fit = fitWindow(panel, 3, weighed({ 10: 5, 20: 2, 30: 0.5 }))
    const change = (fit.levels[3] ?? 0) - (fit.levels[0] ?? 0)
    const parts = contributionsOf(movedBetween(fit, [0, 3]), change, typeOf)
    expect(parts.reduce((sum, { log }) => sum + log, 0)).toBeCloseTo(change, 12)
    expect(parts.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12)
  })
})

describe('weights', () => {
  test('in proportion to the series of each type change nothing', () => {
    const plain = levelsOf(asTheyAre)
    const levels = levelsWith({ 10: 2, 20: 1, 30: 1 })
    for (const [week, level] of levels.entries()) expect(level).toBeCloseTo(plain[week] ?? Number.NaN, 12)
  })

  test('count by their ratios alone', () => {
    const levels = levelsWith({ 10: 3, 20: 1, 30: 7 })
    for (const [week, level] of levelsWith({ 10: 300, 20: 100, 30: 700 }).entries()) {
      expect(level).toBeCloseTo(levels[week] ?? Number.NaN, 12)
    }
  })

  test('are those of dense weighted least squares', () => {
    // Solved by hand independently: a week’s level is the weighted mean of its series’ deviations from their own level.
    const weights: Record<number, number> = { 10: 3, 20: 1, 30: 7 }
    const fit = fitWindow(panel, 3, weighed(weights))
    for (const week of [0, 1, 2, 3]) {
      const moments = fit.series.map((each) => weightOfMean(each) * (residualIn(each, week) ?? 0))
      expect(moments.reduce((sum, each) => sum + each, 0)).toBeCloseTo(0, 12)
    }
    expect(fit.series.map(({ weight }) => weight)).toEqual([1.5, 1.5, 1, 7])
  })

  test('exclude types with none, or zero, and all series count equally when fewer than two types have one', () => {
    const weighedWith = (weights: Record<number, number>) =>
      fitWindow(panel, 3, weighed(weights)).series.map(({ product }) => product)
    expect(weighedWith({ 10: 4, 30: 2 })).toEqual([1, 1, 3])
    expect(weighedWith({ 10: 4, 20: 0, 30: 2 })).toEqual([1, 1, 3])
    const alone: Record<number, number>[] = [{ 99: 5 }, { 10: 4 }, { 10: 4, 30: 0 }]
    for (const weights of alone) expect(levelsWith(weights)).toEqual(levelsOf(asTheyAre))
  })

  test('of less than half of the series are not used', () => {
    const five = [...panel, series(4, [10, 11, 12, 14]), series(5, [7, 7, 8, 9])]
    const levels = (weights: Record<number, number>) => fitWindow(five, 3, weighed(weights)).levels
    const plain = fitWindow(five, 3, asTheyAre).levels
    // Two series of six, then three.
    expect(levels({ 20: 4, 30: 1 })).toEqual(plain)
    expect(levels({ 20: 4, 30: 1, 40: 1 })).not.toEqual(plain)
  })

  test('apply from their day on, until the type has others', () => {
    const entered = [
      { type: 10, day: '2026-01-01', weight: 1, source: 'A' },
      { type: 10, day: '2026-03-01', weight: 2, source: 'B' },
      { type: 20, day: '2026-02-01', weight: 3, source: 'A' },
    ]
    expect([...weightsOn(entered, '2026-02-28').values()].map(({ weight }) => weight)).toEqual([1, 3])
    expect([...weightsOn(entered, '2026-03-01').values()].map(({ weight }) => weight)).toEqual([2, 3])
    expect(weightsOn(entered, '2025-12-31').size).toBe(0)
    // A later survey does not change the weeks before it.
    expect(levelsWith({ 10: 5, 20: 1 })).not.toEqual(levelsOf(asTheyAre))
    expect(levelsOf(weighed({ 10: 5, 20: 1 }, '2026-02-02'))).toEqual(levelsOf(asTheyAre))
  })
})

test('an explanation says in words why a published figure differs', () => {
  const basis = { series: 240, products: 31, isThin: false, isStale: false }
  const words = explain(
    { publisher: 'INS', measure: 'cumulative', value: 12.447 },
    { ours: 0.135, basis, weights: null },
  )
  expect(words).toContain('plus haut de 1,1 point')
  expect(words).toContain('240 séries de 31 produits, sans pondération')
  const ofMany = { ours: 50, basis: { ...basis, series: 1224, products: 1 }, weights: null }
  expect(explain({ publisher: 'INS', measure: 'weekly', value: 0 }, ofMany)).toMatch(
    /plus haut de 5\u202f000 points.*1\u202f224 séries de 1 produit,/,
  )
  expect(
    explain(
      { publisher: 'BCC', measure: 'yearly', value: 5 },
      { ours: 0.05, basis, weights: { types: 4, typesWithout: 0 } },
    ),
  ).toContain('les mêmes à un dixième de point près')
  expect(
    explain(
      { publisher: 'BCC', measure: 'yearly', value: 5 },
      { ours: 0.05, basis, weights: { types: 4, typesWithout: 26 } },
    ),
  ).toContain('240 séries de 31 produits, de 4 types pondérés sur 30')
  expect(
    explain(
      { publisher: 'BCC', measure: 'yearly', value: 5 },
      { ours: null, basis, weights: { types: 4, typesWithout: 0 } },
    ),
  ).toContain('pas de chiffre')
})
