import { expect, test } from 'vitest'
import { settleDeposit } from '#features/payments/deposits/deposits.jobs.ts'
import { createFlexpay } from '#features/payments/flexpay/flexpay.gateway.ts'
import type { MobileMoney } from '#features/payments/mobile-money.rules.ts'
import { createPawapay } from '#features/payments/pawapay/pawapay.gateway.ts'
import { createLog } from '#server/log.ts'
import {
  insertPlan,
  pay,
  paymentOf,
  readPayment,
  settled,
  startFlexpay,
  startSimulator,
  subscriptionsOf,
} from '../../../../tests/support/payments.ts'
import { type Client, insertAccount, testDefaults, testServer } from '../../../../tests/support/server.ts'

const log = createLog('silent')
let travelledMs = 0
const clock = () => new Date(Date.now() + travelledMs)
const first = await startSimulator({ endsAfterMs: 30, pace: 0.1 })
const second = await startFlexpay({ pace: 0.1 })
let ownUrl: string | null = null
const pawapay = createPawapay({ url: first.url, token: first.token, log, timeoutMs: 1_000 })
const flexpay = createFlexpay({ ...second, ownUrl: () => ownUrl, log, timeoutMs: 1_000 })
// No server listens there any more.
const gone = await startSimulator({ endsAfterMs: 30 })
await gone.simulator.http.close()
const away = { pawapay: createPawapay({ url: gone.url, token: gone.token, log }) }
const server = await testServer({
  hasJobs: true,
  payments: { mobileMoney: [asked(pawapay), flexpay], isSimulated: true },
  clock,
})
ownUrl = server.url
const plan = await insertPlan(server.db)

let isAway = false
/** Returns the first provider, at an address without a server while `isAway`. */
function asked(provider: MobileMoney): MobileMoney {
  return {
    ...provider,
    initiate: (order) => (isAway ? away.pawapay : provider).initiate(order),
  }
}

async function newPayer(): Promise<Client & { userId: number }> {
  const userId = await insertAccount(server.db, { roles: ['user'], isVerified: true, ageDays: 40 })
  return { ...(await server.clientOf(userId)), userId }
}
async function begin(scenario: string) {
  const payer = await newPayer()
  const payment = paymentOf(await pay(payer, plan, scenario))
  const row = async () =>
    (
      await server.pool.query('select provider, attempts, state from deposit where payment_id = $1', [
        payment.id,
      ])
    ).rows[0]
  return { payer, ...payment, row }
}
const taken = () => ({ pawapay: first.simulator.books().length, flexpay: second.simulator.books().length })

test('when the first provider does not listen, the second takes the payment, once', async () => {
  isAway = true
  const before = taken()
  const { payer, id, row } = await begin('789')
  expect((await settled(payer, id)).status).toBe('PAID')
  isAway = false
  expect([(await row()).provider, taken()]).toEqual([
    'flexpay',
    { pawapay: before.pawapay, flexpay: before.flexpay + 1 },
  ])
  expect(await subscriptionsOf(payer)).toHaveLength(1)
})

test('an answer of the first provider is final or unknown, and no other provider is asked', async () => {
  const before = taken()
  const refused = await begin('049')
  const lost = await begin('211')
  const late = await begin('210')
  expect((await settled(refused.payer, refused.id)).status).toBe('FAILED')
  expect((await settled(late.payer, late.id)).status).toBe('PAID')
  await expect.poll(async () => (await lost.row()).attempts).toBeGreaterThan(1)
  expect((await readPayment(lost.payer, lost.id)).status).toBe('PENDING')
  for (const { row } of [refused, lost, late]) expect((await row()).provider).toBe('pawapay')
  expect(taken().flexpay).toBe(before.flexpay)
})

test('an operator that the first provider cannot reach now is tried through the second, whose refusal is final', async () => {
  // Both simulators refuse this number.
  const { payer, id, row } = await begin('206')
  expect(await settled(payer, id)).toMatchObject({ status: 'FAILED', deposit: { state: 'failed' } })
  expect((await row()).provider).toBe('flexpay')
})

test('when no provider can be reached, a payment is sent as soon as one answers, and fails after two minutes', async () => {
  const nobody = await testServer({
    hasJobs: true,
    payments: {
      mobileMoney: [{ ...pawapay, initiate: (order) => (isAway ? away.pawapay : pawapay).initiate(order) }],
      isSimulated: true,
    },
    clock,
  })
  const offered = await insertPlan(nobody.db)
  const payerOf = async () => {
    const userId = await insertAccount(nobody.db, { roles: ['user'], isVerified: true, ageDays: 40 })
    return nobody.clientOf(userId)
  }
  const depositOf = async (id: number) =>
    (await nobody.pool.query('select provider, attempts from deposit where payment_id = $1', [id])).rows[0]
  isAway = true
  const payer = await payerOf()
  const { id } = paymentOf(await pay(payer, offered))
  await expect.poll(async () => (await depositOf(id)).attempts).toBeGreaterThan(0)
  await expect.poll(async () => (await depositOf(id)).provider).toBe(null)
  isAway = false
  expect((await settled(payer, id)).status).toBe('PAID')

  isAway = true
  const other = await payerOf()
  const failing = paymentOf(await pay(other, offered)).id
  await expect.poll(async () => (await depositOf(failing)).attempts).toBeGreaterThan(0)
  travelledMs += 3 * 60_000
  expect(await settled(other, failing)).toMatchObject({
    status: 'FAILED',
    deposit: { failure: { code: 'NOT_SENT' } },
  })
  isAway = false
})

test('a message from another provider than the one asked changes nothing, and its money is reviewed', async () => {
  const { payer, id, transactionRef, row } = await begin('129')
  await expect.poll(async () => (await row()).state).toBe('pending')
  const tell = (news: Parameters<typeof settleDeposit>[2]) =>
    settleDeposit(
      { db: server.db, team: testDefaults.contactTo },
      String(transactionRef),
      news,
      clock(),
      'flexpay',
    )
  await tell({ kind: 'failed', code: 'X' })
  expect((await readPayment(payer, id)).status).toBe('PENDING')
  await tell({ kind: 'completed', amount: '5', currency: 'USD', reference: null })
  expect(await readPayment(payer, id)).toMatchObject({ status: 'PENDING', deposit: { state: 'review' } })
  expect(await subscriptionsOf(payer)).toEqual([])
})
