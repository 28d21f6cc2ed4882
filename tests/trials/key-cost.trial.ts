import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Db } from '#server/db/pool.ts'
import { newApiKey } from '#server/session/api-keys.ts'
import { hashToken } from '#server/session/tokens.ts'
import { insertMarket, insertProduct } from '../support/catalogue.ts'
import { privateDirectory } from '../support/embedded.ts'
import { freePort, onDatabase, startServer } from '../support/kill-trial.ts'
import { insertAccount, openSession } from '../support/server.ts'

const rounds = 9
const calls = 200
const most = 1.1
const tickMs = 10

test(`a call with a key takes at most ${most} times the processor time of the same call in a session`, async () => {
  const dataDir = privateDirectory()
  const port = await freePort()
  const server = await startServer(dataDir, port)
  try {
    const tokens = await onDatabase(dataDir, prepare)
    const spent = { session: [] as number[], key: [] as number[] }
    const sides = ['session', 'key'] as const
    // In turns, so that other work of the machine affects both; the first rounds only warm the program up.
    for (let round = -3; round < rounds; round++) {
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        const before = processorOf(server.pid)
        for (let call = 0; call < calls; call++) {
          const headers = { authorization: `Bearer ${tokens[side]}` }
          const answer = await fetch(`http://127.0.0.1:${port}/api/prices?limit=50`, { headers })
          expect(answer.status).toBe(200)
          await answer.arrayBuffer()
        }
        if (round >= 0) spent[side].push((processorOf(server.pid) - before) / calls)
      }
    }
    const [inSession, withKey] = [median(spent.session), median(spent.key)]
    const ratio = withKey / inSession
    console.log(
      `a page of 50 prices: ${inSession.toFixed(2)} ms of processor in a session, ${withKey.toFixed(2)} with a key, ${ratio.toFixed(2)} times`,
    )
    expect(ratio).toBeLessThanOrEqual(most)
  } finally {
    server.kill('SIGKILL')
  }
})

/** Returns the processor time (ms) that a process has used. */
function processorOf(pid: number | undefined): number {
  const [, , user = 0, system = 0] =
    /\) (?:\S+ ){11}((\d+) (\d+))/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
  return (Number(user) + Number(system)) * tickMs
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN

/** Prepares the same subscriber in a session, and with a key whose quota is large enough. */
async function prepare(db: Db) {
  const [product_id, market_id] = [await insertProduct(db), await insertMarket(db)]
  await sql`insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on)
            select ${product_id}, ${market_id}, n, 'Amina', now(), current_date from generate_series(1, 500) n`.execute(
    db,
  )
  const userId = await insertAccount(db, { roles: ['user'] })
  await sql`
    with made as (
      insert into plan (name, price, calls_per_minute, calls_per_month) values ('Mesure', 5, 10000, 1000000) returning id)
    insert into subscription (user_id, plan_id, status, start_date, end_date)
    select ${userId}, id, 'ACTIVE', now() - interval '1 day', now() + interval '20 days' from made`.execute(
    db,
  )
  const key = newApiKey()
  await sql`insert into api_key (user_id, name, hash, prefix, scopes, version)
            values (${userId}, 'mesure', ${hashToken(key)}, 'ntalo', '{prices.read}', '2026-11-26')`.execute(
    db,
  )
  return { session: await openSession(db, userId), key }
}
