import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { summarise } from '#features/figures/summary/summary.routes.ts'
import { readTogether } from '#features/figures/summary/summary.sql.ts'
import { listCategoryShelves, rankBrands } from '#features/statistics/shelves.sql.ts'
import { findCounted, readOverview } from '#features/statistics/statistics.routes.ts'
import { insertMarket, insertProduct } from '../../../tests/support/catalogue.ts'
import { testDatabase } from '../../../tests/support/database.ts'

const { db } = await testDatabase()
const [productId, marketId] = [await insertProduct(db), await insertMarket(db)]
await sql`insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on)
  select ${productId}, ${marketId}, 100 + n, 'Amina', date '2026-01-01' + n + time '12:00', date '2026-01-01' + n
    from generate_series(0, 299) n`.execute(db)
await sql`analyze price`.execute(db)

const asked = { minPrice: 150, limit: 200 }
const today = '2026-10-27'

test('statistics of more prices than can be read are an estimate, and contain only counted figures', async () => {
  const read = (isDear: boolean) =>
    readTogether(db, async (snapshot) => {
      // Reading a row then costs the planner a million times as much.
      if (isDear) await sql`set local cpu_tuple_cost = 10000`.execute(snapshot)
      const counted = await findCounted(snapshot, asked)
      return {
        overview: await readOverview(snapshot, asked, counted, today),
        summary: await summarise(snapshot, asked, today, counted.parts ?? undefined),
        shelves: await listCategoryShelves(snapshot, asked, counted.parts),
        brands: await rankBrands(snapshot, asked, counted.parts),
      }
    })
  const exact = await read(false)
  expect(exact.overview.prices).toMatchObject({ total: 250 })
  expect(exact.overview.prices).not.toHaveProperty('isEstimate')
  expect(exact.shelves).toMatchObject([{ count: 1, monitored: 1, prices: 250 }])
  const { overview, summary, shelves, brands } = await read(true)
  expect(overview.prices).toMatchObject({
    isEstimate: true,
    change: null,
    difference: null,
    lastCollectedAt: null,
    total: summary.totalPrices,
  })
  expect(overview.prices.total).toBeGreaterThan(200)
  expect({ ...overview, prices: null }).toEqual({ ...exact.overview, prices: null })
  expect(shelves).toEqual(exact.shelves.map((shelf) => ({ ...shelf, monitored: null, prices: null })))
  expect(brands.data.map(({ count }) => count)).toEqual(exact.brands.data.map(({ count }) => count))
})
