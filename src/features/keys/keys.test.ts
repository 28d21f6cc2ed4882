import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { monthOf, mostKeys } from '#features/keys/keys.rules.ts'
import { newApiKey } from '#server/session/api-keys.ts'
import { problem } from '#shared/contract.ts'
import { insertAccount, listenOn, testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const reading = { name: 'Tableur', scopes: ['prices.read', 'markets.read'] }
type Made = { id: number; key: string; prefix: string }

const newOwner = async (...roles: string[]) => {
  const userId = await insertAccount(db, { roles: roles.length > 0 ? roles : ['user'] })
  await sql`insert into subscription (user_id, status, start_date, end_date)
            values (${userId}, 'TRIAL', now() - interval '1 day', now() + interval '9 days')`.execute(db)
  return { userId, client: await server.clientOf(userId) }
}
async function newKey(client: Awaited<ReturnType<typeof newOwner>>['client'], more: object = {}) {
  const { status, body } = await client.post('/api/keys', { ...reading, ...more })
  expect(status).toBe(201)
  return body as Made
}
const bearing = (key: string, more: RequestInit = {}): RequestInit => ({
  ...more,
  headers: { authorization: `Bearer ${key}`, ...more.headers },
})
const call = (key: string, path = '/api/prices?limit=1', more: RequestInit = {}) =>
  server.visitor.send(path, bearing(key, more))
const codeOf = ({ body }: { body: unknown }) => problem.parse(body).code

describe('a key', () => {
  test('is made only once the address is confirmed', async () => {
    const { client, userId } = await newOwner()
    await sql`update app_user set email_verified = false where id = ${userId}`.execute(db)
    expect(await client.post('/api/keys', reading)).toMatchObject({
      status: 403,
      body: { message: 'Confirmez votre adresse e-mail avant de créer une clé.' },
    })
  })

  test('is shown once, then listed by its first and last letters, and only its hash is stored', async () => {
    const { client, userId } = await newOwner()
    const made = await newKey(client)
    expect(made.key).toMatch(/^ntalo_live_[0-9A-Za-z]{36}$/)
    expect(made.prefix).toBe(`ntalo_live_…${made.key.slice(-4)}`)
    const list = await client.get('/api/keys')
    expect(list.body).toMatchObject({
      data: [{ id: made.id, name: 'Tableur', prefix: made.prefix, calls: 0 }],
    })
    expect(list.text).not.toContain(made.key)
    const { rows } = await server.pool.query(
      'select api_key::text, audit_entry.after::text from api_key, audit_entry',
    )
    expect(JSON.stringify(rows)).not.toContain(made.key)
    expect(userId).toBeGreaterThan(0)
  })

  test('is not shown again to a repeated request, which is told to revoke it', async () => {
    const { client } = await newOwner()
    const again = () =>
      client.send('/api/keys', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'une-fois' },
        body: JSON.stringify(reading),
      })
    const first = await again()
    expect(first.status).toBe(201)
    expect((await call((first.body as Made).key)).status).toBe(200)
    expect(await again()).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('déjà créée') },
    })
    expect((await client.get('/api/keys')).body).toMatchObject({ data: [{ id: (first.body as Made).id }] })
  })

  test('works as a bearer token and as the user name of Basic, and the response gives the version and the remaining calls', async () => {
    const { client } = await newOwner()
    const { key } = await newKey(client)
    const answer = await call(key)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('ntalo-version')).toBe('2026-11-26')
    expect(answer.headers.get('ratelimit-policy')).toBe('"minute";q=30;w=60, "month";q=1000;w=2678400')
    expect(answer.headers.get('ratelimit')).toMatch(/^"minute";r=29;t=\d+, "month";r=999;t=\d+$/)
    const basic = `Basic ${Buffer.from(`${key}:`).toString('base64')}`
    expect((await call('', '/api/markets', { headers: { authorization: basic } })).status).toBe(200)
  })

  test('that is mistyped, expired or unknown opens nothing', async () => {
    const { client } = await newOwner()
    const { key } = await newKey(client)
    const typo = key.slice(0, -8) + (key.at(-8) === 'a' ? 'b' : 'a') + key.slice(-7)
    for (const wrong of [typo, newApiKey(), key.slice(0, -1), `${key}a`]) {
      expect((await call(wrong)).status).toBe(401)
    }
    await db
      .updateTable('api_key')
      .set({ expires_at: new Date(Date.now() - 1_000).toISOString() })
      .execute()
    const { key: other } = await newKey((await newOwner()).client)
    await db
      .updateTable('api_key')
      .set({ expires_at: new Date(Date.now() - 1_000).toISOString() })
      .execute()
    expect((await call(other)).status).toBe(401)
  })

  test('may do only what both its owner may do and its scopes name', async () => {
    const { client } = await newOwner('manager')
    const { key } = await newKey(client, { scopes: ['markets.read'] })
    expect((await call(key, '/api/markets')).status).toBe(200)
    const refused = await call(key)
    expect([refused.status, codeOf(refused)]).toEqual([403, 'scope_missing'])
    const reader = await newOwner()
    const tooMuch = await reader.client.post('/api/keys', { ...reading, scopes: ['prices.write'] })
    expect(tooMuch).toMatchObject({ status: 400, body: { errors: [{ field: 'scopes' }] } })
    for (const scopes of [[], ['users.manage'], ['access.exempt']]) {
      expect((await client.post('/api/keys', { ...reading, scopes })).status).toBe(400)
    }
  })

  test('gives no access to accounts, payments, users or keys, whoever owns it', async () => {
    const { client } = await newOwner('superadmin')
    const { key } = await newKey(client)
    const paths = [
      '/api/auth/me',
      '/api/keys',
      '/api/usage',
      '/api/users',
      '/api/payments',
      '/api/views',
      '/api/roles',
    ]
    for (const path of paths) {
      const answer = await call(key, path)
      expect([path, answer.status, codeOf(answer)]).toEqual([path, 403, 'scope_missing'])
    }
    const post = await call(key, '/api/keys', { method: 'POST' })
    expect(post.status).toBe(403)
  })

  test('is refused everywhere once it is revoked or its owner is disabled', async () => {
    const other = await listenOn(server)
    const { client, userId } = await newOwner()
    const [first, second] = [await newKey(client), await newKey(client, { name: 'Autre' })]
    const at = (url: string, key: string) =>
      fetch(`${url}/api/prices?limit=1`, bearing(key)).then(({ status }) => status)
    for (const { key } of [first, second]) {
      expect([await at(server.url, key), await at(other.url, key)]).toEqual([200, 200])
    }
    expect((await client.delete(`/api/keys/${first.id}`)).status).toBe(200)
    expect(await at(server.url, first.key)).toBe(401)
    await expect.poll(() => at(other.url, first.key)).toBe(401)
    expect((await client.get('/api/keys')).body).toMatchObject({ data: [{ id: second.id }] })
    await db.updateTable('app_user').set({ status: 'BANNED' }).where('id', '=', userId).execute()
    await expect.poll(() => at(server.url, second.key)).toBe(401)
  })

  test('of another user does not exist', async () => {
    const { id } = await newKey((await newOwner()).client)
    const { client } = await newOwner()
    expect((await client.delete(`/api/keys/${id}`)).status).toBe(404)
    expect((await client.get('/api/keys')).body).toEqual({ data: [] })
  })

  test('of an owner without access gets the same 402', async () => {
    const { client, userId } = await newOwner()
    const { key } = await newKey(client)
    expect((await call(key)).status).toBe(200)
    await db.deleteFrom('subscription').where('user_id', '=', userId).execute()
    await expect.poll(async () => (await call(key)).status).toBe(402)
    expect(codeOf(await call(key))).toBe('payment_required')
  })

  test('is one of at most twenty, even when two are requested at once', async () => {
    const { client, userId } = await newOwner()
    for (let made = 1; made < mostKeys; made++) await newKey(client, { name: `Clé ${made}` })
    const both = await Promise.all([1, 2].map(() => client.post('/api/keys', reading)))
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    // An expired one takes no place.
    await sql`
      update api_key set expires_at = now() where id = (select max(id) from api_key where user_id = ${userId})`.execute(
      db,
    )
    expect((await client.post('/api/keys', reading)).status).toBe(201)
  })
})

describe('pages of other sites', () => {
  const origin = 'https://exemple.org'

  test('may read and write with a key, without credentials', async () => {
    const { key } = await newKey((await newOwner()).client)
    const asked = await server.visitor.send('/api/prices', {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    })
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    const answer = await call(key, '/api/prices?limit=1', {
      headers: { origin, authorization: `Bearer ${key}` },
    })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  })

  test('may do nothing without a key', async () => {
    const { client } = await newOwner()
    const headers = { origin, authorization: `Bearer ${client.token}` }
    const answer = await server.visitor.send('/api/prices?limit=1', { headers })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    const written = await server.visitor.send('/api/keys', { method: 'POST', headers })
    expect(written.status).toBe(403)
  })
})

test('the root gives the version, the time and the documentation', async () => {
  const { status, body } = await server.visitor.get('/api')
  expect([status, body]).toMatchObject([200, { version: '2026-11-26', documentation: '/api/openapi.json' }])
})

test('a version that does not exist is refused', async () => {
  const { key } = await newKey((await newOwner()).client)
  const answer = await call(key, '/api/markets', {
    headers: { authorization: `Bearer ${key}`, 'ntalo-version': '2020-01-01' },
  })
  expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid'])
})

test('the calls of a month are forecast from its finished days', () => {
  const [end, november] = ['2026-11-30T23:00:00.000Z', '2026-10-31T23:00:00.000Z']
  expect(monthOf(end, 300, new Date('2026-11-15T23:00:00Z'))).toEqual({ days: 30, forecast: 600 })
  expect(monthOf(end, 300, new Date('2026-11-01T12:00:00Z'))).toEqual({ days: 30, forecast: null })
  expect(monthOf(november, 0, new Date('2026-10-20T12:00:00Z'))).toEqual({ days: 31, forecast: 0 })
})
