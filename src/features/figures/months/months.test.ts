import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { countCollected, countsBy, listTopCollectors } from '#features/figures/activity/activity.sql.ts'
import { countMonths } from '#features/figures/months/months.jobs.ts'
import {
  cellsOfCategory,
  countsInCategory,
  countsInPlace,
  countsOfRollups,
  listMonthsToCount,
} from '#features/figures/months/months.sql.ts'
import { asCellFilter, partsOf } from '#features/figures/parts/parts.rules.ts'
import { cellsOf } from '#features/figures/rollups/rollups.sql.ts'
import { dayMs } from '#shared/days.ts'
import {
  insertCategory,
  insertMarket,
  insertPrice,
  insertProduct,
  insertType,
} from '../../../../tests/support/catalogue.ts'
import { testDatabase } from '../../../../tests/support/database.ts'
import { insertQuotes, type Place, quotes } from '../../../../tests/support/random-prices.ts'
import { setRate } from '../../../../tests/support/rates.ts'

const { db } = await testDatabase()
const categoryId = await insertCategory(db)
const [rice, others] = [await insertType(db, { category_id: categoryId }), await insertType(db)]
const productIds = [
  await insertProduct(db, { type_id: rice }),
  await insertProduct(db, { type_id: rice }),
  await insertProduct(db, { type_id: others }),
]
const productsOfCategory = productIds.slice(0, 2)
const places: Place[] = [
  { id: await insertMarket(db, { location: 'Mbandaka', province: 'Équateur' }), timeZone: 'Africa/Kinshasa' },
  { id: await insertMarket(db), timeZone: 'Africa/Kinshasa' },
]
const marketIds = places.map(({ id }) => id)
const firstDay = '2025-01-20'
const days = 200
const today = '2025-09-20'
const dayAt = (n: number) => new Date(Date.parse(firstDay) + n * dayMs).toISOString().slice(0, 10)

// First day from which dollars can be converted.
const firstRate = dayAt(70)

type Selection = { startDate?: string; endDate?: string; productId?: number; marketId?: number }

beforeEach(async () => {
  await sql`delete from price`.execute(db)
  await sql`delete from price_month`.execute(db)
  await sql`delete from price_month_counted`.execute(db)
})

const rateIn = (day: string) =>
  sql`case when currency = 'CDF' then 1 when ${sql.ref(day)} >= ${firstRate} then 2500 end`

/** Returns the number of prices of the category in each market for some days. */
async function inCategory({ startDate, endDate }: Selection, ids = productsOfCategory) {
  const selection = { productIds: ids, startDate, endDate }
  const { rows } = await sql`
    select id, n from (${countsInCategory(categoryId, selection)}) counted order by 1`.execute(db)
  return rows
}

/** Returns the days of the category, by currency. */
async function daysOfCategory({ startDate, endDate }: Selection) {
  const { rows } = await sql`
    select day, currency, sum(n)::int as n, sum(total) as total, min(lowest) as lowest, max(highest) as highest
      from (${cellsOfCategory(categoryId, { productIds: productsOfCategory, startDate, endDate })}) cell group by 1, 2 order by 1, 2`.execute(
    db,
  )
  return rows
}

/** Returns the number of prices of each product in a city, and in its province. */
async function inPlaces({ startDate, endDate }: Selection, left: number[], ids = marketIds.slice(0, 1)) {
  const selection = { marketIds: ids, startDate, endDate, ...(left.length > 0 && { otherProductIds: left }) }
  return Promise.all(
    [{ location: 'MBANDAKA' }, { province: ['equateur'] }].map(
      async (place) =>
        (await sql`select id, n from (${countsInPlace(place, selection)}) counted order by 1`.execute(db))
          .rows,
    ),
  )
}

/** @param left products that are not goods */
async function counted(selection: Selection, left: number[] = []) {
  const parts = partsOf(selection, { others: left })
  const whole = asCellFilter(parts) ?? {}
  const { rows: cells } = await sql`
    select day, currency, sum(n)::int as n, sum(total) as total
      from (${cellsOf(whole)}) cell group by 1, 2 order by 1, 2`.execute(db)
  const { rows: extremes } = await sql`
    select min(lowest * rate) as lowest, max(highest * rate) as highest
      from (select *, ${rateIn('day')} as rate from (${cellsOf(whole)}) cell) rated`.execute(db)
  const of = async (column: 'product_id' | 'market_id') =>
    (await sql`select id, n, last from (${countsBy(column, parts)}) counted order by 1`.execute(db)).rows
  const collectors = await listTopCollectors(db, parts, 10)
  return {
    products: await of('product_id'),
    markets: await of('market_id'),
    collectors: collectors.map(({ name, count }) => ({ name, count })),
    ...(parts.length > 0 && { cells, extremes }),
    total: (await countCollected(db, parts, null)).now,
    inCategory: await inCategory(selection),
    ofCategory: await daysOfCategory(selection),
    inPlaces: await inPlaces(selection, left),
    rated:
      selection.productId || selection.marketId
        ? []
        : (
            await sql`select id, n, last from (${countsOfRollups('market_id', whole, true)}) counted order by 1`.execute(
              db,
            )
          ).rows,
  }
}

async function plainly({ startDate, endDate, productId, marketId }: Selection, left: number[] = []) {
  const inPeriod = sql`observed_on between ${startDate ?? '1900-01-01'} and ${endDate ?? '2200-01-01'}`
  const inside = sql`${inPeriod} and product_id <> all(${left}::int[]) and (${productId ?? null}::int is null or product_id = ${productId ?? null})
    and (${marketId ?? null}::int is null or market_id = ${marketId ?? null})`
  const of = async (column: 'product_id' | 'market_id') =>
    (
      await sql`select ${sql.ref(column)} as id, count(*) as n, max(observed_on) as last from price
                 where ${inside} group by 1 order by 1`.execute(db)
    ).rows
  const { rows: collectors } = await sql`
    select collector_name as name, count(*) as count from price where ${inside} group by 1 order by 2 desc, 1`.execute(
    db,
  )
  const { rows: rated } = await sql`
    select market_id as id, count(*) as n, max(observed_on) as last from price
     where ${inside} and (currency = 'CDF' or observed_on >= ${firstRate}) group by 1 order by 1`.execute(db)
  const { rows: cells } = await sql<{ n: number }>`
    select observed_on as day, currency, count(*) as n, sum(price_value) as total
      from price where ${inside} group by 1, 2 order by 1, 2`.execute(db)
  const { rows: extremes } = await sql`
    select min(price_value * rate) as lowest, max(price_value * rate) as highest
      from (select *, ${rateIn('observed_on')} as rate from price where ${inside}) rated`.execute(db)
  const { rows: inCategory } = await sql`
    select market_id as id, count(*) as n from price
     where ${inPeriod} and product_id = any(${productsOfCategory}) and (currency = 'CDF' or observed_on >= ${firstRate}) group by 1 order by 1`.execute(
    db,
  )
  const { rows: ofCategory } = await sql`
    select observed_on as day, currency, count(*)::int as n, sum(price_value) as total,
           min(price_value) as lowest, max(price_value) as highest from price
     where ${inPeriod} and product_id = any(${productsOfCategory}) group by 1, 2 order by 1, 2`.execute(db)
  const { rows: inPlace } = await sql`
    select product_id as id, count(*) as n from price
     where ${inPeriod} and market_id = ${marketIds[0]} and product_id <> all(${left}::int[])
       and (currency = 'CDF' or observed_on >= ${firstRate}) group by 1 order by 1`.execute(db)
  return {
    products: await of('product_id'),
    markets: await of('market_id'),
    collectors,
    cells,
    extremes,
    total: cells.reduce((sum, { n }) => sum + n, 0),
    inCategory,
    ofCategory,
    inPlaces: [inPlace, inPlace],
    rated: productId || marketId ? [] : rated,
  }
}

test('the counts of whole months equal those of their prices, whatever is written before and after', async () => {
  await setRate(db, { day: firstRate, cdfPerUsd: 2500 })
  const day = fc.integer({ min: -20, max: days + 20 }).map(dayAt)
  const round = fc.record({
    added: fc.array(quotes({ productIds, marketIds, collectors: ['Amina', 'Bola'], firstDay, days }), {
      maxLength: 40,
      size: 'max',
    }),
    changed: fc.array(fc.nat(), { maxLength: 4 }),
    removed: fc.array(fc.nat(), { maxLength: 4 }),
    isCounted: fc.boolean(),
    wages: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
    selection: fc
      .record(
        {
          startDate: day,
          endDate: day,
          productId: fc.constantFrom(...productIds),
          marketId: fc.constantFrom(...marketIds),
        },
        { requiredKeys: [] },
      )
      .filter(({ startDate = '', endDate = '9' }) => startDate <= endDate),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 3, maxLength: 5 }), async (rounds) => {
      await sql`delete from price`.execute(db)
      for (const { added, changed, removed, isCounted, selection, wages } of rounds) {
        const ids = await insertQuotes(db, added, places)
        if (isCounted) await countMonths(db, today)
        const chosen = (these: number[]) =>
          ids.length > 0 ? these.map((place) => ids[place % ids.length]) : []
        await sql`update price set collector_name = 'Zoé', market_id = ${marketIds[0]},
                         observed_on = observed_on + 31, collected_at = collected_at + interval '31 days'
                   where id = any(${chosen(changed)}::bigint[])`.execute(db)
        await sql`delete from price where id = any(${chosen(removed)}::bigint[])`.execute(db)
        expect(await counted(selection)).toEqual(await plainly(selection))
        expect(await counted({})).toEqual(await plainly({}))
        const left = productIds.filter((id, i) => id !== selection.productId && wages[i])
        expect(await counted(selection, left)).toEqual(await plainly(selection, left))
        expect(await counted({}, left)).toEqual(await plainly({}, left))
      }
      await countMonths(db, today)
      expect(await listMonthsToCount(db, today)).toEqual([])
      for (const { selection } of rounds) expect(await counted(selection)).toEqual(await plainly(selection))
    }),
    { numRuns: 12, seed: 5 },
  )
})

test('a month is counted two weeks after its end; then its count is read, until a write requires the days again', async () => {
  for (const day of ['2025-06-30', '2025-07-10', '2025-08-31']) {
    await insertPrice(db, { product_id: productIds[0] ?? 0, market_id: marketIds[0] ?? 0, day })
  }
  expect((await listMonthsToCount(db, '2025-09-14')).slice(-2)).toEqual(['2025-06-01', '2025-07-01'])
  expect((await listMonthsToCount(db, '2025-09-15')).at(-1)).toBe('2025-08-01')
  await countMonths(db, today)
  await sql`update price_month set n = n + 10`.execute(db)
  expect(await counted({})).toMatchObject({ products: [{ n: 33 }], markets: [{ n: 33 }] })
  expect(await counted({ startDate: '2025-07-02' })).toMatchObject({ products: [{ n: 12 }] })
  await insertPrice(db, { product_id: productIds[0] ?? 0, market_id: marketIds[0] ?? 0, day: '2025-07-11' })
  expect(await listMonthsToCount(db, today)).toEqual(['2025-07-01'])
  // Of two runs of one month each, only one is read from its stored count.
  expect(await counted({})).toMatchObject({ products: [{ n: 14 }] })
})

test('a product that changes category, or a type that is no longer a good, moves its months too', async () => {
  for (const product_id of productIds)
    await insertPrice(db, { product_id, market_id: marketIds[0] ?? 0, day: '2025-07-10' })
  await countMonths(db, today)
  await sql`update price_month set n = n + 10`.execute(db)
  expect(await inCategory({})).toMatchObject([{ n: 12 }])
  await sql`update product set type_id = ${rice}`.execute(db)
  try {
    expect(await inCategory({}, productIds)).toMatchObject([{ n: 3 }])
    await countMonths(db, today)
    await sql`update price_month set n = n + 10`.execute(db)
    expect(await inCategory({}, productIds)).toMatchObject([{ n: 13 }])
    await sql`update product_type set kind = 'wage' where id = ${rice}`.execute(db)
    expect(await inCategory({}, [])).toEqual([])
    await countMonths(db, today)
    expect(
      (await sql`select from price_month where dimension = ${`category ${categoryId}`}`.execute(db)).rows,
    ).toEqual([])
  } finally {
    await sql`update product_type set kind = 'good'`.execute(db)
    await sql`update product set type_id = ${others} where id = ${productIds[2]}`.execute(db)
  }
})

test('a market that changes city or province moves its months too', async () => {
  const [here = 0, there = 0] = marketIds
  for (const market_id of marketIds) {
    await insertPrice(db, { product_id: productIds[0] ?? 0, market_id, day: '2025-07-10' })
  }
  await countMonths(db, today)
  await sql`update price_month set n = n + 10`.execute(db)
  expect(await inPlaces({}, [])).toMatchObject([[{ n: 11 }], [{ n: 11 }]])
  await sql`update market set location = 'Mbandaka', province = 'EQUATEUR' where id = ${there}`.execute(db)
  try {
    expect(await inPlaces({}, [], marketIds)).toMatchObject([[{ n: 2 }], [{ n: 2 }]])
    await countMonths(db, today)
    await sql`update price_month set n = n + 10`.execute(db)
    expect(await inPlaces({}, [], marketIds)).toMatchObject([[{ n: 12 }], [{ n: 12 }]])
    await sql`update market set location = 'Boende' where id = ${here}`.execute(db)
    await sql`update market set province = 'Tshuapa' where id = ${here}`.execute(db)
    await countMonths(db, today)
    expect(await inPlaces({}, [], [there])).toMatchObject([[{ n: 1 }], [{ n: 1 }]])
  } finally {
    await sql`update market set location = 'Mbandaka', province = 'Équateur' where id = ${here}`.execute(db)
    await sql`update market set location = 'Kinshasa', province = null where id = ${there}`.execute(db)
  }
})

test('a price committed while its month is being counted is not lost', async () => {
  const write = { product_id: productIds[0] ?? 0, market_id: marketIds[0] ?? 0, day: '2025-07-10' }
  await insertPrice(db, write)
  await db.transaction().execute(async (tx) => {
    await insertPrice(tx, write)
    await countMonths(db, today)
    expect(await counted({})).toMatchObject({ products: [{ n: 1 }] })
  })
  expect(await counted({})).toMatchObject({ products: [{ n: 2 }] })
  await countMonths(db, today)
  expect(await counted({})).toMatchObject({ products: [{ n: 2 }] })
})
