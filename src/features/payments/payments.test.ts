import { describe, expect, test } from 'vitest'
import type { Payment } from '#features/payments/payments.contract.ts'
import type { Subscription } from '#features/subscriptions/subscriptions.contract.ts'
import { problem } from '#shared/contract.ts'
import { hourMs } from '#shared/days.ts'
import { insertPlan } from '../../../tests/support/payments.ts'
import { insertAccount, testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const admin = await server.as('admin')
const plan = await insertPlan(server.db, { price: 19 })

async function insertSubscription(name = 'Aline Mutombo'): Promise<{ id: number; userId: number }> {
  const userId = await insertAccount(server.db, { roles: ['user'], name })
  const { body } = await admin.post('/api/subscriptions', {
    userId,
    planId: plan,
    startDate: '2026-01-01',
    endDate: '2026-02-01',
    status: 'ACTIVE',
  })
  return { id: (body as { id: number }).id, userId }
}

async function record(more: object = {}): Promise<Payment> {
  const { id } = await insertSubscription()
  const { status, body, text } = await admin.post('/api/payments', {
    subscriptionId: id,
    amount: 19,
    ...more,
  })
  expect(status, text).toBe(201)
  return body as Payment
}

const put = (id: number, body: object) => admin.put(`/api/payments/${id}`, body)
const messageOf = (answer: { body: unknown }) => problem.parse(answer.body).message

describe('payments recorded by the staff', () => {
  test('have defaults, take the user and the plan of their subscription, and are returned as sent', async () => {
    const { id, userId } = await insertSubscription()
    const { body } = await admin.post('/api/payments', { subscriptionId: id, amount: '12,50' })
    expect(body).toMatchObject({
      subscriptionId: id,
      userId,
      planId: plan,
      amount: 12.5,
      currency: 'USD',
      status: 'PENDING',
      paymentMethod: 'VISA',
      transactionRef: null,
      authorizationCode: null,
      deposit: null,
      message: 'Paiement créé avec succès',
    })
    const { message, ...row } = body as Payment & { message: string }
    expect((await admin.get(`/api/payments/${row.id}`)).body).toEqual(row)
  })

  test('are read in both spellings', async () => {
    const { id } = await insertSubscription()
    const { body } = await admin.post('/api/payments', {
      subscription_id: id,
      amount: 10_000,
      currency: 'CDF',
      payment_method: 'CASH',
      transaction_ref: 'R-1',
      authorization_code: '42',
    })
    expect(body).toMatchObject({
      subscriptionId: id,
      paymentMethod: 'CASH',
      transactionRef: 'R-1',
      authorizationCode: '42',
    })
    const { body: changed } = await put((body as Payment).id, {
      payment_method: 'VISA',
      transaction_ref: null,
    })
    expect(changed).toMatchObject({ paymentMethod: 'VISA', transactionRef: null, authorizationCode: '42' })
  })

  test.each([
    ['subscriptionId', { subscriptionId: null }],
    ['subscriptionId', { subscriptionId: 999_999 }],
    ['amount', { amount: 0 }],
    ['amount', { amount: -1 }],
    ['amount', { amount: 1.234 }],
    ['amount', { amount: null }],
    ['currency', { currency: 'EUR' }],
    ['status', { status: 'LOST' }],
    ['status', { status: 'REFUNDED' }],
    ['paymentMethod', { paymentMethod: 'CHEQUE' }],
  ])('a wrong %s is refused (%o)', async (field, wrong) => {
    const { id } = await insertSubscription()
    const answer = await admin.post('/api/payments', { subscriptionId: id, amount: 5, ...wrong })
    expect(answer.status).toBe(400)
    expect(problem.parse(answer.body).errors.map((each) => each.field)).toEqual([field])
  })

  test('with an Idempotency-Key are recorded once', async () => {
    const { id } = await insertSubscription()
    const send = () =>
      admin.send('/api/payments', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': `caisse-${id}` },
        body: JSON.stringify({ subscriptionId: id, amount: 5, paymentMethod: 'CASH' }),
      })
    const answers = await Promise.all([send(), send(), send()])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect((await admin.get(`/api/payments?subscriptionId=${id}`)).body).toMatchObject({
      pagination: { total: 1 },
    })
  })
})

describe('the status of a payment', () => {
  test('follows the allowed transitions, after PAID only to REFUNDED, then to none', async () => {
    const { id } = await record()
    const set = async (status: string) => (await admin.put(`/api/payments/${id}/status`, { status })).status
    expect(await set('REFUNDED')).toBe(409)
    expect(await set('FAILED')).toBe(200)
    expect(await set('PENDING')).toBe(200)
    expect(await set('PAID')).toBe(200)
    for (const back of ['PENDING', 'FAILED']) expect(await set(back)).toBe(409)
    expect(await set('PAID')).toBe(200)
    expect(await set('REFUNDED')).toBe(200)
    for (const back of ['PENDING', 'FAILED', 'PAID']) expect(await set(back)).toBe(409)
    expect(await set('LOST')).toBe(400)
  })

  test('is checked by the same rule on the edit form, and a paid payment has a fixed amount', async () => {
    const { id } = await record({ status: 'PAID' })
    expect((await put(id, { status: 'FAILED' })).status).toBe(409)
    const changed = await put(id, { amount: 20 })
    expect(changed.status).toBe(409)
    expect(messageOf(changed)).toMatch(/garde son montant/)
    expect((await put(id, { amount: 19, transactionRef: 'R-2' })).body).toMatchObject({
      transactionRef: 'R-2',
    })
  })

  test('is REFUNDED on the edit form with the reason, which is stored for a refund only', async () => {
    const { id } = await record({ status: 'PAID' })
    const early = await put(id, { transactionRef: 'R-3', refundReason: 'Pas encore' })
    expect(early.body).toMatchObject({ status: 'PAID', refundReason: null })
    const refunded = await put(id, { status: 'REFUNDED', refundReason: 'Payé deux fois' })
    expect(refunded.body).toMatchObject({ status: 'REFUNDED', refundReason: 'Payé deux fois' })
  })

  test.each(['updated_at', 'updatedAt'])('is not changed by who read an older version (%s)', async (name) => {
    const { id, updated_at } = await record()
    const { body } = await put(id, { amount: 20 })
    const set = (version: string) =>
      admin.put(`/api/payments/${id}/status`, { status: 'PAID', [name]: version })
    expect(await set(updated_at)).toMatchObject({ status: 409, body: { code: 'stale' } })
    expect((await set((body as Payment).updated_at)).body).toMatchObject({ status: 'PAID', amount: 20 })
  })

  test('of a payment in cash, whatever its reference, is not that of a card page to leave', async () => {
    const { id } = await record({ paymentMethod: 'CASH', transactionRef: 'RECU 12' })
    expect((await admin.post(`/api/payments/${id}/leave`)).status).toBe(409)
  })

  test('is reported as refunded to both of two simultaneous requests', async () => {
    const { id } = await record({ status: 'PAID' })
    const other = await server.as('super admin')
    const both = await Promise.all([
      admin.put(`/api/payments/${id}/status`, { status: 'REFUNDED' }),
      other.put(`/api/payments/${id}/status`, { status: 'REFUNDED' }),
    ])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    const entries = await server.db
      .selectFrom('audit_entry')
      .select(['action', 'before', 'after'])
      .where('entity', '=', 'payments')
      .where('entity_id', '=', id)
      .orderBy('id')
      .execute()
    expect(entries.map(({ after }) => (after as Payment).status)).toEqual(['PAID', 'REFUNDED', 'REFUNDED'])
  })
})

describe('a payment that the staff mark PAID', () => {
  const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString()
  const subscriptionOf = async (id: number) =>
    (await admin.get(`/api/subscriptions/${id}`)).body as Subscription
  async function subscribed(status: string, startDate: string, endDate: string, more: object = {}) {
    const userId = await insertAccount(server.db, { roles: ['user'], ageDays: 400 })
    const { body } = await admin.post('/api/subscriptions', {
      userId,
      planId: plan,
      startDate,
      endDate,
      status,
      ...more,
    })
    return { ...(body as Subscription), client: await server.clientOf(userId) }
  }
  const recordPaid = async (subscriptionId: number) =>
    (await admin.post('/api/payments', { subscriptionId, amount: 19, status: 'PAID', paymentMethod: 'CASH' }))
      .body as Payment
  const monthAfter = (instant: string) => {
    const days = (Date.parse(instant) - Date.now()) / (24 * hourMs)
    return days > 27 && days < 32
  }

  test.each(['TRIAL', 'EXPIRED', 'CANCELED'])(
    'makes a subscription that is over and %s ACTIVE from now on for one period, and opens the data',
    async (status) => {
      const { id, client } = await subscribed(status, fromNow(-90 * 24 * hourMs), fromNow(-60 * 24 * hourMs))
      expect((await client.get('/api/brands')).status).toBe(402)
      const { body } = await admin.post('/api/payments', { subscriptionId: id, amount: 19 })
      const set = () => admin.put(`/api/payments/${(body as Payment).id}/status`, { status: 'PAID' })
      expect((await set()).body).toMatchObject({ status: 'PAID', subscriptionId: id })
      const opened = await subscriptionOf(id)
      expect(opened).toMatchObject({ status: 'ACTIVE', paymentsCount: 1 })
      expect(monthAfter(opened.endDate)).toBe(true)
      await expect.poll(async () => (await client.get('/api/brands')).status).toBe(200)
      // Sending it again changes nothing.
      expect((await set()).status).toBe(200)
      expect((await subscriptionOf(id)).endDate).toBe(opened.endDate)
    },
  )

  test('prolongs a trial that runs from its end, for a year when its plan is yearly', async () => {
    const yearly = await insertPlan(server.db, { billing_period: 'YEARLY' })
    const trialEnd = '2036-03-01T10:00:00.000Z'
    const { id, startDate } = await subscribed('TRIAL', fromNow(-hourMs), trialEnd, { planId: yearly })
    await recordPaid(id)
    const endDate = '2037-03-01T10:00:00.000Z'
    expect(await subscriptionOf(id)).toMatchObject({ status: 'ACTIVE', startDate, endDate })
  })

  test('pays for the ACTIVE period that it was recorded for; the next payment opens the next, and a refund ends its own', async () => {
    const endDate = '2036-03-01T10:00:00.000Z'
    const { id } = await subscribed('ACTIVE', fromNow(-hourMs), endDate)
    expect(await recordPaid(id)).toMatchObject({ subscriptionId: id })
    expect(await subscriptionOf(id)).toMatchObject({ status: 'ACTIVE', endDate })
    const renewal = await recordPaid(id)
    expect(renewal.subscriptionId).not.toBe(id)
    const next = await subscriptionOf(renewal.subscriptionId!)
    expect(next).toMatchObject({
      status: 'ACTIVE',
      startDate: endDate,
      endDate: '2036-04-01T10:00:00.000Z',
    })
    await admin.put(`/api/payments/${renewal.id}/status`, { status: 'REFUNDED' })
    expect((await subscriptionOf(next.id)).status).toBe('CANCELED')
    expect(await subscriptionOf(id)).toMatchObject({ status: 'ACTIVE', endDate })
  })

  test('does not change a trial without a plan', async () => {
    const userId = await insertAccount(server.db, { roles: ['user'], ageDays: 1 })
    const { body } = await (await server.clientOf(userId)).post('/api/subscriptions', { status: 'TRIAL' })
    const { id, endDate } = body as Subscription
    await recordPaid(id)
    expect(await subscriptionOf(id)).toMatchObject({ status: 'TRIAL', endDate })
  })
})

test('an invoiced payment cannot be deleted: only payments that were never paid can', async () => {
  const paid = await record({ status: 'PAID' })
  const refused = await admin.delete(`/api/payments/${paid.id}`)
  expect({ status: refused.status, message: messageOf(refused) }).toEqual({
    status: 409,
    message: 'Suppression impossible\u00a0: 1 paiement facturé reste dans les comptes.',
  })
  const pending = await record()
  expect((await admin.delete(`/api/payments/${pending.id}`)).body).toEqual({
    message: 'Paiement supprimé avec succès',
  })
  expect((await admin.get(`/api/payments/${pending.id}`)).status).toBe(404)
})

describe('the list and its sums', async () => {
  await server.pool.query(
    `insert into exchange_rate (day, cdf_per_usd) values ('2026-03-01', 2000), ('2026-03-03', 2500)`,
  )
  const { id } = await insertSubscription('Zéphyrin Wembo')
  const rows = [
    ['2026-03-01T10:00Z', 10, 'USD', 'PAID', 'VISA'],
    // Still the 1st in UTC, already the 2nd in Kinshasa.
    ['2026-03-01T23:30Z', 20_000, 'CDF', 'PAID', 'CASH'],
    ['2026-03-03T10:00Z', 25_000, 'CDF', 'FAILED', 'MOBILE_MONEY'],
    ['2026-02-01T10:00Z', 4_000, 'CDF', 'PENDING', 'CASH'],
  ] as const
  for (const [at, amount, currency, status, method] of rows) {
    await server.pool.query(
      `insert into payment (subscription_id, user_id, plan_id, created_at, amount, currency, status, payment_method)
       select id, user_id, plan_id, $2, $3, $4, $5, $6 from subscription where id = $1`,
      [id, at, amount, currency, status, method],
    )
  }
  const of = (query: string) => `subscriptionId=${id}&${query}`

  test('filters by status, method, currency, days of Kinshasa and the payer’s name', async () => {
    const total = async (query: string) =>
      ((await admin.get(`/api/payments?${of(query)}`)).body as { pagination: { total: number } }).pagination
        .total
    expect(await total('')).toBe(4)
    expect(await total('status=PAID')).toBe(2)
    expect(await total('paymentMethod=CASH')).toBe(2)
    expect(await total('payment_method=CASH')).toBe(2)
    const other = (await admin.get(`/api/payments?subscription_id=${id}&payment_method=CASH`)).body
    expect(other).toMatchObject({ pagination: { total: 2 } })
    expect((await admin.get(`/api/payments/analytics/summary?subscription_id=${id}`)).body).toMatchObject({
      totalCount: 4,
    })
    expect((await admin.get('/api/payments?payment_method=CHEQUE')).status).toBe(400)
    expect(await total('currency=CDF')).toBe(3)
    expect(await total('startDate=2026-03-02&endDate=2026-03-02')).toBe(1)
    expect(await total('search=zephyrin')).toBe(4)
    expect(await total('search=personne')).toBe(0)
  })

  test.each(['', '/analytics/summary', '/export'])('of reversed days is refused (%s)', async (path) => {
    const answer = await admin.get(`/api/payments${path}?startDate=2026-03-02&endDate=2026-03-01`)
    expect(answer.status).toBe(400)
    expect(problem.parse(answer.body).errors).toEqual([
      { field: 'endDate', message: 'La date de fin précède la date de début' },
    ])
  })

  test('sums currencies in dollars at the rate of the day, and each in its own', async () => {
    const { body } = await admin.get(`/api/payments/analytics/summary?${of('')}`)
    expect(body).toEqual({
      totalCount: 4,
      totalAmount: 20,
      currency: 'USD',
      byStatus: [
        { status: 'PAID', count: 2, amount: 20 },
        { status: 'FAILED', count: 1, amount: 10 },
        { status: 'PENDING', count: 1, amount: 0 },
      ],
      byMethod: [
        { method: 'CASH', count: 2, amount: 10 },
        { method: 'MOBILE_MONEY', count: 1, amount: 10 },
        { method: 'VISA', count: 1, amount: 10 },
      ],
      byCurrency: [
        { currency: 'CDF', count: 3, amount: 49_000, amountUsd: 20 },
        { currency: 'USD', count: 1, amount: 10, amountUsd: 10 },
      ],
      byStatusAndCurrency: [
        { status: 'FAILED', currency: 'CDF', count: 1, amount: 25_000 },
        { status: 'PAID', currency: 'CDF', count: 1, amount: 20_000 },
        { status: 'PAID', currency: 'USD', count: 1, amount: 10 },
        { status: 'PENDING', currency: 'CDF', count: 1, amount: 4_000 },
      ],
      daily: [
        { date: '2026-02-01', count: 1, amount: 0 },
        { date: '2026-03-01', count: 1, amount: 10 },
        { date: '2026-03-02', count: 1, amount: 10 },
        { date: '2026-03-03', count: 1, amount: 10 },
      ],
      withoutRate: 1,
    })
    const paid = await admin.get(`/api/payments/analytics/summary?${of('status=PAID')}`)
    expect(paid.body).toMatchObject({ totalCount: 2, totalAmount: 20 })
  })
})
