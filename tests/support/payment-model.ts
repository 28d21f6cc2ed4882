// Random histories of payments, and a second implementation of what each event does: written from the rules of
// product.md and of the provider, without reading the application's code.

import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { settleDeposit } from '#features/payments/deposits/deposits.jobs.ts'
import { insertDeposit } from '#features/payments/deposits/deposits.sql.ts'
import type { Initiated, News } from '#features/payments/mobile-money.rules.ts'
import type { PaymentStatus } from '#features/payments/payments.contract.ts'
import type { Db } from '#server/db/pool.ts'
import { dayMs } from '#shared/days.ts'
import { insertAccount, testDefaults } from './server.ts'

const minuteMs = 60_000
const statuses = ['PENDING', 'PAID', 'FAILED', 'REFUNDED'] as const satisfies readonly PaymentStatus[]

type Said = 'paid' | 'paid another amount' | 'paid in another currency' | 'failed' | 'rejected' | Vague
type Vague = 'accepted' | 'open' | 'not found' | 'unknown'

export type PaymentEvent =
  | { kind: 'checkout'; isYearly: boolean }
  /** The provider announces a status of one of the payments, `times` times at once. */
  | { kind: 'said'; of: number; said: Said; times: number }
  /** An administrator sets the status of one of the payments. */
  | { kind: 'decided'; of: number; status: PaymentStatus }
  /** The team changes the billing period of both plans. */
  | { kind: 'replanned' }
  | { kind: 'waited'; ms: number }

const said = fc.oneof(
  { arbitrary: fc.constant<Said>('paid'), weight: 4 },
  {
    arbitrary: fc.constantFrom<Said>('failed', 'rejected', 'accepted', 'open', 'not found', 'unknown'),
    weight: 6,
  },
  { arbitrary: fc.constantFrom<Said>('paid another amount', 'paid in another currency'), weight: 1 },
)
const of = fc.nat(2)
const event: fc.Arbitrary<PaymentEvent> = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constant('checkout'), isYearly: fc.boolean() }), weight: 2 },
  {
    arbitrary: fc.record({ kind: fc.constant('said'), of, said, times: fc.constantFrom(1, 1, 1, 3) }),
    weight: 8,
  },
  {
    arbitrary: fc.record({ kind: fc.constant('decided'), of, status: fc.constantFrom(...statuses) }),
    weight: 2,
  },
  { arbitrary: fc.constant({ kind: 'replanned' } as const), weight: 1 },
  {
    arbitrary: fc.record({
      kind: fc.constant('waited'),
      ms: fc.constantFrom(minuteMs, 20 * minuteMs, 2 * dayMs, 40 * dayMs),
    }),
    weight: 3,
  },
)

/** Random events of one subscriber's payments; the first payment has begun. */
export const paymentLife: fc.Arbitrary<PaymentEvent[]> = fc
  .array(event, { minLength: 3, maxLength: 14 })
  .map((events) => [{ kind: 'checkout', isYearly: false }, ...events])

export type PaymentWorld = {
  db: Db
  plans: { monthly: number; yearly: number }
  /** Clock of the application. */
  time: { now: Date }
  /** Sets the status as an administrator. @returns the status of the response */
  setStatus(paymentId: number, status: PaymentStatus): Promise<number>
}

const amount = 7.5

type Model = {
  id: number
  depositId: string
  isYearly: boolean
  begunAt: number
  /** Payments of the same plan that could still be paid when this one began. */
  openWith: number[]
  status: PaymentStatus
  /** Final answer of the provider, or what was concluded without one. */
  heard: 'nothing' | 'money' | 'no' | 'never sent' | 'contradiction'
  /** Subscription period that the payment opened. */
  period: { from: number; to: number; isCanceled: boolean } | null
}

/**
 * Applies these events, and compares every status, every period and the sum of what was paid with the model.
 *
 * @throws Error at the first difference
 */
export async function livePayments(world: PaymentWorld, events: readonly PaymentEvent[]): Promise<void> {
  const { db, time } = world
  const userId = await insertAccount(db, { roles: ['user'], isVerified: true })
  const models: Model[] = []
  for (const each of events) {
    if (each.kind === 'waited') time.now = new Date(time.now.getTime() + each.ms)
    if (each.kind === 'replanned') await replan(world)
    if (each.kind === 'checkout') {
      const openWith = models.filter((other) => other.isYearly === each.isYearly && mayBePaid(other))
      models.push({ ...(await begin(world, userId, each.isYearly)), openWith: openWith.map(({ id }) => id) })
    }
    const model = 'of' in each ? models[each.of % models.length] : undefined
    if (!model) continue
    if (each.kind === 'said') {
      const news = wordsOf(each.said)
      await Promise.all(
        Array.from({ length: each.times }, () =>
          settleDeposit({ db, team: testDefaults.contactTo }, model.depositId, news, time.now),
        ),
      )
      hear(model, each.said, time.now.getTime(), models)
    }
    if (each.kind === 'decided') {
      const isAllowed = mayBecome(model.status, each.status)
      const answer = await world.setStatus(model.id, each.status)
      if ((answer === 200) !== isAllowed) {
        throw new Error(`${model.status} to ${each.status} was answered ${answer}`)
      }
      if (isAllowed) become(model, each.status, time.now.getTime(), models)
    }
    await compare(db, userId, models)
  }
}

/** Changes the billing period of both plans; payments already begun have the period they were begun with. */
async function replan({ db, plans }: PaymentWorld): Promise<void> {
  await sql`
    update plan set billing_period = case billing_period when 'YEARLY' then 'MONTHLY' else 'YEARLY' end
     where id in (${plans.monthly}, ${plans.yearly})`.execute(db)
}

async function begin(
  { db, plans, time }: PaymentWorld,
  userId: number,
  isYearly: boolean,
): Promise<Omit<Model, 'openWith'>> {
  const depositId = randomUUID()
  const planId = isYearly ? plans.yearly : plans.monthly
  const billingPeriod = isYearly ? 'YEARLY' : 'MONTHLY'
  const order = {
    planId,
    billingPeriod,
    amount,
    currency: 'USD',
    phone: '243813456789',
    operator: 'MPESA',
  } as const
  const id = await db
    .transaction()
    .execute((tx) => insertDeposit(tx, { ...order, userId, depositId }, time.now))
  const begunAt = time.now.getTime()
  return { id, depositId, isYearly, begunAt, status: 'PENDING', heard: 'nothing', period: null }
}

function wordsOf(words: Said): News | Initiated {
  switch (words) {
    case 'paid':
      return { kind: 'completed', amount: '7.50', currency: 'USD', reference: null }
    case 'paid another amount':
      return { kind: 'completed', amount: '75', currency: 'USD', reference: null }
    case 'paid in another currency':
      return { kind: 'completed', amount: '7.5', currency: 'CDF', reference: null }
    case 'failed':
    case 'rejected':
      return { kind: words, code: 'INSUFFICIENT_BALANCE' }
    case 'unknown':
      return { kind: words, reason: 'no answer' }
    default:
      return { kind: words }
  }
}

function hear(model: Model, words: Said, now: number, all: readonly Model[]): void {
  const isLate = now - model.begunAt >= 15 * minuteMs
  if (words.startsWith('paid')) {
    if (model.heard === 'money' || model.heard === 'contradiction') return
    const isSettled = model.status === 'PAID' || model.status === 'REFUNDED'
    const isTwice =
      !isSettled && all.some((other) => other.status === 'PAID' && wereOpenTogether(model, other))
    const isWrong = words !== 'paid' || model.heard === 'no' || isTwice
    model.heard = isWrong ? 'contradiction' : 'money'
    if (!isWrong && (model.status === 'PENDING' || model.status === 'FAILED')) become(model, 'PAID', now, all)
    return
  }
  if (model.heard !== 'nothing') return
  const isRefused = words === 'failed' || words === 'rejected'
  if (!isRefused && !(words === 'not found' && isLate)) return
  model.heard = isRefused ? 'no' : 'never sent'
  if (model.status === 'PENDING') model.status = 'FAILED'
}

/** Whether the payment may still be paid: no final refusal has arrived. */
function mayBePaid({ status, heard }: Model): boolean {
  return status === 'PENDING' || (status === 'FAILED' && (heard === 'nothing' || heard === 'never sent'))
}

function wereOpenTogether(one: Model, other: Model): boolean {
  return one.openWith.includes(other.id) || other.openWith.includes(one.id)
}

function mayBecome(before: PaymentStatus, after: PaymentStatus): boolean {
  if (before === after) return true
  if (before === 'PAID') return after === 'REFUNDED'
  return before !== 'REFUNDED' && after !== 'REFUNDED'
}

function become(model: Model, status: PaymentStatus, now: number, all: readonly Model[]): void {
  const before = model.status
  model.status = status
  if (status === 'PAID' && before !== 'PAID') {
    const open = all.flatMap(({ period }) =>
      period && !period.isCanceled && period.to > now ? [period.to] : [],
    )
    const from = Math.max(now, ...open)
    model.period = { from, to: later(from, model.isYearly ? 12 : 1), isCanceled: false }
  }
  if (status === 'REFUNDED' && model.period && !model.period.isCanceled) {
    model.period.isCanceled = true
    if (model.period.to > now) closeGap(model.period, now, all)
  }
}

/** Moves the periods that followed directly to an earlier start, one after the other, each with the same length. */
function closeGap(gone: { from: number; to: number }, now: number, all: readonly Model[]): void {
  let [gap, start] = [gone.to, Math.max(now, gone.from)]
  for (;;) {
    const next = all.find(({ period }) => period && !period.isCanceled && period.from === gap)
    if (!next?.period) return
    gap = next.period.to
    next.period = { ...next.period, from: start, to: later(start, next.isYearly ? 12 : 1) }
    start = next.period.to
  }
}

/**
 * Returns the same day and hour in Kinshasa some months later; the last day of that month when it has no such day, or
 * when the first date was the last day of its own month.
 */
export function later(from: number, months: number): number {
  const date = new Date(from + 3_600_000)
  const day = date.getUTCDate()
  const isLast = new Date(date.getTime() + dayMs).getUTCDate() === 1
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(isLast ? lastDay : Math.min(day, lastDay))
  return date.getTime() - 3_600_000
}

async function compare(db: Db, userId: number, models: readonly Model[]): Promise<void> {
  const rows = await db
    .selectFrom('payment')
    .leftJoin('subscription', 'subscription.payment_id', 'payment.id')
    .select(['payment.id', 'payment.status', 'start_date', 'end_date', 'subscription.status as opened'])
    .where('payment.user_id', '=', userId)
    .orderBy('payment.id')
    .execute()
  const found = rows.map(({ id, status, start_date, end_date, opened }) => ({
    id,
    status,
    period:
      start_date && end_date
        ? { from: Date.parse(start_date), to: Date.parse(end_date), isCanceled: opened === 'CANCELED' }
        : null,
  }))
  const expected = models.map(({ id, status, period }) => ({ id, status, period }))
  if (JSON.stringify(found) !== JSON.stringify(expected)) {
    throw new Error(`expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`)
  }
}

/** Returns what the books have as paid minus what they should have: 0 unless money was lost, doubled or invented. */
export async function ledgerDrift(db: Db): Promise<number> {
  const row = await db
    .selectFrom('payment')
    .leftJoin('subscription', 'subscription.payment_id', 'payment.id')
    .select((e) => [
      e.fn.sum<string>('payment.amount').filterWhere('payment.status', '=', 'PAID').as('paid'),
      e.fn.count<string>('subscription.id').filterWhere('subscription.status', '!=', 'CANCELED').as('opened'),
    ])
    .executeTakeFirstOrThrow()
  return Number(row.paid ?? 0) - Number(row.opened) * amount
}
