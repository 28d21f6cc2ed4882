// A server whose subscribers can pay, connected to the simulated mobile money provider over HTTP.

import { afterAll, expect, vi } from 'vitest'
import { createCardSimulator } from '#features/payment-simulator/card.routes.ts'
import { createFlexpaySimulator } from '#features/payment-simulator/flexpay.routes.ts'
import { createSimulator } from '#features/payment-simulator/simulator.routes.ts'
import { simulatedMerchant } from '#features/payment-simulator/simulator.rules.ts'
import { createPawapay } from '#features/payments/pawapay/pawapay.gateway.ts'
import type { Payment } from '#features/payments/payments.contract.ts'
import type { Subscription } from '#features/subscriptions/subscriptions.contract.ts'
import { simulatedCards } from '#main/payment-provider.ts'
import type { Db } from '#server/db/pool.ts'
import { createLog } from '#server/log.ts'
import type { Views } from '#server/views.ts'
import { type Answer, type Client, insertAccount, testServer } from './server.ts'
import { waitLimitMs } from './wait-limit.ts'

/** Starts the simulated FlexPay, the same way. */
export async function startFlexpay({ pace = 0.01, endsAfterMs = 30 } = {}) {
  const merchant = 'NTALO'
  const simulator = createFlexpaySimulator({ token, merchant, endsAfterMs, pace })
  const url = await simulator.http.listen({ port: 0, host: '127.0.0.1' })
  afterAll(() => simulator.http.close())
  return { simulator, url, merchant, token }
}

const token = 'secret'

/** Starts the simulated card page, the same way; set `ownUrl` once our server listens. */
export async function startCards({ pace = 0.01 } = {}) {
  const simulator = createCardSimulator({ token, merchant: simulatedMerchant, pace })
  const url = await simulator.http.listen({ port: 0, host: '127.0.0.1' })
  afterAll(() => simulator.http.close())
  const here: { url: string | null } = { url: null }
  const card = simulatedCards(url, token, {
    log: createLog('silent'),
    ownUrl: () => here.url,
    timeoutMs: 5_000,
  })
  return { simulator, url, here, card }
}

/** Starts the simulated provider on a free port until the file's tests end. */
export async function startSimulator(options: { endsAfterMs: number; pace?: number }) {
  const simulator = createSimulator({ token, ...options })
  const url = await simulator.http.listen({ port: 0, host: '127.0.0.1' })
  afterAll(() => simulator.http.close())
  return { simulator, url, token }
}

/** @param pace factor of the simulator's longer delays */
export async function payingServer({
  clock,
  pace = 0.01,
  timeoutMs,
  views,
}: {
  clock?: () => Date
  /** The real pages, when a test reads their content. */
  views?: Views
  pace?: number
  /** Timeout (ms) of the server's requests to the simulator. */
  timeoutMs?: number
} = {}) {
  const { simulator, url, token } = await startSimulator({ endsAfterMs: 30, pace })
  const mobileMoney = createPawapay({ url, token, log: createLog('silent'), timeoutMs })
  const server = await testServer({
    hasJobs: true,
    payments: { mobileMoney: [mobileMoney], isSimulated: true },
    clock,
    ...(views && { views }),
  })
  simulator.tell(`${server.url}/webhooks/pawapay`)
  return {
    ...server,
    simulator,
    mobileMoney,
    /** Returns a client who may pay; by default the account's trial is over. */
    async payer(ageDays = 40): Promise<Client & { userId: number }> {
      const userId = await insertAccount(server.db, { roles: ['user'], isVerified: true, ageDays })
      return { ...(await server.clientOf(userId)), userId }
    },
  }
}

let plans = 0

export async function insertPlan(
  db: Db,
  more: {
    name?: string
    description?: string
    price?: number
    currency?: string
    billing_period?: string
    is_active?: boolean
    features?: string[]
  } = {},
): Promise<number> {
  plans += 1
  const { id } = await db
    .insertInto('plan')
    .values({ name: `Plan ${plans}`, price: 5, ...more })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Throws unless the provider's money equals what was paid or is under review, and each paid payment has one
 * subscription.
 */
export async function expectRightBooks({
  db,
  simulator,
}: Pick<Awaited<ReturnType<typeof payingServer>>, 'db' | 'simulator'>): Promise<void> {
  const rows = await db
    .selectFrom('payment')
    .innerJoin('deposit', 'deposit.payment_id', 'payment.id')
    .leftJoin('subscription', 'subscription.payment_id', 'payment.id')
    .select([
      'deposit.id as depositId',
      'deposit.failure_code as code',
      'payment.status',
      'subscription.id as opened',
      'payment.subscription_id as belongs',
    ])
    .execute()
  const paid = rows.filter(({ status }) => status === 'PAID')
  expect(paid.filter(({ opened, belongs }) => opened === null || opened !== belongs)).toEqual([])
  expect(rows.filter(({ status, opened }) => status !== 'PAID' && opened !== null)).toEqual([])
  const lookedAt = ['AMOUNT_MISMATCH', 'DECIDED', 'PAID_TWICE']
  const isLookedAt = ({ code }: { code: string | null }) => code !== null && lookedAt.includes(code)
  const expected = new Set([...paid, ...rows.filter(isLookedAt)].map(({ depositId }) => depositId))
  const collected = simulator.books().filter(({ status }) => status === 'COMPLETED')
  expect(collected.filter(({ depositId }) => !expected.has(depositId))).toEqual([])
}

/** Returns a Vodacom number that ends with the name of a simulator scenario. */
export const numberFor = (scenario: string) => `0813456${scenario}`

export async function pay(
  payer: Client,
  planId: number,
  scenario = '789',
  headers: Record<string, string> = {},
): Promise<Answer> {
  return payer.send('/api/payments/checkout', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ planId, method: 'MOBILE_MONEY', phone: numberFor(scenario) }),
  })
}

export const paymentOf = (answer: Answer) => answer.body as Payment

export async function readPayment(payer: Client, id: number): Promise<Payment> {
  return paymentOf(await payer.get(`/api/payments/${id}`))
}

/** Returns the payment once it is no longer pending. */
export async function settled(payer: Client, id: number): Promise<Payment> {
  // Several tests may wait at the same time, which `expect.poll` does not support.
  return vi.waitFor(
    async () => {
      const payment = await readPayment(payer, id)
      expect(payment.status).not.toBe('PENDING')
      return payment
    },
    { timeout: waitLimitMs },
  )
}

export async function subscriptionsOf(payer: Client & { userId: number }): Promise<Subscription[]> {
  const { body } = await payer.get(`/api/subscriptions/user/${payer.userId}`)
  return (body as { data: Subscription[] }).data
}
