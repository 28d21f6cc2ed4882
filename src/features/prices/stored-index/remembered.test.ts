import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { SignedPart } from '#features/prices/listing/listing.rules.ts'
import type { SolvedIndex } from '#features/prices/price-index/measure.rules.ts'
import { createIndexMemory, solveAnew } from '#features/prices/stored-index/remembered.sql.ts'
import { createKeeper } from '#features/prices/stored-index/stored-index.jobs.ts'
import type { Db } from '#server/db/pool.ts'
import { insertMarket, insertProduct, insertType } from '../../../../tests/support/catalogue.ts'
import { testDatabase } from '../../../../tests/support/database.ts'
import { insertQuotes, type Place, quotes } from '../../../../tests/support/random-prices.ts'
import { setRate } from '../../../../tests/support/rates.ts'

const { db } = await testDatabase()
const wages = await insertProduct(db, { type_id: await insertType(db, { kind: 'wage' }) })
const goods = await Promise.all([1, 2, 3].map(() => insertProduct(db)))
const places: Place[] = [
  { id: await insertMarket(db), timeZone: 'Africa/Kinshasa' },
  { id: await insertMarket(db), timeZone: 'Africa/Lubumbashi' },
  { id: await insertMarket(db), timeZone: 'Africa/Kinshasa' },
]
const marketIds = places.map(({ id }) => id)
const firstDay = '2024-01-03'
const days = 800
const dayAt = (n: number) => new Date(Date.parse(firstDay) + n * 86_400_000).toISOString().slice(0, 10)

const selections = [
  { productIds: goods },
  { productIds: goods, marketIds: marketIds.slice(0, 2) },
  { productIds: goods.slice(0, 1) },
  { productIds: [wages] },
  { marketIds: marketIds.slice(1) },
]
const periods = [
  { start: '2024-01-01', end: dayAt(days) },
  { start: '2024-09-02', end: dayAt(days) },
  { start: '2025-01-06', end: dayAt(700) },
]

/** All that an index says. */
function saidBy(index: SolvedIndex | null) {
  if (!index) return null
  const last = index.levels.findLastIndex((level) => level !== null)
  const { start, levels, matchedSeries, knownSeries, silentMarkets } = index
  const movements = [0, last - 52, last - 4].map((from) => index.movement(from, last))
  return { start, levels, matchedSeries, knownSeries, silentMarkets, movements }
}

function nearly(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isInteger(value)) return expect.closeTo(value, 9)
  if (Array.isArray(value)) return value.map(nearly)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, nearly(inner)]))
}

test('an index that is remembered is the one that is solved anew, after any writes, whether or not these were taken in', async () => {
  const round = fc.record({
    added: fc.array(quotes({ productIds: [...goods, wages], marketIds, firstDay, days }), {
      maxLength: 80,
      size: 'max',
    }),
    changed: fc.array(fc.nat(), { maxLength: 4 }),
    removed: fc.array(fc.nat(), { maxLength: 4 }),
    rate: fc.option(fc.integer({ min: 0, max: days }), { freq: 5 }),
    isTaken: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 4, maxLength: 5 }), async (rounds) => {
      const memory = createIndexMemory(0)
      const keeper = createKeeper(db, 0)
      await sql`delete from price`.execute(db)
      await sql`delete from exchange_rate`.execute(db)
      for (const { added, changed, removed, rate, isTaken } of rounds) {
        const ids = await insertQuotes(db, added, places)
        const chosen = (these: number[]) =>
          ids.length > 0 ? these.map((place) => ids[place % ids.length]) : []
        await sql`update price set price_value = price_value * 2, market_id = ${marketIds[0]}
                   where id = any(${chosen(changed)}::bigint[])`.execute(db)
        await sql`delete from price where id = any(${chosen(removed)}::bigint[])`.execute(db)
        if (rate !== null) await setRate(db, { day: dayAt(rate), cdfPerUsd: 2000 + rate })
        if (isTaken) await keeper.follow()
        for (const wanted of selections)
          for (const weeks of periods) {
            const parts: SignedPart[] = [{ wanted, sign: 1 }]
            expect(saidBy(await memory(db, parts, weeks))).toEqual(
              nearly(saidBy(await solveAnew(db, parts, weeks))),
            )
          }
      }
    }),
    { numRuns: 6, seed: 4, endOnFailure: true },
  )
}, 90_000)

test('only the series that were written are read again', async () => {
  await sql`delete from price`.execute(db)
  const add = (count: number) =>
    sql`insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on)
        select product, market, 1000 + n, 'Amina', date '2024-01-03' + n * 7 + time '10:00', date '2024-01-03' + n * 7
          from unnest(${goods}::int[]) product, unnest(${marketIds}::int[]) market, generate_series(0, ${count}) n`.execute(
      db,
    )
  await add(100)
  const keeper = createKeeper(db, 0)
  await keeper.follow()
  const read: string[] = []
  const told = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      for (const row of result.rows) if (row.product && row.logs) read.push(`${row.product} ${row.market}`)
      return result
    },
  }) as Db
  const memory = createIndexMemory(0)
  const parts: SignedPart[] = [{ wanted: { productIds: goods }, sign: 1 }]
  const ask = () => memory(told, parts, periods[0] ?? { start: '', end: '' })
  const first = await ask()
  expect(read).toHaveLength(goods.length * marketIds.length)
  expect(await ask()).toBe(first)
  await sql`update price set price_value = 9000
             where product_id = ${goods[1]} and market_id = ${marketIds[1]} and observed_on > '2025-11-01'`.execute(
    db,
  )
  const second = await ask()
  expect(read.slice(goods.length * marketIds.length)).toEqual([`${goods[1]} ${marketIds[1]}`])
  expect(second?.levels).not.toEqual(first?.levels)
  await keeper.follow()
  expect((await ask())?.levels).toEqual(second?.levels)
})
