import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { scopeNames } from '#shared/permissions.ts'
import { insertMarket, insertProduct } from '../support/catalogue.ts'
import { type Client, client, testServer } from '../support/server.ts'

const rounds = 12
const calls = 150
const most = 1.1

test(`a call with a key takes at most ${most} times the processor of the same call in a session`, async () => {
  const server = await testServer()
  const product_id = await insertProduct(server.db)
  const market_id = await insertMarket(server.db)
  await sql`insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on)
            select ${product_id}, ${market_id}, n, 'Amina', now(), current_date from generate_series(1, 500) n`.execute(
    server.db,
  )
  // No quota ends within the trial.
  await sql`update plan set calls_per_minute = 10000`.execute(server.db)
  const session = await server.as('admin')
  const { body } = await session.post('/api/keys', { name: 'mesure', scopes: [...scopeNames] })
  const byKey = client(server.url, Object(body).key, session.userId)
  const spent = { session: [] as number[], key: [] as number[] }
  // In turns, so that what else the machine does weighs on both.
  for (let round = -2; round < rounds; round++) {
    const sides = [['session', session] as const, ['key', byKey] as const]
    for (const [side, who] of round % 2 === 0 ? sides : sides.toReversed()) {
      const ms = await processorOf(who)
      if (round >= 0) spent[side].push(ms)
    }
  }
  const [inSession, withKey] = [median(spent.session), median(spent.key)]
  const ratio = withKey / inSession
  console.log(
    `a page of 50 prices: ${inSession.toFixed(2)} ms of processor in a session, ${withKey.toFixed(2)} ms with a key, ${ratio.toFixed(2)} times`,
  )
  expect(ratio).toBeLessThanOrEqual(most)
})

/** Of this process, which asks and answers, for one call (ms): what the asker takes is the same on both sides. */
async function processorOf(who: Client): Promise<number> {
  const before = process.cpuUsage()
  for (let call = 0; call < calls; call++) {
    expect((await who.get('/api/prices?limit=50')).status).toBe(200)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / calls
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
