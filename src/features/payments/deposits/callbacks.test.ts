import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { pauseAfter } from '#features/payments/deposits/deposits.rules.ts'
import type { Payment } from '#features/payments/payments.contract.ts'
import {
  expectRightBooks,
  insertPlan,
  pay,
  payingServer,
  paymentOf,
  readPayment,
  settled,
  subscriptionsOf,
} from '../../../../tests/support/payments.ts'
import type { Client } from '../../../../tests/support/server.ts'
import { waitLimitMs } from '../../../../tests/support/wait-limit.ts'

const server = await payingServer({ pace: 0.1, timeoutMs: 1_000 })
const plan = await insertPlan(server.db)

const payAs = async (payer: Client, scenario: string) => paymentOf(await pay(payer, plan, scenario))
const stateOf = async (payer: Client, id: number) => (await readPayment(payer, id)).deposit?.state
const tell = (body: unknown, headers: Record<string, string> = {}) =>
  server.visitor.send('/webhooks/pawapay', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const completedOf = ({ transactionRef }: Payment) => ({
  depositId: transactionRef,
  status: 'COMPLETED',
  amount: '5',
  currency: 'USD',
})
const deposit = async ({ id }: Payment) =>
  server.db
    .selectFrom('deposit')
    .select(['attempts', 'next_check_at'])
    .where('payment_id', '=', id)
    .executeTakeFirstOrThrow()

afterAll(() => expectRightBooks(server))

describe('a message that is not the provider’s', () => {
  test('that says COMPLETED is only a reason to ask: nothing is paid', async () => {
    const payer = await server.payer()
    const payment = await payAs(payer, '214')
    await expect.poll(() => stateOf(payer, payment.id)).toBe('pending')
    for (let time = 0; time < 3; time++) expect((await tell(completedOf(payment))).status).toBe(200)
    await expect.poll(async () => (await deposit(payment)).attempts).toBeGreaterThan(2)
    expect(await readPayment(payer, payment.id)).toMatchObject({ status: 'PENDING' })
    expect(await subscriptionsOf(payer)).toEqual([])
  })

  test('with an invented signature is refused', async () => {
    const payer = await server.payer()
    const payment = await payAs(payer, '129')
    const { status, body } = await tell(completedOf(payment), {
      'content-digest': 'sha-256=:AAAA:',
      'signature-input': 'sig-pp=("@method" "@path" "content-digest");alg="ecdsa-p256-sha256";keyid="x"',
      signature: 'sig-pp=:AAAA:',
    })
    expect(status).toBe(401)
    expect(body).toMatchObject({ message: 'La signature de ce message n’est pas valable.' })
    expect(await readPayment(payer, payment.id)).toMatchObject({ status: 'PENDING' })
    expect(await subscriptionsOf(payer)).toEqual([])
  })

  test('about an unknown deposit changes nothing', async () => {
    const unknown = { depositId: randomUUID(), status: 'COMPLETED', amount: '5', currency: 'USD' }
    expect((await tell(unknown)).status).toBe(200)
    const { rows } = await server.pool.query('select from payment where transaction_ref = $1', [
      unknown.depositId,
    ])
    expect(rows).toEqual([])
  })

  test.each([
    ['nothing', {}],
    ['a list', []],
    ['an id that is none', { depositId: 'x', status: 'COMPLETED', amount: '5', currency: 'USD' }],
    ['no amount', { depositId: randomUUID(), status: 'COMPLETED', currency: 'USD' }],
  ])('with %s cannot be read', async (_, body) => {
    expect((await tell(body)).status).toBe(400)
  })

  test('that is too long is not read', async () => {
    expect((await tell({ ...completedOf({} as Payment), more: 'x'.repeat(70_000) })).status).toBe(413)
  })
})

// The tests mostly wait, so they run at the same time.
describe.concurrent('while no job asks the provider', () => {
  // Due tomorrow, so that no job asks about it: then only a message makes a difference.
  async function notAskedAgain(payment: Payment): Promise<number> {
    return vi.waitFor(
      async () => {
        const { rows } = await server.pool.query(
          `update deposit set next_check_at = next_check_at + interval '1 day'
            where payment_id = $1 and state = 'pending' and next_check_at < now() + interval '50 seconds'
           returning attempts`,
          [payment.id],
        )
        expect(rows).toHaveLength(1)
        return rows[0].attempts
      },
      { interval: 20, timeout: waitLimitMs },
    )
  }
  const answersTo = ({ transactionRef }: Payment) =>
    server.simulator.books().find(({ depositId }) => depositId === transactionRef)?.answers

  test.each([
    ['a signed message makes it PAID at once', '201', 1],
    ['ten times the same make it PAID once', '219', 10],
  ])('%s', async (_, scenario, times) => {
    const payer = await server.payer()
    const payment = await payAs(payer, scenario)
    const asked = await notAskedAgain(payment)
    expect((await settled(payer, payment.id)).status).toBe('PAID')
    await vi.waitFor(() => expect(answersTo(payment)).toEqual(Array(times).fill(200)), {
      timeout: waitLimitMs,
    })
    expect((await deposit(payment)).attempts).toBe(asked)
    expect(await subscriptionsOf(payer)).toHaveLength(1)
  })

  test('an unsigned message makes the deposit due: the provider is asked, and its answer makes it PAID', async () => {
    const payer = await server.payer()
    const payment = await payAs(payer, '204')
    const asked = await notAskedAgain(payment)
    expect((await readPayment(payer, payment.id)).status).toBe('PENDING')
    expect((await tell(completedOf(payment))).status).toBe(200)
    expect((await settled(payer, payment.id)).status).toBe('PAID')
    expect((await deposit(payment)).attempts).toBe(asked + 1)
  })

  test.each([
    ['of another text', '220'],
    ['made six minutes ago', '221'],
  ])('a signature %s changes nothing', async (_, scenario) => {
    const payer = await server.payer()
    const payment = await payAs(payer, scenario)
    const asked = await notAskedAgain(payment)
    await vi.waitFor(() => expect(answersTo(payment)).toEqual([401]), { timeout: waitLimitMs })
    expect((await readPayment(payer, payment.id)).status).toBe('PENDING')
    expect((await deposit(payment)).attempts).toBe(asked)
    expect(await subscriptionsOf(payer)).toEqual([])
    // The provider's answer to a request is the truth.
    await server.pool.query('update deposit set next_check_at = now() where payment_id = $1', [payment.id])
    expect((await settled(payer, payment.id)).status).toBe('PAID')
  })
})

test('a deposit without any message is checked at least every quarter of an hour, for a day', () => {
  const minuteMs = 60_000
  for (let ageMs = 0; ageMs < 24 * 60 * minuteMs; ageMs += minuteMs / 2) {
    expect(pauseAfter(ageMs)).toBeLessThanOrEqual(15 * minuteMs)
  }
  expect(pauseAfter(25 * 60 * minuteMs)).toBeLessThanOrEqual(24 * 60 * minuteMs)
  expect(pauseAfter(31 * 24 * 60 * minuteMs)).toBeNull()
})
