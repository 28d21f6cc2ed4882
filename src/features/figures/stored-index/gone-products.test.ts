import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fitAll } from '#features/figures/stored-index/fitting.jobs.ts'
import { readStoredIndex } from '#features/figures/stored-index/indices.sql.ts'
import { insertMarket, insertProduct } from '../../../../tests/support/catalogue.ts'
import { testDatabase } from '../../../../tests/support/database.ts'

const { db } = await testDatabase()

async function fill(productId: number, marketId: number): Promise<void> {
  await sql`
    insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on)
    select ${productId}::integer, ${marketId}::integer, 1000 + 10 * week, 'Amina', day + time '10:00', day
      from generate_series(0, 20) week, lateral (select date '2026-01-05' + 7 * week as day) monday`.execute(
    db,
  )
}

test('the stored indices remove a product and a market deleted with their prices, as when an import is undone', async () => {
  const countSeries = async () => (await readStoredIndex(db, 'nation '))?.knownSeries
  const [productId, marketId] = [await insertProduct(db), await insertMarket(db)]
  await fill(productId, marketId)
  await fitAll(db)
  const [goneProduct, goneMarket] = [await insertProduct(db), await insertMarket(db)]
  await fill(goneProduct, marketId)
  await fill(productId, goneMarket)
  await fitAll(db)
  expect(await countSeries()).toBe(3)
  await db.transaction().execute(async (tx) => {
    await sql`delete from price where product_id = ${goneProduct} or market_id = ${goneMarket}`.execute(tx)
    await sql`delete from product where id = ${goneProduct}`.execute(tx)
    await sql`delete from market where id = ${goneMarket}`.execute(tx)
  })
  await fitAll(db)
  expect(await countSeries()).toBe(1)
})
