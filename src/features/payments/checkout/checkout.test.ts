import { describe, expect, test } from 'vitest'
import { problem } from '#shared/contract.ts'
import { dayMs } from '#shared/days.ts'
import { mailsTo, sentMails } from '../../../../tests/support/mails.ts'
import {
  insertPlan,
  numberFor,
  pay,
  payingServer,
  paymentOf,
  readPayment,
  settled,
  subscriptionsOf,
} from '../../../../tests/support/payments.ts'
import { type Client, insertAccount } from '../../../../tests/support/server.ts'

const server = await payingServer()
const monthly = await insertPlan(server.db)

const refusal = (answer: { body: unknown }) => problem.parse(answer.body)

describe('paying', () => {
  test('opens the subscription and the data as soon as the operator has confirmed', async () => {
    const payer = await server.payer()
    expect((await payer.get('/api/brands')).status).toBe(402)
    const answer = await pay(payer, monthly)
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      message: 'Demande de paiement enregistrée',
      status: 'PENDING',
      amount: 5,
      currency: 'USD',
      paymentMethod: 'MOBILE_MONEY',
      subscriptionId: null,
      planId: monthly,
      deposit: { operator: 'MPESA', phone: '243813456789', state: 'created', failure: null },
    })
    expect((await payer.get('/api/brands')).status).toBe(402)
    const paid = await settled(payer, paymentOf(answer).id)
    expect(paid).toMatchObject({ status: 'PAID', deposit: { state: 'succeeded' } })
    expect((await payer.get('/api/brands')).status).toBe(200)
    const [subscription] = await subscriptionsOf(payer)
    expect(subscription).toMatchObject({
      id: paid.subscriptionId,
      status: 'ACTIVE',
      planId: monthly,
      paymentsCount: 1,
    })
    const days = (Date.parse(subscription!.endDate) - Date.parse(subscription!.startDate)) / dayMs
    expect(days).toBeGreaterThanOrEqual(28)
    expect(days).toBeLessThanOrEqual(31)
  })

  test('before the end prolongs from the end, for a year when the plan is yearly', async () => {
    const yearly = await insertPlan(server.db, { price: 50, billing_period: 'YEARLY' })
    const payer = await server.payer()
    await settled(payer, paymentOf(await pay(payer, monthly)).id)
    await settled(payer, paymentOf(await pay(payer, yearly)).id)
    const [first, second] = (await subscriptionsOf(payer)).toSorted((a, b) => a.id - b.id)
    expect(second?.startDate).toBe(first?.endDate)
    const { body } = await payer.get('/api/subscriptions/access')
    expect(body).toMatchObject({ subscription: { id: first?.id }, upcoming: [{ id: second?.id }] })
    expect(new Date(second!.endDate).getUTCFullYear()).toBe(new Date(second!.startDate).getUTCFullYear() + 1)
  })

  test('is followed by a receipt with the amount, the payer, the plan and the end', async () => {
    const plan = await insertPlan(server.db, { name: 'Reçu' })
    const payer = await server.payer()
    const { id } = await settled(payer, paymentOf(await pay(payer, plan)).id)
    const { email } = await server.db
      .selectFrom('app_user')
      .select('email')
      .where('id', '=', payer.userId)
      .executeTakeFirstOrThrow()
    const [mail, ...others] = await mailsTo(server.dataDir, email, 1)
    expect(mail?.subject).toBe(`Reçu du paiement ${id}\u00a0: 5,00\u00a0$US`)
    expect(mail?.text).toContain('Nous avons reçu 5,00\u00a0$US par M-Pesa, du +243813456789, le ')
    expect(mail?.text).toMatch(/Votre abonnement «\u202fReçu\u202f» va du \d.* au \d/)
    expect(others).toEqual([])
    // A failed payment has no receipt.
    const failed = await settled(payer, paymentOf(await pay(payer, plan, '039')).id)
    expect(failed.status).toBe('FAILED')
    expect(await sentMails(server, email)).toHaveLength(1)
  })

  test('twice at once opens two periods, one after the other', async () => {
    const other = await insertPlan(server.db)
    const payer = await server.payer()
    const both = await Promise.all([pay(payer, monthly), pay(payer, other)])
    for (const answer of both) await settled(payer, paymentOf(answer).id)
    const [first, second] = (await subscriptionsOf(payer)).toSorted((a, b) =>
      a.startDate < b.startDate ? -1 : 1,
    )
    expect(second?.startDate).toBe(first?.endDate)
  })

  test('is accepted in francs and in dollars', async () => {
    const inFrancs = await insertPlan(server.db, { price: 15_000, currency: 'CDF' })
    const payer = await server.payer()
    const paid = await settled(payer, paymentOf(await pay(payer, inFrancs)).id)
    expect(paid).toMatchObject({ status: 'PAID', amount: 15_000, currency: 'CDF' })
  })

  test('in the other currency uses the rate of the day', async () => {
    const payer = await server.payer()
    const inFrancs = { currency: 'CDF' }
    const refused = await payWith(payer, monthly, inFrancs)
    expect(refused.status).toBe(400)
    await server.db
      .insertInto('exchange_rate')
      .values({ day: '2020-01-01', cdf_per_usd: 2847.333333 })
      .execute()
    // 5 × 2 847,333 333 is 14 236,666 665.
    const paid = await settled(payer, paymentOf(await payWith(payer, monthly, inFrancs)).id)
    expect(paid).toMatchObject({ status: 'PAID', amount: 14_237, currency: 'CDF' })
    const inDollars = await insertPlan(server.db, { price: 15_000, currency: 'CDF' })
    const other = await server.payer()
    expect(paymentOf(await payWith(other, inDollars, { currency: 'USD' }))).toMatchObject({
      amount: 5.27,
      currency: 'USD',
    })
    const { rate } = (await payer.get('/api/payments/methods')).body as { rate: object }
    expect(rate).toEqual({ day: '2020-01-01', cdfPerUsd: 2847.333333 })
  })

  test('is refused when the amount differs from the one shown to the payer', async () => {
    const answer = await payWith(await server.payer(), monthly, { amount: 4 })
    expect(answer).toMatchObject({ status: 409, body: { message: expect.stringContaining('5,00\u00a0$US') } })
  })
})

describe('the conditions of a payment', () => {
  test('exclude users with an unconfirmed address, who read why', async () => {
    const userId = await insertAccount(server.db, { roles: ['user'], isVerified: false })
    const answer = await pay(await server.clientOf(userId), monthly)
    expect({ status: answer.status, message: refusal(answer).message }).toEqual({
      status: 403,
      message: 'Confirmez votre adresse e-mail avant de payer.',
    })
  })

  test.each(['+243 81 345 67 89', '00243813456789', '0813456789', '813456789', '243-813-456-789'])(
    'allow a number written %s',
    async (phone) => {
      const payer = await server.payer()
      const { status, body } = await payer.post('/api/payments/checkout', {
        planId: monthly,
        method: 'MOBILE_MONEY',
        phone,
      })
      expect(status).toBe(201)
      expect(body).toMatchObject({ deposit: { phone: '243813456789', operator: 'MPESA' } })
    },
  )

  test.each([
    ['a wrong number', { phone: '12345' }, 'phone', /pas un numéro de mobile congolais. Exemple/],
    ['a number of another country', { phone: '+33 6 12 34 56 78' }, 'phone', /mobile congolais/],
    ['no number', {}, 'phone', /Indiquez le numéro/],
    ['an operator that is not supported', { phone: '0901234567' }, 'phone', /Africell n’est pas encore/],
    ['a number of no operator', { phone: '0871234567' }, 'operator', /Choisissez l’opérateur/],
    [
      'another operator’s number',
      { phone: '0991234567', operator: 'MPESA' },
      'operator',
      /numéro Airtel Money/,
    ],
    ['a number of Africell for M-Pesa', { phone: '0901234567', operator: 'MPESA' }, 'phone', /Africell/],
    ['a card', { method: 'VISA', phone: '0813456789' }, 'method', /carte n’est pas ouvert/],
    ['cash', { method: 'CASH' }, 'method', /enregistrés par notre équipe/],
    ['a plan there is not', { planId: 999_999, phone: '0813456789' }, 'planId', /plus proposé/],
  ])('%s is refused under its field, with what to do', async (_, more, field, words) => {
    const payer = await server.payer()
    const answer = await payer.post('/api/payments/checkout', {
      planId: monthly,
      method: 'MOBILE_MONEY',
      ...more,
    })
    expect(answer.status).toBe(400)
    expect(refusal(answer).errors).toMatchObject([{ field, message: expect.stringMatching(words) }])
    expect((await payer.get('/api/payments/mine')).body).toMatchObject({ payments: [] })
  })

  test.each([
    [{ price: 0.5 }, /trop petit pour M-Pesa/],
    [{ price: 3_000 }, /trop grand pour M-Pesa/],
    [{ price: 1500.5, currency: 'CDF' }, /montants entiers/],
    [{ price: 0 }, /gratuit/],
    [{ is_active: false }, /plus proposé/],
  ])(
    'exclude a plan that the operator cannot collect (%o), which is refused before any request',
    async (plan, words) => {
      const payer = await server.payer()
      const answer = await pay(payer, await insertPlan(server.db, plan))
      expect(answer.status).toBe(400)
      expect(refusal(answer).message).toMatch(words)
      expect((await payer.get('/api/payments/mine')).body).toMatchObject({ payments: [] })
    },
  )

  test('let its payer read a payment, and no other user', async () => {
    const payer = await server.payer()
    const { id } = paymentOf(await pay(payer, monthly, '129'))
    expect((await (await server.payer()).get(`/api/payments/${id}`)).status).toBe(404)
    expect((await readPayment(payer, id)).id).toBe(id)
    expect((await payer.get('/api/payments')).status).toBe(403)
  })
})

describe('a request sent twice', () => {
  test('with the same key, twenty times at once, is one payment with one answer', async () => {
    const payer = await server.payer()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        pay(payer, monthly, '789', { 'idempotency-key': 'clé-1'.replace('é', 'e') }),
      ),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    await settled(payer, paymentOf(answers[0]!).id)
    expect((await payer.get('/api/payments/mine')).body).toMatchObject({ pagination: { total: 1 } })
    expect(await subscriptionsOf(payer)).toHaveLength(1)
  })

  test('with the same key for another payment answers 422, and with an invalid key 400', async () => {
    const payer = await server.payer()
    const headers = { 'idempotency-key': 'a' }
    expect((await pay(payer, monthly, '789', headers)).status).toBe(201)
    expect((await pay(payer, monthly, '039', headers)).status).toBe(422)
    expect((await pay(payer, monthly, '039', { 'idempotency-key': 'a b' })).status).toBe(400)
    // The keys of another account are separate.
    expect((await pay(await server.payer(), monthly, '789', headers)).status).toBe(201)
  })

  test('may be corrected after a refusal, which is not stored under the key', async () => {
    const payer = await server.payer()
    const headers = { 'idempotency-key': 'b', 'content-type': 'application/json' }
    const send = (phone: string) =>
      payer.send('/api/payments/checkout', {
        method: 'POST',
        headers,
        body: JSON.stringify({ planId: monthly, method: 'MOBILE_MONEY', phone }),
      })
    expect((await send('1')).status).toBe(400)
    expect((await send(numberFor('789'))).status).toBe(201)
  })

  test('without a key is refused while the first is pending, and accepted with another number', async () => {
    const payer = await server.payer()
    const answers = await Promise.all([1, 2, 3].map(() => pay(payer, monthly, '129')))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    expect((await pay(payer, monthly, '789')).status).toBe(201)
  })
})

test('the payment methods say that no money is taken, and the limits of each', async () => {
  const { body } = await (await server.payer()).get('/api/payments/methods')
  expect(body).toMatchObject({
    isSimulated: true,
    mobileMoney: expect.arrayContaining([
      {
        operator: 'MPESA',
        currency: 'CDF',
        minAmount: '500',
        maxAmount: '1000000',
        decimals: 0,
        isOpen: true,
      },
    ]),
  })
})

function payWith(payer: Client, planId: number, more: object) {
  return payer.post('/api/payments/checkout', {
    planId,
    method: 'MOBILE_MONEY',
    phone: numberFor('789'),
    ...more,
  })
}

describe('of one account, in an hour', () => {
  const numbers = (from: number, many: number) =>
    Array.from({ length: many }, (_each, index) => `${from + index}`)

  test('25 numbers at once make only three phones ring', async () => {
    const payer = await server.payer()
    const answers = await Promise.all(numbers(700, 25).map((each) => pay(payer, monthly, each)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(22)
    expect(refusal(refused[0]!).message).toMatch(/trois numéros/)
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('a seventh attempt is refused, and passes an hour later', async () => {
    const payer = await server.payer()
    for (let time = 0; time < 6; time++) {
      await settled(payer, paymentOf(await pay(payer, monthly)).id)
    }
    expect((await pay(payer, monthly)).status).toBe(429)
    await server.pool.query(
      `update deposit set created_at = deposit.created_at - interval '1 hour' from payment
        where payment.id = payment_id and user_id = $1`,
      [payer.userId],
    )
    expect((await pay(payer, monthly)).status).toBe(201)
  })
})
