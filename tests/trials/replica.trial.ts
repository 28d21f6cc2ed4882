import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#server/db/pool.ts'
import { openReplica } from '#server/db/replica.ts'
import { fillPrices, shape } from '../../bench/support/price-data.ts'
import { databaseProcessorMs } from '../support/database-processor.ts'
import { startPair } from '../support/replica.ts'
import { client, insertAccount, listenOn, openSession } from '../support/server.ts'

const prices = 200_000
const rounds = 60
const readsPerWrite = 20

test('reads of a mixed load cost the primary at most 0.4 times what they cost without a replica', async () => {
  const pair = await startPair()
  const { db, pool, connection } = pair.primary
  await fillPrices(pool, prices)
  await pair.caughtUp()
  const replica = await openReplica({
    connection: pair.standby.connection,
    primary: pool,
    primaryConnection: connection,
  })
  onTestFinished(() => replica.close())
  const standby = await openDatabase({ connection: pair.standby.connection })
  onTestFinished(() => standby.close())
  const token = async (role: string) => {
    const userId = await insertAccount(db, { roles: [role] })
    return { userId, token: await openSession(db, userId) }
  }
  const [writer, reader] = [await token('collector'), await token('manager')]
  const { rows } = await pool.query<{ productId: number; marketId: number; location: string }>(
    `select product_id as "productId", market_id as "marketId", location from price join market on market.id = market_id order by price.id limit 1`,
  )
  const [subject] = rows
  if (!subject) throw new Error('prices come with a catalogue')
  const paths = [
    '/api/prices',
    `/api/prices?productId=${subject.productId}`,
    '/api/prices/analytics/summary',
    `/api/prices/analytics/summary?location=${encodeURIComponent(subject.location)}`,
    '/api/statistics/overview?period=1y',
    '/api/statistics/map?period=1y',
    '/api/products',
    '/api/markets',
    `/api/series/${subject.productId}/${subject.marketId}`,
    `/api/statistics/inflation?location=${encodeURIComponent(subject.location)}`,
  ]

  async function load(url: string): Promise<{ primary: number; standby: number }> {
    const [reading, writing] = [
      client(url, reader.token, reader.userId),
      client(url, writer.token, writer.userId),
    ]
    for (const path of paths) {
      const { status, text } = await reading.get(path)
      expect([path, status], text).toEqual([path, 200])
    }
    const before = [await databaseProcessorMs(db), await databaseProcessorMs(standby.db)] as const
    for (let round = 0; round < rounds; round++) {
      const price = { productId: subject?.productId, marketId: subject?.marketId, priceValue: 1000 + round }
      const written = await writing.post('/api/prices', { ...price, currency: 'CDF', collectorName: 'Amina' })
      expect(written.status, written.text).toBe(201)
      for (let n = 0; n < readsPerWrite; n++) {
        const answer = await reading.get(paths[(round + n) % paths.length] ?? '')
        expect(answer.status, answer.text).toBe(200)
      }
    }
    return {
      primary: (await databaseProcessorMs(db)) - before[0],
      standby: (await databaseProcessorMs(standby.db)) - before[1],
    }
  }
  /** Measures the writes alone, which the primary does in both cases. */
  async function writes(url: string): Promise<number> {
    const writing = client(url, writer.token, writer.userId)
    const before = await databaseProcessorMs(db)
    for (let round = 0; round < rounds; round++) {
      const price = { productId: subject?.productId, marketId: subject?.marketId, priceValue: 1000 + round }
      await writing.post('/api/prices', { ...price, currency: 'CDF', collectorName: 'Amina' })
    }
    return (await databaseProcessorMs(db)) - before
  }
  const shared = await listenOn(pair.primary, { replica })
  const alone = await listenOn(pair.primary)
  const own = await writes(alone.url)
  const [without, among] = [await load(alone.url), await load(shared.url)]
  console.log(
    `${prices} prices of ${shape.products} products, ${rounds * readsPerWrite} reads and ${rounds} writes: the primary takes ${without.primary} ms without a replica, ${among.primary} ms (and the replica ${among.standby} ms) with it; of these the writes ${own} ms`,
  )
  expect(among.primary - own).toBeLessThanOrEqual(0.4 * (without.primary - own))
})
