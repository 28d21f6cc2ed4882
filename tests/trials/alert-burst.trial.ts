import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { judgeAlerts } from '#features/alerts/judging/judging.jobs.ts'
import { addDays, dayInKinshasa } from '#shared/days.ts'
import { insertMarket, insertProduct } from '../support/catalogue.ts'
import { databaseProcessorMs } from '../support/database-processor.ts'
import { insertAccount, testServer } from '../support/server.ts'

const server = await testServer()
const { db } = server
const today = dayInKinshasa(new Date())
const [products, markets, rulesOfSeries] = [50, 20, 10]

test('a burst of 1 000 prices is checked against 10 000 rules within three times the processor time of writing it', async () => {
  const productIds = await Promise.all(Array.from({ length: products }, () => insertProduct(db)))
  const marketIds = await Promise.all(Array.from({ length: markets }, () => insertMarket(db)))
  // A quote a week for a year, around 1 000 francs.
  await sql`
    insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on)
    select product, market, 950 + (product * 7 + market * 13 + week * 29) % 100, 'Amina',
           (${today}::date - 7 * week)::timestamptz + interval '10 hours', ${today}::date - 7 * week
      from unnest(${productIds}::integer[]) product, unnest(${marketIds}::integer[]) market, generate_series(1, 52) week`.execute(
    db,
  )
  const users = await Promise.all(
    Array.from({ length: 100 }, () => insertAccount(db, { roles: ['user'], ageDays: 1 })),
  )
  await sql`
    insert into alert_rule (user_id, product_id, market_id, kind, direction, threshold, period_days, channels)
    select (${users}::integer[])[1 + (product * 31 + market * 7 + rule) % 100], product, market,
           (array['level', 'level', 'change', 'unusual'])[1 + rule % 4], (array['above', 'below'])[1 + rule % 2],
           case when rule % 4 < 2 then 900 + 30 * rule else 10 end, 30, array['mail']
      from unnest(${productIds}::integer[]) product, unnest(${marketIds}::integer[]) market,
           generate_series(1, ${rulesOfSeries}::integer) rule`.execute(db)
  await judgeAlerts(db, new Date())

  const collector = await server.as('collector')
  const writing = await processorOf(async () => {
    for (const productId of productIds)
      for (const marketId of marketIds) {
        const price = { productId, marketId, priceValue: 1040, currency: 'CDF', collectorName: 'Amina' }
        const collectedAt = addDays(today, -1)
        expect((await collector.post('/api/prices', { ...price, collectedAt })).status).toBe(201)
      }
  })
  const judging = await processorOf(() => judgeAlerts(db, new Date()))
  const { rows } = await sql<{ due: number; states: number }>`
    select (select count(*) from alert_due) as due, (select count(*) from alert_state) as states`.execute(db)
  console.log(`writing ${writing} ms, judging ${judging} ms of processor, ${rows[0]?.states} states`)
  expect(rows[0]?.due).toBe(0)
  expect(judging).toBeLessThan(3 * writing)
})

/** Returns the processor time (ms) of some work, in this process and all processes of the database. */
async function processorOf(work: () => Promise<unknown>): Promise<number> {
  const [before, database] = [process.cpuUsage(), await databaseProcessorMs(db)]
  await work()
  const { user, system } = process.cpuUsage(before)
  return Math.round((user + system) / 1000 + (await databaseProcessorMs(db)) - database)
}
