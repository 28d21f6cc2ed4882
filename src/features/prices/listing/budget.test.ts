import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { summarise } from '#features/figures/summary/summary.routes.ts'
import { readTogether } from '#features/figures/summary/summary.sql.ts'
import { listPrices } from '#features/prices/listing/listing.sql.ts'
import { prices } from '#features/prices/prices.contract.ts'
import type { Db } from '#server/db/pool.ts'
import { insertMarket, insertProduct } from '../../../../tests/support/catalogue.ts'
import { testDatabase } from '../../../../tests/support/database.ts'

const { db } = await testDatabase()
const [productId, marketId] = [await insertProduct(db), await insertMarket(db)]
await sql`insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on)
  select ${productId}, ${marketId}, 100 + n, 'Amina', date '2026-01-01' + n + time '12:00', date '2026-01-01' + n
    from generate_series(0, 299) n`.execute(db)
await sql`analyze price`.execute(db)

const asked = (query: object) => prices.list.query.parse({ minPrice: '150', ...query })
const today = '2026-10-27'

/**
 * Runs work with the planner's cost of reading a row a million times as high, so that any reading is beyond the budget.
 */
function whereReadingIsDear<T>(work: (snapshot: Db) => Promise<T>): Promise<T> {
  return readTogether(db, async (snapshot) => {
    await sql`set local cpu_tuple_cost = 10000`.execute(snapshot)
    return work(snapshot)
  })
}

test('a total within its budget is exact, and so are its figures', async () => {
  expect(await listPrices(db, asked({}))).toMatchObject({ total: 250 })
  expect(await listPrices(db, asked({}))).not.toHaveProperty('isEstimate')
  expect(await summarise(db, asked({}), today)).toMatchObject({ totalPrices: 250, isEstimate: false })
})

test('a total beyond its budget is an estimate that says so, of the same pages', async () => {
  for (const page of ['1', '3']) {
    const exact = await listPrices(db, asked({ page }))
    const estimated = await whereReadingIsDear((snapshot) => listPrices(snapshot, asked({ page })))
    expect(estimated).toMatchObject({ isEstimate: true })
    expect(estimated.rows).toEqual(exact.rows)
    expect(estimated.total).toBeGreaterThan(200)
    expect(estimated.total).toBeLessThan(300)
  }
  const past = await whereReadingIsDear((snapshot) => listPrices(snapshot, asked({ page: '999999999' })))
  expect(past).toMatchObject({ rows: [], isEstimate: true })
})

test('figures beyond their budget are omitted, except an estimate of the number of prices', async () => {
  const summary = await whereReadingIsDear((snapshot) => summarise(snapshot, asked({}), today))
  expect(summary).toMatchObject({ isEstimate: true, isTooLarge: true, averagePrice: null, dailyPrices: [] })
  expect(summary.totalPrices).toBeGreaterThan(200)
})

test('figures from rollups are exact however expensive reading prices is', async () => {
  const filter = prices.list.query.parse({ productId: String(productId) })
  const list = await whereReadingIsDear((snapshot) => listPrices(snapshot, filter))
  expect(list).toMatchObject({ total: 300 })
  expect(list).not.toHaveProperty('isEstimate')
})
