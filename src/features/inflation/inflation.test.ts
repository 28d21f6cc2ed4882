import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Inflation } from '#features/inflation/inflation.contract.ts'
import { addDays } from '#shared/days.ts'
import { groupBy } from '#shared/group-by.ts'
import {
  insertCategory,
  insertMarket,
  insertPrice,
  insertProduct,
  insertType,
} from '../../../tests/support/catalogue.ts'
import { inflationReader } from '../../../tests/support/inflation.ts'
import { tries } from '../../../tests/support/length.ts'
import { daysAgo } from '../../../tests/support/market-days.ts'
import { plainIndex, plainTrend } from '../../../tests/support/plain-index.ts'
import {
  insertQuotes,
  localDay,
  type Place,
  type Quote,
  quotes,
  zoneOf,
} from '../../../tests/support/random-prices.ts'
import { setRate } from '../../../tests/support/rates.ts'
import { testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const reader = await server.as('manager')
const read = inflationReader(reader)
const admin = await server.as('admin')
const food = await insertCategory(db, 'Vivres')
const home = await insertCategory(db, 'Ménage')
const types = [
  await insertType(db, { category_id: food, name: 'Riz' }),
  await insertType(db, { category_id: food, name: 'Huile' }),
  await insertType(db, { category_id: home, name: 'Savon' }),
]
const productIds = await Promise.all(types.map((type_id) => insertProduct(db, { type_id })))
const places: Place[] = [
  {
    id: await insertMarket(db, { location: 'Goma', time_zone: 'Africa/Lubumbashi' }),
    timeZone: 'Africa/Lubumbashi',
  },
  {
    id: await insertMarket(db, { location: 'Kinshasa', time_zone: 'Africa/Kinshasa' }),
    timeZone: 'Africa/Kinshasa',
  },
]
const [goma = 0, kinshasa = 0] = places.map(({ id }) => id)

beforeEach(async () => {
  await sql`delete from price`.execute(db)
  await sql`delete from exchange_rate`.execute(db)
  await sql`delete from product_type_weight`.execute(db)
  await sql`delete from published_inflation`.execute(db)
})

const rates = [
  { day: '2025-10-01', cdfPerUsd: 2800 },
  { day: '2025-12-10', cdfPerUsd: 2500.5 },
  { day: '2026-02-20', cdfPerUsd: 2310 },
]
const rateOn = (day: string) => rates.findLast((rate) => rate.day <= day)?.cdfPerUsd ?? Number.NaN

test('inflation equals dense least squares over every price, whatever the prices and the selection', async () => {
  for (const rate of rates) await setRate(db, rate)
  const drawn = (weeks: number, minLength: number, maxLength: number) =>
    fc.array(quotes({ productIds, marketIds: [goma, kinshasa], firstDay: '2025-10-06', days: weeks * 7 }), {
      minLength,
      maxLength,
      size: 'max',
    })
  const selections = [
    { query: '', keeps: () => true },
    { query: 'location=GOMA', keeps: ({ marketId }: Quote) => marketId === goma },
    { query: `categoryId=${food}`, keeps: ({ productId }: Quote) => productId !== productIds[2] },
    { query: `productId=${productIds[1]}`, keeps: ({ productId }: Quote) => productId === productIds[1] },
  ]
  const readings = { weekly: 0, cumulative: 0, yearly: 0 }
  await fc.assert(
    // Half a year, and more than a year.
    fc.asyncProperty(fc.oneof(drawn(26, 5, 120), drawn(57, 150, 220)), async (stored) => {
      await sql`delete from price`.execute(db)
      await insertQuotes(db, stored, places)
      for (const { query, keeps } of selections) {
        const plain = stored.filter(keeps).map((quote) => {
          const day = localDay(quote.collectedAt, zoneOf(quote.marketId, places))
          const cdf = quote.priceValue * (quote.currency === 'USD' ? rateOn(day) : 1)
          return { series: `${quote.productId}/${quote.marketId}`, product: quote.productId, day, cdf }
        })
        expectAlike(await read(query), plain)
        for (const measure of ['weekly', 'cumulative', 'yearly'] as const) {
          const shown = await read(`${query}&measure=${measure}`)
          const change = shown.changes[measure]
          expectDollarPart(shown, change, lastDayOf(plain))
          expectContributions(shown, change, plain)
          if (change) readings[measure] += shown.contributions.types.length
        }
      }
    }),
    { numRuns: tries(4, 10), seed: 3, endOnFailure: true },
  )
  for (const count of Object.values(readings)) expect(count).toBeGreaterThan(tries(8, 20))
})

test('any day of a past week gives the figures of its whole week', async () => {
  const [productId = 0] = productIds
  for (const [n, price_value] of [1000, 1010, 1020, 1100, 1300].entries()) {
    const day = addDays('2025-11-01', n * 9)
    await insertPrice(db, { product_id: productId, market_id: goma, day, price_value })
    await insertPrice(db, { product_id: productId, market_id: kinshasa, day: addDays(day, 3), price_value })
  }
  const whole = await read('until=2025-11-30')
  expect(whole.week).toBe('2025-11-24')
  for (let n = 0; n < 6; n++) expect(await read(`until=${addDays('2025-11-24', n)}`)).toEqual(whole)
})

type PlainQuotes = Parameters<typeof plainIndex>[0]

function lastDayOf(quotes: PlainQuotes): string {
  return (
    quotes
      .map(({ day }) => day)
      .sort()
      .at(-1) ?? ''
  )
}

/** Returns the quotes of the 53 weeks that an index is fitted to. */
function lastYearOf(quotes: PlainQuotes): PlainQuotes {
  const end = lastDayOf(quotes)
  const sunday = addDays(end, (7 - new Date(end).getUTCDay()) % 7)
  return quotes.filter(({ day }) => day > addDays(sunday, -53 * 7))
}

function expectAlike(shown: Inflation, all: PlainQuotes): void {
  if (all.length === 0) {
    expect(shown.week).toBeNull()
    return
  }
  const plain = lastYearOf(all)
  const end = lastDayOf(plain)
  const over = (weeks: number) => plainIndex(plain, { start: addDays(end, 1 - 7 * weeks), end }, false)
  const whole = over(60)
  expect(shown.index.map(({ week }) => week)).toEqual(whole.index.map(({ week }) => week))
  for (const [at, { value }] of shown.index.entries())
    expect(value / (whole.index[at]?.value ?? 0)).toBeCloseTo(1, 9)
  expectWeeksOf(shown, whole.index, all)
  const number = shown.weeks.find(({ week }) => week === shown.week)?.number ?? 0
  for (const [measure, weeks] of [
    ['weekly', 1],
    ['cumulative', number],
    ['yearly', 52],
  ] as const) {
    const { change } = over(weeks)
    const ours = shown.changes[measure]
    expect(ours?.trend ?? null, measure).toBe(change && plainTrend(change))
    if (ours && measure === 'cumulative')
      expect(shown.changes.annualised?.trend).toBe(ours.trend === 'stable' ? null : ours.trend)
    expect(ours?.value ?? null, measure).toEqual(
      change && expect.closeTo(change.value, 9 - Math.ceil(Math.log10(1 + Math.abs(change.value)))),
    )
    if (ours && change) expect([ours.from, ours.to]).toEqual([change.from, change.to])
  }
}

type Change = Inflation['changes']['weekly']

/**
 * Checks each contribution: the part of a group's series in the mean change of all series, with gaps filled by the
 * dense fit.
 */
function expectContributions({ contributions }: Inflation, change: Change, plain: PlainQuotes): void {
  if (change === null) {
    expect(contributions).toEqual({ categories: [], types: [] })
    return
  }
  const end = lastDayOf(plain)
  const moved = plainIndex(lastYearOf(plain), { start: end, end }, false).filled(change.from, change.to)
  const logs = (own: typeof moved) => own.reduce((total, { log }) => total + log, 0)
  const categoryOf = (product: number) => (product === productIds[2] ? home : food)
  const typeOf = (product: number) => types[productIds.indexOf(product)] ?? 0
  const whole = logs(moved) / moved.length
  expect(whole).toBeCloseTo(Math.log1p(change.value), 9)
  for (const [groups, groupOf] of [
    [contributions.categories, categoryOf],
    [contributions.types, typeOf],
  ] as const) {
    const expected = [...groupBy(moved, ({ product }) => groupOf(product))].map(([id, own]) => ({
      id,
      series: own.length,
      share: expect.closeTo(own.length / moved.length, 9),
      value: expect.closeTo(Math.expm1(logs(own) / own.length), 5),
      points: expect.closeTo((logs(own) / moved.length) * (change.value / whole), 5),
    }))
    const byId = (one: { id: number }, other: { id: number }) => one.id - other.id
    expect(groups.toSorted(byId)).toMatchObject(expected.toSorted(byId))
    expect(groups).toHaveLength(expected.length)
  }
}

/**
 * Checks the figures of each week against ratios of the whole index; or of the index of the year that ends with it,
 * where it is compared with a week before the period.
 */
function expectWeeksOf(
  { weeks }: Inflation,
  index: { week: string; value: number }[],
  all: PlainQuotes,
): void {
  const at = (week: string) => index.find((each) => each.week === week)?.value
  const sinceInOwnYear = (week: string, before: string) => {
    const end = addDays(week, 6)
    const own = all.filter(({ day }) => day > addDays(week, -7 * 52 - 1) && day <= end)
    const { index } = plainIndex(own, { start: addDays(end, -60 * 7), end }, false)
    const levelOf = (monday: string) => index.find((each) => each.week === monday)?.value
    return ratio(levelOf(week), levelOf(before))
  }
  const ratio = (now: number | undefined, then: number | undefined) =>
    now === undefined || then === undefined ? null : now / then - 1
  const nearly = (value: number | null) =>
    value === null ? null : expect.closeTo(value, 7 - Math.ceil(Math.log10(1 + Math.abs(value))))
  for (const [n, { week, weekly, cumulative, annualised, number }] of weeks.entries()) {
    const lastOfYear = addDays(week, -7 * number)
    if (n > 0) expect(weekly, week).toEqual(nearly(ratio(at(week), at(addDays(week, -7)))))
    // A least-squares fit for each would take longer than everything else.
    if (n < number && n % 9 !== 0) continue
    const plain = n < number ? sinceInOwnYear(week, lastOfYear) : ratio(at(week), at(lastOfYear))
    expect(cumulative, week).toEqual(nearly(plain))
    expect(annualised, week).toEqual(nearly(plain === null ? null : (1 + plain) ** (52 / number) - 1))
  }
}

/** Checks the dollar's part, from the rates of each day of the compared weeks, the last week up to the last price. */
function expectDollarPart({ exchange }: Inflation, change: Change, lastDay: string): void {
  if (change === null || Number.isNaN(rateOn(change.from))) {
    expect(exchange).toBeNull()
    return
  }
  const meanLog = (monday: string) => {
    const days = [0, 1, 2, 3, 4, 5, 6].map((n) => addDays(monday, n)).filter((day) => day <= lastDay)
    return days.reduce((total, day) => total + Math.log(rateOn(day)), 0) / days.length
  }
  const digits = 9 - Math.ceil(Math.log10(1 + Math.abs(change.value)))
  expect(exchange?.francs).toBeCloseTo(change.value, digits)
  expect(Math.log(1 + (exchange?.dollar ?? 0))).toBeCloseTo(meanLog(change.to) - meanLog(change.from), 9)
  const product = (1 + (exchange?.dollar ?? 0)) * (1 + (exchange?.inDollars ?? 0))
  expect(product).toBeCloseTo(1 + change.value, digits)
}

const rounded = ({ week, value }: Inflation['index'][number]) => [week, value.toFixed(9)]

/** Inserts one price a week of each product in both markets, from a Monday on. */
async function quoteWeekly(weeks: number, priceOf: (product: number, week: number) => number): Promise<void> {
  for (const [i, product_id] of productIds.entries()) {
    for (const market_id of [goma, kinshasa]) {
      for (let week = 0; week < weeks; week++) {
        const day = addDays('2025-11-17', 7 * week)
        await insertPrice(db, { product_id, market_id, day, price_value: priceOf(i, week) })
      }
    }
  }
}

describe('inflation', () => {
  test('of one category that doubles is split by category, by type and by the dollar', async () => {
    await setRate(db, { day: '2025-01-01', cdfPerUsd: 2000 })
    await setRate(db, { day: '2025-12-01', cdfPerUsd: 2500 })
    await quoteWeekly(4, (product, week) => (product === 2 && week === 3 ? 2000 : 1000))
    const shown = await read('measure=weekly')
    expect(shown.week).toBe('2025-12-08')
    expect(shown.changes.weekly?.value).toBeCloseTo(2 ** (1 / 3) - 1, 9)
    expect(shown.contributions.categories).toMatchObject([
      {
        id: home,
        name: 'Ménage',
        series: 2,
        value: expect.closeTo(1, 9),
        points: expect.closeTo(2 ** (1 / 3) - 1, 9),
      },
      { id: food, series: 4, value: expect.closeTo(0, 9), points: expect.closeTo(0, 9) },
    ])
    expect(shown.contributions.types).toHaveLength(3)
    expect(shown.exchange).toEqual({
      francs: expect.closeTo(2 ** (1 / 3) - 1, 9),
      dollar: expect.closeTo(0, 9),
      inDollars: expect.closeTo(2 ** (1 / 3) - 1, 9),
    })
    const { exchange } = await read('measure=cumulative&until=2025-12-07')
    expect(exchange).toBeNull()
    expect(shown.basis).toMatchObject({ prices: 24, series: 6, products: 3, isThin: false, isStale: true })
  })

  test('is weighted by type once weights are entered, and only where they apply', async () => {
    await quoteWeekly(3, (product, week) => 1000 * (1 + [0.1, 0, 0.5][product]! * week))
    const enter = (typeId: number | undefined, weight: number) =>
      admin.post('/api/type-weights', { typeId, weight, day: '2025-01-01', source: 'Enquête 1-2-3 de 2012' })
    const before = await read('measure=weekly')
    const savon = await read(`productId=${productIds[2]}&measure=weekly`)
    expect([before.weights, before.unusedWeights]).toEqual([null, null])
    // A weight is not an amount of money.
    expect(await enter(types[0], -1)).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'weight', message: 'Un nombre négatif n’est pas accepté' }] },
    })
    expect((await enter(types[0], 300)).status).toBe(201)
    // A single weight has nothing to be weighed against.
    expect(await read('measure=weekly')).toMatchObject({
      weights: null,
      index: before.index,
      unusedWeights: { types: 1, typesWithout: 2, share: expect.closeTo(1 / 3, 9) },
    })
    expect((await enter(types[2], 100)).status).toBe(201)
    expect((await enter(types[2], 50)).status).toBe(409)
    const after = await read('measure=weekly')
    expect(after.weights).toEqual({
      day: '2025-01-01',
      source: 'Enquête 1-2-3 de 2012',
      types: 2,
      typesWithout: 1,
      unweighted: 2,
    })
    const [riz, soap] = [Math.log(1.2 / 1.1), Math.log(2 / 1.5)]
    expect(after.changes.weekly?.value).toBeCloseTo(Math.expm1((3 * riz + soap) / 4), 9)
    expect(after.contributions.types.map(({ name, share }) => [name, share])).toEqual([
      ['Savon', expect.closeTo(0.25, 9)],
      ['Riz', expect.closeTo(0.75, 9)],
    ])
    // With one type, a weight changes nothing; the weights of a later survey change no earlier week.
    expect((await read(`productId=${productIds[2]}&measure=weekly`)).index.map(rounded)).toEqual(
      savon.index.map(rounded),
    )
    const later = { typeId: types[1], weight: 1000, day: '2026-06-01', source: 'Suivante' }
    await admin.post('/api/type-weights', later)
    expect((await read('measure=weekly')).index).toEqual(after.index)
    expect((await admin.delete(`/api/product-types/${types[0]}`)).body).toMatchObject({
      message: expect.stringContaining('1 pondération'),
    })
  })

  test('is shown beside the published figure for the same week and place, with why they differ', async () => {
    await quoteWeekly(8, (product, week) => 1000 * (1 + 0.01 * week * product))
    const publish = (more: object) =>
      admin.post('/api/published-inflation', {
        publisher: 'INS',
        measure: 'weekly',
        week: '2026-01-08',
        value: '0,35',
        source: 'Communiqué du 12 janvier',
        ...more,
      })
    const { status, body } = await publish({})
    expect([status, body]).toMatchObject([201, { week: '2026-01-05', value: 0.35, location: null }])
    expect((await publish({})).status).toBe(409)
    expect((await publish({ location: 'Goma', value: -2 })).status).toBe(201)
    expect((await publish({ value: -100, measure: 'yearly' })).status).toBe(400)
    const weekToCome = daysAgo(-14)
    const refused = {
      message: 'Cette semaine est à venir\u00a0: rien n’en a encore été publié.',
      errors: [{ field: 'week' }],
    }
    expect(await publish({ week: weekToCome })).toMatchObject({ status: 400, body: refused })
    const change = { week: weekToCome, value: 1 }
    expect(await admin.put(`/api/published-inflation/${Object(body).id}`, change)).toMatchObject({
      status: 400,
      body: refused,
    })
    const [nation] = (await read()).published
    const ours = (await read()).changes.weekly?.value
    expect(nation).toMatchObject({ value: 0.35, ours, explanation: expect.stringContaining('point') })
    expect((await read('location=goma')).published).toMatchObject([{ location: 'Goma', value: -2 }])
    expect((await read(`categoryId=${food}`)).published).toEqual([])
    // A week after the last price is included too, unless an earlier end is requested.
    expect((await publish({ week: '2026-01-14' })).status).toBe(201)
    expect((await read()).published).toMatchObject([{ week: '2026-01-12', ours: null }, { ours }])
    expect((await read('until=2026-01-06')).published).toMatchObject([{ ours }])
  })

  test('is stale from 31 days after its last price, also when the week of that price ends later', async () => {
    for (const age of [31, 30]) {
      await sql`delete from price`.execute(db)
      for (const product_id of productIds)
        for (const day of [daysAgo(age + 7), daysAgo(age)])
          await insertPrice(db, { product_id, market_id: goma, day })
      expect((await read()).basis).toMatchObject({ lastDay: daysAgo(age), isStale: age > 30 })
    }
  })

  test('without prices says so, and with old prices says that they are old', async () => {
    expect(await read()).toMatchObject({ week: null, weeks: [], index: [], basis: { prices: 0 } })
    await insertPrice(db, { product_id: productIds[0] ?? 0, market_id: goma, day: '2025-01-01' })
    expect(await read()).toMatchObject({ week: null })
    expect(await read('location=Nulle part')).toMatchObject({ week: null })
    expect((await reader.get('/api/statistics/inflation?measure=monthly')).status).toBe(400)
  })
})
