import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createLog } from '#server/log.ts'
import { newApiKey } from '#server/session/api-keys.ts'
import { createQuotas } from '#server/session/quotas.ts'
import { hashToken } from '#server/session/tokens.ts'
import { insertAccount, listenOn, testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const log = createLog('silent')

/** Inserts an account with a plan of this many calls, and its key. */
async function newSubscriber(calls: { minute: number; month: number }) {
  const userId = await insertAccount(db, { roles: ['user'] })
  const { rows } = await sql<{ id: number }>`
    insert into plan (name, price, calls_per_minute, calls_per_month)
    values (${`Plan ${userId}`}, 5, ${calls.minute}, ${calls.month}) returning id`.execute(db)
  await sql`insert into subscription (user_id, plan_id, status, start_date, end_date)
            values (${userId}, ${rows[0]?.id}, 'ACTIVE', now() - interval '1 day', now() + interval '20 days')`.execute(
    db,
  )
  const key = newApiKey()
  await sql`insert into api_key (user_id, name, hash, prefix, scopes, version)
            values (${userId}, 'essai', ${hashToken(key)}, 'ntalo', '{markets.read}', '2026-11-26')`.execute(
    db,
  )
  return { userId, key, client: await server.clientOf(userId) }
}
const ask = (url: string, key: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/markets?limit=1`, { headers: { authorization: `Bearer ${key}`, ...headers } })

test('a plan’s calls are spent to the last one, and no further, by several processes at once', async () => {
  const others = [await listenOn(server), await listenOn(server)]
  const urls = [server.url, ...others.map(({ url }) => url)]
  const { key } = await newSubscriber({ minute: 10_000, month: 60 })
  const statuses: number[] = []
  // Calls reserved by one process return to the others once it is idle.
  await expect
    .poll(async () => {
      const answers = await Promise.all([0, 1, 2, 3, 4, 5].map((turn) => ask(urls[turn % 3] ?? '', key)))
      statuses.push(...answers.map(({ status }) => status))
      return statuses.filter((status) => status === 200).length
    })
    .toBe(60)
  const last = await ask(server.url, key)
  expect(last.status).toBe(429)
  expect(await last.json()).toMatchObject({
    code: 'quota_exceeded',
    message: 'Vos clés ont fait les 60 appels de ce mois.',
  })
  expect(last.headers.get('ratelimit')).toMatch(/^"month";r=0;t=\d+$/)
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('the response gives the month and the minute, when each is renewed, and the calls of each day', async () => {
  const { key, client } = await newSubscriber({ minute: 100, month: 5_000 })
  for (let call = 0; call < 3; call++) expect((await ask(server.url, key)).status).toBe(200)
  const { body } = await client.get('/api/usage')
  expect(body).toMatchObject({
    data: [
      { window: 'minute', limit: 100 },
      { window: 'month', limit: 5_000, used: 3, resetsAt: expect.stringMatching(/T23:00:00.000Z$/) },
    ],
    days: [{ calls: 3 }],
  })
  expect((await client.get('/api/keys')).body).toMatchObject({
    data: [{ calls: 3, lastUsedAt: expect.any(String) }],
  })
})

test('two keys of one account share its quota', async () => {
  const { userId, key } = await newSubscriber({ minute: 100, month: 4 })
  const other = newApiKey()
  await sql`insert into api_key (user_id, name, hash, prefix, scopes, version)
            values (${userId}, 'autre', ${hashToken(other)}, 'ntalo', '{markets.read}', '2026-11-26')`.execute(
    db,
  )
  const statuses: number[] = []
  for (const each of [key, other, key, other, key]) statuses.push((await ask(server.url, each)).status)
  expect(statuses).toEqual([200, 200, 200, 200, 429])
})

test('a lease that its process does not use up is returned when it stops', async () => {
  const { userId } = await newSubscriber({ minute: 100, month: 800 })
  const quotas = createQuotas(db, { log, inTurn: (work) => work() })
  const headers = new Map<string, unknown>()
  const reply = { header: (name: string, value: unknown) => headers.set(name, value) }
  const caller = {
    userId,
    sessionId: null,
    name: '',
    permissions: [],
    noAccessReason: null,
    limits: { minute: 100, month: 800 },
    key: { id: 0, scopes: [], version: '', isReadOnly: false },
  }
  // @ts-expect-error: the only method of a reply that is used
  const refund = await quotas.spend(caller, reply)
  // @ts-expect-error: the same
  await quotas.spend(caller, reply)
  const used = async () =>
    (
      await sql<{
        used: number
      }>`select used from api_usage where user_id = ${userId} and "window" = 'month'`.execute(db)
    ).rows[0]?.used
  expect(await used()).toBe(50)
  refund()
  await quotas.close()
  expect(await used()).toBe(1)
})
