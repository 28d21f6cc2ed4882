import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { sendAlerts } from '#features/alerts/sending/sending.jobs.ts'
import { channelNames } from '#features/channels/channels.rules.ts'
import { sendMessages } from '#features/channels/sending/sending.jobs.ts'
import { createTelegram } from '#features/channels/telegram/telegram.gateway.ts'
import { createLog } from '#server/log.ts'
import { dayInKinshasa } from '#shared/days.ts'
import { insertMarket, insertPrice, insertProduct } from '../../../tests/support/catalogue.ts'
import { channelServer } from '../../../tests/support/channels.ts'
import { type Client, insertAccount } from '../../../tests/support/server.ts'

// Ten in the morning in Kinshasa, outside the quiet hours.
const noon = new Date()
noon.setUTCHours(9, 0, 0, 0)
const server = await channelServer(() => noon)
const { ask, db, simulator, send, messagesTo, textsTo } = server
const publicUrl = 'https://ntalo.cd'
const today = dayInKinshasa(new Date())
const product_id = await insertProduct(db, { name: 'Riz local', weight: '1 kg' })
const market_id = await insertMarket(db, { name: 'Virunga', location: 'Goma' })
await insertPrice(db, { product_id, market_id, day: today, price_value: 2450 })

let id: number
let client: Client
let numbers = 0

beforeEach(async () => {
  id = await insertAccount(db, { roles: ['user'], ageDays: 1 })
  client = await server.clientOf(id)
})

/** Returns a number whose last digits choose a fault of the simulator. */
function numberWith(fault: string): string {
  numbers += 1
  return `24381${String(numbers).padStart(4, '0')}${fault}`
}

type Listed = { data: { channel: string; state: string; credit: { used: number; limit: number } | null }[] }
const stateOf = async (channel: string) =>
  ((await client.get('/api/channels')).body as Listed).data.find((each) => each.channel === channel)?.state

async function confirmed(channel: string, address: string): Promise<void> {
  await sql`
    insert into channel_address (user_id, channel, address, confirmed_at) values (${id}, ${channel}, ${address}, now())`.execute(
    db,
  )
}

const sentence =
  'Riz local, 1\u00a0kg à Virunga, Goma\u00a0: 2\u202f450\u00a0FC le 24\u00a0nov.\u00a02026, au-dessus de votre seuil de 2\u202f400\u00a0FC (2\u00a0relevés).'
const short =
  'Riz local 1 kg, Virunga Goma: 2\u202f450\u00a0FC le 24/11, au-dessus de 2\u202f400\u00a0FC (2 relevés).'

const ring = (...by: string[]) => ringWith(sentence, by)
/** Rings as another alert does: equal sentences are said once. */
const ringAnother = (...by: string[]) => ringWith(sentence.replace('2\u202f400', '2\u202f300'), by)
async function ringWith(text: string, by: readonly string[]): Promise<void> {
  await sql`
    with rule as (insert into alert_rule (user_id, product_id, kind, direction, threshold, period_days, channels)
                  values (${id}, ${product_id}, 'level', 'above', 2400, 30, ${by}) returning id),
    event as (insert into alert_event (user_id, rule_id, product_id, market_id, sentence, short, price, day, quotes)
              select ${id}::int, id, ${product_id}::int, ${market_id}::int, ${text}, ${short}, 2450, ${today}::date, 2 from rule returning id)
    insert into alert_notice (event_id, channel, state) select id, channel, 'waiting' from event, unnest(${by}::text[]) channel`.execute(
    db,
  )
}

/** Sends the alerts that ring, with the clock at `at`. */
async function deliver(at = noon): Promise<void> {
  await sendAlerts({ db, clock: () => at, publicUrl, served: channelNames })
  await send(at)
}
async function ringBySms(fault: string): Promise<string> {
  const number = numberWith(fault)
  await confirmed('sms', number)
  await ring('sms')
  await deliver()
  return number
}

test('Telegram is linked by its start link, once, and stopped by a text', async () => {
  const { body } = await client.post('/api/channels/link', { channel: 'telegram' })
  const { url } = body as { url: string }
  expect(url).toMatch(/^https:\/\/t\.me\/ntalo_bot\?start=[\w-]{43}$/)
  const start = new URL(url).searchParams.get('start')
  expect(await simulator.write(7001, `/start ${start}`)).toBe(200)
  expect(await stateOf('telegram')).toBe('confirmed')
  expect(await simulator.write(7002, `/start ${start}`)).toBe(200)
  await send()
  expect(textsTo('7001')[0]?.text).toContain('vos alertes Ntalo arriveront ici')
  expect(textsTo('7002')[0]?.text).toContain('Ce lien n’est plus valable')
  await ring('telegram')
  await deliver()
  expect(textsTo('7001')[1]?.text).toContain(`${sentence}\n${publicUrl}/series/${product_id}/${market_id}`)
  await simulator.write(7001, '/stop')
  expect(await stateOf('telegram')).toBe('stopped')
  await send()
  await ring('telegram')
  await deliver(new Date(noon.getTime() + 3_700_000))
  expect(textsTo('7001')).toHaveLength(3)
})

test('a reader over the limit of texts stops and links all the same, without a reply', async () => {
  await confirmed('telegram', '7009')
  for (let n = 1; n <= 31; n++) await simulator.write(7009, 'riz goma')
  expect(await simulator.write(7009, '/stop')).toBe(200)
  expect(await stateOf('telegram')).toBe('stopped')
  await send()
  expect(textsTo('7009')).toHaveLength(30)
})

test('« riz goma » is answered with the price, once, however often the provider delivers it', async () => {
  for (const updateId of [90_001, 90_001]) await simulator.write(7100, 'riz goma', { updateId })
  await send()
  const [answer, ...others] = textsTo('7100')
  expect(others).toEqual([])
  expect(answer?.text.replaceAll(/[\u00a0\u202f]/g, ' ')).toMatch(
    /^Riz local, 1 kg, Virunga, Goma : 2 450 FC le /,
  )
  await simulator.write(7100, 'xyzzy')
  await send()
  expect(textsTo('7100')[1]?.text).toContain('Aucun prix pour')
})

test('a request that does not come from the provider is refused, and has no effect', async () => {
  expect(await simulator.write(7200, 'riz goma', { secret: 'a guess' })).toBe(401)
  expect(await simulator.tellWhatsapp({ messages: [] }, 'another secret')).toBe(401)
  expect((await server.visitor.post('/webhooks/orange/a-guess', {})).status).toBe(401)
  expect((await server.visitor.post('/webhooks/telegram', {})).status).toBe(401)
  expect((await server.visitor.get('/webhooks/whatsapp?hub.mode=subscribe&hub.verify_token=x')).status).toBe(
    404,
  )
  const proof = `hub.mode=subscribe&hub.verify_token=${server.secret}&hub.challenge=42`
  expect((await server.visitor.send(`/webhooks/whatsapp?${proof}`, {})).text).toBe('42')
  await send()
  expect(textsTo('7200')).toEqual([])
})

test('a blocked bot sends no more messages to that user', async () => {
  await confirmed('telegram', '7403')
  await ring('telegram')
  await deliver()
  expect(await messagesTo('7403')).toMatchObject([{ state: 'failed' }])
  expect(await stateOf('telegram')).toBe('unreachable')
})

test('a number is confirmed by the code that it receives, which works five times at most', async () => {
  const number = numberWith('000')
  const confirm = (code: string) => client.post('/api/channels/confirm', { code })
  expect((await client.post('/api/channels/code', { phone: `+${number}` })).status).toBe(200)
  await send()
  const code = /code est (\d{6})/.exec(textsTo(number)[0]?.text ?? '')?.[1] ?? ''
  // The code is stored nowhere any more.
  expect(await messagesTo(number)).toMatchObject([{ content: null }])
  const wrong = code === '000000' ? '111111' : '000000'
  expect((await confirm(wrong)).body).toMatchObject({
    errors: [{ field: 'code', message: 'Ce code n’est pas celui que nous avons envoyé.' }],
  })
  expect(await stateOf('sms')).toBe('none')
  expect((await confirm(`${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200)
  expect(await stateOf('sms')).toBe('confirmed')
  // The answer may have been lost: a repeated call gets the same answer while no other code is awaited.
  expect(await confirm(code)).toMatchObject({ status: 200, body: { message: 'Numéro confirmé' } })
  await client.post('/api/channels/code', { phone: `+${numberWith('000')}` })
  for (let n = 1; n <= 5; n++) expect((await confirm(wrong)).status).toBe(400)
  const refused = { errors: [{ message: expect.stringContaining('n’est plus valable') }] }
  expect((await confirm(wrong)).body).toMatchObject(refused)
  const own = db.updateTable('channel_address').where('user_id', '=', id)
  await own.set({ proof: null, confirmed_at: new Date(0) }).execute()
  expect((await confirm(code)).body).toMatchObject(refused)
})

test('codes are sent only a few times a day, to numbers of this country', async () => {
  expect((await client.post('/api/channels/code', { phone: '+33 6 12 34 56 78' })).body).toMatchObject({
    errors: [{ field: 'phone' }],
  })
  const phone = numberWith('000')
  const statuses: number[] = []
  for (let n = 1; n <= 4; n++) statuses.push((await client.post('/api/channels/code', { phone })).status)
  expect(statuses).toEqual([200, 200, 200, 429])
})

test('an SMS is one message, with its links, and its link stops SMS alone', async () => {
  const number = await ringBySms('000')
  const [sms, ...others] = textsTo(number)
  expect(others).toEqual([])
  expect(sms?.provider).toBe('orange')
  expect(sms?.text).toMatch(
    /^Ntalo: Riz local 1 kg, Virunga Goma: 2 450 FC le 24\/11, au-dessus de 2 400 FC \(2 relevés\)\. ntalo\.cd\/series\/\d+\/\d+ Stop ntalo\.cd\/s\/[\w-]{11}$/,
  )
  expect(sms?.text.length).toBeLessThanOrEqual(160)
  const path = /ntalo\.cd(\/s\/\S+)/.exec(sms?.text ?? '')?.[1] ?? ''
  expect((await server.visitor.send(path, {})).status).toBe(200)
  expect(await stateOf('sms')).toBe('confirmed')
  await server.visitor.send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: '',
  })
  expect(await stateOf('sms')).toBe('stopped')
  expect((await client.get('/api/auth/notifications')).body).toMatchObject({
    data: expect.arrayContaining([{ kind: 'price-alerts', isWanted: true }]),
  })
})

test.each(['000', '602', '603'])('a receipt ends a message, whatever comes after it (%s)', async (fault) => {
  const number = await ringBySms(fault)
  await expect.poll(async () => (await messagesTo(number))[0]?.state).toBe('delivered')
})

test.each([
  ['402', 'delivered'],
  ['612', 'failed'],
  ['613', 'sent'],
])('a provider that sends no receipts is polled for them, less and less often (%s)', async (fault, state) => {
  const number = await ringBySms(fault)
  expect(await messagesTo(number)).toMatchObject([{ state: 'sent', provider: 'keccel' }])
  await ask(new Date(noon.getTime() + 60_000))
  expect(await messagesTo(number)).toMatchObject([{ state }])
  const { rows } = await sql<{ wait: number }>`
    select extract(epoch from due_at - created_at)::float8 as wait from outgoing_message where address = ${number}`.execute(
    db,
  )
  expect(rows[0]?.wait).toBeGreaterThanOrEqual(120)
})

test.each([
  ['601', 'sent', 'orange'],
  ['605', 'sent', 'orange'],
  // The SMS may have arrived: no other provider sends it.
  ['500', 'unknown', 'orange'],
  ['501', 'unknown', 'orange'],
  ['502', 'unknown', 'orange'],
  ['403', 'failed', 'orange'],
  // The SMS was certainly not sent: the other provider sends it.
  ['402', 'sent', 'keccel'],
  ['422', 'failed', 'keccel'],
])('with the fault %s an SMS ends as %s by %s, and is sent at most once', async (fault, state, provider) => {
  const number = await ringBySms(fault)
  expect(await messagesTo(number)).toMatchObject([{ state, provider }])
  await send(new Date(noon.getTime() + 60_000))
  expect(textsTo(number).length).toBe(state === 'failed' ? 0 : 1)
  expect(await stateOf('sms')).toBe(fault === '403' ? 'unreachable' : 'confirmed')
})

test('a token that expires early and a provider that asks to wait lose no message', async () => {
  const number = await ringBySms('401')
  expect(textsTo(number)).toMatchObject([{ provider: 'orange' }])
  await sql`delete from channel_address where user_id = ${id}`.execute(db)
  await confirmed('telegram', '7429')
  await ring('telegram')
  await deliver()
  expect(await messagesTo('7429')).toMatchObject([{ state: 'waiting', attempts: 1 }])
  await send(new Date(noon.getTime() + 1_000))
  expect(textsTo('7429')).toEqual([])
  await send(new Date(noon.getTime() + 3_000))
  expect(textsTo('7429')).toHaveLength(1)
})

test('a message is given up when its provider keeps asking to wait', async () => {
  await confirmed('telegram', '7430')
  await ring('telegram')
  await deliver()
  for (let hour = 1; hour <= 9; hour++) await send(new Date(noon.getTime() + hour * 3_600_000))
  expect(await messagesTo('7430')).toMatchObject([{ state: 'failed', attempts: 8 }])
})

test('a message waits while no connection to its provider can be made', async () => {
  await confirmed('telegram', '7431')
  await ring('telegram')
  const log = createLog('silent')
  const [url, bot, token] = ['http://127.0.0.1:2', 'ntalo_bot', '1:x']
  const unreachable = createTelegram({ url, linkUrl: 'https://t.me', bot, token, log })
  await sendAlerts({ db, clock: () => noon, publicUrl, served: channelNames })
  await sendMessages({ db, couriers: [unreachable], clock: () => noon, log })
  expect(await messagesTo('7431')).toMatchObject([{ state: 'waiting', attempts: 1 }])
  await send(new Date(noon.getTime() + 61_000))
  expect(textsTo('7431')).toHaveLength(1)
})

test('a message whose sender died halfway is unknown, and is not sent again', async () => {
  await confirmed('telegram', '7600')
  await ring('telegram')
  await sendAlerts({ db, clock: () => noon, publicUrl, served: channelNames })
  await sql`update outgoing_message set state = 'sending', leased_until = now() - interval '1 second' where address = '7600'`.execute(
    db,
  )
  await send(noon)
  expect(await messagesTo('7600')).toMatchObject([{ state: 'unknown' }])
  expect(textsTo('7600')).toEqual([])
})

test('nothing rings between 21 and 6 o’clock; waiting alerts are sent in the morning, in one message', async () => {
  const at = (hour: number, day = 0) => {
    const instant = new Date(noon.getTime() + day * 86_400_000)
    instant.setUTCHours(hour - 1)
    return instant
  }
  await confirmed('telegram', '7700')
  await ring('telegram')
  await deliver(at(21))
  await ringAnother('telegram')
  await deliver(at(23))
  // A message written before the quiet hours began that could not be sent then.
  await deliver(at(29))
  expect(textsTo('7700')).toEqual([])
  await deliver(at(6, 1))
  expect(textsTo('7700').map(({ text }) => text.split('\n')[0])).toEqual(['2\u00a0alertes de prix\u00a0:'])
})

test('a queued message is not sent when the night begins, when its reader stops it or loses access', async () => {
  const evening = new Date(noon)
  evening.setUTCHours(20, 30)
  await confirmed('telegram', '7800')
  await ring('telegram')
  await sendAlerts({ db, clock: () => noon, publicUrl, served: channelNames })
  await send(evening)
  expect(await messagesTo('7800')).toMatchObject([{ state: 'waiting' }])
  await sql`update app_user set created_at = now() - interval '30 days' where id = ${id}`.execute(db)
  await send(new Date(evening.getTime() + 10 * 3_600_000))
  expect(await messagesTo('7800')).toMatchObject([{ state: 'dropped' }])
  expect(textsTo('7800')).toEqual([])
})

test('each channel sends at most one message an hour', async () => {
  await confirmed('telegram', '7900')
  await confirmed('sms', numberWith('000'))
  await ring('telegram', 'sms')
  await deliver()
  await ring('telegram')
  await ringAnother('telegram')
  await deliver(new Date(noon.getTime() + 60_000))
  expect(textsTo('7900')).toHaveLength(1)
  await deliver(new Date(noon.getTime() + 3_700_000))
  expect(textsTo('7900')).toHaveLength(2)
  expect(textsTo('7900')[1]?.text).toContain('2\u00a0alertes de prix')
})

test('SMS end with the credit of a plan, not counting those that certainly failed; the list shows the rest', async () => {
  await sql`
    with bought as (insert into plan (name, price, sms_per_month) values (${`Plan ${id}`}, 5, 2) returning id)
    insert into subscription (user_id, plan_id, status, start_date, end_date)
    select ${id}, id, 'ACTIVE', now() - interval '1 day', now() + interval '20 days' from bought`.execute(db)
  const number = await ringBySms('000')
  await sql`
    insert into outgoing_message (user_id, channel, address, purpose, state)
    values (${id}, 'sms', '0', 'alert', 'failed'), (${id}, 'sms', '0', 'alert', 'unknown')`.execute(db)
  await sql`update outgoing_message set created_at = now() where user_id = ${id}`.execute(db)
  await ring('sms')
  await deliver(new Date(noon.getTime() + 3_700_000))
  expect(textsTo(number)).toHaveLength(1)
  expect((await client.get('/api/channels')).body).toMatchObject({
    data: [{}, { credit: { used: 2, limit: 2 } }, {}],
  })
})

test('WhatsApp is linked by a message of its owner, with or without a hidden number, and uses the template', async () => {
  const { body } = await client.post('/api/channels/link', { channel: 'whatsapp' })
  const text = new URL((body as { url: string }).url).searchParams.get('text') ?? ''
  expect(text).toContain('Ntalo')
  const from_user_id = 'CD.13491208655302741918'
  await simulator.tellWhatsapp({ messages: [{ id: 'wamid.in', from_user_id, text: { body: text } }] })
  expect(await stateOf('whatsapp')).toBe('confirmed')
  await ring('whatsapp')
  await deliver()
  await send()
  const texts = textsTo(from_user_id).map((each) => each.text)
  expect(texts).toHaveLength(2)
  expect(texts).toContain(`${sentence} · ${publicUrl}/series/${product_id}/${market_id}`)
  const reference = await sql<{ reference: string }>`
    select reference from outgoing_message where user_id = ${id} and channel = 'whatsapp'`.execute(db)
  await simulator.tellWhatsapp({ statuses: [{ id: reference.rows[0]?.reference, status: 'read' }] })
  await simulator.tellWhatsapp({ statuses: [{ id: reference.rows[0]?.reference, status: 'sent' }] })
  const [message] = (await messagesTo(from_user_id)).filter(({ state }) => state === 'delivered')
  expect(message).toMatchObject({ provider: 'whatsapp' })
  // An address that was linked by its number, before WhatsApp gave ids.
  await sql`update channel_address set address = '243990000001' where user_id = ${id}`.execute(db)
  const stop = { id: 'wamid.stop', from: '243990000001', from_user_id, text: { body: 'stop' } }
  await simulator.tellWhatsapp({ messages: [stop] })
  expect(await stateOf('whatsapp')).toBe('stopped')
})

test('an alert accepts only confirmed channels', async () => {
  const rule = {
    productId: product_id,
    kind: 'level',
    direction: 'above',
    threshold: 2400,
    channels: ['telegram'],
  }
  expect((await client.post('/api/alerts', rule)).body).toMatchObject({
    errors: [{ field: 'channels', message: 'Confirmez d’abord Telegram dans vos paramètres.' }],
  })
  await confirmed('telegram', 'adresse-retiree')
  expect((await client.post('/api/alerts', rule)).status).toBe(201)
  await client.post('/api/channels/stop', { channel: 'telegram' })
  expect((await client.get('/api/auth/me/export')).text).not.toContain('adresse-retiree')
})
