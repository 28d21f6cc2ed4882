import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PaymentLink } from '#features/payments/links/links.contract.ts'
import type { Payment } from '#features/payments/payments.contract.ts'
import { loadViews } from '#server/views.ts'
import { dayMs } from '#shared/days.ts'
import { sentMails } from '../../../../tests/support/mails.ts'
import {
  insertPlan,
  numberFor,
  pay,
  payingServer,
  paymentOf,
  settled,
  subscriptionsOf,
} from '../../../../tests/support/payments.ts'

const time = { aheadMs: 0 }
const views = await loadViews(join(import.meta.dirname, '../../../../dist'))
const server = await payingServer({ views, clock: () => new Date(Date.now() + time.aheadMs) })
const planId = await insertPlan(server.db, { name: 'Particulier', price: 5 })

/** Returns a subscriber with a payment link, and its token. */
async function linked() {
  const payer = await server.payer()
  const made = await payer.post('/api/payments/links', { planId })
  const link = made.body as PaymentLink
  return { payer, link, status: made.status, token: link.url.split('/').at(-1) ?? '' }
}

const payBy = (token: string, scenario = '789', more: object = {}) =>
  server.visitor.post(`/api/public/payment-links/${token}`, { phone: numberFor(scenario), ...more })
const form = (token: string, fields: Record<string, string>) =>
  server.visitor.send(`/payer/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
    redirect: 'manual',
  })

test('a visitor without an account pays by a link that shows the plan and its amount, and nothing about the subscriber', async () => {
  const { payer, link, status, token } = await linked()
  expect([status, link.plan, link.amount, token.length >= 20]).toEqual([201, 'Particulier', 5, true])
  expect(link.url).toBe(`${server.url}/payer/${token}`)
  const { text } = await server.visitor.get(`/payer/${token}`)
  expect(text).toContain('Particulier')
  const { name, email } = await server.db
    .selectFrom('app_user')
    .select(['name', 'email'])
    .where('id', '=', payer.userId)
    .executeTakeFirstOrThrow()
  for (const secret of [name, email]) expect(text).not.toContain(secret)

  const sent = await form(token, { phone: numberFor('789'), amount: '5' })
  expect(sent.status).toBe(303)
  const followed = String(sent.headers.get('location'))
  await expect.poll(async () => (await server.visitor.get(followed)).text).toContain('Paiement confirmé')
  expect((await subscriptionsOf(payer)).map(({ status: each }) => each)).toEqual(['ACTIVE'])
  // The other person's number is not offered to the subscriber.
  expect((await payer.get('/api/payments/methods')).body).toMatchObject({ lastPayer: null })
})

test('a link requested twice with one key is made once', async () => {
  const payer = await server.payer()
  const send = () =>
    payer.send('/api/payments/links', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'link-1' },
      body: JSON.stringify({ planId }),
    })
  const [first, second] = [await send(), await send()]
  expect([first.status, second.body]).toEqual([201, first.body])
  expect((await payer.get('/api/payments/links')).body).toMatchObject({
    data: [{ id: Object(first.body).id }],
  })
})

test('a withdrawn, old or unknown link is invalid', async () => {
  const { payer, link, token } = await linked()
  const stranger = await server.payer()
  expect((await stranger.delete(`/api/payments/links/${link.id}`)).status).toBe(404)
  expect((await payer.delete(`/api/payments/links/${link.id}`)).status).toBe(200)
  const old = await linked()
  time.aheadMs = 15 * dayMs
  for (const each of [token, old.token, 'nothing']) {
    expect((await payBy(each)).status).toBe(404)
    expect((await server.visitor.get(`/payer/${each}`)).status).toBe(404)
  }
  time.aheadMs = 0
})

test('of several simultaneous payers one is asked and the others read that a payment is under way; once it is paid, no other is accepted', async () => {
  const { payer, token } = await linked()
  const numbers = ['789', '202', '204', '201']
  const answers = await Promise.all(numbers.map((scenario) => payBy(token, scenario)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
  const refused = answers.find(({ status }) => status === 409)
  expect(refused?.body).toMatchObject({ message: expect.stringMatching(/^Quelqu’un paie déjà par ce lien/) })
  await expect.poll(() => subscriptionsOf(payer)).toHaveLength(1)
  const late = await payBy(token, '216')
  expect([late.status, late.body]).toMatchObject([409, { message: expect.stringMatching(/déjà payé/) }])
  const { text } = await server.visitor.get(`/payer/${token}`)
  expect([text.includes('déjà payé par ce lien'), text.includes('action="/payer/')]).toEqual([true, false])
  expect(await subscriptionsOf(payer)).toHaveLength(1)
})

test('the subscriber reads that a payment was made but not its number, which their own data do not contain either', async () => {
  const { payer, token } = await linked()
  await payBy(token, '789')
  await expect.poll(() => subscriptionsOf(payer)).toHaveLength(1)
  const digits = numberFor('789').slice(1)
  const { body } = await payer.get('/api/payments/mine')
  const [payment] = (body as { payments: Payment[] }).payments
  expect(payment).toMatchObject({ status: 'PAID', deposit: { phone: null } })
  const own = await payer.get(`/api/payments/${payment?.id}`)
  const methods = await payer.get('/api/payments/methods')
  const data = await payer.get('/api/auth/me/export')
  expect(data.status).toBe(200)
  for (const { text } of [own, methods, data]) expect(text).not.toContain(digits)
  const { email } = await server.db
    .selectFrom('app_user')
    .select('email')
    .where('id', '=', payer.userId)
    .executeTakeFirstOrThrow()
  const [receipt] = await sentMails(server, email)
  expect(receipt?.text).toContain('par M-Pesa, le')
  expect(receipt?.text).not.toContain(digits)
})

test('a payment that was begun is followed to its end, even when the link is withdrawn meanwhile', async () => {
  const { payer, link, token } = await linked()
  const sent = await form(token, { phone: numberFor('201'), amount: '5' })
  expect((await payer.delete(`/api/payments/links/${link.id}`)).status).toBe(200)
  const followed = String(sent.headers.get('location'))
  await expect.poll(async () => (await server.visitor.get(followed)).text).toContain('Paiement confirmé')
  expect((await payBy(token)).status).toBe(404)
})

test('once its payment is refunded, a link tells it to the person who paid, and shows its form again', async () => {
  const { payer, token } = await linked()
  const followed = String(
    (await form(token, { phone: numberFor('789'), amount: '5' })).headers.get('location'),
  )
  await expect.poll(() => subscriptionsOf(payer)).toHaveLength(1)
  const { body } = await payer.get('/api/payments/mine')
  const admin = await server.as('admin')
  const refund = { status: 'REFUNDED', reason: 'Payé par erreur' }
  await admin.put(`/api/payments/${(body as { payments: Payment[] }).payments[0]?.id}/status`, refund)
  const { text } = await server.visitor.get(followed)
  expect([text.includes('Paiement remboursé'), text.includes('Paiement confirmé')]).toEqual([true, false])
  expect((await server.visitor.get(`/payer/${token}`)).text).toContain('action="/payer/')
})

test('the failure of a payment is shown when the link was withdrawn or has expired meanwhile, without the form', async () => {
  const [withdrawn, old] = [await linked(), await linked()]
  const begin = async (token: string) =>
    String((await form(token, { phone: numberFor('039'), amount: '5' })).headers.get('location'))
  const followed = [await begin(withdrawn.token), await begin(old.token)]
  expect((await withdrawn.payer.delete(`/api/payments/links/${withdrawn.link.id}`)).status).toBe(200)
  for (const each of followed)
    await expect.poll(async () => (await server.visitor.get(each)).text).toContain('n’a pas abouti')
  time.aheadMs = 15 * dayMs
  for (const each of followed) {
    const { status, text } = await server.visitor.get(each)
    expect([
      status,
      text.includes('n’a pas abouti'),
      text.includes('Ce lien ne vaut plus'),
      text.includes('action="/payer/'),
    ]).toEqual([200, true, true, false])
    expect((await server.visitor.get(each.split('?')[0]!)).status).toBe(404)
  }
  time.aheadMs = 0
})

test('another amount or an invalid number is refused; after a failure another try is possible, a limited number of times, not counted for the subscriber', async () => {
  const { payer, token } = await linked()
  expect((await payBy(token, '789', { amount: 4 })).status).toBe(409)
  expect((await form(token, { phone: 'abc' })).text).toContain('Ce n’est pas un numéro de mobile congolais.')
  const failed = () =>
    server.db
      .selectFrom('payment')
      .select('id')
      .where('user_id', '=', payer.userId)
      .where('status', '=', 'FAILED')
      .execute()
  for (const [nth, scenario] of ['019', '029', '039'].entries()) {
    expect((await payBy(token, scenario)).status).toBe(201)
    await expect.poll(failed).toHaveLength(nth + 1)
  }
  expect((await payBy(token, '049')).status).toBe(429)
  expect((await settled(payer, paymentOf(await pay(payer, planId)).id)).status).toBe('PAID')
})

test('an address with characters that the database cannot store leads to no link, without an error', async () => {
  for (const token of ['%00', 'a%00b', '%F0%9F%98%80']) {
    expect((await payBy(token)).status).toBe(400)
    expect((await server.visitor.send(`/payer/${token}`, {})).status).toBe(404)
    expect((await form(token, { phone: numberFor('789') })).status).toBeLessThan(500)
  }
  const { token } = await linked()
  expect((await server.visitor.send(`/payer/${token}?paiement=%00`, {})).status).toBe(200)
})
