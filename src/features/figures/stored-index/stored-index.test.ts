import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  countSilent,
  type SolvedIndex,
  solvePanel,
  weeksRead,
} from '#features/figures/price-index/measure.rules.ts'
import { readPanel } from '#features/figures/price-index/price-index.sql.ts'
import { solvedFrom } from '#features/figures/stored-index/figures.rules.ts'
import { fitAll, fitNext } from '#features/figures/stored-index/fitting.jobs.ts'
import {
  readIndices,
  readStored,
  readStoredIndex,
  type StoredIndex,
} from '#features/figures/stored-index/indices.sql.ts'
import { addDays, dayMs } from '#shared/days.ts'
import {
  insertCategory,
  insertMarket,
  insertProduct,
  insertType,
} from '../../../../tests/support/catalogue.ts'
import { testDatabase } from '../../../../tests/support/database.ts'
import { tries } from '../../../../tests/support/length.ts'
import { insertQuotes, type Place, quotes } from '../../../../tests/support/random-prices.ts'
import { setRate } from '../../../../tests/support/rates.ts'

const { db } = await testDatabase()
const [foods, others] = [await insertCategory(db), await insertCategory(db)]
const [rice, soap] = [
  await insertType(db, { category_id: foods }),
  await insertType(db, { category_id: others }),
]
const productIds = [
  await insertProduct(db, { type_id: rice }),
  await insertProduct(db, { type_id: rice }),
  await insertProduct(db, { type_id: soap }),
]
const places: Place[] = [
  { id: await insertMarket(db, { location: 'Gemena', province: 'Sud-Ubangi' }), timeZone: 'Africa/Kinshasa' },
  {
    id: await insertMarket(db, { location: 'gemena', province: 'SOUTH UBANGI' }),
    timeZone: 'Africa/Kinshasa',
  },
  {
    id: await insertMarket(db, { location: 'Likasi', time_zone: 'Africa/Lubumbashi' }),
    timeZone: 'Africa/Lubumbashi',
  },
]
const marketIds = places.map(({ id }) => id)
const firstDay = '2025-01-01'
const days = 560
const period = { start: '2026-05-01', end: '2026-07-05' }

beforeEach(async () => {
  await sql`delete from price`.execute(db)
  await sql`delete from exchange_rate`.execute(db)
})

const subjects = [
  { name: 'nation ', wanted: {} },
  { name: 'city gemena', wanted: { marketIds: marketIds.slice(0, 2) } },
  { name: 'city likasi', wanted: { marketIds: marketIds.slice(2) } },
  { name: `market ${marketIds[0]}`, wanted: { marketIds: marketIds.slice(0, 1) } },
  { name: 'province Sud-Ubangi', wanted: { marketIds: marketIds.slice(0, 2) } },
  { name: `category ${foods}`, wanted: { productIds: productIds.slice(0, 2) } },
  { name: `category ${others}`, wanted: { productIds: productIds.slice(2) } },
]

/** Returns the last day with prices, which determines the last week of windows. */
async function lastDay(): Promise<string> {
  const { rows } = await sql<{ day: string }>`
    select max(day) as day from price_day where n > 0 and (currency = 'CDF' or day >= (select min(day) from exchange_rate))`.execute(
    db,
  )
  return rows[0]?.day ?? ''
}

async function live(wanted: object, start: string, end: string): Promise<SolvedIndex> {
  const panel = await readPanel(db, [{ wanted, sign: 1 }], { start, end })
  if (!panel) throw new Error('nobody bounded the number of series')
  return solvePanel(panel)
}

/** Returns the number of silent markets on a day, and 6 and 13 days later. */
const silences = ({ marketDays }: Pick<SolvedIndex, 'marketDays'>, day: string) =>
  [0, 6, 13].map((later) => countSilent(marketDays, undefined, addDays(day, later)))

function expectSame(one: SolvedIndex, other: SolvedIndex): void {
  const nearly = (level: number | null) => (level === null ? null : expect.closeTo(level, 9))
  expect(one.levels).toEqual(other.levels.map(nearly))
  expect([one.matchedSeries, one.knownSeries]).toEqual([other.matchedSeries, other.knownSeries])
  const last = other.levels.length - 1
  for (const from of [last - 1, last - 4, last - 13, 0]) {
    const [stored, fitted] = [one.movement(from, last), other.movement(from, last)]
    const logOf = (value: number | undefined) => Math.log1p(value ?? 0)
    expect(logOf(stored?.value)).toBeCloseTo(logOf(fitted?.value), 9)
    expect(stored?.margin ?? -1).toBeCloseTo(fitted?.margin ?? -1, 6)
    expect(stored?.trendMargin ?? -1).toBeCloseTo(fitted?.trendMargin ?? -1, 6)
    expect([stored?.series, stored?.products]).toEqual([fitted?.series, fitted?.products])
  }
}

/** Checks that a stored index of several years equals the live one, from the first price and from a later week on. */
async function expectSpliced(stored: StoredIndex, wanted: object, end: string): Promise<void> {
  const { rows } = await sql<{ monday: string }>`
    select monday_of(min(day)) as monday from price_day
     where n > 0 and (currency = 'CDF' or day >= (select min(day) from exchange_rate))`.execute(db)
  const first = rows[0]?.monday ?? ''
  for (const start of [first, addDays(first, 35)]) {
    if (start >= stored.start) continue
    const [spliced, fitted] = [await readStored(db, stored, { start, end }), await live(wanted, start, end)]
    const last = fitted.levels.length - 1
    expect(spliced?.levels).toEqual(fitted.levels.map((level) => level && expect.closeTo(level, 9)))
    for (const from of [0, last - 52, last - 4]) {
      const [measured, truth] = [spliced?.movement(from, last), fitted.movement(from, last)]
      expect(Math.log1p(measured?.value ?? 0)).toBeCloseTo(Math.log1p(truth?.value ?? 0), 9)
    }
  }
}

describe('the stored indices', () => {
  test('equal a live fit after any writes, whatever is fitted between', async () => {
    const choice = { productIds, marketIds, firstDay, days }
    const scene = fc.array(
      fc.record({
        added: fc.array(quotes(choice), { maxLength: 60, size: 'max' }),
        changed: fc.array(fc.nat(), { maxLength: 8 }),
        removed: fc.array(fc.nat(), { maxLength: 8 }),
        rate: fc.option(
          fc.record({
            day: fc.integer({ min: 0, max: days }),
            cdfPerUsd: fc.integer({ min: 1800, max: 3000 }),
          }),
        ),
      }),
      { minLength: 3, maxLength: 4 },
    )
    await fc.assert(
      fc.asyncProperty(scene, async (rounds) => {
        await sql`delete from price`.execute(db)
        await sql`delete from exchange_rate`.execute(db)
        for (const { added, changed, removed, rate } of rounds) {
          const ids = await insertQuotes(db, added, places)
          const chosen = (places: number[]) =>
            ids.length > 0 ? places.map((place) => ids[place % ids.length]) : []
          await sql`update price set price_value = price_value + 1, market_id = ${marketIds[1]}
                     where id = any(${chosen(changed)}::bigint[])`.execute(db)
          await sql`delete from price where id = any(${chosen(removed)}::bigint[])`.execute(db)
          if (rate) {
            const day = new Date(Date.parse(firstDay) + rate.day * dayMs).toISOString().slice(0, 10)
            await setRate(db, { ...rate, day })
          }
          // Prices that arrive while windows are fitted are included too.
          for (let piece = 0; piece < 3; piece++) await fitNext(db)
        }
        await fitAll(db)
        const end = await lastDay()
        for (const { name, wanted } of subjects) {
          const stored = await readStoredIndex(db, name)
          if (!stored) continue
          expect(stored.asOf).toBeNull()
          const fitted = await live(wanted, stored.start, end)
          expectSame(solvedFrom(stored, stored), fitted)
          if (stored.lastDay === end) expect(silences(stored, end)).toEqual(silences(fitted, end))
          await expectSpliced(stored, wanted, end)
        }
        if (end) expect(await readStoredIndex(db, 'nation ')).not.toBeNull()
      }),
      { numRuns: tries(3, 8), seed: 3, endOnFailure: true },
    )
  })

  const [firstDayOfYears, tenWeeksAgo, twoYearsAgo] = ['2023-07-03', '2026-04-27', '2024-07-08']
  const ofRice = sql`product_id = ${productIds[0]} and observed_on between ${twoYearsAgo}::date and date ${sql.lit(twoYearsAgo)} + 80`
  const run = (statement: ReturnType<typeof sql>) => () => statement.execute(db)
  const written: Record<string, () => Promise<unknown>> = {
    'a price of ten weeks ago': () => addPrice(tenWeeksAgo),
    'a price of two years ago': () => addPrice(twoYearsAgo),
    'another amount': run(sql`update price set price_value = 2 where ${ofRice}`),
    'another day': run(sql`update price set observed_on = observed_on + 300 where ${ofRice}`),
    'another market': run(
      sql`update price set market_id = ${marketIds[2]} where product_id = ${productIds[1]} and observed_on = ${tenWeeksAgo}::date`,
    ),
    'another product': run(
      sql`update price set product_id = ${productIds[2]} where product_id = ${productIds[0]} and observed_on = ${tenWeeksAgo}::date`,
    ),
    'a day less': run(sql`delete from price where observed_on = ${twoYearsAgo}::date + 7`),
    'prices in dollars': run(
      sql`update price set currency = 'USD' where product_id = ${productIds[1]} and market_id = ${marketIds[1]}`,
    ),
    'a rate of long ago': () => setRate(db, { day: '2024-01-01', cdfPerUsd: 2500 }),
    'a later rate': () => setRate(db, { day: '2025-01-06', cdfPerUsd: 2700 }),
    'another rate': run(sql`update exchange_rate set cdf_per_usd = 2600 where day = '2025-01-06'`),
    'a rate less': run(sql`delete from exchange_rate where day = '2025-01-06'`),
    'the first weeks less': run(
      sql`delete from price where observed_on < date ${sql.lit(firstDayOfYears)} + 50`,
    ),
    'a price before all others': () => addPrice('2023-05-01'),
    'a price of a new week': () => addPrice('2026-07-14'),
    'the new week less': run(sql`delete from price where observed_on > '2026-07-06'`),
    'another city': run(sql`update market set location = 'Zongo' where id = ${marketIds[2]}`),
    'another province': run(sql`update market set province = 'Haut-Katanga' where id = ${marketIds[2]}`),
    'no good any more': run(sql`update product_type set kind = 'service' where id = ${soap}`),
    'a good again': run(sql`update product_type set kind = 'good' where id = ${soap}`),
    'another type': run(sql`update product set type_id = ${soap} where id = ${productIds[1]}`),
    'another category': run(sql`update product_type set category_id = ${foods} where id = ${soap}`),
  }

  const tried = Object.entries(written).filter((_, index) => index % 4 === 1 || tries(0, 1))
  test('give their date after every kind of change, and equal the live ones again once fitted, also over years', async () => {
    await fillYears(3)
    await fitAll(db)
    const selections = async () => {
      const { rows } = await sql<{ name: string; products: number[]; markets: number[] }>`
        with good as (
          select product.id, category_id from product join product_type type on type.id = type_id where kind = 'good'),
        whole as (select array_agg(distinct id) as products, (select array_agg(id) from market) as markets from good)
        select 'nation ' as name, products, markets from whole
         union all select 'category ' || category_id, array_agg(id), (select markets from whole) from good group by category_id
         union all select 'city ' || fold(location), (select products from whole), array_agg(id) from market group by fold(location)
         union all select 'province Sud-Ubangi', (select products from whole), array_agg(id) from market
                    where province in ('Sud-Ubangi', 'SOUTH UBANGI')
         union all select 'market ' || id, (select products from whole), array[id] from market`.execute(db)
      return rows
    }
    try {
      for (const [what, write] of tried) {
        const before = await readStoredIndex(db, 'nation ')
        expect(before?.asOf, what).toBeNull()
        await write()
        const { rows } = await sql<{ at: string }>`select fitted_at as at from price_index_fit`.execute(db)
        expect((await readStoredIndex(db, 'nation '))?.asOf, what).toBe(rows[0]?.at)
        await fitAll(db)
        const end = await lastDay()
        for (const { name, products, markets } of await selections()) {
          const wanted = { productIds: products, marketIds: markets }
          const stored = await readStoredIndex(db, name)
          if (!stored) {
            expect((await live(wanted, addDays(end, -13), end)).knownSeries, `${what}: ${name}`).toBe(0)
            continue
          }
          expectSame(solvedFrom(stored, stored), await live(wanted, stored.start, end))
          await expectSpliced(stored, wanted, end)
        }
      }
    } finally {
      await sql`update product_type set kind = 'good', category_id = ${others} where id = ${soap}`.execute(db)
      await sql`update product set type_id = ${rice} where id = ${productIds[1]}`.execute(db)
      await sql`update market set location = 'Likasi', province = null where id = ${marketIds[2]}`.execute(db)
      await sql`update market set time_zone = 'Africa/Kinshasa' where id = ${marketIds[1]}`.execute(db)
    }
  })

  test('of past weeks are fitted again from the changed week on, and give their date until then', async () => {
    await fillYears(3)
    await fitAll(db)
    const asOf = async () => {
      const stored = await readStoredIndex(db, 'nation ')
      return stored && (await readStored(db, stored, { start: firstDayOfYears, end: stored.lastDay }))?.asOf
    }
    const fittedAt = async () =>
      (await sql<{ at: string }>`select fitted_at as at from price_index_fit`.execute(db)).rows[0]?.at
    await sql`update price_index_window set levels = '{}' where scope = 'city'`.execute(db)
    expect(await asOf()).toBeNull()
    const before = await fittedAt()
    await addPrice(twoYearsAgo)
    expect(await asOf()).toBe(before)
    await fitNext(db)
    // The fit of the last year includes it by now.
    expect((await readStoredIndex(db, 'nation '))?.asOf).toBeNull()
    expect(await asOf()).toBe(before)
    await fitAll(db)
    expect(await asOf()).toBeNull()
    const { rows } = await sql<{ from: string }>`
      select min(week) as from from price_index_window where scope = 'city' and levels <> '{}'`.execute(db)
    expect(rows).toEqual([{ from: twoYearsAgo }])
  })

  test('include only goods', async () => {
    await fill()
    await fitAll(db)
    expect(await readStoredIndex(db, 'nation ')).toMatchObject({ products: 3 })
    await sql`update product_type set kind = 'wage' where id = ${soap}`.execute(db)
    try {
      await fitAll(db)
      expect(await readStoredIndex(db, 'nation ')).toMatchObject({ products: 2 })
      expect(await readStoredIndex(db, `category ${others}`)).toBeNull()
      expect(await readStoredIndex(db, 'city gemena')).toMatchObject({ products: 2 })
    } finally {
      await sql`update product_type set kind = 'good' where id = ${soap}`.execute(db)
    }
  })
})

test.each([
  ['nation ', {}, 9],
  ['city GÉMENA', { marketIds: marketIds.slice(0, 2) }, 6],
  [`category ${foods}`, { productIds: productIds.slice(0, 2) }, 6],
])('the index « %s » is the same before it is stored and after', async (name, wanted, series) => {
  await fill()
  await sql`delete from price_index`.execute(db)
  for (const isStored of [false, true]) {
    if (isStored) await fitAll(db)
    const stored = await readStoredIndex(db, name)
    expect(stored !== null).toBe(isStored)
    const [index] = await readIndices(db, [{ parts: [{ wanted, sign: 1 }], stored }], weeksRead(period))
    expect(index).toMatchObject({
      start: '2025-06-30',
      matchedSeries: series,
      knownSeries: series,
      asOf: null,
    })
    expect(countSilent(index?.marketDays ?? [null], period.end, '2100-01-01')).toBe(0)
    expect(index?.movement(39, 52)?.value).toBeCloseTo(1.01 ** 13 - 1, 9)
  }
})

test('when prices were written since, few series are fitted at once, and many are read as stored', async () => {
  await fill()
  await fitAll(db)
  await addPrice('2026-07-05')
  const parts = [{ wanted: {}, sign: 1 }] as const
  const before = await readStoredIndex(db, 'nation ')
  expect(before?.asOf).not.toBeNull()
  const read = async (stored: StoredIndex | null) =>
    (await readIndices(db, [{ parts, stored }], weeksRead(period)))[0]
  const fitted = await read(before)
  expect(fitted).toMatchObject({ asOf: null })
  expect(fitted?.levels[52]).not.toBeCloseTo(before?.levels[52] ?? 0, 6)
  const large = before && { ...before, knownSeries: 20_000 }
  expect(await read(large)).toMatchObject({ asOf: before?.asOf, knownSeries: 20_000, levels: before?.levels })
  // For weeks that are not stored the result is null.
  expect(
    (await readIndices(db, [{ parts, stored: large }], { start: '2024-01-01', end: '2025-06-29' }))[0],
  ).toBeNull()
})

test('the index up to a day inside the last week contains no later days', async () => {
  await fill()
  await sql`update price set price_value = price_value * 2 where observed_on = '2026-07-05' and product_id = ${productIds[0]}`.execute(
    db,
  )
  await fitAll(db)
  const stored = await readStoredIndex(db, 'nation ')
  const weeks = weeksRead({ ...period, end: '2026-07-02' })
  const [index] = await readIndices(db, [{ parts: [{ wanted: {}, sign: 1 }], stored }], weeks)
  const fitted = await live({}, weeks.start, weeks.end)
  expect(index?.levels).toEqual(fitted.levels)
  expect(index?.levels[52]).not.toBeCloseTo(stored?.levels[52] ?? 0, 6)
})

test('with more series than can be fitted during a request there is no panel', async () => {
  await fill()
  const whole = [{ wanted: {}, sign: 1 }] as const
  const ofOne = [{ wanted: { productIds: [productIds[0] ?? 0], marketIds }, sign: 1 }] as const
  expect(await readPanel(db, whole, period, 8)).toBeNull()
  expect((await readPanel(db, whole, period, 9))?.series).toHaveLength(9)
  expect((await readPanel(db, ofOne, period, 3))?.series).toHaveLength(3)
  expect(await readPanel(db, ofOne, period, 2)).toBeNull()
})

/**
 * Inserts a price of every series on each Monday and Sunday of a year up to 5 July 2026, rising by one per cent a week.
 */
async function fill(): Promise<void> {
  await sql`
    insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on)
    select product_id, market_id, round((1e9 * 1.01 ^ week)::numeric, 2), 'Amina', day + time '10:00', day
      from unnest(${productIds}::int[]) product_id, unnest(${marketIds}::int[]) market_id,
           generate_series(0, 52) week, lateral (select date '2025-06-30' + 7 * week + 6 * (week % 52 / 52) as start) monday,
           lateral (values (start), (case week when 52 then start + 6 else start end)) each (day)`.execute(db)
}

/** Adds a price of the first product in the first market. */
async function addPrice(day: string): Promise<void> {
  await sql`
    insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on)
    values (${productIds[0]}, ${marketIds[0]}, 3e9, 'Amina', ${day}::date + time '10:00', ${day}::date)`.execute(
    db,
  )
}

/** Inserts the same for some years, without Sundays, with a different pace for each product. */
async function fillYears(years = 2): Promise<void> {
  await sql`
    insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on)
    select product_id, market_id, round((1e9 * (1 + 0.002 * (product_id % 5)) ^ week)::numeric, 2), 'Amina', day + time '10:00', day
      from unnest(${productIds}::int[]) product_id, unnest(${marketIds}::int[]) market_id,
           generate_series(0, 52 * ${years}::int) week,
           lateral (select date '2026-06-29' - 7 * (52 * ${years}::int - week) as day) monday`.execute(db)
}
