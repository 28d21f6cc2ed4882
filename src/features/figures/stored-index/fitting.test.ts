import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { fitTask } from '#features/figures/stored-index/fitting.jobs.ts'
import { hasToFit } from '#features/figures/stored-index/fitting.sql.ts'
import { readStoredIndex } from '#features/figures/stored-index/indices.sql.ts'
import { tellNewIndices } from '#features/prices/live/live.jobs.ts'
import { newIndices, priceChannel } from '#features/prices/live/live.rules.ts'
import { startJobs } from '#server/jobs/jobs.ts'
import { createLog } from '#server/log.ts'
import { firstAttempt } from '../../../../tests/support/attempt.ts'
import { insertMarket, insertProduct } from '../../../../tests/support/catalogue.ts'
import { testDatabase } from '../../../../tests/support/database.ts'

const { db, connection } = await testDatabase()
const productIds = [await insertProduct(db), await insertProduct(db), await insertProduct(db)]
const marketId = await insertMarket(db)
const stored = () => readStoredIndex(db, 'nation ')

test('the job fits the indices in a thread, with the windows of past weeks, and followers of prices are notified', async () => {
  await fillTwoYears()
  const heard = await hearChanges()
  runJobs()
  await expect.poll(() => hasToFit(db)).toBe(false)
  expect(await stored()).toMatchObject({ start: '2025-06-30', knownSeries: 3, asOf: null })
  const { rows } = await sql<{ windows: number }>`
    select count(*) as windows from price_index_window where scope = 'nation'`.execute(db)
  // The weeks with a year before them, except the last.
  expect(rows[0]?.windows).toBe(52)
  await expect.poll(heard).toContainEqual(newIndices)
  const before = (await stored())?.levels
  await sql`update price set price_value = price_value * 2 where product_id = ${productIds[0]} and observed_on > '2026-06-20'`.execute(
    db,
  )
  await expect.poll(async () => (await stored())?.levels).not.toEqual(before)
})

test('a fit that fails changes neither its queue nor the indices', async () => {
  await fillTwoYears()
  const task = fitTask({ db, connection, onFitted: () => tellNewIndices(db) })
  const attempt = firstAttempt(db)
  await task.run({}, attempt)
  const before = await stored()
  await sql`update price set price_value = price_value * 2 where product_id = ${productIds[0]} and observed_on > '2026-06-20'`.execute(
    db,
  )
  const asOf = (await stored())?.asOf
  expect(asOf).not.toBeNull()
  await sql`alter table price_index add constraint refusing check (false) not valid`.execute(db)
  await expect(task.run({}, attempt)).rejects.toThrow('refusing')
  expect(await hasToFit(db)).toBe(true)
  expect(await stored()).toEqual({ ...before, asOf })
  await sql`alter table price_index drop constraint refusing`.execute(db)
  await task.run({}, attempt)
  expect(await hasToFit(db)).toBe(false)
  expect((await stored())?.levels).not.toEqual(before?.levels)
})

function runJobs(): void {
  const runner = startJobs({
    db,
    connection,
    log: createLog('silent'),
    tasks: [fitTask({ db, connection, onFitted: () => tellNewIndices(db) })],
  })
  onTestFinished(() => runner.stop())
}

async function fillTwoYears(): Promise<void> {
  await sql`delete from price`.execute(db)
  // Mondays up to 29 June 2026.
  await sql`
    insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on)
    select product_id, ${marketId}::int, 1000 + week, 'Amina', day + time '10:00', day
      from unnest(${productIds}::int[]) product_id, generate_series(0, 104) week,
           lateral (select date '2026-06-29' - 7 * week as day) monday`.execute(db)
}

/** Listens to notifications; returns those received from now on. */
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
