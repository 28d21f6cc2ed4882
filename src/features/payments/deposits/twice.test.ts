import { expect, test } from 'vitest'
import { settleDeposit } from '#features/payments/deposits/deposits.jobs.ts'
import type { News } from '#features/payments/mobile-money.rules.ts'
import type { Payment } from '#features/payments/payments.contract.ts'
import { mailsAboutPayment } from '../../../../tests/support/mails.ts'
import {
  expectRightBooks,
  insertPlan,
  payingServer,
  paymentOf,
  readPayment,
  subscriptionsOf,
} from '../../../../tests/support/payments.ts'
import { type Client, testDefaults } from '../../../../tests/support/server.ts'

const server = await payingServer()
const { db } = server
const plan = await insertPlan(db)
const completed: News = { kind: 'completed', amount: '5', currency: 'USD', reference: 'R1' }

/** Numbers whose deposits get no answer. */
const phones = ['0813456129', '0813457129']
const begin = async (payer: Client, phone = phones[0]) =>
  paymentOf(await payer.post('/api/payments/checkout', { planId: plan, method: 'MOBILE_MONEY', phone }))
const settle = ({ transactionRef }: Payment) =>
  settleDeposit({ db, team: testDefaults.contactTo }, String(transactionRef), completed, new Date())

test.each([
  ['first', 0],
  ['second', 1],
])('when two phones pay for one plan, the later payment is refunded: the %s', async (_, last) => {
  const payer = await server.payer()
  const both = [await begin(payer, phones[0]), await begin(payer, phones[1])]
  const [paid, late] = last === 0 ? both.reverse() : both
  await settle(paid!)
  await settle(late!)
  expect((await readPayment(payer, paid!.id)).status).toBe('PAID')
  expect(await readPayment(payer, late!.id)).toMatchObject({
    status: 'PENDING',
    deposit: { state: 'review', failure: { code: 'PAID_TWICE' } },
  })
  expect((await subscriptionsOf(payer)).map(({ status }) => status)).toEqual(['ACTIVE'])
  expect(await mailsAboutPayment(server, late!.id)).toEqual([expect.stringContaining('remboursez celui-ci')])
})

test('a second payment after the first is paid buys the next period', async () => {
  const payer = await server.payer()
  await settle(await begin(payer, phones[0]))
  await settle(await begin(payer, phones[1]))
  expect((await subscriptionsOf(payer)).map(({ status }) => status)).toEqual(['ACTIVE', 'ACTIVE'])
  await expectRightBooks(server)
})

test('a payment that the team marked failed while open, and one begun after it, open one period', async () => {
  const payer = await server.payer()
  const one = await begin(payer, phones[0])
  const admin = await server.as('admin')
  expect((await admin.put(`/api/payments/${one.id}/status`, { status: 'FAILED' })).status).toBe(200)
  const other = await begin(payer, phones[1])
  await settle(one)
  await settle(other)
  expect((await subscriptionsOf(payer)).map(({ status }) => status)).toEqual(['ACTIVE'])
})
