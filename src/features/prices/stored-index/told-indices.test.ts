import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { newIndices, priceChannel } from '#features/prices/live/live.rules.ts'
import { measureIndex } from '#features/prices/price-index/measure.rules.ts'
import { readSpliced } from '#features/prices/stored-index/indices.sql.ts'
import { createKeeper } from '#features/prices/stored-index/stored-index.jobs.ts'
import { readStoredIndex } from '#features/prices/stored-index/stored-index.sql.ts'
import { insertMarket, insertProduct } from '../../../../tests/support/catalogue.ts'
import { testDatabase } from '../../../../tests/support/database.ts'

const { db, connection } = await testDatabase()
const productIds = [await insertProduct(db), await insertProduct(db), await insertProduct(db)]
const marketId = await insertMarket(db)

test('who follows prices is told once the indices have taken them in, and once those of past weeks have', async () => {
  await fillTwoYears()
  const keeper = createKeeper(db, 0)
  const heard = await hearChanges()
  await follow(keeper)
  await expect.poll(heard).toEqual([newIndices, newIndices])
  await follow(keeper)
  await addPrice('2026-06-29')
  await follow(keeper)
  await addPrice('2026-04-27')
  await keeper.follow()
  await expect.poll(heard).toHaveLength(4)
  await follow(keeper)
  await expect.poll(heard).toEqual(Array(5).fill(newIndices))
})

test('a change over years says that it does not hold yet what was written of its weeks', async () => {
  await fillTwoYears()
  const keeper = createKeeper(db, 0)
  await follow(keeper)
  const isMoving = async () => {
    const stored = await readStoredIndex(db, 'nation ')
    const index = stored && (await readSpliced(db, stored, '2024-07-01'))
    const period = { start: '2024-07-01', end: '2026-06-29' }
    return index && measureIndex(index, period, { isOpen: true, today: '2026-06-29' }).change?.isMoving
  }
  expect(await isMoving()).toBe(false)
  await addPrice('2025-02-03')
  expect(await isMoving()).toBe(true)
  await keeper.follow()
  expect(await isMoving()).toBe(true)
  await follow(keeper)
  expect(await isMoving()).toBe(false)
})

test('a server that has just started keeps the indices from the first price on that is written to it', async () => {
  await fillTwoYears()
  const before = createKeeper(db)
  await sql`update price_index_keeper set keeper = null`.execute(db)
  await before.follow()
  const started = createKeeper(db)
  await started.prepare()
  await addPrice('2026-06-29')
  // Left to whoever keeps them.
  await before.follow()
  expect(await readStoredIndex(db, 'nation ')).toMatchObject({ isBehind: true })
  await started.follow()
  expect(await readStoredIndex(db, 'nation ')).toMatchObject({ isBehind: false })
  expect(await started.check()).toEqual([])
})

test('what is written and followed while a server that starts reads the series is in its indices too', async () => {
  await fillTwoYears()
  const before = createKeeper(db, 0)
  await before.follow()
  const started = createKeeper(db, 0)
  const preparing = started.prepare()
  await addPrice('2026-06-22')
  await before.follow()
  await addPrice('2026-06-29')
  await preparing
  await started.follow()
  await addPrice('2026-06-15')
  await started.follow()
  expect(await started.check()).toEqual([])
})

async function fillTwoYears(): Promise<void> {
  await sql`delete from price`.execute(db)
  // Mondays up to 29 June 2026.
  await sql`
    insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on)
    select product_id, ${marketId}::int, 1000 + week, 'Amina', day + time '10:00', day
      from unnest(${productIds}::int[]) product_id, generate_series(0, 104) week,
           lateral (select date '2026-06-29' - 7 * week as day) monday`.execute(db)
}

async function follow(keeper: ReturnType<typeof createKeeper>): Promise<void> {
  await keeper.follow()
  while (await keeper.followWindows()) {
    // There are more.
  }
}

/** What is told from now on. */
async function hearChanges(): Promise<() => unknown[]> {
  const listener = new pg.Client(connection)
  await listener.connect()
  onTestFinished(() => listener.end())
  const heard: unknown[] = []
  listener.on('notification', ({ payload = '' }) =>
    heard.push(JSON.parse(payload.slice(payload.indexOf(' ')))),
  )
  await listener.query(`listen ${priceChannel}`)
  return () => heard
}

async function addPrice(day: string): Promise<void> {
  await sql`
    insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on)
    values (${productIds[0]}, ${marketId}, 1000, 'Amina', ${day}::date + time '10:00', ${day}::date)`.execute(
    db,
  )
}
