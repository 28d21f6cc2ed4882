import { afterAll, describe, expect, test, vi } from 'vitest'
import { createFlexpay } from '#features/payments/flexpay/flexpay.gateway.ts'
import { referenceOf } from '#features/payments/flexpay/flexpay.rules.ts'
import type { Payment } from '#features/payments/payments.contract.ts'
import { createLog } from '#server/log.ts'
import {
  insertPlan,
  pay,
  paymentOf,
  readPayment,
  settled,
  startFlexpay,
  subscriptionsOf,
} from '../../../../tests/support/payments.ts'
import { type Client, insertAccount, testServer } from '../../../../tests/support/server.ts'
import { waitLimitMs } from '../../../../tests/support/wait-limit.ts'

let ownUrl: string | null = null
const { simulator, ...account } = await startFlexpay({ pace: 0.1 })
const flexpay = createFlexpay({
  ...account,
  ownUrl: () => ownUrl,
  log: createLog('silent'),
  timeoutMs: 1_000,
})
const server = await testServer({ hasJobs: true, payments: { mobileMoney: [flexpay], isSimulated: true } })
ownUrl = server.url
const plan = await insertPlan(server.db)

async function newPayer(): Promise<Client & { userId: number }> {
  const userId = await insertAccount(server.db, { roles: ['user'], isVerified: true, ageDays: 40 })
  return { ...(await server.clientOf(userId)), userId }
}
// Several tests wait at once, which `expect.poll` does not support.
const heard = (assertion: () => unknown) => vi.waitFor(assertion, { timeout: waitLimitMs })
const opened = async (payer: Client & { userId: number }) =>
  (await subscriptionsOf(payer)).map(({ status }) => status)
const booksOf = ({ transactionRef }: Payment) =>
  simulator.books().filter(({ reference }) => reference === referenceOf(String(transactionRef)))
async function journalOf({ id }: Payment): Promise<string[]> {
  const entries = await server.db
    .selectFrom('audit_entry')
    .select('action')
    .where('entity', '=', 'payments')
    .where('entity_id', '=', id)
    .orderBy('id')
    .execute()
  return entries.map(({ action }) => action)
}

// After all tests: FlexPay's money equals what was paid for or is under review, and each PAID payment has one
// subscription.
afterAll(async () => {
  const { rows } = await server.pool.query(
    `select deposit.id, payment.status, deposit.state, payment.subscription_id as belongs,
            (select count(*)::int from subscription where payment_id = payment.id) as opened
       from deposit join payment on payment.id = payment_id`,
  )
  const held = new Set(simulator.books().flatMap((each) => (each.status === '0' ? [each.reference] : [])))
  for (const { id, status, state, opened: count } of rows) {
    expect([id, count]).toEqual([id, status === 'PAID' ? 1 : 0])
    if (status === 'PAID') expect(held).toContain(referenceOf(id))
    else if (held.has(referenceOf(id))) expect([id, state]).toEqual([id, 'review'])
  }
})

describe.concurrent('an order at FlexPay is paid once, and opens one subscription, when', () => {
  test.each([
    ['nothing goes wrong', '789', 1],
    ['its callback comes long after', '201', null],
    ['its callback comes ten times', '202', 10],
    ['its callback comes before the answer', '203', 1],
    ['its callback never comes', '204', 0],
    ['it is answered 500 after it was taken', '205', 1],
    ['its answer comes later than we wait', '210', 1],
    ['its status is 1, then 0', '213', 1],
    ['codes, statuses and amounts are numbers', '216', 1],
    ['its reference is said to have been processed already', '223', 1],
  ])('%s', async (_, scenario, callbacks) => {
    const payer = await newPayer()
    const payment = await settled(payer, paymentOf(await pay(payer, plan, scenario)).id)
    expect(payment).toMatchObject({ status: 'PAID', deposit: { state: 'succeeded', failure: null } })
    if (callbacks !== null) {
      await heard(() => expect(booksOf(payment)[0]?.answers).toEqual(Array(callbacks).fill(200)))
    }
    expect([await opened(payer), await journalOf(payment)]).toEqual([['ACTIVE'], ['create', 'confirm']])
    expect(booksOf(payment)).toHaveLength(1)
  })
})

test('an order that FlexPay refuses by code 1 has failed at once, and nothing was taken', async () => {
  const payer = await newPayer()
  const payment = await settled(payer, paymentOf(await pay(payer, plan, '206')).id)
  expect(payment).toMatchObject({ status: 'FAILED', deposit: { state: 'failed' } })
  expect([await opened(payer), booksOf(payment)]).toEqual([[], []])
})

describe.concurrent('a contradiction at FlexPay waits for the team, and opens nothing', () => {
  test.each([
    ['another amount', '208', 'AMOUNT_MISMATCH'],
    ['another currency', '209', 'AMOUNT_MISMATCH'],
    ['another reference', '224', 'REFERENCE_MISMATCH'],
  ])('%s', async (_, scenario, code) => {
    const payer = await newPayer()
    const { id } = paymentOf(await pay(payer, plan, scenario))
    const deposit = async () => (await readPayment(payer, id)).deposit
    await heard(async () => expect((await deposit())?.state).toBe('review'))
    expect(await readPayment(payer, id)).toMatchObject({ status: 'PENDING', deposit: { failure: { code } } })
    expect(await opened(payer)).toEqual([])
  })
})

describe.concurrent('nothing is concluded or opened while', () => {
  test.each([
    ['the status stays 2', '222'],
    ['a callback says paid and the check does not', '214'],
    ['the operator says nothing', '129'],
    ['the order was answered 500, and nobody names it', '211'],
  ])('%s', async (_, scenario) => {
    const payer = await newPayer()
    const { id } = paymentOf(await pay(payer, plan, scenario))
    const attempts = async () =>
      (await server.pool.query('select attempts from deposit where payment_id = $1', [id])).rows[0].attempts
    await heard(async () => expect(await attempts()).toBeGreaterThan(1))
    expect((await readPayment(payer, id)).status).toBe('PENDING')
    expect(await opened(payer)).toEqual([])
  })
})
