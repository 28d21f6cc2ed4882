import { expect, test } from 'vitest'
import { type Condition, type JudgedQuote, judge } from '#features/alerts/judging/judging.rules.ts'
import { addDays } from '#shared/days.ts'

const first = '2026-01-01'
/** Returns one quote every `every` days. */
const series = (values: readonly number[], every = 1): JudgedQuote[] =>
  values.map((cdf, i) => ({ id: i + 1, day: addDays(first, i * every), cdf, log: Math.log(cdf) }))
const above = (threshold: number): Condition => ({
  kind: 'level',
  direction: 'above',
  threshold,
  periodDays: 30,
})
const ringsOf = (condition: Condition, values: readonly number[], every = 1) =>
  judge(condition, series(values, every), addDays(first, (values.length - 1) * every)).rings.map(
    ({ quote }) => quote.id,
  )

test('two quotes in a row make a level ring, and one does not', () => {
  expect(ringsOf(above(1000), [900, 1100, 900, 1100, 1100, 1100])).toEqual([5])
})

test('a price equal to its threshold is neither above nor below', () => {
  expect(ringsOf(above(1000), [900, 1000, 1000, 1000])).toEqual([])
  expect(ringsOf({ ...above(1000), direction: 'below' }, [1100, 1000, 1000, 1000])).toEqual([])
})

test('an alert rings again only once the price has been 3 % back, twice', () => {
  expect(ringsOf(above(1000), [1100, 1100, 980, 980, 1100, 1100])).toEqual([2])
  expect(ringsOf(above(1000), [1100, 1100, 960, 1100, 1100])).toEqual([2])
  expect(ringsOf(above(1000), [1100, 1100, 960, 960, 1100, 1100])).toEqual([2, 6])
  expect(ringsOf({ ...above(1000), direction: 'below' }, [900, 900, 1040, 1040, 900, 900])).toEqual([2, 6])
})

test('a typing error rings nothing, however large, nor does its correction', () => {
  for (const kind of ['level', 'change'] as const) {
    const condition = { ...above(kind === 'level' ? 1500 : 20), kind, periodDays: 7 }
    const flat = Array.from({ length: 20 }, () => 1000)
    expect(ringsOf(condition, [...flat, 9000])).toEqual([])
    expect(ringsOf(condition, [...flat, 9000, ...flat])).toEqual([])
  }
})

test('a doubling that the next quote confirms is accepted', () => {
  expect(ringsOf(above(1500), [1000, 1000, 2100, 2050, 2100])).toEqual([4])
})

test('quotes more than 14 days apart do not confirm each other', () => {
  expect(ringsOf(above(1000), [900, 1100, 1100], 15)).toEqual([])
  expect(ringsOf(above(1000), [900, 1100, 1100], 14)).toEqual([3])
})

test('a change is computed over the windows of its definition, and needs two quotes in each', () => {
  const values = [...Array.from({ length: 10 }, () => 1000), ...Array.from({ length: 10 }, () => 1200)]
  const change: Condition = { kind: 'change', direction: 'above', threshold: 15, periodDays: 7 }
  const { rings } = judge(change, series(values), addDays(first, 19))
  expect(rings).toHaveLength(1)
  // On the day before it was 16.9 %, with six days of seven at 1 200.
  expect(rings[0]?.measure).toBeCloseTo(20, 6)
  expect(ringsOf({ ...change, direction: 'below', threshold: 12 }, values.toReversed())).toHaveLength(1)
  expect(ringsOf(change, [1000, 1300], 7)).toEqual([])
})

test('a price is unusual against the 90 days before it, in its direction, once two quotes confirm it', () => {
  const usual = [1000, 1010, 990, 1000, 1020, 980, 1000]
  const unusual: Condition = { kind: 'unusual', direction: 'above', threshold: 1, periodDays: 30 }
  expect(ringsOf(unusual, [...usual, 1600])).toEqual([])
  expect(ringsOf(unusual, [...usual, 1600, 1610])).toEqual([9])
  expect(ringsOf({ ...unusual, direction: 'below' }, [...usual, 1600, 1610])).toEqual([])
  expect(ringsOf(unusual, [1000, 1000, 1600, 1600])).toEqual([])
})

test('a silence rings on the day after its number of days without a quote, and a new quote ends it', () => {
  const silence: Condition = { kind: 'silence', direction: 'above', threshold: 14, periodDays: 30 }
  const quotes = series([1000, 1000], 20)
  const at = (today: string) => judge(silence, quotes, today)
  expect(at('2026-01-25')).toMatchObject({ isRinging: false, rings: [{ day: '2026-01-16' }] })
  expect(at('2026-02-04')).toMatchObject({ isRinging: false, rings: [{}] })
  expect(at('2026-02-05')).toMatchObject({ isRinging: true, rings: [{}, { day: '2026-02-05' }] })
})

test('of a thousand noisy series whose level is near its threshold, few ring more than once a month', () => {
  let random = 1
  const next = () => {
    random = (random * 48271) % 2147483647
    return random / 2147483647
  }
  let rings = 0
  for (let n = 0; n < 200; n++) {
    let value = 1000
    const values = Array.from({ length: 180 }, () => {
      value *= Math.exp(0.02 * (next() - 0.5))
      return value * Math.exp(0.04 * (next() - 0.5))
    })
    rings += ringsOf(above(1000), values).length
  }
  expect(rings).toBeLessThan(200 * 6)
  expect(rings).toBeGreaterThan(50)
})
