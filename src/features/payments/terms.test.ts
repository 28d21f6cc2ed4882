import { expect, test } from 'vitest'
import { settleDeposit } from '#features/payments/deposits/deposits.jobs.ts'
import { hashPassword } from '#server/session/passwords.ts'
import { mailsTo } from '../../../tests/support/mails.ts'
import {
  insertPlan,
  pay,
  payingServer,
  paymentOf,
  readPayment,
  settled,
  subscriptionsOf,
} from '../../../tests/support/payments.ts'
import { insertAccount, testDefaults } from '../../../tests/support/server.ts'

const server = await payingServer()
const { db } = server
const admin = await server.as('admin')

const password = 'safou et manioc de Boma'

const daysOf = ({ startDate, endDate }: { startDate: string; endDate: string }) =>
  Math.round((Date.parse(endDate) - Date.parse(startDate)) / 86_400_000)

test('a plan that changes does not change a pending payment: a paid month is a month', async () => {
  const planId = await insertPlan(db, { price: 3 })
  const payer = await server.payer()
  const answer = await pay(payer, planId)
  await db
    .updateTable('plan')
    .set({ price: 300, billing_period: 'YEARLY' })
    .where('id', '=', planId)
    .execute()
  expect(await settled(payer, paymentOf(answer).id)).toMatchObject({ status: 'PAID', amount: 3 })
  const [opened] = await subscriptionsOf(payer)
  expect(daysOf(opened!)).toBeLessThanOrEqual(31)
})

test('a refund of the running period moves the paid periods after it forward, and has a reason', async () => {
  const planId = await insertPlan(db, { price: 3 })
  const payer = await server.payer()
  const payments = []
  for (let month = 0; month < 3; month++) {
    payments.push(await settled(payer, paymentOf(await pay(payer, planId)).id))
  }
  // The plan is now yearly, but the paid period is still a month.
  await db.updateTable('plan').set({ billing_period: 'YEARLY' }).where('id', '=', planId).execute()
  const reason = 'Payé deux fois'
  const refund = await admin.put(`/api/payments/${payments[0]?.id}/status`, { status: 'REFUNDED', reason })
  expect(refund).toMatchObject({ status: 200, body: { status: 'REFUNDED', refundReason: reason } })
  expect((await payer.get('/api/brands')).status).toBe(200)
  const periods = (await subscriptionsOf(payer)).toSorted((a, b) => a.id - b.id)
  expect(periods.map(({ status }) => status)).toEqual(['CANCELED', 'ACTIVE', 'ACTIVE'])
  const [, second, third] = periods
  expect(Date.parse(second!.startDate)).toBeLessThanOrEqual(Date.now())
  expect(third?.startDate).toBe(second?.endDate)
  for (const each of [second!, third!]) expect(daysOf(each)).toBeLessThanOrEqual(31)
})

test('an account cannot be closed while its phone may ring; a payment after the closing waits for the team', async () => {
  const planId = await insertPlan(db)
  const userId = await insertAccount(db, {
    roles: ['user'],
    isVerified: true,
    ageDays: 40,
    passwordHash: await hashPassword(password),
  })
  const payer = await server.clientOf(userId)
  const { id } = paymentOf(await pay(payer, planId, '129'))
  const close = () => payer.post('/api/auth/me/close', { currentPassword: password })
  expect(await close()).toMatchObject({ status: 409 })
  // A deposit that was never sent would be given up by its age.
  await expect.poll(async () => (await readPayment(payer, id)).deposit?.state).toBe('pending')
  await db
    .updateTable('deposit')
    .set({ created_at: new Date(Date.now() - 3_600_000) })
    .where('payment_id', '=', id)
    .execute()
  expect((await close()).status).toBe(200)
  const { id: depositId } = await db
    .selectFrom('deposit')
    .select('id')
    .where('payment_id', '=', id)
    .executeTakeFirstOrThrow()
  const { amount, currency } = await readPayment(admin, id)
  const news = { kind: 'completed', amount: String(amount), currency, reference: null } as const
  await settleDeposit({ db, team: testDefaults.contactTo }, depositId, news, new Date())
  expect(await readPayment(admin, id)).toMatchObject({
    status: 'PENDING',
    subscriptionId: null,
    deposit: { state: 'review', failure: { code: 'ACCOUNT_CLOSED' } },
  })
  expect((await mailsTo(server.dataDir, testDefaults.contactTo, 1)).at(-1)?.text).toContain('remboursez-le')
  // The team records that it arrived, and that it was refunded.
  for (const status of ['PAID', 'REFUNDED'])
    expect((await admin.put(`/api/payments/${id}/status`, { status, reason: 'Compte fermé' })).status).toBe(
      200,
    )
  expect(await readPayment(admin, id)).toMatchObject({ status: 'REFUNDED', subscriptionId: null })
})
