import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Inflation, inflation } from '#features/prices/inflation/inflation.contract.ts'
import { createKeeper } from '#features/prices/stored-index/stored-index.jobs.ts'
import {
  insertCategory,
  insertMarket,
  insertPrice,
  insertProduct,
  insertType,
} from '../../../../tests/support/catalogue.ts'
import { plainIndex } from '../../../../tests/support/plain-index.ts'
import {
  insertQuotes,
  localDay,
  type Place,
  type Quote,
  quotes,
  zoneOf,
} from '../../../../tests/support/random-prices.ts'
import { setRate } from '../../../../tests/support/rates.ts'
import { testServer } from '../../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const reader = await server.as('manager')
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

async function read(query = ''): Promise<Inflation> {
  const { status, body, text } = await reader.get(`/api/statistics/inflation?${query}`)
  expect(status, text).toBe(200)
  return inflation.parse(body)
}

const addDays = (day: string, n: number) =>
  new Date(Date.parse(day) + n * 86_400_000).toISOString().slice(0, 10)
const rates = [
  { day: '2025-10-01', cdfPerUsd: 2800 },
  { day: '2025-12-10', cdfPerUsd: 2500.5 },
  { day: '2026-02-20', cdfPerUsd: 2310 },
]
const rateOn = (day: string) => rates.findLast((rate) => rate.day <= day)?.cdfPerUsd ?? Number.NaN

test('inflation is what dense least squares over every price give, whatever the prices and the selection', async () => {
  for (const rate of rates) await setRate(db, rate)
  // A year of weeks, from a Monday.
  const drawn = quotes({ productIds, marketIds: [goma, kinshasa], firstDay: '2025-10-06', days: 26 * 7 })
  const selections = [
    { query: '', keeps: () => true },
    { query: 'location=GOMA', keeps: ({ marketId }: Quote) => marketId === goma },
    { query: `categoryId=${food}`, keeps: ({ productId }: Quote) => productId !== productIds[2] },
    {
      query: `productId=${productIds[1]}&measure=weekly`,
      keeps: ({ productId }: Quote) => productId === productIds[1],
    },
  ]
  await fc.assert(
    fc.asyncProperty(fc.array(drawn, { minLength: 5, maxLength: 120, size: 'max' }), async (stored) => {
      await sql`delete from price`.execute(db)
      await insertQuotes(db, stored, places)
      for (const { query, keeps } of selections) {
        const plain = stored.filter(keeps).map((quote) => {
          const day = localDay(quote.collectedAt, zoneOf(quote.marketId, places))
          const cdf = quote.priceValue * (quote.currency === 'USD' ? rateOn(day) : 1)
          return { series: `${quote.productId}/${quote.marketId}`, product: quote.productId, day, cdf }
        })
        expectAlike(await read(query), plain)
      }
    }),
    { numRuns: 10, seed: 3, endOnFailure: true },
  )
}, 60_000)

function expectAlike(shown: Inflation, plain: Parameters<typeof plainIndex>[0]): void {
  const end =
    plain
      .map(({ day }) => day)
      .sort()
      .at(-1) ?? ''
  if (plain.length === 0) {
    expect(shown.week).toBeNull()
    return
  }
  const over = (weeks: number) => plainIndex(plain, { start: addDays(end, 1 - 7 * weeks), end }, false)
  const whole = over(60)
  expect(shown.index.map(({ week }) => week)).toEqual(whole.index.map(({ week }) => week))
  for (const [at, { value }] of shown.index.entries())
    expect(value / (whole.index[at]?.value ?? 0)).toBeCloseTo(1, 9)
  expectWeeksOf(shown, whole.index)
  expectDollarPart(shown)
  const number = shown.weeks.find(({ week }) => week === shown.week)?.number ?? 0
  for (const [measure, weeks] of [
    ['weekly', 1],
    ['cumulative', number],
    ['yearly', 52],
  ] as const) {
    const { change } = over(weeks)
    const ours = shown.changes[measure]
    expect(ours?.value ?? null, measure).toEqual(
      change && expect.closeTo(change.value, 9 - Math.ceil(Math.log10(1 + Math.abs(change.value)))),
    )
    if (ours && change) expect([ours.from, ours.to]).toEqual([change.from, change.to])
  }
  const { categories, types: parts } = shown.contributions
  for (const group of [categories, parts]) {
    if (shown.changes.yearly === null || group.length === 0) continue
    expect(group.reduce((sum, { points }) => sum + points, 0)).toBeCloseTo(shown.changes.yearly.value, 6)
  }
}

/** Each week's figures, by division from the whole index. */
function expectWeeksOf({ weeks }: Inflation, index: { week: string; value: number }[]): void {
  const at = (week: string) => index.find((each) => each.week === week)?.value
  const ratio = (now: number | undefined, then: number | undefined) =>
    now === undefined || then === undefined ? null : now / then - 1
  const nearly = (value: number | null) =>
    value === null ? null : expect.closeTo(value, 7 - Math.ceil(Math.log10(1 + Math.abs(value))))
  for (const { week, weekly, cumulative, annualised, number } of weeks) {
    const lastOfYear = addDays(week, -7 * number)
    const plain = ratio(at(week), at(lastOfYear))
    expect(weekly, week).toEqual(nearly(ratio(at(week), at(addDays(week, -7)))))
    expect(cumulative, week).toEqual(nearly(plain))
    expect(annualised, week).toEqual(nearly(plain === null ? null : (1 + plain) ** (52 / number) - 1))
  }
}

/** The dollar's part, from the rate of each day of the weeks compared. */
function expectDollarPart({ exchange, changes: { yearly } }: Inflation): void {
  if (!exchange || !yearly) return
  const meanLog = (monday: string) => {
    const logs = [0, 1, 2, 3, 4, 5, 6].map((n) => Math.log(rateOn(addDays(monday, n))))
    return logs.reduce((total, log) => total + log, 0) / 7
  }
  expect(exchange.francs).toBeCloseTo(yearly.value, 9)
  expect(Math.log(1 + exchange.dollar)).toBeCloseTo(meanLog(yearly.to) - meanLog(yearly.from), 9)
  expect((1 + exchange.dollar) * (1 + exchange.inDollars)).toBeCloseTo(1 + exchange.francs, 9)
}

const rounded = ({ week, value }: Inflation['index'][number]) => [week, value.toFixed(9)]

/** One price a week of each product in both markets, from a Monday on. */
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

  test('is weighed by type once weights are entered, and only where it concerns them', async () => {
    await quoteWeekly(3, (product, week) => 1000 * (1 + [0.1, 0, 0.5][product]! * week))
    const enter = (typeId: number | undefined, weight: number) =>
      admin.post('/api/type-weights', { typeId, weight, day: '2025-01-01', source: 'Enquête 1-2-3 de 2012' })
    const before = await read('measure=weekly')
    const savon = await read(`productId=${productIds[2]}&measure=weekly`)
    expect(before.weights).toBeNull()
    expect((await enter(types[0], 300)).status).toBe(201)
    expect((await enter(types[2], 100)).status).toBe(201)
    expect((await enter(types[2], 50)).status).toBe(409)
    const after = await read('measure=weekly')
    expect(after.weights).toEqual({
      day: '2025-01-01',
      source: 'Enquête 1-2-3 de 2012',
      types: 2,
      unweighted: 2,
    })
    const [riz, soap] = [Math.log(1.2 / 1.1), Math.log(2 / 1.5)]
    expect(after.changes.weekly?.value).toBeCloseTo(Math.expm1((3 * riz + soap) / 4), 9)
    expect(after.contributions.types.map(({ name, share }) => [name, share])).toEqual([
      ['Savon', expect.closeTo(0.25, 9)],
      ['Riz', expect.closeTo(0.75, 9)],
    ])
    // Of one type, a weight changes nothing; weights of a later survey, no week before it.
    expect((await read(`productId=${productIds[2]}&measure=weekly`)).index.map(rounded)).toEqual(
      savon.index.map(rounded),
    )
    await admin.post('/api/type-weights', {
      typeId: types[1],
      weight: 1000,
      day: '2026-06-01',
      source: 'Suivante',
    })
    expect((await read('measure=weekly')).index).toEqual(after.index)
    expect((await admin.delete(`/api/product-types/${types[0]}`)).body).toMatchObject({
      message: expect.stringContaining('1 pondération'),
    })
  })

  test('stands beside what was published of the same week and place, with why they differ', async () => {
    await quoteWeekly(8, (product, week) => 1000 * (1 + 0.01 * week * product))
    const publish = (more: object) =>
      admin.post('/api/published-inflation', {
        ...{
          publisher: 'INS',
          measure: 'weekly',
          week: '2026-01-08',
          value: '0,35',
          source: 'Communiqué du 12 janvier',
        },
        ...more,
      })
    const { status, body } = await publish({})
    expect([status, body]).toMatchObject([201, { week: '2026-01-05', value: 0.35, location: null }])
    expect((await publish({})).status).toBe(409)
    expect((await publish({ location: 'Goma', value: -2 })).status).toBe(201)
    expect((await publish({ value: -100, measure: 'yearly' })).status).toBe(400)
    const [nation] = (await read()).published
    const ours = (await read()).changes.weekly?.value
    expect(nation).toMatchObject({ value: 0.35, ours, explanation: expect.stringContaining('point') })
    expect((await read('location=goma')).published).toMatchObject([{ location: 'Goma', value: -2 }])
    expect((await read(`categoryId=${food}`)).published).toEqual([])
  })

  test('of nothing says so, and of old prices that they are old', async () => {
    expect(await read()).toMatchObject({ week: null, weeks: [], index: [], basis: { prices: 0 } })
    await insertPrice(db, { product_id: productIds[0] ?? 0, market_id: goma, day: '2025-01-01' })
    expect(await read()).toMatchObject({ week: null })
    expect(await read('location=Nulle part')).toMatchObject({ week: null })
    expect((await reader.get('/api/statistics/inflation?measure=monthly')).status).toBe(400)
  })
})

test('of too many series to fit, the stored indices tell of every week and of all years what a fit would', async () => {
  const quotes = Array.from({ length: 130 }, (_, week) =>
    [goma, kinshasa].flatMap((marketId, at) =>
      productIds.map((productId, n) => ({
        ...{ productId, marketId, currency: 'CDF' as const, collectorName: 'Amina', lane: 0 },
        priceValue: Math.round(100_000 * Math.exp(0.004 * week + 0.05 * Math.sin(week * (n + 1) + at))) / 100,
        collectedAt: new Date(`${addDays('2024-01-01', 7 * week)}T10:00Z`),
      })),
    ),
  ).flat()
  await insertQuotes(db, quotes, places)
  const summary = async () => Object((await reader.get('/api/prices/analytics/summary?')).body)
  const [fitted, whole] = [await read(), await summary()]
  const keeper = createKeeper(db, 0)
  await keeper.follow()
  while (await keeper.followWindows()) {
    // There are more.
  }
  await sql`update price_index set known_series = 20000`.execute(db)
  const [stored, years] = [await read(), await summary()]
  const nearly = (value: number | null) => value && expect.closeTo(value, 9)
  expect(stored.basis).toMatchObject({ prices: null, knownSeries: 20_000 })
  expect(fitted.weeks.filter(({ yearly }) => yearly !== null)).toHaveLength(53)
  expect(stored.weeks.map(({ yearly }) => yearly)).toEqual(fitted.weeks.map(({ yearly }) => nearly(yearly)))
  expect(years).toMatchObject({ isTooLarge: false, knownSeries: 20_000, change: { margin: null } })
  expect(years.index).toHaveLength(130)
  expect(years.index).toEqual(
    whole.index.map((point: { value: number }) => ({ ...point, value: expect.closeTo(point.value, 7) })),
  )
})
