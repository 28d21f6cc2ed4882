import { afterAll, describe, expect, test } from 'vitest'
import { progressOf } from '#features/payments/checkout/progress.rules.ts'
import { settleDeposit } from '#features/payments/deposits/deposits.jobs.ts'
import type { News } from '#features/payments/mobile-money.rules.ts'
import type { Payment } from '#features/payments/payments.contract.ts'
import { mailsAboutPayment } from '../../../../tests/support/mails.ts'
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
import { type Client, testDefaults } from '../../../../tests/support/server.ts'

const minuteMs = 60_000
let travelledMs = 0
const clock = () => new Date(Date.now() + travelledMs)
const server = await payingServer({ clock, pace: 0.1, timeoutMs: 1_000 })
const plan = await insertPlan(server.db)

const payAs = async (payer: Client, scenario: string) => paymentOf(await pay(payer, plan, scenario))
const depositIdOf = ({ transactionRef }: Payment) => String(transactionRef)
const stateOf = async (payer: Client, id: number) => (await readPayment(payer, id)).deposit?.state
/** Returns the message to the payer when the payment is this old. */
const newsOf = (payment: Payment, ageMs = 0) => {
  const { title, text } = progressOf(payment, ageMs)
  return `${title}. ${text}`
}
const completed: News = { kind: 'completed', amount: '5', currency: 'USD', reference: 'R1' }
const ledger = { db: server.db, team: testDefaults.contactTo }
const settle = (payment: Payment, news: News) => settleDeposit(ledger, depositIdOf(payment), news, clock())
const attemptsOf = async ({ id }: Payment) =>
  (
    await server.db
      .selectFrom('deposit')
      .select('attempts')
      .where('payment_id', '=', id)
      .executeTakeFirstOrThrow()
  ).attempts
/** Returns whether the data are open, and the subscriptions that were opened. */
async function openedFor(payer: Client & { userId: number }) {
  const opened = (await subscriptionsOf(payer)).map(({ status }) => status)
  return { data: (await payer.get('/api/brands')).status, opened }
}
const isOpen = { data: 200, opened: ['ACTIVE'] }
const isShut = { data: 402, opened: [] }

// After all tests: the provider's money equals what was paid for, and each payment has its one subscription.
afterAll(() => expectRightBooks(server))

// The tests mostly wait, so they run at the same time.
describe.concurrent('a deposit is paid once, opens one subscription and is reported when', () => {
  test.each([
    ['its callback comes long after', '201'],
    ['its callback comes ten times', '202'],
    ['its callback comes before the answer', '203'],
    ['its callback never comes', '204'],
    ['it is answered 500 after it was taken', '205'],
    ['its callback bears a wrong signature', '207'],
    ['its answer comes later than we wait', '210'],
    ['its callback bears no signature', '212'],
    ['the provider takes its time, and calls it by another name meanwhile', '213'],
    ['amounts are sent as numbers', '216'],
    ['the provider knows of it only later, and is sent it again', '217'],
    ['its callback was signed six minutes ago', '218'],
  ])('%s', async (_, scenario) => {
    const payer = await server.payer()
    const payment = await settled(payer, (await payAs(payer, scenario)).id)
    expect(payment).toMatchObject({ status: 'PAID', amount: 5, deposit: { state: 'succeeded' } })
    expect(await openedFor(payer)).toEqual(isOpen)
    expect(newsOf(payment)).toBe(
      'Paiement confirmé. 5,00\u00a0$US reçus par M‑Pesa. Votre abonnement est actif.',
    )
    const entries = await server.db
      .selectFrom('audit_entry')
      .select('action')
      .where('entity', '=', 'payments')
      .where('entity_id', '=', payment.id)
      .orderBy('id')
      .execute()
    expect(entries.map(({ action }) => action)).toEqual(['create', 'confirm'])
  })
})

describe.concurrent('a failed deposit opens nothing, and its payer reads why and what to do', () => {
  test.each([
    [
      'the account’s limit is reached',
      '019',
      'PAYER_LIMIT_REACHED',
      'La limite de votre compte mobile money est atteinte. Réessayez demain',
    ],
    [
      'the number has no account',
      '029',
      'PAYER_NOT_FOUND',
      'Ce numéro n’a pas de compte chez cet opérateur. Vérifiez le numéro',
    ],
    [
      'nobody approves it',
      '039',
      'PAYMENT_NOT_APPROVED',
      'Le paiement n’a pas été validé sur le téléphone. Réessayez',
    ],
    [
      'the balance is too low',
      '049',
      'INSUFFICIENT_BALANCE',
      'Le solde du compte ne suffit pas. Rechargez-le',
    ],
    [
      'the provider says no reason',
      '069',
      'UNSPECIFIED_FAILURE',
      'L’opérateur n’a pas pu faire le paiement. Réessayez',
    ],
    [
      'the operator is away (REJECTED with 200)',
      '206',
      'PROVIDER_TEMPORARILY_UNAVAILABLE',
      'L’opérateur est indisponible pour le moment. Réessayez dans quelques minutes',
    ],
    [
      'the amount is out of its bounds (REJECTED with 200)',
      '215',
      'AMOUNT_OUT_OF_BOUNDS',
      'L’opérateur n’accepte pas ce montant. Choisissez un autre opérateur',
    ],
  ])('%s', async (_, scenario, code, words) => {
    const payer = await server.payer()
    const payment = await settled(payer, (await payAs(payer, scenario)).id)
    expect(payment).toMatchObject({
      status: 'FAILED',
      subscriptionId: null,
      deposit: { state: 'failed', failure: { code } },
    })
    expect(await openedFor(payer)).toEqual(isShut)
    expect(newsOf(payment)).toContain(`Le paiement n’a pas abouti. ${words}`)
  })
})

const toVerify = async ({ userId }: Payment) => {
  const { body } = await (await server.as('admin')).get(`/api/payments?toVerify=true&userId=${userId}`)
  return (body as { pagination: { total: number } }).pagination.total
}
const mailsAbout = async ({ id }: Payment) => (await mailsAboutPayment(server, id)).length
async function decide({ id }: Payment, status: string): Promise<number> {
  return (await (await server.as('admin')).put(`/api/payments/${id}/status`, { status })).status
}

describe('a contradiction waits for the team, and opens nothing', () => {
  test.each([
    ['another amount', '208', 'PAID'],
    ['another currency', '209', 'FAILED'],
  ])('%s', async (_, scenario, decision) => {
    const payer = await server.payer()
    const { id } = await payAs(payer, scenario)
    await expect.poll(() => stateOf(payer, id)).toBe('review')
    const payment = await readPayment(payer, id)
    expect(payment).toMatchObject({
      status: 'PENDING',
      subscriptionId: null,
      deposit: { failure: { code: 'AMOUNT_MISMATCH' } },
    })
    expect(await openedFor(payer)).toEqual(isShut)
    expect(newsOf(payment)).toBe(
      'Toujours en attente. L’opérateur annonce un autre montant que le vôtre. Notre équipe vérifie votre paiement et vous répond par e-mail.',
    )
    // The team gets a mail, and sees the payment in its list.
    expect([await mailsAbout(payment), await toVerify(payment)]).toEqual([1, 1])
    // After the team's decision the deposit is closed, whatever the provider repeats.
    expect(await decide(payment, decision)).toBe(200)
    await settle(payment, completed)
    expect(await openedFor(payer)).toEqual(decision === 'PAID' ? isOpen : isShut)
    expect([await mailsAbout(payment), await toVerify(payment)]).toEqual([1, 0])
    expect(newsOf(await readPayment(payer, id))).toContain(
      decision === 'PAID'
        ? 'Votre abonnement est actif.'
        : 'Notre équipe a vérifié ce paiement\u00a0: il n’a pas abouti.',
    )
  })

  test('a refusal caused by our own request is reported to the team as well, once', async () => {
    const payer = await server.payer()
    const payment = await payAs(payer, '129')
    for (let time = 0; time < 2; time++) await settle(payment, { kind: 'failed', code: 'REFUSED' })
    const failed = await readPayment(payer, payment.id)
    expect(failed.status).toBe('FAILED')
    expect(newsOf(failed)).toContain('Vous n’avez pas été débité\u202f; notre équipe est prévenue.')
    expect([await mailsAbout(payment), await toVerify(payment)]).toEqual([1, 0])
  })

  test('an outcome that contradicts the one before waits until the team confirms the failure', async () => {
    const payer = await server.payer()
    const payment = await payAs(payer, '039')
    expect((await settled(payer, payment.id)).status).toBe('FAILED')
    await settle(payment, completed)
    const doubtful = await readPayment(payer, payment.id)
    expect(doubtful).toMatchObject({ status: 'FAILED', deposit: { state: 'review' } })
    expect(newsOf(doubtful)).toContain('L’opérateur annonce deux issues pour ce paiement.')
    expect(await openedFor(payer)).toEqual(isShut)
    expect([await mailsAbout(payment), await toVerify(payment)]).toEqual([1, 1])
    expect(await decide(payment, 'FAILED')).toBe(200)
    await settle(payment, completed)
    expect(await readPayment(payer, payment.id)).toMatchObject({
      status: 'FAILED',
      deposit: { state: 'failed' },
    })
    expect([await mailsAbout(payment), await toVerify(payment)]).toEqual([1, 0])
  })

  test('a failed payment that the team marked as paid has no failure any more, whatever is reported later', async () => {
    const payer = await server.payer()
    const payment = await payAs(payer, '039')
    expect((await settled(payer, payment.id)).deposit?.failure).toBeTruthy()
    expect(await decide(payment, 'PAID')).toBe(200)
    const decided = { status: 'PAID', deposit: { state: 'succeeded', failure: null } }
    expect(await readPayment(payer, payment.id)).toMatchObject(decided)
    for (const news of [completed, { ...completed, amount: '50' }]) {
      await settle(payment, news)
      expect(await readPayment(payer, payment.id)).toMatchObject(decided)
    }
    expect(await openedFor(payer)).toEqual(isOpen)
    expect([await mailsAbout(payment), await toVerify(payment)]).toEqual([0, 0])
  })

  test('a failure that comes after the money changes nothing', async () => {
    const payer = await server.payer()
    const payment = await settled(payer, (await payAs(payer, '789')).id)
    await settle(payment, { kind: 'failed', code: 'PAYMENT_NOT_APPROVED' })
    expect(await readPayment(payer, payment.id)).toEqual(payment)
    expect(await openedFor(payer)).toEqual(isOpen)
  })
})

describe('as time passes', () => {
  test('a provider that fails without taking the deposit: it counts as not sent after a quarter of an hour', async () => {
    const payer = await server.payer()
    const payment = await payAs(payer, '211')
    await expect.poll(() => restsAfter(payment, 0)).toBe(true)
    expect(newsOf(await readPayment(payer, payment.id))).toContain('Envoi de la demande à M‑Pesa…')
    travelledMs += 16 * minuteMs
    const failed = await settled(payer, payment.id)
    expect(failed).toMatchObject({ status: 'FAILED', deposit: { failure: { code: 'NOT_SENT' } } })
    expect(newsOf(failed)).toContain('Vous n’avez pas été débité\u00a0: réessayez.')
    expect(await openedFor(payer)).toEqual(isShut)
    // The money arrived after all: received money is never denied.
    await settle(payment, completed)
    expect(await readPayment(payer, payment.id)).toMatchObject({
      status: 'PAID',
      deposit: { state: 'succeeded', failure: null },
    })
    expect(await openedFor(payer)).toEqual(isOpen)
  })

  test('without any answer a payment waits, is passed to the team after a day, and still opens its subscription later', async () => {
    const payer = await server.payer()
    const payment = await payAs(payer, '129')
    await expect.poll(() => stateOf(payer, payment.id)).toBe('pending')
    const asked = await readPayment(payer, payment.id)
    expect(newsOf(asked)).toBe(
      'Validez sur votre téléphone. M‑Pesa demande votre code PIN au +243813456129 pour 5,00\u00a0$US.',
    )
    expect(newsOf(asked, 4 * minuteMs)).toBe(
      'Toujours en attente. M‑Pesa n’a pas encore répondu. Vous pouvez fermer cette page\u00a0: si le paiement de 5,00\u00a0$US aboutit, votre abonnement s’ouvre de lui-même.',
    )
    const before = await attemptsOf(payment)
    travelledMs += 20 * minuteMs
    await expect.poll(() => attemptsOf(payment)).toBeGreaterThan(before)
    expect(await stateOf(payer, payment.id)).toBe('pending')
    travelledMs += 25 * 60 * minuteMs
    await expect.poll(() => stateOf(payer, payment.id)).toBe('unverified')
    const silent = await readPayment(payer, payment.id)
    expect(silent.status).toBe('PENDING')
    expect(newsOf(silent)).toContain('M‑Pesa n’a rien répondu depuis un jour. Notre équipe le vérifie')
    expect(await openedFor(payer)).toEqual(isShut)
    await settle(payment, { kind: 'open' })
    expect([await mailsAbout(payment), await toVerify(payment)]).toEqual([1, 1])
    await settle(payment, completed)
    await settle(payment, completed)
    expect((await readPayment(payer, payment.id)).status).toBe('PAID')
    expect(await openedFor(payer)).toEqual(isOpen)
    expect(await toVerify(payment)).toBe(0)
  })

  test('money that arrives after the prolonged subscription has expired opens a period from then on', async () => {
    const payer = await server.payer()
    const first = await settled(payer, (await payAs(payer, '789')).id)
    const late = await payAs(payer, '129')
    await expect.poll(() => stateOf(payer, late.id)).toBe('pending')
    travelledMs += 40 * 24 * 60 * minuteMs
    expect((await payer.get('/api/brands')).status).toBe(402)
    await settle(late, completed)
    const [newer, older] = await subscriptionsOf(payer)
    expect([older?.id, newer?.id]).toEqual([
      first.subscriptionId,
      (await readPayment(payer, late.id)).subscriptionId,
    ])
    expect(Math.abs(Date.parse(newer!.startDate) - clock().getTime())).toBeLessThan(minuteMs)
    expect((await payer.get('/api/brands')).status).toBe(200)
  })
})

/** Returns whether the provider was asked, and no request is under way. */
const restsAfter = async (payment: Payment, attempts: number) => {
  const { rows } = await server.pool.query(
    `select attempts > $2 and next_check_at < $3::timestamptz + interval '50 seconds' as rests
       from deposit where payment_id = $1`,
    [payment.id, attempts, clock()],
  )
  return rows[0].rests
}

test('a provider that is down: the payment waits, and nothing is lost', async () => {
  const payer = await server.payer()
  await server.simulator.http.close()
  const payment = await payAs(payer, '789')
  await expect.poll(() => attemptsOf(payment)).toBeGreaterThan(0)
  const waiting = await readPayment(payer, payment.id)
  expect(waiting).toMatchObject({ status: 'PENDING', deposit: { state: 'created' } })
  expect(newsOf(waiting)).toContain('Gardez votre téléphone à portée de main.')
  expect(newsOf(waiting, 4 * minuteMs)).toContain('Vous pouvez fermer cette page')
  expect(await openedFor(payer)).toEqual(isShut)
})
