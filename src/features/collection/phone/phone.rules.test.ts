import { describe, expect, test } from 'vitest'
import {
  beginningWith,
  doubtAbout,
  forEachAgent,
  itemsOf,
  lateSince,
  nearPrices,
  type PhoneEntry,
  typedAfter,
  typedAmount,
  withDay,
  writtenAmount,
} from '#features/collection/phone/phone.rules.ts'

/** Prices that the mock-up's agent finds at a market: the last one, and today's. */
const found: [last: number, today: number][] = [
  ...[66_000, 308_000, 3_100, 24_500, 5_700, 1_200, 800, 2_500, 9_000, 13_500].map(same),
  ...[4_000, 1_800, 700, 3_300, 2_800, 15_000, 6_500, 45_000, 1_000, 500].map(same),
  // Seven of ten changes are within four usual steps, as in the demonstration.
  ...([
    [5_200, 5_100],
    [3_600, 3_700],
    [66_000, 67_500],
    [2_400, 2_300],
    [1_650, 1_700],
    [9_850, 10_200],
    [700, 900],
    [2_700, 3_900],
    [13_000, 9_850],
    [28_000, 34_000],
  ] satisfies [number, number][]),
]

const usualAround = (last: number) => ({ low: last / 2, high: last * 2 })

function same(price: number): [number, number] {
  return [price, price]
}

/**
 * Returns the taps for one price on the pad: digits, « 00 », then OK, or one of the proposed prices that begin with
 * them.
 */
function padTaps(price: number, { usual }: { usual: { low: number; high: number } }): number {
  const keys = String(price).match(/00|\d/g) ?? []
  let typed = ''
  for (const [place, key] of keys.entries()) {
    typed = typedAfter(typed, key)
    if (typedAmount(typed) === price || beginningWith(typed, 'CDF', { usual }).includes(price))
      return place + 2
  }
  throw new Error(`${price} cannot be typed`)
}

describe('a visit', () => {
  test('to thirty products, twenty unchanged and one in ten without the last price shown, takes at most 45 taps', () => {
    const goods = found.map(([last], n) => ({
      productId: n,
      name: `Produit ${n}`,
      weight: '1 kg',
      quotesWanted: 1,
      absence: null,
      lastPrice: { value: last, currency: 'CDF' as const, day: '2026-11-20' },
      usual: usualAround(last),
    }))
    const taken = Array.from({ length: 200 }, (_, day) => {
      const items = itemsOf(goods, `7 3 day ${day}`)
      const taps = items.map(({ isBlind, productId }) => {
        const [last = 0, today = 0] = found[productId] ?? []
        if (!isBlind && (today === last || nearPrices(last, 'CDF').includes(today))) return 1
        return padTaps(today, { usual: usualAround(last) })
      })
      // Two taps more: choosing the market, and ending the visit, whose summary opens automatically.
      return 2 + taps.reduce((sum, each) => sum + each, 0)
    }).toSorted((a, b) => a - b)
    expect(taken[taken.length / 2]).toBeLessThanOrEqual(45)
  })
})

describe('typed digits', () => {
  const usual = { low: 56_000, high: 76_000 }

  test('propose usual prices that begin with them, without typing the zeros', () => {
    expect(beginningWith('6', 'CDF', { usual })).toEqual(
      [60, 61, 62, 63, 64, 65, 66, 67, 68, 69].map((thousands) => 1000 * thousands),
    )
    expect(beginningWith('5', 'CDF', { usual })).toEqual([56_000, 57_000, 58_000, 59_000])
    expect(beginningWith('665', 'CDF', { usual })[0]).toBe(66_500)
  })

  test('propose nothing when the price is complete or unusual, in dollars, or when no price is usual', () => {
    for (const typed of ['66000', '660000', '2', ''])
      expect(beginningWith(typed, 'CDF', { usual })).toEqual([])
    expect(beginningWith('66', 'USD', { usual })).toEqual([])
    expect(beginningWith('66', 'CDF', { usual: null })).toEqual([])
  })
})

test('a price in a text box keeps its decimals, and is refused where it reads two ways', () => {
  const written = ['2500', '2 500', '2,50', '2.50', '12.5', '1 234,50', '2500,']
  expect(written.map(writtenAmount)).toEqual([2500, 2500, 2.5, 2.5, 12.5, 1234.5, 2500])
  const refused = ['2.500', '2,500', '1234,567', '2.5.0', '-5', '0', '', 'cent']
  expect(refused.map(writtenAmount)).toEqual(refused.map(() => null))
})

test('a price ten times the usual one asks for confirmation with the likely price', () => {
  const lastPrice = { value: 2800, currency: 'CDF' as const, day: '2026-11-20' }
  const usual = { low: 1400, high: 5600 }
  expect(doubtAbout(28_000, 'CDF', { usual, lastPrice })).toEqual({ likely: 2800, times: 10 })
  expect(doubtAbout(2900, 'CDF', { usual, lastPrice })).toBe(null)
})

test('a price in dollars asks for confirmation when it is far from the last one, or is what francs usually are', () => {
  const lastPrice = { value: 1.2, currency: 'USD' as const, day: '2026-11-20' }
  const usual = { low: 1400, high: 5600 }
  expect(doubtAbout(2500, 'USD', { usual: null, lastPrice })).toEqual({ likely: 1.2, times: null })
  expect(doubtAbout(0.2, 'USD', { usual, lastPrice })).toEqual({ likely: 1.2, times: null })
  expect(doubtAbout(1.5, 'USD', { usual, lastPrice })).toBe(null)
  expect(doubtAbout(2500, 'USD', { usual, lastPrice: null })).toEqual({ likely: null, times: null })
  expect(doubtAbout(2500, 'USD', { usual: null, lastPrice: null })).toBe(null)
  expect(doubtAbout(2500, 'CDF', { usual, lastPrice })).toBe(null)
  expect(doubtAbout(2, 'CDF', { usual, lastPrice })).toEqual({ likely: null, times: null })
})

test('an agent whose account is closed holds nobody back on a shared phone', async () => {
  const served: string[] = []
  const failures = await forEachAgent(['Paul', 'Marie', 'Grâce'], async (agent) => {
    if (agent === 'Paul') throw new Error('401')
    served.push(agent)
  })
  expect(served).toEqual(['Marie', 'Grâce'])
  expect(failures).toEqual([{ agent: 'Paul', error: new Error('401') }])
})

test('an entry whose day the agent has said asks nothing any more', () => {
  const asking = {
    state: 'check',
    message: 'Quel jour était-ce ?',
    isDayNeeded: true,
    day: null,
  } as PhoneEntry
  expect(withDay(asking, '2026-03-02')).toEqual({
    state: 'waiting',
    message: null,
    isDayNeeded: false,
    day: '2026-03-02',
  })
})

test('unsent entries are late from a day after the oldest was made, and never when the clock was set back', () => {
  const now = Date.parse('2026-03-03T09:00:00Z')
  const madeAt = (...days: string[]) => days.map((day) => ({ deviceAt: `${day}T08:00:00.000Z` }))
  expect(lateSince([], now)).toBe(null)
  expect(lateSince(madeAt('2026-03-03'), now)).toBe(null)
  expect(lateSince(madeAt('2026-03-03', '2026-03-01', '2026-03-02'), now)).toBe('2026-03-01T08:00:00.000Z')
  expect(lateSince(madeAt('2027-01-01'), now)).toBe(null)
})
