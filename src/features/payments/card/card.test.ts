import { describe, expect, test, vi } from 'vitest'
import type { CardAct } from '#features/payment-simulator/card.routes.ts'
import type { Scenario } from '#features/payment-simulator/simulator.rules.ts'
import { referenceOf } from '#features/payments/flexpay/flexpay.rules.ts'
import { createPawapay } from '#features/payments/pawapay/pawapay.gateway.ts'
import { createLog } from '#server/log.ts'
import { mailsAboutPayment } from '../../../../tests/support/mails.ts'
import {
  insertPlan,
  pay,
  paymentOf,
  readPayment,
  settled,
  startCards,
  startSimulator,
  subscriptionsOf,
} from '../../../../tests/support/payments.ts'
import { type Client, insertAccount, testServer } from '../../../../tests/support/server.ts'
import { waitLimitMs } from '../../../../tests/support/wait-limit.ts'

const minutes = 60_000
let travelledMs = 0
const { simulator, url: cardUrl, here, card } = await startCards({ pace: 0.1 })
const phones = await startSimulator({ endsAfterMs: 30, pace: 0.01 })
const mobileMoney = createPawapay({ url: phones.url, token: phones.token, log: createLog('silent') })
const server = await testServer({
  hasJobs: true,
  payments: { mobileMoney: [mobileMoney], card, cardSimulator: cardUrl, isSimulated: true },
  clock: () => new Date(Date.now() + travelledMs),
})
here.url = server.url
const plan = await insertPlan(server.db)

type Payer = Client & { userId: number }
async function newPayer(): Promise<Payer> {
  const userId = await insertAccount(server.db, { roles: ['user'], isVerified: true, ageDays: 40 })
  return { ...(await server.clientOf(userId)), userId }
}
const heard = <T>(look: () => Promise<T>) => vi.waitFor(look, { timeout: waitLimitMs })
const checkout = (payer: Payer, planId = plan) =>
  payer.post('/api/payments/checkout', { planId, method: 'VISA' })
const bookOf = (transactionRef: string | null) =>
  simulator.books().filter(({ reference }) => reference === referenceOf(String(transactionRef)))

/** Starts a payment by card whose page is open. */
async function begin(payer: Payer, scenario: Scenario = {}) {
  simulator.next(scenario)
  const answer = await checkout(payer)
  expect([answer.status, answer.body]).toMatchObject([201, { paymentMethod: 'VISA' }])
  const { id, transactionRef } = paymentOf(answer)
  const page = await heard(async () => {
    const { deposit } = await readPayment(payer, id)
    expect(deposit).toMatchObject({ state: 'pending', operator: null, phone: null })
    return String(deposit?.pageUrl)
  })
  const order = bookOf(transactionRef)[0]!
  return { id, page, order, transactionRef }
}
/** Acts as the payer on the page. @returns the path of the redirect back */
async function act(page: string, act: CardAct): Promise<string> {
  const answer = await server.visitor.send(page, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: server.url },
    body: new URLSearchParams({ act }).toString(),
    redirect: 'manual',
  })
  expect(answer.status).toBe(303)
  return answer.headers.get('location') ?? ''
}
const comeBack = (path: string) => server.visitor.send(path, { redirect: 'manual' })
const opened = async (payer: Payer) => (await subscriptionsOf(payer)).map(({ status }) => status)
const mailsAbout = (id: number) => mailsAboutPayment(server, id)

describe('a payment by card is paid once, and opens one subscription, when', () => {
  test.each<[string, Scenario, number | null]>([
    ['nothing goes wrong', {}, 1],
    ['its callback comes before its payer', { isToldFirst: true }, 1],
    ['its callback comes long after him', { calledLaterMs: 30_000 }, null],
    ['its callback comes ten times', { callbacks: 10 }, 10],
    ['its callback never comes', { callbacks: 0 }, 0],
    ['its status is 1 when he comes back, then 0', { endsLaterMs: 3_000 }, 1],
    ['codes, statuses and amounts are numbers', { hasNumbers: true }, 1],
  ])('%s', async (_, scenario, callbacks) => {
    const payer = await newPayer()
    const { id, page, order, transactionRef } = await begin(payer, scenario)
    const back = await comeBack(await act(page, 'pay'))
    expect([back.status, back.headers.get('location')]).toEqual([
      303,
      `/payments?planId=${plan}&paiement=${id}`,
    ])
    expect(await settled(payer, id)).toMatchObject({
      status: 'PAID',
      deposit: { state: 'succeeded', pageUrl: null },
    })
    expect([await opened(payer), bookOf(transactionRef).length]).toEqual([['ACTIVE'], 1])
    if (callbacks !== null) await heard(async () => expect(order.answers).toEqual(Array(callbacks).fill(200)))
  })
})

test('a payer who returns as paid without having paid opens nothing, and one who leaves the page can continue or give up', async () => {
  const payer = await newPayer()
  const { id, page, order } = await begin(payer)
  expect((await comeBack(new URL(order.back.pay).pathname)).status).toBe(303)
  expect((await comeBack(await act(page, 'leave'))).status).toBe(303)
  const attempts = async () =>
    (await server.pool.query('select attempts from deposit where payment_id = $1', [id])).rows[0].attempts
  await heard(async () => expect(await attempts()).toBeGreaterThan(1))
  expect([(await readPayment(payer, id)).status, await opened(payer)]).toEqual(['PENDING', []])
  expect((await readPayment(payer, id)).deposit?.pageUrl).toBe(page)

  const stranger = await newPayer()
  expect((await stranger.post(`/api/payments/${id}/leave`)).status).toBe(404)
  expect((await payer.post(`/api/payments/${id}/leave`)).status).toBe(200)
  expect((await settled(payer, id)).deposit?.failure?.code).toBe('CARD_CANCELLED')
  expect((await payer.post(`/api/payments/${id}/leave`)).status).toBe(409)
})

test.each<[string, CardAct, string]>([
  ['cancelled', 'cancel', 'CARD_CANCELLED'],
  ['declined', 'decline', 'CARD_DECLINED'],
])(
  'a page that was %s ends the payment once FlexPay confirms that nothing was paid, and another may begin',
  async (_, what, code) => {
    const payer = await newPayer()
    const { id, page } = await begin(payer)
    await comeBack(await act(page, what))
    expect(await settled(payer, id)).toMatchObject({ status: 'FAILED', deposit: { failure: { code } } })
    const again = await begin(payer)
    await comeBack(await act(again.page, 'pay'))
    expect((await settled(payer, again.id)).status).toBe('PAID')
    expect(await opened(payer)).toEqual(['ACTIVE'])
  },
)

test('a payer who returns as cancelled and has paid has paid', async () => {
  const payer = await newPayer()
  const { id, page, order } = await begin(payer, { callbacks: 0 })
  await act(page, 'pay')
  await comeBack(new URL(order.back.cancel).pathname)
  expect((await settled(payer, id)).status).toBe('PAID')
})

test('no second payment of a plan begins beside an open card page or a ringing phone', async () => {
  const payer = await newPayer()
  const { id, page } = await begin(payer)
  const byCard = await checkout(payer)
  expect([byCard.status, String(Object(byCard.body).message)]).toEqual([
    409,
    expect.stringContaining('déjà ouverte'),
  ])
  expect((await pay(payer, plan)).status).toBe(409)
  await comeBack(await act(page, 'pay'))
  expect((await settled(payer, id)).status).toBe('PAID')

  const caller = await newPayer()
  expect((await pay(caller, plan, '129')).status).toBe(201)
  expect((await checkout(caller)).status).toBe(409)
})

test.each([
  ['first', (one: string, other: string) => [other, one]],
  ['second', (one: string, other: string) => [one, other]],
])(
  'two paid pages of one plan open one period, and the team is told to refund the later one: the %s',
  async (_, order) => {
    const payer = await newPayer()
    const one = await begin(payer)
    await comeBack(new URL(one.order.back.cancel).pathname)
    await settled(payer, one.id)
    const other = await begin(payer)
    const byPage = new Map([one, other].map((each) => [each.page, each.id]))
    const [before = '', after = ''] = order(one.page, other.page)
    await comeBack(await act(before, 'pay'))
    const paid = byPage.get(before) ?? 0
    const late = byPage.get(after) ?? 0
    await heard(async () => expect((await readPayment(payer, paid)).status).toBe('PAID'))
    await comeBack(await act(after, 'pay'))
    await heard(async () => expect((await readPayment(payer, late)).deposit?.state).toBe('review'))
    expect((await readPayment(payer, late)).deposit?.failure?.code).toBe('PAID_TWICE')
    expect(await opened(payer)).toEqual(['ACTIVE'])
    expect(await mailsAbout(late)).toEqual([expect.stringContaining('remboursez celui-ci')])
  },
)

test('a page that was given up and paid after all opens the subscription, even without a callback or a return', async () => {
  const payer = await newPayer()
  const { id, page } = await begin(payer, { callbacks: 0 })
  travelledMs += 31 * minutes
  expect((await settled(payer, id)).deposit?.failure?.code).toBe('CARD_EXPIRED')
  await act(page, 'pay')
  travelledMs += 6 * minutes
  await heard(async () => expect((await readPayment(payer, id)).status).toBe('PAID'))
  expect(await opened(payer)).toEqual(['ACTIVE'])
})

test('a payment whose page never opened is checked by our reference and never repeated, and the next one begins', async () => {
  for (const scenario of [
    { initially: { kind: 'error after acceptance' } },
    { answersLaterMs: 75_000 },
    { initially: { kind: 'already processed' } },
  ] satisfies Scenario[]) {
    const payer = await newPayer()
    simulator.next(scenario)
    const { id, transactionRef } = paymentOf(await checkout(payer))
    const { status, deposit } = await settled(payer, id)
    expect([status, deposit?.failure?.code, bookOf(transactionRef).length]).toEqual([
      'FAILED',
      'CARD_UNOPENED',
      1,
    ])
    expect((await begin(payer)).id).toBeGreaterThan(id)
  }
})

test('a page that FlexPay did not accept is requested again with the same reference; one that it refuses has failed', async () => {
  const payer = await newPayer()
  const { id, page } = await begin(payer, { initially: { kind: 'error' } })
  await comeBack(await act(page, 'pay'))
  expect((await settled(payer, id)).status).toBe('PAID')

  const refused = await newPayer()
  simulator.next({ initially: { kind: 'rejected', code: 'PROVIDER_TEMPORARILY_UNAVAILABLE' } })
  const payment = await settled(refused, paymentOf(await checkout(refused)).id)
  expect([payment.status, bookOf(payment.transactionRef)]).toEqual(['FAILED', []])
})

describe('a contradiction waits for the team, which is notified, and opens nothing:', () => {
  test.each<[string, Scenario['claims'], string]>([
    ['another amount', { amount: '1' }, 'AMOUNT_MISMATCH'],
    ['another currency', { currency: 'XAF' }, 'AMOUNT_MISMATCH'],
    ['another reference', { reference: 'another' }, 'REFERENCE_MISMATCH'],
  ])('%s', async (_, claims, code) => {
    const payer = await newPayer()
    const { id, page } = await begin(payer, { claims })
    await comeBack(await act(page, 'pay'))
    await heard(async () => expect((await readPayment(payer, id)).deposit?.state).toBe('review'))
    expect(await readPayment(payer, id)).toMatchObject({ status: 'PENDING', deposit: { failure: { code } } })
    expect([await opened(payer), (await mailsAbout(id)).length]).toEqual([[], 1])
  })
})

test('a callback proves nothing: its content is verified with FlexPay, whose unclear answers decide nothing', async () => {
  const payer = await newPayer()
  const forged = await begin(payer, { isForged: true })
  await act(forged.page, 'pay')
  await heard(async () => expect(forged.order.answers).toEqual([200]))
  const unclear = await newPayer()
  const { id, page } = await begin(unclear, { isUnclear: true })
  await comeBack(await act(page, 'pay'))
  const attempts = async (of: number) =>
    (await server.pool.query('select attempts from deposit where payment_id = $1', [of])).rows[0].attempts
  await heard(async () => expect(await attempts(forged.id)).toBeGreaterThan(1))
  await heard(async () => expect(await attempts(id)).toBeGreaterThan(1))
  expect([await opened(payer), await opened(unclear)]).toEqual([[], []])
  expect([(await readPayment(payer, forged.id)).status, (await readPayment(unclear, id)).status]).toEqual([
    'PENDING',
    'PENDING',
  ])
})

test('addresses that we did not issue lead nowhere, and change nothing', async () => {
  const payer = await newPayer()
  const { id, order } = await begin(payer)
  const back = new URL(order.back.cancel).pathname
  const [, , depositId, key] = back.split('/')
  const tell = (path: string) => server.visitor.post(path, { code: '0', orderNumber: order.orderNumber })
  const wrong = [
    back.replace(String(key), `${String(key)}_`),
    back.replace(String(key), String(key).slice(0, -1)),
    back.replace(String(depositId), '7d6e4c7e-90f5-4f4f-8a4b-0a37e5cf2d5b'),
    back.replace('annule', 'autre'),
    back.replace('annule', 'constructor'),
    `/retour-carte/abc/${key}/annule`,
  ]
  for (const path of wrong) expect([path, (await comeBack(path)).status]).toEqual([path, 404])
  // The payer's own key is not the key of the callback.
  expect((await tell(`/webhooks/flexpay-card/${depositId}/${key}`)).status).toBe(401)
  expect((await tell('/webhooks/flexpay-card/abc/key')).status).toBe(400)
  const { rows } = await server.pool.query('select left_as from deposit where payment_id = $1', [id])
  expect([rows[0].left_as, (await readPayment(payer, id)).status]).toEqual([null, 'PENDING'])
  expect((await server.visitor.get('/demonstration/carte/RIEN')).status).toBe(404)
})

test('without a configured page there is no payment by card, and the list of methods says so', async () => {
  const payer = await newPayer()
  expect((await payer.get('/api/payments/methods')).body).toMatchObject({
    card: { currencies: ['USD', 'CDF'] },
  })
  const other = await testServer({ payments: { mobileMoney: [mobileMoney], isSimulated: true } })
  const userId = await insertAccount(other.db, { roles: ['user'], isVerified: true, ageDays: 40 })
  const client = await other.clientOf(userId)
  const planId = await insertPlan(other.db)
  expect((await client.get('/api/payments/methods')).body).toMatchObject({ card: null })
  const answer = await client.post('/api/payments/checkout', { planId, method: 'VISA' })
  expect([answer.status, answer.body]).toMatchObject([400, { errors: [{ field: 'method' }] }])
})
