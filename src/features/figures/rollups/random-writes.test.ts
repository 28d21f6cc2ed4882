import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { insertPrices, locateCollection, updatePrice } from '#features/prices/prices.sql.ts'
import { deleteRow } from '#server/db/delete-row.ts'
import { isSerializationFailure } from '#server/db/errors.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { dayMs } from '#shared/days.ts'
import { insertMarket, insertProduct } from '../../../../tests/support/catalogue.ts'
import { testDatabase } from '../../../../tests/support/database.ts'
import { expectExactRollups } from '../../../../tests/support/exact-rollups.ts'
import { insertQuotes, type Place, type Quote, quotes } from '../../../../tests/support/random-prices.ts'
import { forgetRate, setRate } from '../../../../tests/support/rates.ts'

const { db } = await testDatabase()
const firstDay = '2026-01-01'
const days = 10
const productIds = [await insertProduct(db), await insertProduct(db), await insertProduct(db)]
const places: Place[] = await Promise.all(
  (['Africa/Kinshasa', 'Africa/Lubumbashi', 'Africa/Kinshasa'] as const).map(async (timeZone) => ({
    id: await insertMarket(db, { time_zone: timeZone }),
    timeZone,
  })),
)

type Write = (tx: Db) => Promise<unknown>
const changeable = ['productId', 'priceValue', 'currency'] as const

const quote = quotes({ productIds, marketIds: places.map(({ id }) => id), firstDay, days })
const day = fc
  .integer({ min: 0, max: days - 1 })
  .map((n) => new Date(Date.parse(firstDay) + n * dayMs).toISOString().slice(0, 10))
// Position, among the prices that exist when the write happens, of the one it changes.
const share = fc.double({ min: 0, max: 1, noNaN: true })
const loaded = fc.array(quote, { minLength: 2, maxLength: 12 })
const rate = fc.record({ day, cdfPerUsd: fc.integer({ min: 1800, max: 3000 }), source: fc.constant(null) })
const shift = fc.record({ share, by: fc.integer({ min: -3, max: 3 }) })
const change = fc.record({ share, to: quote, fields: fc.subarray([...changeable]) })
const place = fc.constantFrom(...places)

const write: fc.Arbitrary<Write> = fc.oneof(
  { weight: 5, arbitrary: quote.map((added) => (tx: Db) => collect(tx, added)) },
  { weight: 2, arbitrary: loaded.map((added) => (tx: Db) => load(tx, added)) },
  { weight: 4, arbitrary: change.map((changed) => (tx: Db) => alter(tx, changed)) },
  { weight: 2, arbitrary: shift.map((moved) => (tx: Db) => moveSome(tx, moved)) },
  { weight: 2, arbitrary: share.map((one) => (tx: Db) => removeOne(tx, one)) },
  { weight: 1, arbitrary: share.map((some) => (tx: Db) => removeSome(tx, some)) },
  { weight: 2, arbitrary: rate.map((given) => (tx: Db) => setRate(tx, given)) },
  { weight: 1, arbitrary: day.map((forgotten) => (tx: Db) => forgetRate(tx, forgotten)) },
  { weight: 1, arbitrary: place.map((moved) => (tx: Db) => changeZone(tx, moved)) },
)

test.each([
  [600, 1, { seed: 1 }],
  [600, 1, { seed: 2 }],
  [600, 1, { seed: 3 }],
  [120, 2, { seed: 4 }],
] as const)(
  'rollups are exact after six connections wrote %i times at once, %i times in a transaction (%j)',
  async (writes, size, { seed }) => {
    const draw = fc.array(write, { minLength: size, maxLength: size })
    const transactions = fc.sample(draw, { numRuns: writes / size, seed })
    const connections = Array.from({ length: 6 }, async (_, n) => {
      for (const mine of transactions.filter((_, i) => i % 6 === n)) await patiently(mine)
    })
    await Promise.all(connections)
    await expectExactRollups(db)
    const { rows } = await sql<{ n: number }>`select count(*) as n from price`.execute(db)
    expect(rows[0]?.n).toBeGreaterThan(100)
  },
)

/**
 * Retries a transaction until it succeeds: with several writes in each, they conflict more often than those of the
 * application.
 */
async function patiently(writes: Write[]): Promise<void> {
  for (;;) {
    try {
      return await inTransaction(db, async (tx) => {
        // Deadlocks, which transactions with several writes cannot all avoid, are detected at once instead of after a
        // second.
        await sql`set local deadlock_timeout = '10ms'`.execute(tx)
        for (const write of writes) await write(tx)
      })
    } catch (error) {
      if (!isSerializationFailure(error)) throw error
    }
  }
}

async function collect(tx: Db, quote: Quote): Promise<void> {
  const nobody = { actor: null, requestId: null }
  await insertPrices(tx, [{ ...quote, source: null, when: quote.collectedAt.toISOString(), author: nobody }])
}

async function load(tx: Db, quotes: Quote[]): Promise<void> {
  const inBulk = quotes.map((quote) => ({ ...quote, lane: 15 }))
  await insertQuotes(tx, inBulk, places)
}

type Change = { share: number; to: Quote; fields: (typeof changeable)[number][] }

async function alter(tx: Db, { share, to, fields }: Change): Promise<void> {
  const changes = Object.fromEntries(fields.map((field) => [field, to[field]]))
  const id = await priceAt(tx, share)
  const collection = await locateCollection(tx, to.marketId, to.collectedAt.toISOString())
  if (collection) await updatePrice(tx, id, { ...changes, marketId: to.marketId }, collection)
}

async function moveSome(tx: Db, { share, by }: { share: number; by: number }): Promise<void> {
  const id = await priceAt(tx, share)
  await sql`update price set observed_on = observed_on + ${by}::int, price_value = price_value + 1
    where id between ${id} and ${id + 6}`.execute(tx)
}

async function removeOne(tx: Db, share: number): Promise<void> {
  await deleteRow(tx, 'price', await priceAt(tx, share))
}

async function removeSome(tx: Db, share: number): Promise<void> {
  const id = await priceAt(tx, share)
  await sql`delete from price where id between ${id} and ${id + 4}`.execute(tx)
}

async function changeZone(tx: Db, { id }: Place): Promise<void> {
  await sql`update market set time_zone = case time_zone when 'Africa/Kinshasa' then 'Africa/Lubumbashi'
    else 'Africa/Kinshasa' end where id = ${id}`.execute(tx)
}

/** Returns the id of the first price after this share of the ids; 0 when there is none. */
async function priceAt(tx: Db, share: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select id from price where id >= (select min(id) + ((max(id) - min(id)) * ${share}::float8)::bigint from price)
     order by id limit 1`.execute(tx)
  return rows[0]?.id ?? 0
}
