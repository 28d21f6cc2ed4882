import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Subscription } from '#features/subscriptions/subscriptions.contract.ts'
import {
  insertPlan,
  pay,
  payingServer,
  paymentOf,
  settled,
  subscriptionsOf,
} from '../../../../tests/support/payments.ts'

const server = await payingServer()
const { db } = server
const plan = await insertPlan(db)
const bigger = await insertPlan(db, { price: 20 })

/** Returns a subscriber with this many paid months. */
async function subscriber(months = 1) {
  const payer = await server.payer()
  for (let month = 0; month < months; month++) await settled(payer, paymentOf(await pay(payer, plan)).id)
  return payer
}

test('a cancelled subscription stays open to its end, stores the reason, and can be resumed', async () => {
  const payer = await subscriber(2)
  const before = await subscriptionsOf(payer)
  const reason = 'COVERAGE'
  const canceled = await payer.post('/api/subscriptions/mine/cancel', { reason, note: 'Kindu manque' })
  expect(canceled).toMatchObject({ status: 200, body: { cancelReason: reason, cancelNote: 'Kindu manque' } })
  expect((canceled.body as Subscription).canceledAt).toBeTruthy()
  const after = await subscriptionsOf(payer)
  const dates = (all: Subscription[]) =>
    all.map(({ status, startDate, endDate }) => [status, startDate, endDate])
  expect(dates(after)).toEqual(dates(before))
  expect((await payer.get('/api/brands')).status).toBe(200)
  expect(await payer.post('/api/subscriptions/mine/resume')).toMatchObject({
    status: 200,
    body: { canceledAt: null, cancelReason: null, cancelNote: null },
  })
  const { rows } = await sql<{ action: string }>`
    select action from audit_entry where entity = 'subscriptions' and entity_id = ${String((canceled.body as Subscription).id)}`.execute(
    db,
  )
  expect(rows.filter(({ action }) => action === 'update')).toHaveLength(2)
})

test('a reason in the user’s own words is stored; without one, or with nothing to cancel, the request is refused', async () => {
  const payer = await subscriber()
  expect(await payer.post('/api/subscriptions/mine/cancel', { reason: 'Je pars en voyage' })).toMatchObject({
    status: 200,
    body: { cancelReason: 'OTHER', cancelNote: 'Je pars en voyage' },
  })
  expect((await payer.post('/api/subscriptions/mine/cancel', {})).status).toBe(400)
  const nobody = await server.payer()
  expect((await nobody.post('/api/subscriptions/mine/cancel', { reason: 'PRICE' })).status).toBe(409)
})

test('who is paused is told so, also once the end that the subscription had has passed', async () => {
  const payer = await subscriber()
  await sql`update subscription set status = 'PAUSED', paused_at = now() - interval '20 days', end_date = now() - interval '1 day',
                   start_date = now() - interval '31 days' where user_id = ${payer.userId}`.execute(db)
  await sql`update app_user set created_at = now() - interval '60 days' where id = ${payer.userId}`.execute(
    db,
  )
  // The server hears of the change a moment later.
  await expect.poll(async () => Object((await payer.get('/api/brands')).body).message).toMatch(/est en pause/)
})

test('a period paid after a cancellation is not cancelled', async () => {
  const payer = await subscriber()
  await payer.post('/api/subscriptions/mine/cancel', { reason: 'PRICE' })
  await settled(payer, paymentOf(await pay(payer, plan)).id)
  const [last] = (await subscriptionsOf(payer)).toSorted((a, b) => b.id - a.id)
  expect(last).toMatchObject({ status: 'ACTIVE', canceledAt: null })
})

test('a plan is chosen for the next period, and withdrawn; one that is not on sale is refused', async () => {
  const payer = await subscriber()
  expect(await payer.put('/api/subscriptions/mine/plan', { planId: bigger })).toMatchObject({
    status: 200,
    body: { planId: plan, nextPlan: { id: bigger } },
  })
  expect(await payer.put('/api/subscriptions/mine/plan', { planId: null })).toMatchObject({
    body: { nextPlan: null },
  })
  const closed = await insertPlan(db, { is_active: false })
  expect((await payer.put('/api/subscriptions/mine/plan', { planId: closed })).status).toBe(400)
})

test('a plan chosen for the next period is no longer proposed once it is withdrawn from sale', async () => {
  const payer = await subscriber()
  const chosen = await insertPlan(db)
  await payer.put('/api/subscriptions/mine/plan', { planId: chosen })
  await sql`update plan set is_active = false where id = ${chosen}`.execute(db)
  expect(await subscriptionsOf(payer)).toMatchObject([{ planId: plan, nextPlan: null }])
})

test('the checkout proposes the number used last', async () => {
  const payer = await server.payer()
  expect((await payer.get('/api/payments/methods')).body).toMatchObject({ lastPayer: null })
  await settled(payer, paymentOf(await pay(payer, plan)).id)
  expect((await payer.get('/api/payments/methods')).body).toMatchObject({
    lastPayer: { phone: '243813456789', operator: 'MPESA', currency: 'USD' },
  })
})
