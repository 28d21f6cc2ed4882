// Random histories of subscriptions, each event of which is applied to the application and to a plain model.

import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { hasOpenUpgrade, priceUpgrade } from '#features/payments/checkout/upgrade.sql.ts'
import { settleDeposit } from '#features/payments/deposits/deposits.jobs.ts'
import { insertDeposit } from '#features/payments/deposits/deposits.sql.ts'
import { getSubscriber } from '#features/subscriptions/access.sql.ts'
import { writeCancellation, writeNextPlan } from '#features/subscriptions/changes/changes.sql.ts'
import { dataAccess } from '#features/subscriptions/subscriptions.rules.ts'
import type { Db } from '#server/db/pool.ts'
import { dayMs, hourMs } from '#shared/days.ts'
import { insertPlan } from './payments.ts'
import { insertAccount, testDefaults, testServer } from './server.ts'
import {
  type Bought,
  isBoughtTwice,
  isHeld,
  openBeside,
  openBought,
  quoteUpgrade,
  refundBought,
  resumePaused,
} from './subscription-model.ts'

type LifeEvent =
  | { kind: 'buy' | 'by card' | 'upgrade' | 'upgraded' | 'next plan'; plan: number }
  | { kind: 'paid' | 'failed' | 'refunded'; of: number }
  /** Bought and paid at once, like most renewals; the same for `upgraded`. */
  | { kind: 'renewed'; plan: number }
  /** The team changes the price and the billing period of a plan. */
  | { kind: 'edited'; plan: number }
  | { kind: 'canceled' | 'undone' | 'paused' | 'resumed' }
  | { kind: 'waited'; ms: number }

const plan = fc.nat(2)
// Index from the first, or (negative) from the last.
const of = fc.integer({ min: -3, max: 4 })
const kinds = <Kind extends string>(...names: Kind[]) => fc.constantFrom(...names)

const waited: fc.Arbitrary<LifeEvent> = fc.record({
  kind: kinds('waited'),
  ms: fc.constantFrom(1, hourMs, dayMs, 3 * dayMs, 14 * dayMs, 28 * dayMs, 31 * dayMs, 365 * dayMs),
})

const event: fc.Arbitrary<LifeEvent> = fc.oneof(
  { arbitrary: fc.record({ kind: kinds('renewed'), plan }), weight: 4 },
  {
    arbitrary: fc.record({
      kind: kinds('buy', 'by card', 'upgrade', 'upgraded', 'upgraded', 'upgraded', 'next plan'),
      plan,
    }),
    weight: 8,
  },
  { arbitrary: fc.record({ kind: kinds('paid', 'paid', 'paid', 'failed', 'refunded'), of }), weight: 8 },
  { arbitrary: fc.record({ kind: kinds('edited'), plan }), weight: 1 },
  { arbitrary: fc.record({ kind: kinds('canceled', 'undone', 'paused', 'resumed') }), weight: 4 },
  { arbitrary: waited, weight: 5 },
)

/** Paused, paid meanwhile, and paused again: two pauses of different moments end together. */
const pausedTwice: fc.Arbitrary<LifeEvent[]> = fc
  .tuple(plan, waited, waited)
  .map(([bought, first, then]) => [
    { kind: 'paused' },
    first,
    { kind: 'renewed', plan: bought },
    { kind: 'paused' },
    then,
    { kind: 'resumed' },
  ])

/** First moments of histories: ends of months, leap days, midnights of Kinshasa, and any moment of four years. */
const birth = fc.oneof(
  fc.constantFrom(
    ...['2024-01-31T10:00:00Z', '2024-02-28T23:30:00Z', '2024-02-29T12:00:00Z', '2025-01-30T22:59:59.999Z'],
    ...['2025-02-28T23:00:00Z', '2025-12-31T23:00:00Z', '2027-02-27T23:00:00Z', '2028-02-29T00:00:00Z'],
  ),
  fc
    .integer({ min: 0, max: 4 * 365 * 24 })
    .map((hour) => new Date(1_704_067_200_000 + hour * hourMs).toISOString()),
)

/** One subscriber: first moment, and events. */
const subscriptionLife = fc.record({
  birth,
  events: fc
    .array(event, { minLength: 4, maxLength: 16 })
    .chain((events) =>
      fc
        .tuple(waited, fc.option(pausedTwice, { freq: 2 }))
        .map(([wait, end]): LifeEvent[] => [{ kind: 'renewed', plan: 0 }, wait, ...events, ...(end ?? [])]),
    ),
})

export type LifeWorld = {
  db: Db
  planIds: readonly number[]
  time: { now: Date }
  /** Signs in another administrator: a session expires while thousands of histories run. */
  signIn(): Promise<void>
  /** Refunds as an administrator. @returns the status of the response */
  refund(paymentId: number): Promise<number>
  pause(subscriptionId: number): Promise<number>
  resume(subscriptionId: number): Promise<number>
}

/** Starts a server with three plans, whose clock is the one of the history. */
export async function lifeWorld(): Promise<LifeWorld> {
  const time = { now: new Date() }
  const server = await testServer({ clock: () => time.now })
  let admin = await server.as('admin')
  const { db } = server
  const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status
  return {
    db,
    time,
    planIds: [await insertPlan(db), await insertPlan(db), await insertPlan(db)],
    async signIn() {
      admin = await server.as('admin')
    },
    refund: (id) =>
      statusOf(admin.put(`/api/payments/${id}/status`, { status: 'REFUNDED', reason: 'Erreur' })),
    pause: (id) => statusOf(admin.post(`/api/subscriptions/${id}/pause`, { reason: 'Voyage' })),
    resume: (id) => statusOf(admin.post(`/api/subscriptions/${id}/resume`)),
  }
}

/** Runs `lives` histories drawn with a seed. @returns their number, and the difference of the books in cents */
export async function liveMany(
  world: LifeWorld,
  { seed, lives }: { seed: number; lives: number },
): Promise<{ lives: number; drift: number }> {
  const found = { lives: 0, drift: 0 }
  const upgrades = { paid: 0, refunded: 0 }
  await world.signIn()
  await fc.assert(
    fc.asyncProperty(subscriptionLife, async (life) => {
      const { drift, bought } = await liveSubscription(world, life)
      found.drift += Math.abs(drift)
      for (const { credit, status } of bought) {
        if (credit > 0 && status === 'PAID') upgrades.paid += 1
        if (credit > 0 && status === 'REFUNDED') upgrades.refunded += 1
      }
      found.lives += 1
    }),
    { numRuns: lives, seed },
  )
  // Histories without upgrades would test little.
  if (upgrades.paid < lives / 10 || upgrades.refunded < lives / 60) {
    throw new Error(`only ${JSON.stringify(upgrades)} upgrades in ${lives} lives`)
  }
  return found
}

type Terms = { price: number; months: number }

/**
 * Runs one history, and compares each payment, each period, and the access at every moment that matters with a plain
 * model.
 *
 * @returns the cents that the books have as paid minus those of the model; and what was bought
 * @throws Error at the first difference
 */
export async function liveSubscription(
  world: LifeWorld,
  life: { birth: string; events: readonly LifeEvent[] },
): Promise<{ drift: number; bought: readonly Bought[] }> {
  const { db, planIds, time } = world
  time.now = new Date(life.birth)
  const plans: Terms[] = [
    { price: 500, months: 1 },
    { price: 2000, months: 1 },
    { price: 5000, months: 12 },
  ]
  for (const [index, terms] of plans.entries()) await editPlan(db, planIds[index] ?? 0, terms)
  const userId = await insertAccount(db, { roles: ['user'], isVerified: true })
  await sql`update app_user set created_at = '2020-01-01' where id = ${userId}`.execute(db)
  const all: Bought[] = []
  const now = () => time.now.getTime()
  const held = () => all.filter(({ period }) => period && isHeld(period, now()))

  const buy = async (index: number, upgraded: { from: Bought; credit: number } | null, isByCard = false) => {
    const { price, months } = plans[index]!
    const credit = upgraded?.credit ?? 0
    const depositId = randomUUID()
    const planId = planIds[index]!
    const replaces = upgraded && {
      subscriptionId: await periodOf(db, upgraded.from.id),
      credit: credit / 100,
    }
    const id = await db.transaction().execute((tx) =>
      insertDeposit(
        tx,
        {
          userId,
          planId,
          depositId,
          amount: (price - credit) / 100,
          currency: 'USD',
          billingPeriod: months === 12 ? 'YEARLY' : 'MONTHLY',
          ...(isByCard ? { phone: null, operator: null } : { phone: '243813456789', operator: 'MPESA' }),
          replaces: replaces ?? undefined,
        },
        time.now,
      ),
    )
    const bought: Bought = {
      id,
      depositId,
      planId,
      months,
      amount: price - credit,
      credit,
      status: 'PENDING',
      isReviewed: false,
      replaces: upgraded?.from ?? null,
      period: null,
      isByCard,
      isGivenUp: false,
      openWith: openBeside(all, planId),
    }
    all.push(bought)
    return bought
  }
  const say = async (bought: Bought, isPaid: boolean) => {
    const amount = (bought.amount / 100).toFixed(2)
    const news = isPaid
      ? ({ kind: 'completed', amount, currency: 'USD', reference: null } as const)
      : ({ kind: 'failed', code: bought.isByCard ? 'CARD_CANCELLED' : 'INSUFFICIENT_BALANCE' } as const)
    await settleDeposit({ db, team: testDefaults.contactTo }, bought.depositId, news, time.now)
    const mayStillBe = bought.status === 'PENDING' || (bought.status === 'FAILED' && bought.isGivenUp)
    if (!mayStillBe || bought.isReviewed) return
    if (!isPaid) {
      bought.status = 'FAILED'
      bought.isGivenUp = bought.isByCard
    } else if (isBoughtTwice(bought, all)) bought.isReviewed = true
    else openBought(bought, all, now())
  }

  for (const each of life.events) {
    const chosen = 'of' in each ? all.at(each.of % all.length) : undefined
    switch (each.kind) {
      case 'waited':
        time.now = new Date(now() + each.ms)
        break
      case 'edited': {
        const terms = plans[each.plan]!
        plans[each.plan] = { price: terms.price + 700, months: terms.months === 12 ? 1 : 12 }
        await editPlan(db, planIds[each.plan]!, plans[each.plan]!)
        break
      }
      case 'buy':
        await buy(each.plan, null)
        break
      case 'by card':
        await buy(each.plan, null, true)
        break
      case 'renewed':
        await say(await buy(each.plan, null), true)
        break
      case 'upgrade':
      case 'upgraded': {
        const expected = quoteUpgrade(all, planIds[each.plan]!, plans[each.plan]!.price, now())
        const price = { price: plans[each.plan]!.price / 100, currency: 'USD' as const }
        const asked = { userId, planId: planIds[each.plan]!, price, cdfPerUsd: null }
        const found = await priceUpgrade(db, asked, time.now)
        const cents = found && Math.round(found.credit * 100)
        if (cents !== expected?.credit) throw new Error(`a credit of ${cents}, not ${expected?.credit}`)
        if (!found || !expected) break
        const isWaiting = all.some(
          ({ replaces, status }) => replaces === expected.from && status === 'PENDING',
        )
        if ((await hasOpenUpgrade(db, found.subscriptionId)) !== isWaiting)
          throw new Error('an upgrade that waits')
        if (isWaiting) break
        const bought = await buy(each.plan, expected)
        if (each.kind === 'upgraded') await say(bought, true)
        break
      }
      case 'paid':
        if (chosen) await say(chosen, true)
        break
      case 'failed':
        if (chosen) await say(chosen, false)
        break
      case 'refunded': {
        if (!chosen) break
        const isCredited = all.some(
          ({ replaces, status }) => replaces === chosen && (status === 'PENDING' || status === 'PAID'),
        )
        const isAllowed = chosen.status === 'REFUNDED' || (chosen.status === 'PAID' && !isCredited)
        const answer = await world.refund(chosen.id)
        if ((answer === 200) !== isAllowed) throw new Error(`a refund was answered ${answer}`)
        if (isAllowed) refundBought(chosen, all, now())
        break
      }
      case 'canceled':
      case 'undone': {
        const given = each.kind === 'canceled' ? ({ reason: 'PRICE', note: null } as const) : null
        await db.transaction().execute((tx) => writeCancellation(tx, userId, given, time.now))
        for (const { period } of held()) if (period) period.isCanceled = given !== null
        break
      }
      case 'next plan':
        await db.transaction().execute((tx) => writeNextPlan(tx, userId, planIds[each.plan]!, time.now))
        break
      case 'paused': {
        const running = held().filter(({ period }) => period?.status === 'ACTIVE')
        const any = all.find(({ period }) => period)
        if (!any) break
        const isRefused =
          running.length === 0 || all.some(({ replaces, status }) => replaces && status === 'PENDING')
        const answer = await world.pause(await periodOf(db, any.id))
        if ((answer === 200) === isRefused) throw new Error(`a pause was answered ${answer}`)
        if (!isRefused)
          for (const { period } of running) Object.assign(period!, { status: 'PAUSED', pausedAt: now() })
        break
      }
      case 'resumed': {
        const paused = all.filter(({ period }) => period?.status === 'PAUSED')
        const any = all.find(({ period }) => period)
        if (!any) break
        const answer = await world.resume(await periodOf(db, any.id))
        if ((answer === 200) !== paused.length > 0) throw new Error(`a resumption was answered ${answer}`)
        resumePaused(paused, all, now())
      }
    }
    await compare(db, userId, all, time.now)
  }
  const { rows } = await sql<{ paid: string }>`
    select coalesce(sum(amount) * 100, 0)::bigint as paid from payment where user_id = ${userId} and status = 'PAID'`.execute(
    db,
  )
  const paid = all.filter(({ status }) => status === 'PAID').reduce((sum, { amount }) => sum + amount, 0)
  return { drift: Number(rows[0]?.paid) - paid, bought: all }
}

async function editPlan(db: Db, id: number, { price, months }: Terms): Promise<void> {
  await db
    .updateTable('plan')
    .set({ price: price / 100, billing_period: months === 12 ? 'YEARLY' : 'MONTHLY' })
    .where('id', '=', id)
    .execute()
}

async function periodOf(db: Db, paymentId: number): Promise<number> {
  const { id } = await db
    .selectFrom('subscription')
    .select('id')
    .where('payment_id', '=', paymentId)
    .executeTakeFirstOrThrow()
  return id
}

async function compare(db: Db, userId: number, all: readonly Bought[], at: Date): Promise<void> {
  const rows = await db
    .selectFrom('payment')
    .leftJoin('subscription', 'subscription.payment_id', 'payment.id')
    .select([
      ...([
        'payment.id',
        'payment.status',
        'start_date',
        'end_date',
        'subscription.status as opened',
      ] as const),
      ...(['paused_at', 'replaced_by', 'canceled_at'] as const),
    ])
    .where('payment.user_id', '=', userId)
    .orderBy('payment.id')
    .execute()
  const found = rows.map((row) => [
    ...[row.id, row.status, row.opened, row.start_date && Date.parse(row.start_date)],
    ...[row.end_date && Date.parse(row.end_date), row.paused_at && Date.parse(row.paused_at)],
    ...[row.replaced_by, row.opened && row.canceled_at !== null],
  ])
  const expected = all.map(({ id, status, period }) => [
    ...[id, status, period?.status ?? null, period?.from ?? null, period?.to ?? null],
    ...[period?.pausedAt ?? null, period?.replacedBy?.id ?? null, period?.isCanceled ?? null],
  ])
  if (JSON.stringify(found) !== JSON.stringify(expected)) {
    throw new Error(`expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`)
  }
  const facts = await getSubscriber(db, userId, at)
  const edges = all.flatMap(({ period }) => (period ? [period.from, period.to] : []))
  const moments = [at.getTime(), ...edges.flatMap((edge) => [edge - 1, edge])].filter(
    (each) => each >= at.getTime(),
  )
  for (const moment of moments) {
    const isOpen = all.some(
      ({ period }) => period?.status === 'ACTIVE' && period.from <= moment && moment < period.to,
    )
    if (dataAccess(facts, new Date(moment)).hasAccess !== isOpen) {
      throw new Error(`access at ${new Date(moment).toISOString()} is not ${isOpen}`)
    }
  }
}
