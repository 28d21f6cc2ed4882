import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { countSilent, type SolvedIndex, solvePanel } from '#features/prices/price-index/measure.rules.ts'
import { readPanel } from '#features/prices/price-index/price-index.sql.ts'
import { addDays } from '#features/prices/rollups/rollups.rules.ts'
import { solvedFrom } from '#features/prices/stored-index/figures.rules.ts'
import { readIndex, readSpliced } from '#features/prices/stored-index/indices.sql.ts'
import { createKeeper, keepIndices } from '#features/prices/stored-index/stored-index.jobs.ts'
import {
  readAllIndices,
  readStoredIndex,
  type StoredIndex,
} from '#features/prices/stored-index/stored-index.sql.ts'
import { createLog } from '#server/log.ts'
import {
  insertCategory,
  insertMarket,
  insertProduct,
  insertType,
} from '../../../../tests/support/catalogue.ts'
import { testDatabase } from '../../../../tests/support/database.ts'
import { leastTime } from '../../../../tests/support/least-time.ts'
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

/** The last day of all, at whose week windows end. */
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

/** How many markets are silent on a day and later. */
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

/** Of years it is the live one, from the first price of all and from a later week on. */
async function expectSpliced(stored: StoredIndex, wanted: object, end: string): Promise<void> {
  const { rows } = await sql<{ monday: string }>`
    select monday_of(min(day)) as monday from price_day
     where n > 0 and (currency = 'CDF' or day >= (select min(day) from exchange_rate))`.execute(db)
  const first = rows[0]?.monday ?? ''
  for (const start of [first, addDays(first, 35)]) {
    if (start >= stored.start) continue
    const [spliced, fitted] = [await readSpliced(db, stored, start), await live(wanted, start, end)]
    const last = fitted.levels.length - 1
    expect(spliced?.levels).toEqual(fitted.levels.map((level) => level && expect.closeTo(level, 9)))
    for (const from of [0, last - 52, last - 4]) {
      const [told, truth] = [spliced?.movement(from, last), fitted.movement(from, last)]
      expect(Math.log1p(told?.value ?? 0)).toBeCloseTo(Math.log1p(truth?.value ?? 0), 9)
    }
  }
}

describe('the stored indices', () => {
  test('are those of a live fit, and of one from scratch, after any writes', {
    timeout: 180_000,
  }, async () => {
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
        const keeper = createKeeper(db, 0)
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
            const day = new Date(Date.parse(firstDay) + rate.day * 86_400_000).toISOString().slice(0, 10)
            await setRate(db, { ...rate, day })
          }
          await keeper.follow()
          // What comes while windows are fitted is taken in too.
          for (let step = 0; step < 30; step++) await keeper.followWindows()
        }
        await followAll(keeper)
        const end = await lastDay()
        const all = await readAllIndices(db)
        for (const { name, wanted } of subjects) {
          const stored = all.get(name)
          if (!stored) continue
          const fitted = await live(wanted, stored.start, end)
          expectSame(solvedFrom(stored.start, stored), fitted)
          if (stored.lastDay === end) expect(silences(stored, end)).toEqual(silences(fitted, end))
          await expectSpliced(stored, wanted, end)
        }
        if (end) expect(await readStoredIndex(db, 'nation ')).not.toBeNull()
        expect(await createKeeper(db, 0).check()).toEqual([])
      }),
      { numRuns: 8, seed: 3, endOnFailure: true },
    )
  })

  test('are repaired by the nightly check', async () => {
    await fill()
    const keeper = createKeeper(db, 0)
    await keeper.follow()
    expect(await keeper.check()).toEqual([])
    const right = await readStoredIndex(db, 'nation ')
    await sql`update price_index set levels[50] = levels[50] + 0.01 where scope = 'nation'`.execute(db)
    expect(await keeper.check()).toEqual(['nation '])
    await keeper.follow()
    expect(await readStoredIndex(db, 'nation ')).toEqual(right)
  })

  test('of past weeks are repaired by it too', async () => {
    await fillYears()
    const keeper = createKeeper(db, 0)
    await followAll(keeper)
    expect(await keeper.check()).toEqual([])
    await sql`update price_index_window set levels[20] = levels[20] + 0.01 where scope = 'nation'`.execute(db)
    expect(await keeper.check()).toEqual(['nation '])
    await followAll(keeper)
    expect(await keeper.check()).toEqual([])
  })

  test('of past weeks are fitted anew from the week on that was written in, by whoever keeps them', async () => {
    await fillYears()
    const keeper = createKeeper(db, 0)
    await followAll(keeper)
    const fitted = async () =>
      (await sql<{ week: string }>`select windows_from as week from price_index_keeper`.execute(db)).rows[0]
        ?.week
    expect(await fitted()).toBe('2026-06-29')
    const write = (day: string) =>
      sql`update price set price_value = price_value * 2 where product_id = ${productIds[0]} and observed_on = ${day}::date`.execute(
        db,
      )
    await write('2026-06-29')
    await keeper.follow()
    expect(await fitted()).toBe('2026-06-29')
    await write('2026-06-15')
    await keeper.follow()
    expect(await fitted()).toBe('2026-06-15')
    expect(await createKeeper(db).followWindows()).toBe(false)
    const other = createKeeper(db, 0)
    await write('2026-06-29')
    await followAll(other)
    expect(await fitted()).toBe('2026-06-29')
    expect(await keeper.followWindows()).toBe(false)
    expect(await other.check()).toEqual([])
  })

  const [firstDayOfYears, tenWeeksAgo, twoYearsAgo] = ['2023-07-03', '2026-04-27', '2024-07-08']

  test('of years are the live ones, whatever is written long ago', { timeout: 60_000 }, async () => {
    await fillYears(3)
    const keeper = createKeeper(db, 0)
    await followAll(keeper)
    const ofRice = sql`product_id = ${productIds[0]} and observed_on between ${twoYearsAgo}::date and date ${sql.lit(twoYearsAgo)} + 80`
    const written = {
      'a price of ten weeks ago': () => addPrice(tenWeeksAgo),
      'a price of two years ago': () => addPrice(twoYearsAgo),
      'another amount': () => sql`update price set price_value = 2 where ${ofRice}`.execute(db),
      'another day': () => sql`update price set observed_on = observed_on + 300 where ${ofRice}`.execute(db),
      'another market': () =>
        sql`update price set market_id = ${marketIds[2]} where product_id = ${productIds[1]} and observed_on = ${tenWeeksAgo}::date`.execute(
          db,
        ),
      'another product': () =>
        sql`update price set product_id = ${productIds[2]} where product_id = ${productIds[0]} and observed_on = ${tenWeeksAgo}::date`.execute(
          db,
        ),
      'a day less': () => sql`delete from price where observed_on = ${twoYearsAgo}::date + 7`.execute(db),
      'a rate of long ago': async () => {
        await sql`update price set currency = 'USD' where product_id = ${productIds[1]} and market_id = ${marketIds[1]}`.execute(
          db,
        )
        await setRate(db, { day: '2024-01-01', cdfPerUsd: 2500 })
      },
      'the first weeks less': () =>
        sql`delete from price where observed_on < date ${sql.lit(firstDayOfYears)} + 50`.execute(db),
      'a price before all others': () => addPrice('2023-05-01'),
      'no good any more': () => sql`update product_type set kind = 'service' where id = ${soap}`.execute(db),
      'a good again': () => sql`update product_type set kind = 'good' where id = ${soap}`.execute(db),
    }
    for (const [what, write] of Object.entries(written)) {
      await write()
      await followAll(keeper)
      const [end, all] = [await lastDay(), await readAllIndices(db)]
      for (const { name, wanted } of subjects.filter((_, i) => i % 3 === 0)) {
        const stored = all.get(name)
        expect(stored === undefined, `${what}: ${name}`).toBe(
          what === 'no good any more' && name === `category ${others}`,
        )
        if (stored) await expectSpliced(stored, wanted, end)
      }
    }
  })

  test('of past weeks are fitted anew where what was written is in them, and are provisional until then', async () => {
    await fillYears(3)
    const keeper = createKeeper(db, 0)
    await followAll(keeper)
    const provisional = async () => {
      const stored = await readStoredIndex(db, 'nation ')
      return stored && (await readSpliced(db, stored, firstDayOfYears))?.movingFrom
    }
    const marked = sql`update price_index_window set levels = '{}' where scope = 'city'`
    await marked.execute(db)
    expect(await provisional()).toBeNull()
    await addPrice(twoYearsAgo)
    expect(await provisional()).toBe(twoYearsAgo)
    await keeper.follow()
    expect(await provisional()).toBe(twoYearsAgo)
    await followAll(keeper)
    expect(await provisional()).toBeNull()
    const { rows } = await sql<{ from: string; to: string }>`
        select min(week) as from, max(week) as to from price_index_window where scope = 'city' and levels <> '{}'`.execute(
      db,
    )
    expect(rows).toEqual([{ from: twoYearsAgo, to: addDays(twoYearsAgo, 52 * 7) }])
  })

  test('follow what is written within a second, whoever else keeps them', async () => {
    await fill()
    const log = createLog('silent')
    const keepers = [keepIndices({ db, log }), keepIndices({ db, log })]
    try {
      await expect.poll(async () => (await readStoredIndex(db, 'nation '))?.isBehind).toBe(false)
      const levels = async () => (await readStoredIndex(db, 'nation '))?.levels
      const tookMs = await leastTime(1_000, async () => {
        const before = await levels()
        await sql`update price set price_value = price_value * 2
                   where product_id = ${productIds[0]} and observed_on > '2026-06-20'`.execute(db)
        const startedAt = performance.now()
        await expect.poll(levels).not.toEqual(before)
        return performance.now() - startedAt
      })
      expect(tookMs).toBeLessThan(1_000)
    } finally {
      await Promise.all(keepers.map(({ stop }) => stop()))
    }
  })

  test('take goods only', async () => {
    await fill()
    const keeper = createKeeper(db, 0)
    await keeper.follow()
    expect(await readStoredIndex(db, 'nation ')).toMatchObject({ products: 3 })
    await sql`update product_type set kind = 'wage' where id = ${soap}`.execute(db)
    try {
      await keeper.follow()
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
  for (const isStored of [false, true]) {
    if (isStored) await createKeeper(db, 0).follow()
    const stored = await readStoredIndex(db, name)
    expect(stored?.isBehind ?? true).toBe(!isStored)
    const index = await readIndex(db, { parts: [{ wanted, sign: 1 }], stored }, period)
    expect(index).toMatchObject({ start: '2025-06-30', matchedSeries: series, knownSeries: series })
    expect(countSilent(index?.marketDays ?? [null], period.end, '2100-01-01')).toBe(0)
    expect(index?.movement(39, 52)?.value).toBeCloseTo(1.01 ** 13 - 1, 9)
  }
})

test('of more series than can be solved meanwhile there is no panel', async () => {
  await fill()
  const whole = [{ wanted: {}, sign: 1 }] as const
  const ofOne = [{ wanted: { productIds: [productIds[0] ?? 0], marketIds }, sign: 1 }] as const
  expect(await readPanel(db, whole, period, 8)).toBeNull()
  expect((await readPanel(db, whole, period, 9))?.series).toHaveLength(9)
  expect((await readPanel(db, ofOne, period, 3))?.series).toHaveLength(3)
  expect(await readPanel(db, ofOne, period, 2)).toBeNull()
})

/** A price of every series on each Monday and Sunday of a year up to 5 July 2026, up by one per cent a week. */
async function fill(): Promise<void> {
  await sql`
    insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on)
    select product_id, market_id, round((1e9 * 1.01 ^ week)::numeric, 2), 'Amina', day + time '10:00', day
      from unnest(${productIds}::int[]) product_id, unnest(${marketIds}::int[]) market_id,
           generate_series(0, 52) week, lateral (select date '2025-06-30' + 7 * week + 6 * (week % 52 / 52) as start) monday,
           lateral (values (start), (case week when 52 then start + 6 else start end)) each (day)`.execute(db)
}

/** One more of the first product in the first market. */
async function addPrice(day: string): Promise<void> {
  await sql`
    insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on)
    values (${productIds[0]}, ${marketIds[0]}, 3e9, 'Amina', ${day}::date + time '10:00', ${day}::date)`.execute(
    db,
  )
}

/** The same of some years, without Sundays, the products each at a pace of their own. */
async function fillYears(years = 2): Promise<void> {
  await sql`
    insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on)
    select product_id, market_id, round((1e9 * (1 + 0.002 * (product_id % 5)) ^ week)::numeric, 2), 'Amina', day + time '10:00', day
      from unnest(${productIds}::int[]) product_id, unnest(${marketIds}::int[]) market_id,
           generate_series(0, 52 * ${years}::int) week,
           lateral (select date '2026-06-29' - 7 * (52 * ${years}::int - week) as day) monday`.execute(db)
}

async function followAll(keeper: ReturnType<typeof createKeeper>): Promise<void> {
  await keeper.follow()
  while (await keeper.followWindows()) {
    // There are more.
  }
}
