import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { settleDeposit } from '#features/payments/deposits/deposits.jobs.ts'
import type { News } from '#features/payments/mobile-money.rules.ts'
import type { Payment } from '#features/payments/payments.contract.ts'
import { mailsTo } from '../../../../tests/support/mails.ts'
import {
  insertPlan,
  pay,
  payingServer,
  paymentOf,
  readPayment,
  settled,
  subscriptionsOf,
} from '../../../../tests/support/payments.ts'
import { type Client, kept } from '../../../../tests/support/server.ts'

const minuteMs = 60_000
let travelledMs = 0
const clock = () => new Date(Date.now() + travelledMs)
const server = await payingServer({ clock, pace: 0.1, timeoutMs: 1_000 })
const plan = await insertPlan(server.db)

const payAs = async (payer: Client, scenario: string) => paymentOf(await pay(payer, plan, scenario))
const depositIdOf = ({ transactionRef }: Payment) => String(transactionRef)
const stateOf = async (payer: Client, id: number) => (await readPayment(payer, id)).deposit?.state
const told = (body: object, headers: Record<string, string> = {}) =>
  server.visitor.send('/webhooks/pawapay', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

// Whatever happened above: what the provider holds is what was paid for, and each payment has its one subscription.
afterAll(async () => {
  const books = server.simulator.books().filter(({ status }) => status === 'COMPLETED')
  const rows = await server.db
    .selectFrom('payment')
    .leftJoin('subscription', 'subscription.payment_id', 'payment.id')
    .select([
      'payment.transaction_ref',
      'payment.status',
      'subscription.id as opened',
      'payment.subscription_id',
    ])
    .execute()
  const paid = rows.filter(({ status }) => status === 'PAID')
  expect(paid.every(({ opened, subscription_id }) => opened !== null && opened === subscription_id)).toBe(
    true,
  )
  expect(rows.filter(({ status, opened }) => status !== 'PAID' && opened !== null)).toEqual([])
  const known = new Set(paid.map(({ transaction_ref }) => transaction_ref))
  const unpaid = books.filter(({ depositId }) => !known.has(depositId) && !inReview.has(depositId))
  expect(unpaid).toEqual([])
})
const inReview = new Set<string>()

// All at once, since most of it is waiting.
test('whatever happens on the way, a deposit is paid once and opens one subscription', async () => {
  const ways = {
    201: 'its callback comes long after',
    202: 'its callback comes ten times',
    203: 'its callback comes before the answer',
    204: 'its callback never comes',
    205: 'it is answered 500 after it was taken',
    207: 'its callback bears a wrong signature',
    210: 'its answer comes later than we wait',
    212: 'its callback bears no signature',
    213: 'it takes its time',
  }
  const ends = await Promise.all(
    Object.keys(ways).map(async (scenario) => {
      const payer = await server.payer()
      const { status, deposit } = await settled(payer, (await payAs(payer, scenario)).id)
      const opened = (await subscriptionsOf(payer)).map((each) => each.status)
      return [scenario, { status, state: deposit?.state, opened }]
    }),
  )
  const right = { status: 'PAID', state: 'succeeded', opened: ['ACTIVE'] }
  expect(Object.fromEntries(ends)).toEqual(Object.fromEntries(Object.keys(ways).map((each) => [each, right])))
})

const toVerify = async ({ userId }: Payment) => {
  const { body } = await (await server.as('admin')).get(`/api/payments?toVerify=true&userId=${userId}`)
  return (body as { pagination: { total: number } }).pagination.total
}
async function mailsAbout({ id }: Payment): Promise<number> {
  const waiting = () => server.db.selectFrom('outgoing_mail').select('id').execute()
  await expect.poll(waiting, { timeout: 10_000 }).toEqual([])
  const mails = await mailsTo(server.dataDir, kept.contactTo, 0)
  return mails.filter(({ subject }) => subject === `Paiement ${id} à vérifier`).length
}

describe('what does not add up waits for somebody, and opens nothing', () => {
  test.each([
    ['another amount', '208'],
    ['another currency', '209'],
  ])('%s', async (_, scenario) => {
    const payer = await server.payer()
    const payment = await payAs(payer, scenario)
    inReview.add(depositIdOf(payment))
    await expect.poll(() => stateOf(payer, payment.id), { timeout: 10_000 }).toBe('review')
    expect(await readPayment(payer, payment.id)).toMatchObject({
      status: 'PENDING',
      subscriptionId: null,
      deposit: { failure: { code: 'AMOUNT_MISMATCH', message: expect.stringContaining('Notre équipe') } },
    })
    expect(await subscriptionsOf(payer)).toEqual([])
    // The team is told, and finds it.
    expect(await mailsAbout(payment)).toBe(1)
    expect(await toVerify(payment)).toBe(1)
    inReview.delete(depositIdOf(payment))
    // Whoever looked at it may accept what came: then it opens what it pays for, once.
    const admin = await server.as('admin')
    expect((await admin.put(`/api/payments/${payment.id}/status`, { status: 'PAID' })).status).toBe(200)
    expect(await subscriptionsOf(payer)).toHaveLength(1)
    expect(await toVerify(payment)).toBe(0)
  })

  test('a refusal of our own making is the team’s as well, once', async () => {
    const payer = await server.payer()
    const payment = await payAs(payer, '129')
    for (let time = 0; time < 2; time++) await settle(payment, { kind: 'failed', code: 'REFUSED' })
    expect(await readPayment(payer, payment.id)).toMatchObject({
      status: 'FAILED',
      deposit: { failure: { message: expect.stringContaining('notre équipe est prévenue') } },
    })
    expect(await mailsAbout(payment)).toBe(1)
    expect(await toVerify(payment)).toBe(0)
  })

  test('an outcome that contradicts the one before', async () => {
    const payer = await server.payer()
    const payment = await payAs(payer, '039')
    expect((await settled(payer, payment.id)).status).toBe('FAILED')
    await settle(payment, completed)
    expect(await readPayment(payer, payment.id)).toMatchObject({
      status: 'FAILED',
      deposit: { state: 'review' },
    })
    expect(await subscriptionsOf(payer)).toEqual([])
    expect([await mailsAbout(payment), await toVerify(payment)]).toEqual([1, 1])
  })
})

const completed: News = { kind: 'completed', amount: '5', currency: 'USD', reference: 'R1' }
const ledger = { db: server.db, team: kept.contactTo }
const settle = (payment: Payment, news: News) => settleDeposit(ledger, depositIdOf(payment), news, clock())

describe('a message that is not the provider’s', () => {
  test('that says COMPLETED is only a reason to ask: nothing is paid', async () => {
    const payer = await server.payer()
    const payment = await payAs(payer, '214')
    await expect.poll(() => stateOf(payer, payment.id), { timeout: 10_000 }).toBe('pending')
    const body = { depositId: depositIdOf(payment), status: 'COMPLETED', amount: '5', currency: 'USD' }
    for (let time = 0; time < 3; time++) expect((await told(body)).status).toBe(200)
    await expect.poll(async () => attemptsOf(payment), { timeout: 10_000 }).toBeGreaterThan(2)
    expect(await readPayment(payer, payment.id)).toMatchObject({ status: 'PENDING' })
    expect(await subscriptionsOf(payer)).toEqual([])
  })

  test('with an invented signature is refused', async () => {
    const payer = await server.payer()
    const payment = await payAs(payer, '129')
    const body = { depositId: depositIdOf(payment), status: 'COMPLETED', amount: '5', currency: 'USD' }
    const { status } = await told(body, {
      'content-digest': 'sha-256=:AAAA:',
      'signature-input': 'sig-pp=("@method" "@path" "content-digest");alg="ecdsa-p256-sha256";keyid="x"',
      signature: 'sig-pp=:AAAA:',
    })
    expect(status).toBe(401)
    expect(await readPayment(payer, payment.id)).toMatchObject({ status: 'PENDING' })
  })

  test('about a deposit there is not, or that cannot be read, changes nothing', async () => {
    const unknown = { depositId: randomUUID(), status: 'COMPLETED', amount: '5', currency: 'USD' }
    expect((await told(unknown)).status).toBe(200)
    for (const body of [{}, [], { depositId: 'x' }]) expect((await told(body)).status).toBe(400)
    expect(await settleDeposit(ledger, unknown.depositId, completed, clock())).toBe(false)
  })
})

/** Whether it was asked about, and nobody is asking now. */
const restsAfter = async (payment: Payment, attempts: number) => {
  const { rows } = await server.pool.query(
    `select attempts > $2 and next_check_at < $3::timestamptz + interval '50 seconds' as rests
       from deposit where payment_id = $1`,
    [payment.id, attempts, clock()],
  )
  return rows[0].rests
}

const attemptsOf = async (payment: Payment) =>
  (
    await server.db
      .selectFrom('deposit')
      .select('attempts')
      .where('payment_id', '=', payment.id)
      .executeTakeFirstOrThrow()
  ).attempts

describe('while nobody asks the provider', () => {
  // Due tomorrow, as soon as nobody asks about it: then only a message makes a difference.
  async function notAskedAgain(payment: Payment): Promise<number> {
    let attempts = 0
    await expect
      .poll(
        async () => {
          const { rows } = await server.pool.query(
            `update deposit set next_check_at = next_check_at + interval '1 day'
              where payment_id = $1 and state = 'pending' and next_check_at < $2::timestamptz + interval '50 seconds'
             returning attempts`,
            [payment.id, clock()],
          )
          attempts = rows[0]?.attempts ?? 0
          return attempts
        },
        { timeout: 10_000, interval: 20 },
      )
      .toBeGreaterThan(0)
    return attempts
  }

  test('a signed message makes it PAID at once', async () => {
    const payer = await server.payer()
    const payment = await payAs(payer, '201')
    const asked = await notAskedAgain(payment)
    expect((await settled(payer, payment.id)).status).toBe('PAID')
    expect(await attemptsOf(payment)).toBe(asked)
    expect(await subscriptionsOf(payer)).toHaveLength(1)
  })

  test('an unsigned message makes it due: it is asked about, and PAID by that', async () => {
    const payer = await server.payer()
    const payment = await payAs(payer, '204')
    const asked = await notAskedAgain(payment)
    expect((await readPayment(payer, payment.id)).status).toBe('PENDING')
    const body = { depositId: depositIdOf(payment), status: 'COMPLETED', amount: '5', currency: 'USD' }
    expect((await told(body)).status).toBe(200)
    expect((await settled(payer, payment.id)).status).toBe('PAID')
    expect(await attemptsOf(payment)).toBe(asked + 1)
  })
})

describe('as time passes', () => {
  test('a provider that fails without taking anything: after a quarter of an hour, it was not sent', async () => {
    const payer = await server.payer()
    const payment = await payAs(payer, '211')
    await expect.poll(() => restsAfter(payment, 0), { timeout: 10_000 }).toBe(true)
    travelledMs += 16 * minuteMs
    expect(await settled(payer, payment.id)).toMatchObject({
      status: 'FAILED',
      deposit: { failure: { code: 'NOT_SENT', message: expect.stringContaining('pas été débité') } },
    })
    // It was taken after all: money that came is never denied.
    await settle(payment, completed)
    expect(await readPayment(payer, payment.id)).toMatchObject({
      status: 'PAID',
      deposit: { state: 'succeeded' },
    })
    expect(await subscriptionsOf(payer)).toHaveLength(1)
  })

  test('without any answer a payment waits, is unverified after a day, and still opens its subscription later', async () => {
    const payer = await server.payer()
    const payment = await payAs(payer, '129')
    await expect.poll(() => stateOf(payer, payment.id), { timeout: 10_000 }).toBe('pending')
    const asked = await attemptsOf(payment)
    travelledMs += 20 * minuteMs
    await expect.poll(() => attemptsOf(payment), { timeout: 10_000 }).toBeGreaterThan(asked)
    expect(await stateOf(payer, payment.id)).toBe('pending')
    travelledMs += 25 * 60 * minuteMs
    await expect.poll(() => stateOf(payer, payment.id), { timeout: 10_000 }).toBe('unverified')
    expect((await readPayment(payer, payment.id)).status).toBe('PENDING')
    await settle(payment, completed)
    await settle(payment, completed)
    expect((await readPayment(payer, payment.id)).status).toBe('PAID')
    expect(await subscriptionsOf(payer)).toHaveLength(1)
  })
})

test('a provider that is down: the payment waits, and nothing is lost', async () => {
  const payer = await server.payer()
  await server.simulator.http.close()
  const payment = await payAs(payer, '789')
  await expect.poll(() => attemptsOf(payment), { timeout: 10_000 }).toBeGreaterThan(0)
  expect(await readPayment(payer, payment.id)).toMatchObject({
    status: 'PENDING',
    deposit: { state: 'created' },
  })
})
