import { describe, expect, test } from 'vitest'
import { mostEndpoints, mostSendsPerHour } from '#features/webhooks/webhooks.rules.ts'
import { recordMessage } from '#features/webhooks/webhooks.sql.ts'
import { insertSubscriptionRow } from '../../../tests/support/accounts.ts'
import { type Client, insertAccount, testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const given = { url: 'https://exemple.cd/ntalo', events: ['price.created'] }

async function created(client: Client, more: object = {}) {
  const { status, body } = await client.post('/api/webhooks', { ...given, ...more })
  expect(status).toBe(201)
  return body as { id: number; secret: string; updatedAt: string }
}
type Listed = { state: string; event: string; request: string }
const deliveries = async (client: Client, id: number): Promise<Listed[]> =>
  Object((await client.get(`/api/webhooks/${id}/deliveries`)).body).data
const states = async (client: Client, id: number) => (await deliveries(client, id)).map(({ state }) => state)

describe('an endpoint', () => {
  test('shows its secret once, and is listed without it', async () => {
    const client = await server.as('user')
    const { id, secret } = await created(client)
    expect(secret).toMatch(/^whsec_[\w+/]{32}$/)
    const list = await client.get('/api/webhooks')
    expect(list.body).toMatchObject({
      data: [{ id, ...given, isActive: true, waiting: 0, failingSince: null }],
    })
    const { rows } = await server.pool.query('select after::text from audit_entry')
    for (const text of [list.text, JSON.stringify(rows)]) expect(text).not.toContain(secret.slice(6))
    const renewed = await client.post(`/api/webhooks/${id}/secret`)
    expect(Object(renewed.body).secret).not.toBe(secret)
  })

  test('does not show its secret again to a repeated request, which is told to delete it', async () => {
    const client = await server.as('user')
    const again = () =>
      client.send('/api/webhooks', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'une-fois' },
        body: JSON.stringify(given),
      })
    expect((await again()).status).toBe(201)
    expect(await again()).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('déjà créé') },
    })
  })

  test.each([
    'http://exemple.cd/',
    'https://127.0.0.1/',
    'https://localhost/',
    'https://[::1]/',
    'https://exemple.cd:22/',
    'https://a:b@exemple.cd/',
    'exemple',
    '',
  ])('at « %s » is refused under its field', async (url) => {
    const client = await server.as('user')
    const { id } = await created(client)
    for (const answer of [
      await client.post('/api/webhooks', { ...given, url }),
      await client.put(`/api/webhooks/${id}`, { url }),
    ]) {
      expect(answer.status).toBe(400)
      expect(Object(answer.body).errors).toMatchObject([{ field: 'url' }])
    }
  })

  test('requires known events, and at least one', async () => {
    const client = await server.as('user')
    for (const events of [[], ['price.eaten'], undefined]) {
      expect((await client.post('/api/webhooks', { ...given, events })).status).toBe(400)
    }
  })

  test(`is one of ${mostEndpoints} at most`, async () => {
    const client = await server.as('user')
    for (let n = 0; n < mostEndpoints; n++) await created(client)
    expect((await client.post('/api/webhooks', given)).status).toBe(409)
  })

  test('is disabled by its owner, records meanwhile, and replays once active again', async () => {
    const client = await server.as('user')
    const { id } = await created(client)
    const off = await client.put(`/api/webhooks/${id}`, { isActive: false })
    expect(off.body).toMatchObject({ isActive: false, disabledBecause: 'owner' })
    await recordMessage(db, { event: 'price.created', data: {}, endpointId: id })
    expect(await states(client, id)).toEqual(['held'])
    for (const what of ['test', 'replay']) {
      expect((await client.post(`/api/webhooks/${id}/${what}`, {})).status).toBe(409)
    }
    expect((await client.put(`/api/webhooks/${id}`, { isActive: true })).body).toMatchObject({
      isActive: true,
      disabledBecause: null,
    })
    const replayed = await client.post(`/api/webhooks/${id}/replay`, {})
    expect(replayed.body).toMatchObject({ message: 'Le message est renvoyé' })
    expect(await states(client, id)).toEqual(['waiting'])
    expect((await client.post(`/api/webhooks/${id}/replay`, {})).body).toMatchObject({
      message: 'Rien à rejouer',
    })
  })

  test('shows the prices of its messages only while its owner may read prices', async () => {
    const client = await server.as('user')
    const { id } = await created(client)
    for (const event of ['price.created', 'subscription.created']) {
      await recordMessage(db, { event, data: { priceValue: 3500 }, endpointId: id })
    }
    const shown = async () => (await deliveries(client, id)).map(({ request }) => request)
    const whole = expect.stringContaining('3500')
    expect(await shown()).toEqual([whole, ''])
    await insertSubscriptionRow(db, {
      user_id: client.userId!,
      status: 'ACTIVE',
      start_date: new Date(),
      end_date: new Date(Date.now() + 86_400_000),
    })
    expect(await shown()).toEqual([whole, whole])
  })

  test('is not created by an account with an unconfirmed address', async () => {
    const userId = await insertAccount(db, { roles: ['user'], isVerified: false })
    const client = await server.clientOf(userId)
    const refused = await client.post('/api/webhooks', given)
    expect(refused).toMatchObject({ status: 403, body: { message: expect.stringContaining('Confirmez') } })
    await db.updateTable('app_user').set({ email_verified: true }).where('id', '=', userId).execute()
    await created(client)
  })

  test('replays one message, even one that arrived, but never one of another user', async () => {
    const client = await server.as('collector')
    const [first, second] = [await created(client), await created(client)]
    await recordMessage(db, { event: 'price.created', data: {}, endpointId: first.id })
    await db
      .updateTable('webhook_delivery')
      .set({ state: 'done' })
      .where('endpoint_id', '=', first.id)
      .execute()
    const { body } = await client.get(`/api/webhooks/${first.id}/deliveries`)
    const [delivery] = Object(body).data
    expect(delivery).toMatchObject({
      event: 'price.created',
      state: 'done',
      request: expect.stringContaining('type'),
    })
    const elsewhere = await client.post(`/api/webhooks/${second.id}/replay`, { deliveryId: delivery.id })
    expect(elsewhere.body).toMatchObject({ message: 'Rien à rejouer' })
    expect(await states(client, first.id)).toEqual(['done'])
    await client.post(`/api/webhooks/${first.id}/replay`, { deliveryId: delivery.id })
    expect(await states(client, first.id)).toEqual(['waiting'])
    // Whose receiver was repaired need not wait for the next attempt, up to a day.
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
    await db
      .updateTable('webhook_delivery')
      .set({ attempts: 9, due_at: tomorrow })
      .where('endpoint_id', '=', first.id)
      .execute()
    const hastened = await client.post(`/api/webhooks/${first.id}/replay`, { deliveryId: delivery.id })
    expect(hastened.body).toMatchObject({ message: 'Le message est renvoyé' })
    const [due] = Object((await client.get(`/api/webhooks/${first.id}/deliveries`)).body).data
    expect(due).toMatchObject({ attempts: 0, messageId: expect.stringMatching(/^msg_/) })
    expect(due.dueAt < tomorrow).toBe(true)
  })

  test('is tested and replayed a limited number of times an hour, together with the others of its owner', async () => {
    const client = await server.as('user')
    const { id } = await created(client)
    for (let n = 1; n < mostSendsPerHour; n++) {
      expect((await client.post(`/api/webhooks/${id}/test`)).status).toBe(200)
    }
    expect((await client.post(`/api/webhooks/${id}/replay`, {})).status).toBe(200)
    const other = await created(client)
    for (const what of [`${id}/test`, `${id}/replay`, `${other.id}/test`, `${other.id}/replay`]) {
      expect((await client.post(`/api/webhooks/${what}`, {})).status, what).toBe(429)
    }
    expect(await states(client, id)).toHaveLength(mostSendsPerHour - 1)
  })

  test('of another user does not exist', async () => {
    const { id } = await created(await server.as('user'))
    const other = await server.as('admin')
    expect((await other.get(`/api/webhooks/${id}/deliveries`)).status).toBe(404)
    expect((await other.put(`/api/webhooks/${id}`, { isActive: false })).status).toBe(404)
    expect((await other.delete(`/api/webhooks/${id}`)).status).toBe(404)
    expect((await other.post(`/api/webhooks/${id}/secret`)).status).toBe(404)
  })
})
