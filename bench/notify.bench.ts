import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { mergeChanges, priceChannel, priceWritten } from '#features/prices/live/live.rules.ts'
import { listen } from '#server/db/listener.ts'
import { notify } from '#server/db/notify.ts'
import { createFeed, feedMessage } from '#server/feed.ts'
import { createLog } from '#server/log.ts'
import { insertMarket, insertProduct } from '../tests/support/catalogue.ts'
import type { Measure } from './measure.ts'
import { type PrivatePostgres, withPostgres } from './support/private-postgres.ts'

export const title = 'What it costs 16 writers to tell of their prices'

const writers = 16
const seconds = 1
const rounds = 6
/** Added delay (µs) of each flush to disk: this machine's own disk, and a slower one. */
const delaysUs = [0, 1_000]

const insert = `
  insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on, lane)
  values ($1, $2, 1000, 'Collecteur', now(), current_date, free_lane(current_date)) returning id`

type Tell = { inTransaction?: (client: pg.Client, id: number) => unknown; afterwards?: (id: number) => void }

export async function measure(): Promise<Measure[]> {
  return withPostgres(async (postgres) => {
    const place = { productId: await insertProduct(postgres.db), marketId: await insertMarket(postgres.db) }
    const written = (id: number) => priceWritten('added', { id, ...place })
    const listener = listen(postgres.connection)
    const feed = createFeed({
      listener,
      channel: priceChannel,
      send: (payload) => notify(postgres.db, priceChannel, payload),
      merge: mergeChanges,
      log: createLog('silent'),
    })
    await listener.firstAttempt
    const measures: Measure[] = []
    for (const delayUs of delaysUs) {
      await delayFlushes(postgres, delayUs)
      const ways: Tell[] = [
        {},
        {
          inTransaction: (client, id) =>
            client.query('select pg_notify($1, $2)', [priceChannel, feedMessage(written(id))]),
        },
        { afterwards: (id) => feed.publish(written(id)) },
      ]
      // In turns, so that other work of the machine slows all of them equally.
      const counts = ways.map(() => 0)
      for (let round = 0; round < rounds; round++) {
        for (const [index, way] of ways.entries()) counts[index]! += await countWrites(postgres, place, way)
      }
      const [silent = 0, triggered = 0, batched = 0] = counts.map((count) => count / rounds / seconds)
      const disk = delayUs > 0 ? `, a disk ${delayUs / 1000} ms slower` : ''
      measures.push(
        { what: `prices written without telling${disk}`, value: silent, unit: 'prices/s' },
        { what: `told in the transaction, as a trigger would${disk}`, value: triggered, unit: 'prices/s' },
        { what: `told after the commit, batched${disk}`, value: batched, unit: 'prices/s' },
        {
          what: `of the speed without telling${disk}`,
          value: (100 * batched) / silent,
          unit: '%',
          atLeast: 70,
        },
      )
    }
    await feed.close()
    await listener.close()
    return measures
  })
}

async function delayFlushes({ pool }: PrivatePostgres, delayUs: number): Promise<void> {
  await pool.query(`alter system set commit_delay = ${delayUs}`)
  await pool.query('alter system set commit_siblings = 0')
  await pool.query('select pg_reload_conf()')
  await sleep(500)
}

async function countWrites(
  { connection }: PrivatePostgres,
  { productId, marketId }: { productId: number; marketId: number },
  { inTransaction, afterwards }: Tell,
): Promise<number> {
  const clients = Array.from({ length: writers }, () => new pg.Client(connection))
  await Promise.all(clients.map((client) => client.connect()))
  const until = performance.now() + seconds * 1000
  let count = 0
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < until) {
        await client.query('begin')
        const { rows } = await client.query({ name: 'insert', text: insert, values: [productId, marketId] })
        await inTransaction?.(client, Number(rows[0].id))
        await client.query('commit')
        afterwards?.(Number(rows[0].id))
        count += 1
      }
    }),
  )
  await Promise.all(clients.map((client) => client.end()))
  return count
}
