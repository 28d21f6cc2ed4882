import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { insertPrices } from '#features/prices/prices.sql.ts'
import { deleteRow } from '#server/db/delete-row.ts'
import type { Db } from '#server/db/pool.ts'
import { insertMarket, insertProduct } from '../../../../tests/support/catalogue.ts'
import { testDatabase } from '../../../../tests/support/database.ts'
import { expectExactRollups } from '../../../../tests/support/exact-rollups.ts'
import { insertQuotes, type Place, type Quote } from '../../../../tests/support/random-prices.ts'
import { forgetRate, setRate } from '../../../../tests/support/rates.ts'
import { untilWaiting } from '../../../../tests/support/waiting.ts'

const { db } = await testDatabase()
const productId = await insertProduct(db)
const marketId = await insertMarket(db)
const places: Place[] = [{ id: marketId, timeZone: 'Africa/Kinshasa' }]

describe('rollups stay exact when two connections write at the same time', () => {
  const day = '2026-02-02'
  type More = { price?: number; currency?: 'CDF' | 'USD'; day?: string }
  const quote = (more: More = {}): Quote => ({
    productId,
    marketId,
    collectorName: 'Amina',
    lane: 0,
    priceValue: more.price ?? 100,
    currency: more.currency ?? 'CDF',
    collectedAt: new Date(`${more.day ?? day}T12:00:00Z`),
  })
  const insert = (tx: Db, ...more: More[]) => insertQuotes(tx, more.map(quote), places)
  const insertOne = async (tx: Db, more: More = {}) => (await insert(tx, more))[0] ?? 0
  const collectAt = async (tx: Db, instant: string) => {
    const author = { actor: null, requestId: null }
    await insertPrices(tx, [{ ...quote(), source: null, when: instant, author }])
  }
  const setPrice = (tx: Db, id: number, price: number) =>
    tx.updateTable('price').set({ price_value: price }).where('id', '=', id).execute()
  const setDay = (tx: Db, id: number, to: string) =>
    tx.updateTable('price').set({ observed_on: to }).where('id', '=', id).execute()
  const setZone = (tx: Db, zone: Place['timeZone']) =>
    tx.updateTable('market').set({ time_zone: zone }).where('id', '=', marketId).execute()
  const rate = (tx: Db, on: string, cdfPerUsd: number) => setRate(tx, { day: on, cdfPerUsd })

  beforeEach(async () => {
    await db.deleteFrom('price').execute()
    await db.deleteFrom('exchange_rate').execute()
    await setZone(db, 'Africa/Kinshasa')
    await rate(db, '2026-01-01', 2000)
  })

  /** Runs the first write, waits until the second is blocked by it or done, then commits the first and the second. */
  async function meet(
    first: (tx: Db) => Promise<unknown>,
    second: (tx: Db) => Promise<unknown>,
    secondWaits = true,
  ): Promise<void> {
    const one = await db.startTransaction().execute()
    const two = await db.startTransaction().execute()
    try {
      await first(one)
      const done = second(two)
      if (secondWaits) await untilWaiting(db, 1)
      else await done
      await one.commit().execute()
      await done
      await two.commit().execute()
    } finally {
      for (const tx of [one, two]) if (!tx.isCommitted) await tx.rollback().execute()
    }
    await expectExactRollups(db)
  }

  test('a lower price is added while the lowest is deleted, in either order', async () => {
    for (const isDeletedFirst of [true, false]) {
      const [lowest = 0] = await insert(db, { price: 10 }, { price: 50 })
      const remove = (tx: Db) => deleteRow(tx, 'price', lowest)
      const add = (tx: Db) => insert(tx, { price: 5 })
      await (isDeletedFirst ? meet(remove, add) : meet(add, remove))
    }
  })

  test('the lowest and the highest are deleted at once', async () => {
    const [low = 0, high = 0] = await insert(db, { price: 10 }, { price: 90 }, { price: 50 })
    await meet(
      (tx) => deleteRow(tx, 'price', low),
      (tx) => deleteRow(tx, 'price', high),
    )
  })

  test('the last two prices of a cell are deleted at once', async () => {
    const [low = 0, high = 0] = await insert(db, { price: 10 }, { price: 90 })
    await meet(
      (tx) => deleteRow(tx, 'price', low),
      (tx) => deleteRow(tx, 'price', high),
    )
  })

  test('two prices of one cell change at once', async () => {
    const [low = 0, high = 0] = await insert(db, { price: 10 }, { price: 90 })
    await meet(
      (tx) => setPrice(tx, low, 95),
      (tx) => setPrice(tx, high, 5),
    )
  })

  test('two prices of one week change at once, on different days', async () => {
    const [one = 0, two = 0] = await insert(db, { day: '2026-02-02' }, { day: '2026-02-03' })
    await meet(
      (tx) => setPrice(tx, one, 10),
      (tx) => setPrice(tx, two, 20),
    )
  })

  test('two prices swap their days, into cells that both touch', async () => {
    const [one = 0, two = 0] = await insert(db, { day: '2026-02-02' }, { day: '2026-02-03' })
    await meet(
      (tx) => setDay(tx, one, '2026-02-03'),
      (tx) => setDay(tx, two, '2026-02-02'),
    )
  })

  test('two prices move into a cell that is not there yet', async () => {
    const [one = 0, two = 0] = await insert(db, { price: 10 }, { price: 90 })
    await meet(
      (tx) => setDay(tx, one, '2026-02-20'),
      (tx) => setDay(tx, two, '2026-02-20'),
    )
  })

  test('the same price changes twice at once', async () => {
    const id = await insertOne(db)
    await meet(
      (tx) => setDay(tx, id, '2026-02-20'),
      (tx) => setPrice(tx, id, 7),
    )
  })

  test('a price that moved is deleted by a writer who saw it at its old place', async () => {
    const id = await insertOne(db)
    await meet(
      (tx) => setDay(tx, id, '2026-02-20'),
      (tx) => deleteRow(tx, 'price', id),
    )
  })

  test('writers of the same day do not wait for each other', async () => {
    const collect = (tx: Db) => collectAt(tx, `${day}T12:00:00Z`)
    await meet(collect, collect, false)
    const { rows } = await sql<{ lane: number }>`select lane from price order by lane`.execute(db)
    expect(rows).toEqual([{ lane: 0 }, { lane: 1 }])
  })

  test.each([
    ['corrected', (tx: Db) => rate(tx, '2026-01-01', 2500)],
    ['added for a later day', (tx: Db) => rate(tx, '2026-02-01', 2500)],
    ['deleted', (tx: Db) => forgetRate(tx, '2026-01-01')],
    [
      'moved to another day',
      (tx: Db) => tx.updateTable('exchange_rate').set({ day: '2026-02-03' }).execute(),
    ],
  ])('a dollar price is written while the rate is %s, in either order', async (_what, changeRate) => {
    const add = (tx: Db) => insert(tx, { price: 3, currency: 'USD' })
    await meet(add, changeRate)
    await db.deleteFrom('exchange_rate').execute()
    await rate(db, '2026-01-01', 2000)
    await meet(changeRate, add)
  })

  test('a dollar price changes while the rate does, in either order', async () => {
    const id = await insertOne(db, { price: 3, currency: 'USD' })
    await meet(
      (tx) => setPrice(tx, id, 4),
      (tx) => rate(tx, '2026-01-01', 2500),
    )
    await meet(
      (tx) => rate(tx, '2026-01-01', 2600),
      (tx) => setDay(tx, id, '2026-02-20'),
    )
  })

  test('a dollar price moves to days whose rate is being set, in either order', async () => {
    const move = async (tx: Db) =>
      setDay(tx, await insertOne(tx, { price: 3, currency: 'USD' }), '2026-02-20')
    const id = await insertOne(db, { price: 3, currency: 'USD' })
    await meet(
      (tx) => setDay(tx, id, '2026-02-20'),
      (tx) => rate(tx, '2026-02-18', 2500),
    )
    await meet((tx) => rate(tx, '2026-02-19', 2600), move)
  })

  test('two rates change at once', async () => {
    await insert(db, { price: 3, currency: 'USD' }, { price: 4, currency: 'USD', day: '2026-02-10' })
    await meet(
      (tx) => rate(tx, '2026-02-05', 2500),
      (tx) => forgetRate(tx, '2026-01-01'),
    )
  })

  test('prices in francs do not wait for rates', async () => {
    await meet(
      (tx) => rate(tx, '2026-01-01', 2500),
      (tx) => insert(tx, {}),
      false,
    )
  })

  test.each([
    // The price is still in the day that it had.
    ['price first', '2026-02-02'],
    ['zone first', '2026-02-03'],
  ])('a market changes its zone while a price is collected: %s', async (order, observed_on) => {
    // 23:30 in Kinshasa, 00:30 in Lubumbashi.
    const collect = (tx: Db) => collectAt(tx, `${day}T22:30:00Z`)
    const move = (tx: Db) => setZone(tx, 'Africa/Lubumbashi')
    await (order === 'price first' ? meet(collect, move) : meet(move, collect))
    const { rows } = await sql`select distinct observed_on from price`.execute(db)
    expect(rows).toEqual([{ observed_on }])
  })

  test('prices move into new cells while a file is loaded into the old and the new: no write is refused', async () => {
    const [one = 0, two = 0] = await insert(db, {}, {})
    const into = (tx: Db) =>
      sql`update price set observed_on = case id when ${one} then date '2026-02-09' else date '2026-02-16' end
        where id in (${one}, ${two})`.execute(tx)
    // Creates the last of the new cells, so that the move stops there after it has created the first.
    const holder = await db.startTransaction().execute()
    await insert(holder, { day: '2026-02-16' })
    const moving = db.transaction().execute(into)
    await untilWaiting(db, 1)
    const loading = db.transaction().execute((tx) => insert(tx, {}, { day: '2026-02-09' }))
    await untilWaiting(db, 2)
    await holder.commit().execute()
    await Promise.all([moving, loading])
    await expectExactRollups(db)
  })
})
