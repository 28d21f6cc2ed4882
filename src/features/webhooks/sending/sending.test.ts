import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sendDue } from '#features/webhooks/sending/sending.jobs.ts'
import { claimDeliveries } from '#features/webhooks/sending/sending.sql.ts'
import { insertEndpoint, recordMessage, renewSecret } from '#features/webhooks/webhooks.sql.ts'
import { newWebhookSecret } from '#server/webhooks/signature.ts'
import { dayMs } from '#shared/days.ts'
import { testDatabase } from '../../../../tests/support/database.ts'
import { here, receiver, taken } from '../../../../tests/support/receivers.ts'
import { insertAccount } from '../../../../tests/support/server.ts'

const { db } = await testDatabase()
const dependencies = { db, reach: here, clock: () => new Date(), publicUrl: 'https://ntalo.example' }
const never = new AbortController().signal

async function newEndpoint(url: string, roles = ['collector']) {
  const userId = await insertAccount(db, { roles })
  const secret = newWebhookSecret()
  const id = await insertEndpoint(db, { userId, url, events: ['price.created'], secret })
  return { id, userId, secret }
}
const tell = (endpointId: number, n = 1) =>
  recordMessage(db, { event: 'price.created', data: { n }, endpointId })
const deliveries = (endpointId: number) =>
  db.selectFrom('webhook_delivery').selectAll().where('endpoint_id', '=', endpointId).orderBy('id').execute()
const endpoint = (id: number) =>
  db.selectFrom('webhook_endpoint').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const hasten = (endpointId: number) =>
  sql`update webhook_delivery set due_at = now() where endpoint_id = ${endpointId}`.execute(db)
const signatureBy = (secret: Buffer, { headers, body }: { headers: Record<string, unknown>; body: string }) =>
  `v1,${createHmac('sha256', secret)
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
    .digest('base64')}`

test('a message arrives once, signed, and its response is recorded', async () => {
  const to = await receiver((response) => void response.writeHead(200).end('merci'))
  const { id, secret } = await newEndpoint(to.url)
  await tell(id)
  await sendDue(dependencies, never)
  await sendDue(dependencies, never)
  const [message, ...others] = to.messages
  expect(others).toEqual([])
  expect(JSON.parse(message!.body)).toEqual({
    type: 'price.created',
    timestamp: expect.stringMatching(/Z$/),
    data: { n: 1 },
  })
  expect(message!.headers['webhook-signature']).toBe(signatureBy(secret, message!))
  expect(await deliveries(id)).toMatchObject([{ state: 'done', attempts: 1, status: 200, answer: 'merci' }])
})

test('both secrets sign for a day after a change, then only the new one', async () => {
  const to = await receiver(taken)
  const { id, secret } = await newEndpoint(to.url)
  const next = newWebhookSecret()
  await renewSecret(db, id, next)
  await tell(id)
  await sendDue(dependencies, never)
  const [first] = to.messages
  expect(first!.headers['webhook-signature']).toBe(
    `${signatureBy(next, first!)} ${signatureBy(secret, first!)}`,
  )
  await sql`update webhook_endpoint set former_until = now() where id = ${id}`.execute(db)
  await tell(id)
  await sendDue(dependencies, never)
  expect(to.messages[1]!.headers['webhook-signature']).toBe(signatureBy(next, to.messages[1]!))
})

test('beside a failing endpoint and a removed one, two processes send every message once', async () => {
  const good = await receiver(taken)
  const failing = await receiver((response) => void response.writeHead(500).end('non'))
  const gone = await receiver((response) => void response.writeHead(410).end())
  const ids = []
  for (const { url } of [good, failing, gone]) ids.push((await newEndpoint(url)).id)
  const [goodId = 0, failingId = 0, goneId = 0] = ids
  for (let n = 0; n < 60; n++) for (const id of ids) await tell(id, n)
  await Promise.all([sendDue(dependencies, never), sendDue(dependencies, never)])
  await sendDue(dependencies, never)
  const sent = good.messages.map(({ headers }) => headers['webhook-id'])
  expect([sent.length, new Set(sent).size]).toEqual([60, 60])
  expect((await deliveries(goodId)).every(({ state }) => state === 'done')).toBe(true)
  // On a slow machine the first ones are due again before the last are sent: each attempt is one request.
  const retried = await deliveries(failingId)
  expect(retried.every(({ state, attempts }) => state === 'waiting' && attempts >= 1)).toBe(true)
  const requests = failing.messages.map(({ headers }) => headers['webhook-id'])
  expect(requests.toSorted()).toEqual(
    retried.flatMap(({ message_id, attempts }) => Array(attempts).fill(`msg_${message_id}`)).toSorted(),
  )
  expect(await endpoint(goneId)).toMatchObject({ disabled_because: 'gone' })
  expect((await deliveries(goneId)).every(({ state }) => state === 'held')).toBe(true)
  // A healthy endpoint may have eight requests in flight when the first is answered.
  expect(gone.messages.length).toBeLessThanOrEqual(16)
})

test('a failing endpoint is sent one message at a time, a healthy one eight', async () => {
  const { id } = await newEndpoint('http://127.0.0.1:9/')
  // Messages of the tests before may be due again.
  const claim = async () => (await claimDeliveries(db, 64)).filter(({ endpointId }) => endpointId === id)
  for (let n = 0; n < 20; n++) await tell(id, n)
  const healthy = await claim()
  expect(healthy.length).toBe(8)
  expect(await claim()).toEqual([])
  await sql`update webhook_delivery set leased_until = null where endpoint_id = ${id}`.execute(db)
  await sql`update webhook_endpoint set failing_since = now() where id = ${id}`.execute(db)
  expect((await claim()).length).toBe(1)
  // The lease of a dead process expires.
  await sql`update webhook_delivery set leased_until = now() - interval '1 second' where endpoint_id = ${id}`.execute(
    db,
  )
  expect((await claim()).length).toBe(1)
  await db.deleteFrom('webhook_endpoint').where('id', '=', id).execute()
})

test('ten attempts are made over 75 hours and 35 minutes, then the message is given up', async () => {
  const to = await receiver((response) => void response.writeHead(503).end())
  const { id } = await newEndpoint(to.url)
  await tell(id)
  let total = 0
  for (let attempt = 1; attempt <= 10; attempt++) {
    await hasten(id)
    await sendDue(dependencies, never)
    const [delivery] = await deliveries(id)
    expect(delivery).toMatchObject({
      attempts: attempt,
      state: attempt < 10 ? 'waiting' : 'given up',
      status: 503,
    })
    if (attempt < 10)
      total += Date.parse(String(delivery!.due_at)) - Date.parse(String(delivery!.attempted_at))
  }
  const hours = total / 3_600_000
  expect(hours).toBeGreaterThan(75.57)
  expect(hours).toBeLessThan(75.6 * 1.1)
  await hasten(id)
  await sendDue(dependencies, never)
  expect(to.messages.length).toBe(10)
})

test('five days of failures disable an endpoint, and its owner gets a mail', async () => {
  const to = await receiver((response) => void response.writeHead(500).end())
  const { id, userId } = await newEndpoint(to.url)
  await tell(id)
  await sendDue(dependencies, never)
  expect(await endpoint(id)).toMatchObject({ disabled_at: null, failing_since: expect.anything() })
  await hasten(id)
  await sendDue({ ...dependencies, clock: () => new Date(Date.now() + 5 * dayMs + 1_000) }, never)
  expect(await endpoint(id)).toMatchObject({ disabled_because: 'failing' })
  const { email } = await db
    .selectFrom('app_user')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const mails = await db
    .selectFrom('outgoing_mail')
    .select('content')
    .where('recipient', '=', email)
    .execute()
  expect(JSON.stringify(mails)).toContain('cinq jours')
  await tell(id, 2)
  expect((await deliveries(id)).map(({ state }) => state)).toEqual(['held', 'held'])
})

test('an endpoint that is gone is disabled without a mail to an unconfirmed address', async () => {
  const to = await receiver((response) => void response.writeHead(410).end())
  const { id, userId } = await newEndpoint(to.url)
  const { email } = await db
    .updateTable('app_user')
    .set({ email_verified: false })
    .where('id', '=', userId)
    .returning('email')
    .executeTakeFirstOrThrow()
  await tell(id)
  await sendDue(dependencies, never)
  expect(await endpoint(id)).toMatchObject({ disabled_because: 'gone' })
  expect(await db.selectFrom('outgoing_mail').where('recipient', '=', email).execute()).toEqual([])
})

test('a success resets the count of failures', async () => {
  let status = 500
  const to = await receiver((response) => void response.writeHead(status).end())
  const { id } = await newEndpoint(to.url)
  await tell(id)
  await sendDue(dependencies, never)
  status = 200
  await hasten(id)
  await sendDue(dependencies, never)
  expect(await endpoint(id)).toMatchObject({ failing_since: null })
})

test('redirects are not followed, and only the beginning of a long response is read', async () => {
  const other = await receiver(taken)
  const to = await receiver(
    (response) => void response.writeHead(302, { location: other.url }).end('a\0'.repeat(100_000)),
  )
  const { id } = await newEndpoint(to.url)
  await tell(id)
  await sendDue(dependencies, never)
  const [delivery] = await deliveries(id)
  expect(delivery).toMatchObject({ state: 'waiting', status: 302 })
  expect(delivery!.answer!.length).toBe(2_048)
  expect(other.messages).toEqual([])
})

test('an owner who may no longer read prices gets none, without the right, the access or the account', async () => {
  const to = await receiver(taken)
  const withoutRight = await newEndpoint(to.url, [])
  const withoutAccess = await newEndpoint(to.url, ['user'])
  const closed = await newEndpoint(to.url)
  await db.updateTable('app_user').set({ status: 'INACTIVE' }).where('id', '=', closed.userId).execute()
  for (const { id } of [withoutRight, withoutAccess, closed]) {
    await tell(id)
    await sendDue(dependencies, never)
    expect(await deliveries(id)).toMatchObject([
      { state: 'refused', failure: expect.stringContaining('accès') },
    ])
  }
  expect(to.messages).toEqual([])
})

test('an interrupted message is released: the next process sends it, and the attempt does not count', async () => {
  const stopping = new AbortController()
  let isFirst = true
  const to = await receiver((response) => {
    if (!isFirst) return taken(response)
    isFirst = false
    stopping.abort(new Error('the process stops'))
  })
  const { id } = await newEndpoint(to.url)
  await tell(id)
  await sendDue(dependencies, stopping.signal)
  expect(await deliveries(id)).toMatchObject([{ state: 'waiting', attempts: 0, leased_until: null }])
  await sendDue(dependencies, never)
  expect(await deliveries(id)).toMatchObject([{ state: 'done', attempts: 1 }])
})

test('a message whose result cannot be stored delays no other, and is sent again after its lease', async () => {
  await sql`create sequence refusals`.execute(db)
  const isRefused = async () => {
    const { rows } = await sql<{ is_called: boolean }>`select is_called from refusals`.execute(db)
    return rows[0]!.is_called
  }
  const to = await receiver(taken)
  const slow = await receiver(async (response) => {
    await expect.poll(isRefused).toBe(true)
    taken(response)
  })
  const [one, other] = [await newEndpoint(to.url), await newEndpoint(slow.url)]
  await sql`
    create function refuse() returns trigger language plpgsql as
    $$ begin perform nextval('refusals'); raise exception 'no room left'; end $$`.execute(db)
  await sql`
    create trigger refuse before update of state on webhook_delivery
       for each row when (new.endpoint_id = ${sql.lit(one.id)}) execute function refuse()`.execute(db)
  for (const { id } of [one, other]) await tell(id)
  await expect(sendDue(dependencies, never)).rejects.toThrow('no room left')
  expect(await deliveries(other.id)).toMatchObject([{ state: 'done' }])
  await sql`drop trigger refuse on webhook_delivery`.execute(db)
  await sql`update webhook_delivery set leased_until = now() where endpoint_id = ${one.id}`.execute(db)
  await sendDue(dependencies, never)
  expect(await deliveries(one.id)).toMatchObject([{ state: 'done', attempts: 2 }])
})

test('the server itself sends nothing to this machine', async () => {
  const { publicInternet } = await import('#server/webhooks/reach.ts')
  const to = await receiver(taken)
  const { id } = await newEndpoint(to.url)
  await tell(id)
  await sendDue({ ...dependencies, reach: publicInternet }, never)
  expect(to.messages).toEqual([])
  expect(await deliveries(id)).toMatchObject([
    { state: 'waiting', failure: expect.stringContaining('https') },
  ])
})
