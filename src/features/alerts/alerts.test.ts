import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { judgeAlerts } from '#features/alerts/judging/judging.jobs.ts'
import { sendAlerts } from '#features/alerts/sending/sending.jobs.ts'
import { addDays, dayInKinshasa } from '#shared/days.ts'
import { insertMarket, insertPrice, insertProduct } from '../../../tests/support/catalogue.ts'
import { setRate } from '../../../tests/support/rates.ts'
import { type Client, insertAccount, testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const today = dayInKinshasa(new Date())
const ago = (days: number) => addDays(today, -days)
const publicUrl = 'https://ntalo.example'

let product_id: number
let market_id: number
let id: number
let client: Client

beforeAll(() => judgeAlerts(db, new Date()))
beforeEach(async () => {
  product_id = await insertProduct(db, { name: 'Riz local', weight: '1 kg' })
  market_id = await insertMarket(db, { name: 'Virunga', location: `Goma ${product_id}` })
  id = await insertAccount(db, { roles: ['user'], ageDays: 1 })
  await sql`update app_user set email_verified = true where id = ${id}`.execute(db)
  client = await server.clientOf(id)
})

const quote = (days: number, price_value: number) =>
  insertPrice(db, { product_id, market_id, day: ago(days), price_value })
const level = (more: object = {}) => ({
  productId: product_id,
  marketId: market_id,
  kind: 'level',
  direction: 'above',
  threshold: 2400,
  channels: ['mail'],
  ...more,
})
const run = async (at = new Date()) => {
  await judgeAlerts(db, at)
  await sendAlerts({ db, clock: () => at, publicUrl, served: [] })
}
type Event = { sentence: string; isRead: boolean }
const eventsOf = async (of = client) => ((await of.get('/api/alerts/events')).body as { data: Event[] }).data
type Mail = { to: string; content: { subject: string; paragraphs: string[]; unsubscribeUrl: string } }
const mailsTo = async (userId: number): Promise<Mail[]> => {
  const { rows } = await sql<Mail>`
    select recipient as "to", content from outgoing_mail
     where recipient = (select email from app_user where id = ${userId}) order by id`.execute(db)
  return rows
}

test('an alert rings once, by mail and in the list, when a second quote confirms it', async () => {
  await quote(3, 2000)
  expect(await client.post('/api/alerts', level())).toMatchObject({ status: 201, body: { isRinging: false } })
  await quote(2, 2450)
  await run()
  expect(await eventsOf()).toEqual([])
  await quote(1, 2450)
  await run()
  await run()
  const [event, ...others] = await eventsOf()
  expect(others).toEqual([])
  expect(event?.sentence.replaceAll(/[\u00a0\u202f]/g, ' ')).toMatch(
    /^Riz local, 1 kg à Virunga, Goma \d+ : 2 450 FC le .+, au-dessus de votre seuil de 2 400 FC \(2 relevés\)\.$/,
  )
  expect(await mailsTo(id)).toMatchObject([
    {
      content: {
        subject: event?.sentence,
        paragraphs: [expect.any(String), event?.sentence],
        charts: [{ alt: expect.stringContaining('seuil de 2\u202f400'), level: expect.any(Number) }],
      },
    },
  ])
  expect((await client.get('/api/alerts')).body).toMatchObject({ data: [{ isRinging: true }], unread: 1 })
  expect((await client.get('/api/alerts/unread')).body).toEqual({ unread: 1 })
  await client.post('/api/alerts/events/read', { ids: [2_147_483_000] })
  expect((await client.get('/api/alerts/unread')).body).toEqual({ unread: 1 })
  await client.post('/api/alerts/events/read', {})
  expect((await client.get('/api/alerts')).body).toMatchObject({ unread: 0 })
})

test('an alert on the largest dollar price, of a product named in emojis, rings and is mailed', async () => {
  await sql`update product set name = ${`x${'🍅'.repeat(99)}`} where id = ${product_id}`.execute(db)
  await setRate(db, { day: ago(5), cdfPerUsd: 2800 })
  await quote(3, 500)
  await client.post('/api/alerts', level({ threshold: 1000 }))
  for (const days of [1, 0])
    await insertPrice(db, {
      product_id,
      market_id,
      day: ago(days),
      price_value: 999_999_999_999,
      currency: 'USD',
    })
  await run()
  expect(await eventsOf()).toMatchObject([{ isRead: false }])
  expect(await mailsTo(id)).toHaveLength(1)
})

test('a condition that already holds when an alert is created rings only when it next becomes true', async () => {
  for (const days of [9, 8, 7]) await quote(days, 2500)
  expect((await client.post('/api/alerts', level())).body).toMatchObject({ isRinging: true })
  await quote(6, 2500)
  await run()
  expect(await eventsOf()).toEqual([])
  for (const days of [5, 4]) await quote(days, 2000)
  await run()
  for (const days of [3, 2]) await quote(days, 2500)
  await run()
  expect(await eventsOf()).toHaveLength(1)
})

test('a file of old prices and a typing error ring nothing', async () => {
  await client.post('/api/alerts', level())
  for (const days of [60, 59, 58]) await quote(days, 9000)
  for (const days of [40, 39, 38, 3, 2]) await quote(days, 2000)
  await quote(1, 20_000)
  await run()
  expect(await eventsOf()).toEqual([])
})

test('an alert on a product rings for each of its markets', async () => {
  await client.post('/api/alerts', level({ marketId: null }))
  const other = await insertMarket(db, { name: 'Kadutu', location: 'Bukavu' })
  for (const days of [2, 1]) {
    await quote(days, 2500)
    await insertPrice(db, { product_id, market_id: other, day: ago(days), price_value: 2600 })
  }
  await run()
  const events = await eventsOf()
  expect(events.map(({ sentence }) => sentence).toSorted()).toEqual([
    expect.stringContaining('Kadutu'),
    expect.stringContaining('Virunga'),
  ])
  // Both alerts are in one mail.
  expect(await mailsTo(id)).toMatchObject([{ content: { subject: '2\u00a0alertes de prix' } }])
})

test('a silence rings without a new price', async () => {
  await quote(20, 2000)
  await client.post('/api/alerts', level({ kind: 'silence', threshold: 30 }))
  await run()
  expect(await eventsOf()).toEqual([])
  await run(new Date(Date.now() + 11 * 86_400_000))
  expect((await eventsOf())[0]?.sentence).toContain('aucun relevé depuis le')
})

test('a silence that a late quote ended rings again', async () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
  await quote(20, 2000)
  await client.post('/api/alerts', level({ kind: 'silence', threshold: 30 }))
  await run(inDays(11))
  expect(await eventsOf()).toHaveLength(1)
  // This quote arrives late: its phone had no network for 22 days.
  await quote(2, 2000)
  await run(inDays(20))
  expect((await client.get('/api/alerts')).body).toMatchObject({ data: [{ isRinging: false }] })
  await run(inDays(29))
  expect(await eventsOf()).toHaveLength(2)
})

test('at most one mail an hour is sent; alerts that ring meanwhile wait for the next', async () => {
  await client.post('/api/alerts', level())
  await client.post('/api/alerts', level({ threshold: 2700 }))
  for (const days of [4, 3]) await quote(days, 2500)
  await run()
  for (const days of [2, 1]) await quote(days, 2800)
  await run()
  expect(await mailsTo(id)).toHaveLength(1)
  expect(await eventsOf()).toHaveLength(2)
  await run(new Date(Date.now() + 3_700_000))
  expect(await mailsTo(id)).toHaveLength(2)
})

test.each<[string, (path: string) => Promise<unknown>]>([
  ['was deleted', (path) => client.delete(path)],
  ['was muted', (path) => client.put(path, { mutedUntil: new Date(Date.now() + 86_400_000).toISOString() })],
  ['lost the channel', (path) => client.put(path, { channels: [] })],
])('a waiting alert is not sent once its alert %s', async (_what, change) => {
  const { body } = await client.post('/api/alerts', level())
  for (const days of [2, 1]) await quote(days, 2500)
  await judgeAlerts(db, new Date())
  expect((await change(`/api/alerts/${Object(body).id}`)) as object).toMatchObject({ status: 200 })
  await run()
  expect(await eventsOf()).toHaveLength(1)
  expect(await mailsTo(id)).toEqual([])
  // The notice is over: it does not come later either.
  await client.put(`/api/alerts/${Object(body).id}`, { mutedUntil: null, channels: ['mail'] })
  await run()
  expect(await mailsTo(id)).toEqual([])
})

test('a user who may no longer read gets no mail', async () => {
  const strangers = [
    await insertAccount(db, { roles: ['user'], ageDays: 1 }),
    await insertAccount(db, { roles: ['user'], ageDays: 1 }),
    await insertAccount(db, { roles: ['user'], ageDays: 1 }),
  ]
  await sql`update app_user set email_verified = true where id = any(${strangers})`.execute(db)
  for (const each of strangers) await (await server.clientOf(each)).post('/api/alerts', level())
  const [ended, banned, unverified] = strangers
  await sql`update app_user set created_at = now() - interval '30 days' where id = ${ended}`.execute(db)
  await sql`update app_user set status = 'SUSPENDED' where id = ${banned}`.execute(db)
  await sql`update app_user set email_verified = false where id = ${unverified}`.execute(db)
  for (const days of [2, 1]) await quote(days, 2500)
  await run()
  for (const each of strangers) expect(await mailsTo(each ?? 0)).toEqual([])
})

test('one click in a mail, without a session, stops the mails and does not delete the alerts', async () => {
  await client.post('/api/alerts', level())
  for (const days of [3, 2]) await quote(days, 2500)
  await run()
  const [mail] = await mailsTo(id)
  const path = new URL(mail?.content.unsubscribeUrl ?? '').pathname
  const page = await server.visitor.send(path, {})
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('unsubscribe')])
  // RFC 8058 lets a mail program send either type of form.
  const parts = new FormData()
  parts.set('List-Unsubscribe', 'One-Click')
  for (const body of [parts, new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })]) {
    await sql`delete from notification_choice where user_id = ${id}`.execute(db)
    expect((await server.visitor.send(path, { method: 'POST', body })).status).toBe(200)
    expect((await client.get('/api/auth/notifications')).body).toMatchObject({
      data: expect.arrayContaining([{ kind: 'price-alerts', isWanted: false }]),
    })
  }
  const { rows: journal } = await sql`
    select action, entity, after from audit_entry where entity = 'notifications' and entity_id = ${id}`.execute(
    db,
  )
  const entry = { action: 'update', entity: 'notifications', after: { 'price-alerts': false } }
  expect(journal).toEqual([entry, entry])
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  expect((await server.visitor.send(path, { method: 'POST', headers, body: 'no form' })).status).toBe(400)
  await client.post('/api/alerts', level({ threshold: 2900 }))
  for (const days of [1, 0]) await quote(days, 3000)
  await run(new Date(Date.now() + 3_700_000))
  expect(await mailsTo(id)).toHaveLength(1)
  expect(await eventsOf()).toHaveLength(2)
  expect((await server.visitor.send('/desabonnement/inconnu', {})).status).toBe(404)
})

test('before it is saved, an alert says how often it would have rung in a year', async () => {
  const values = [2000, 2500, 2500, 2000, 2000, 2500, 2500]
  for (const [i, value] of values.entries()) await quote(100 - i, value)
  expect(await client.post('/api/alerts/preview', level())).toMatchObject({
    status: 200,
    body: {
      count: 2,
      dates: [ago(98), ago(94)],
      isRinging: true,
      others: [
        { threshold: 2200, count: 2 },
        { threshold: 2600, count: 0 },
        { threshold: 2800, count: 0 },
      ],
      points: values.map((value, i) => ({ date: ago(100 - i), value })),
    },
  })
  expect((await client.post('/api/alerts/preview', level({ threshold: 3000 }))).body).toMatchObject({
    count: 0,
  })
  expect((await client.get('/api/alerts')).body).toMatchObject({ data: [] })
})

test.each<[string, object, [number, number][], number]>([
  [
    'a change over a year',
    { kind: 'change', threshold: 20, periodDays: 365 },
    [575, 570, 565, 200, 199, 198].map((days) => [days, days > 365 ? 1000 : 1500]),
    198,
  ],
  [
    'an unusual price',
    { kind: 'unusual' },
    [450, 440, 430, 420, 410, 362, 361].map((days) => [days, days > 365 ? 1000 : 5000]),
    361,
  ],
  ['a silence', { kind: 'silence', threshold: 300 }, [600, 200].map((days) => [days, 1000]), 299],
])('the preview counts %s from the first day of its year', async (_what, condition, quotes, rang) => {
  for (const [days, value] of quotes) await quote(days, value)
  const { body } = await client.post('/api/alerts/preview', level(condition))
  expect(body).toMatchObject({ dates: [ago(rang)] })
})

test('an invalid alert is refused under its field', async () => {
  const refused = async (more: object) => (await client.post('/api/alerts', level(more))).body
  expect(await refused({ threshold: undefined })).toMatchObject({ errors: [{ field: 'threshold' }] })
  expect(await refused({ threshold: '58,000' })).toMatchObject({
    errors: [{ field: 'threshold', message: expect.stringContaining('58\u202f000, ou 58,00') }],
  })
  expect(await refused({ threshold: -1 })).toMatchObject({ errors: [{ field: 'threshold' }] })
  expect(await refused({ kind: 'silence', threshold: 2.5 })).toMatchObject({
    errors: [{ field: 'threshold' }],
  })
  expect(await refused({ kind: 'change', direction: 'below', threshold: 100 })).toMatchObject({
    errors: [
      { field: 'threshold', message: 'Moins de 100\u00a0%\u00a0: un prix ne peut pas baisser davantage' },
    ],
  })
  expect(await refused({ threshold: 0.001 })).toMatchObject({ errors: [{ field: 'threshold' }] })
  expect(await refused({ productId: 2_147_483_000 })).toMatchObject({ errors: [{ field: 'productId' }] })
  expect(await refused({ kind: 'moon' })).toMatchObject({ errors: [{ field: 'kind' }] })
})

test('a changed alert keeps the limits of its kind', async () => {
  const silence = { ...level(), kind: 'silence', threshold: 5 }
  const { body } = await client.post('/api/alerts', silence)
  for (const threshold of [2.5, 366, 0.001]) {
    expect(await client.put(`/api/alerts/${Object(body).id}`, { threshold })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'threshold' }] },
    })
  }
  expect((await client.get('/api/alerts')).body).toMatchObject({ data: [{ threshold: 5 }] })
})

test('two equal alerts are said once in a mail, and a channel named twice is one', async () => {
  await quote(3, 2000)
  const twice = level({ channels: ['mail', 'mail'] })
  expect(await client.post('/api/alerts', twice)).toMatchObject({ body: { channels: ['mail'] } })
  await client.post('/api/alerts', level())
  for (const days of [2, 1]) await quote(days, 2450)
  await run()
  const [mail] = await mailsTo(id)
  const [event] = await eventsOf()
  expect(mail?.content).toMatchObject({
    subject: event?.sentence,
    paragraphs: [expect.any(String), event?.sentence],
  })
})

test('a muted alert does not ring, and a new threshold is checked from the start', async () => {
  const made = (await client.post('/api/alerts', level())).body as { id: number }
  const later = new Date(Date.now() + 7 * 86_400_000).toISOString()
  await client.put(`/api/alerts/${made.id}`, { mutedUntil: later })
  for (const days of [2, 1]) await quote(days, 2500)
  await run()
  expect(await eventsOf()).toEqual([])
  expect(
    (await client.put(`/api/alerts/${made.id}`, { threshold: 2600, mutedUntil: null })).body,
  ).toMatchObject({
    isRinging: false,
    mutedUntil: null,
  })
})

/** Makes an alert ring by two wrong prices, whose ids are returned. */
async function rungByWrongPrices() {
  await quote(3, 2000)
  const made = (await client.post('/api/alerts', level())).body as { id: number }
  const isRinging = async () =>
    Object((await client.get('/api/alerts')).body).data.find(({ id }: { id: number }) => id === made.id)
      .isRinging
  const wrong = [await quote(2, 24_000), await quote(1, 24_000)]
  await run()
  expect(await isRinging()).toBe(true)
  return { isRinging, wrong }
}

test('an alert stops ringing when the prices that rang it are removed', async () => {
  const { isRinging, wrong } = await rungByWrongPrices()
  await sql`delete from price where id = any(${wrong})`.execute(db)
  await run()
  expect(await isRinging()).toBe(false)
  for (const days of [2, 1]) await quote(days, 24_000)
  await run()
  expect(await isRinging()).toBe(true)
  await sql`delete from price where product_id = ${product_id}`.execute(db)
  await run()
  expect(await isRinging()).toBe(false)
})

test('an alert stops ringing when the prices that rang it are moved to another market', async () => {
  const { isRinging, wrong } = await rungByWrongPrices()
  const other = await insertMarket(db)
  const collector = await server.as('collector')
  for (const id of wrong)
    expect((await collector.put(`/api/prices/${id}`, { marketId: other })).status).toBe(200)
  await run()
  expect(await isRinging()).toBe(false)
})

test('a change of an alert that another request changed meanwhile is refused', async () => {
  const made = (await client.post('/api/alerts', level())).body as { id: number; updatedAt: string }
  const { updatedAt } = made
  expect((await client.put(`/api/alerts/${made.id}`, { threshold: 2600, updatedAt })).status).toBe(200)
  expect((await client.put(`/api/alerts/${made.id}`, { threshold: 2500, updatedAt })).status).toBe(409)
})
