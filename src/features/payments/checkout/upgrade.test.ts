import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Subscription } from '#features/subscriptions/subscriptions.contract.ts'
import { dayMs } from '#shared/days.ts'
import {
  insertPlan,
  numberFor,
  pay,
  payingServer,
  paymentOf,
  settled,
  subscriptionsOf,
} from '../../../../tests/support/payments.ts'
import type { Client } from '../../../../tests/support/server.ts'

const time = { aheadMs: 0 }
const server = await payingServer({ clock: () => new Date(Date.now() + time.aheadMs) })
const { db } = server
const admin = await server.as('admin')
const small = await insertPlan(db, { price: 5 })
const long = await insertPlan(db, { price: 10, billing_period: 'YEARLY' })
const big = await insertPlan(db, { price: 20 })

/** Returns a subscriber with a paid period of 30 days, half of it used. */
async function halfway() {
  const payer = await server.payer()
  const payment = await settled(payer, paymentOf(await pay(payer, small)).id)
  await sql`
    update subscription set start_date = start_date - interval '15 days' - interval '1 minute',
           end_date = start_date + interval '15 days' - interval '1 minute'
     where payment_id = ${payment.id}`.execute(db)
  return { payer, payment }
}

const upgrade = (payer: Client, scenario = '789', more: object = {}) =>
  payer.post('/api/payments/checkout', {
    planId: big,
    method: 'MOBILE_MONEY',
    phone: numberFor(scenario),
    when: 'now',
    ...more,
  })
const priceOf = async (payer: Client) =>
  (await payer.get(`/api/payments/upgrade?planId=${big}`)).body as {
    upgrade: { credit: number; due: number } | null
  }
const ordered = async (payer: Client & { userId: number }) =>
  (await subscriptionsOf(payer)).toSorted((a, b) => a.id - b.id)
const daysOf = ({ startDate, endDate }: Subscription) => (Date.parse(endDate) - Date.parse(startDate)) / dayMs

test('a more expensive plan begins at once, and the unused days are deducted from its price', async () => {
  const { payer, payment } = await halfway()
  // 14 whole days of 30 are left: 14 / 30 × 5 = 2.33.
  expect(await priceOf(payer)).toMatchObject({
    upgrade: { daysLeft: 14, totalDays: 30, price: 20, credit: 2.33, due: 17.67, currency: 'USD' },
  })
  expect((await upgrade(payer, '789', { amount: 20 })).status).toBe(409)
  const paid = await settled(payer, paymentOf(await upgrade(payer, '789', { amount: 17.67 })).id)
  expect(paid).toMatchObject({ status: 'PAID', amount: 17.67 })
  const [old, next] = await ordered(payer)
  expect([old?.endDate, next?.planId]).toEqual([next?.startDate, big])
  expect(daysOf(next!)).toBeGreaterThanOrEqual(28)
  // Credited money cannot be refunded as well.
  const refund = (id: number) =>
    admin.put(`/api/payments/${id}/status`, { status: 'REFUNDED', reason: 'Erreur' })
  expect(await refund(payment.id)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  // After a refund of the upgrade, the first period is restored.
  expect((await refund(paid.id)).status).toBe(200)
  const [again, canceled] = await ordered(payer)
  expect([canceled?.status, again?.status]).toEqual(['CANCELED', 'ACTIVE'])
  expect(Math.round(daysOf(again!))).toBe(30)
  expect((await refund(payment.id)).status).toBe(200)
})

test('a refunded upgrade gives its days back, also when the team had ended its subscription before', async () => {
  for (const status of ['CANCELED', 'EXPIRED']) {
    const { payer } = await halfway()
    const paid = await settled(payer, paymentOf(await upgrade(payer)).id)
    const [, next] = await ordered(payer)
    expect((await admin.put(`/api/subscriptions/${next?.id}`, { status })).status).toBe(200)
    const refund = { status: 'REFUNDED', reason: 'Erreur' }
    expect((await admin.put(`/api/payments/${paid.id}/status`, refund)).status).toBe(200)
    const [again, ended] = await ordered(payer)
    expect([again?.status, ended?.status, Math.round(daysOf(again!))]).toEqual(['ACTIVE', status, 30])
    expect((await payer.get('/api/prices')).status).toBe(200)
  }
})

test('a period that an ended upgrade gives back is whole before those that wait', async () => {
  const payer = await server.payer()
  await settled(payer, paymentOf(await pay(payer, long)).id)
  const paid = await settled(payer, paymentOf(await upgrade(payer)).id)
  await settled(payer, paymentOf(await pay(payer, small)).id)
  const [, next] = await ordered(payer)
  await admin.put(`/api/subscriptions/${next?.id}`, { status: 'CANCELED' })
  await admin.put(`/api/payments/${paid.id}/status`, { status: 'REFUNDED', reason: 'Erreur' })
  const [again, , waiting] = await ordered(payer)
  expect(waiting?.startDate).toBe(again?.endDate)
})

test('waiting periods follow the more expensive one', async () => {
  const { payer } = await halfway()
  await settled(payer, paymentOf(await pay(payer, small)).id)
  await settled(payer, paymentOf(await upgrade(payer)).id)
  const [old, waiting, next] = await ordered(payer)
  expect([old?.endDate, next?.endDate]).toEqual([next?.startDate, waiting?.startDate])
})

test('a cheaper plan begins at the end of the paid period, never at once', async () => {
  const payer = await server.payer()
  await settled(payer, paymentOf(await pay(payer, big)).id)
  expect((await payer.get(`/api/payments/upgrade?planId=${small}`)).body).toEqual({ upgrade: null })
  expect((await upgrade(payer, '789', { planId: small })).status).toBe(400)
})

test('the same days are credited once: a second upgrade waits for the first, and a payment that arrives all the same waits for the team', async () => {
  const { payer } = await halfway()
  const first = paymentOf(await upgrade(payer, '129'))
  expect(await upgrade(payer, '789')).toMatchObject({ status: 409 })
  // The team marks it as failed, and the provider reports later that it was paid.
  await admin.put(`/api/payments/${first.id}/status`, { status: 'FAILED' })
  const second = await settled(payer, paymentOf(await upgrade(payer)).id)
  expect(second.status).toBe('PAID')
  await admin.put(`/api/payments/${first.id}/status`, { status: 'PAID' })
  const periods = await ordered(payer)
  expect(periods.filter(({ planId }) => planId === big)).toHaveLength(1)
})

test('a pause closes the access, and every paid day comes back after it', async () => {
  const payer = await server.payer()
  for (let month = 0; month < 2; month++) await settled(payer, paymentOf(await pay(payer, small)).id)
  const before = await ordered(payer)
  const [running] = before
  const path = `/api/subscriptions/${running?.id}`
  expect((await admin.post(`${path}/pause`, {})).status).toBe(400)
  expect(await admin.post(`${path}/pause`, { reason: 'En déplacement' })).toMatchObject({
    status: 200,
    body: { status: 'PAUSED', pauseReason: 'En déplacement' },
  })
  expect((await admin.post(`${path}/pause`, { reason: 'Encore' })).status).toBe(409)
  expect((await payer.get('/api/prices')).status).toBe(402)
  time.aheadMs += 45 * dayMs
  expect((await payer.get('/api/prices')).status).toBe(402)
  expect(await admin.post(`${path}/resume`)).toMatchObject({
    status: 200,
    body: { status: 'ACTIVE', pausedAt: null },
  })
  expect((await payer.get('/api/prices')).status).toBe(200)
  const after = await ordered(payer)
  expect(after.map(daysOf)).toEqual(before.map(daysOf))
  const left = (rows: Subscription[]) => Date.parse(rows.at(-1)!.endDate)
  expect(Math.round((left(after) - left(before)) / dayMs)).toBe(45)
  time.aheadMs = 0
})

test('an upgrade refunded after a pause gives back the days that were left before it', async () => {
  const { payer } = await halfway()
  const paid = await settled(payer, paymentOf(await upgrade(payer)).id)
  const [old, next] = await ordered(payer)
  const path = `/api/subscriptions/${next?.id}`
  expect((await admin.post(`${path}/pause`, { reason: 'En déplacement' })).status).toBe(200)
  time.aheadMs += 45 * dayMs
  expect((await admin.post(`${path}/resume`)).status).toBe(200)
  expect(
    (await admin.put(`/api/payments/${paid.id}/status`, { status: 'REFUNDED', reason: 'Erreur' })).status,
  ).toBe(200)
  const [again] = await ordered(payer)
  // 15 of 30 days were left, less a minute.
  expect(Math.round((Date.parse(again!.endDate) - Date.parse(old!.endDate)) / dayMs)).toBe(45 + 15)
  expect((await payer.get('/api/prices')).status).toBe(200)
  time.aheadMs = 0
})

test('a waiting period that the team has extended keeps its length when it moves', async () => {
  const { payer } = await halfway()
  const waitingPayment = await settled(payer, paymentOf(await pay(payer, small)).id)
  await sql`update subscription set end_date = end_date + interval '31 days' where payment_id = ${waitingPayment.id}`.execute(
    db,
  )
  const before = (await ordered(payer)).at(-1)!
  await settled(payer, paymentOf(await upgrade(payer)).id)
  const after = (await ordered(payer)).find(({ id }) => id === before.id)!
  expect(after.startDate).not.toBe(before.startDate)
  expect(daysOf(after)).toBe(daysOf(before))
})
