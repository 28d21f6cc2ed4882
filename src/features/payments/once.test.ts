import { describe, expect, test } from 'vitest'
import type { Payment } from '#features/payments/payments.contract.ts'
import { sweepIdempotentRequests } from '#server/idempotency.sql.ts'
import { insertSubscriptionRow } from '../../../tests/support/accounts.ts'
import { insertPlan, payingServer } from '../../../tests/support/payments.ts'
import { sendTogether } from '../../../tests/support/same-requests.ts'
import { type Client, insertAccount } from '../../../tests/support/server.ts'

const server = await payingServer()
const admin = await server.as('admin')
const planId = await insertPlan(server.db)
const userId = await insertAccount(server.db, { roles: ['user'] })
const period = { startDate: '2026-01-01', endDate: '2026-02-01' }
const subscriptionId = await insertSubscriptionRow(server.db, {
  user_id: userId,
  plan_id: planId,
  start_date: period.startDate,
  end_date: period.endDate,
})

const post = (who: Client, path: string, key: string, body: object) =>
  who.send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  })
const countOf = async (table: 'payment' | 'subscription') =>
  (
    await server.db
      .selectFrom(table)
      .select((e) => e.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count
const record = (key: string, more: object = {}) =>
  post(admin, '/api/payments', key, { subscriptionId, amount: 5, paymentMethod: 'CASH', ...more })

describe('a request that moves money, sent twenty times at once with one key, has one effect and identical answers', () => {
  const rounds = 5
  test('a payment made by a subscriber', async () => {
    // An account may send requests to only a few phones in an hour.
    const payers = await Promise.all(Array.from({ length: rounds }, () => server.payer()))
    const phone = (round: number) => `08134560${round}9`
    const send = (key: string, round: number) =>
      post(payers[round]!, '/api/payments/checkout', key, {
        planId,
        method: 'MOBILE_MONEY',
        phone: phone(round),
      })
    const before = await countOf('payment')
    expect(await sendTogether(send, { rounds, times: 20 })).toBe(0)
    expect(await countOf('payment')).toBe(before + rounds)
  })

  test('a payment recorded by the staff', async () => {
    const before = await countOf('payment')
    expect(await sendTogether((key) => record(`b-${key}`), { rounds, times: 20 })).toBe(0)
    expect(await countOf('payment')).toBe(before + rounds)
  })

  test('a subscription opened by the staff', async () => {
    const send = (key: string) =>
      post(admin, '/api/subscriptions', `s-${key}`, { userId, planId, ...period, status: 'ACTIVE' })
    const before = await countOf('subscription')
    expect(await sendTogether(send, { rounds, times: 20 })).toBe(0)
    expect(await countOf('subscription')).toBe(before + rounds)
  })

  test('a trial', async () => {
    const young = await server.payer(1)
    const send = (key: string) => post(young, '/api/subscriptions', key, { status: 'TRIAL' })
    expect(await sendTogether(send, { rounds: 1, times: 20 })).toBe(0)
  })
})

describe('a key', () => {
  /** Makes the key this many minutes older. */
  const age = (key: string, minutes: number) =>
    server.pool.query(
      `update idempotent_request set created_at = created_at - make_interval(mins => $2) where key = $1`,
      [key, minutes],
    )
  const idOf = (answer: { body: unknown }) => (answer.body as Payment).id
  const almostADay = 24 * 60 - 1

  test('is valid for a day: then the same request is a new one', async () => {
    const first = await record('jour')
    await age('jour', almostADay)
    await sweepIdempotentRequests(server.db)
    expect((await record('jour')).text).toBe(first.text)
    expect((await record('jour', { amount: 6 })).status).toBe(422)
    await age('jour', 2)
    const next = await record('jour', { amount: 6 })
    expect(next.status).toBe(201)
    expect(idOf(next)).not.toBe(idOf(first))
  })

  test('is deleted after that', async () => {
    await record('oubli')
    await age('oubli', almostADay + 2)
    await sweepIdempotentRequests(server.db)
    const { rows } = await server.pool.query(`select from idempotent_request where key = 'oubli'`)
    expect(rows).toEqual([])
  })

  test('of one account is separate from the same key of another, for any request', async () => {
    const other = await server.as('super admin')
    const first = await record('partagee')
    const second = await post(other, '/api/payments', 'partagee', { subscriptionId, amount: 5 })
    expect([first.status, second.status]).toEqual([201, 201])
    expect(idOf(second)).not.toBe(idOf(first))
  })

  test('with a space, or of more than 255 characters, is invalid', async () => {
    for (const key of ['x'.repeat(256), 'a b']) expect((await record(key)).status).toBe(400)
  })
})
