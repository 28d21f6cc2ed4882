import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import type { MobileMoney } from '#features/payments/mobile-money.rules.ts'
import { buildApp } from '#main/app.ts'
import { createLog } from '#server/log.ts'
import { ledgerDrift, livePayments, paymentLife } from '../../tests/support/payment-model.ts'
import { sendTogether } from '../../tests/support/same-requests.ts'
import { insertAccount, openSession } from '../../tests/support/server.ts'
import type { Measure } from '../measure.ts'
import { noViews } from './no-views.ts'
import { type PrivatePostgres, withPostgres } from './private-postgres.ts'

const sequences = 10_000
const rounds = 1_000
const atOnce = 20
// Decisions are measured here, and not the disk.
const relaxed = { fsync: 'off', synchronous_commit: 'off' }

type Paying = PrivatePostgres & {
  time: { now: Date }
  plans: { monthly: number; yearly: number }
  /** Sends a request with this token; retries when the gate of a busy machine asks to. */
  ask(token: string, request: InjectOptions): Promise<{ status: number; text: string }>
}

/** Runs the application on a private database, with a provider that accepts every deposit. */
function withApplication<T>(work: (paying: Paying) => Promise<T>): Promise<T> {
  return withPostgres(async (postgres) => {
    const { db, connection, dataDir } = postgres
    const time = { now: new Date('2026-01-30T09:00:00Z') }
    const http = await buildApp({
      db,
      connection,
      dataDir,
      publicUrl: null,
      trustedProxies: 0,
      log: createLog('silent'),
      payments: { mobileMoney: [willing], isSimulated: true },
      clock: () => time.now,
      views: noViews(dataDir),
    })
    const insert = async (name: string, billing_period: string) => {
      const plan = { name, price: 7.5, currency: 'USD', billing_period }
      return (await db.insertInto('plan').values(plan).returning('id').executeTakeFirstOrThrow()).id
    }
    const plans = { monthly: await insert('Mois', 'MONTHLY'), yearly: await insert('An', 'YEARLY') }
    const ask: Paying['ask'] = async (token, request) => {
      const headers = { ...request.headers, authorization: `Bearer ${token}` }
      const { statusCode, body } = await http.inject({ ...request, headers })
      return statusCode === 503 ? ask(token, request) : { status: statusCode, text: body }
    }
    try {
      return await work({ ...postgres, time, plans, ask })
    } finally {
      await http.close()
    }
  }, relaxed)
}

const willing: MobileMoney = {
  name: 'pawapay',
  listMethods: async () => [
    { operator: 'MPESA', currency: 'USD', minAmount: '1', maxAmount: '2500', decimals: 2, isOpen: true },
  ],
  initiate: async () => ({ kind: 'accepted' }),
  getStatus: async () => ({ kind: 'open' }),
  parseCallback: async () => ({ kind: 'unreadable' }),
  callbackPath: '/webhooks/pawapay',
}

/**
 * Runs random sequences of announcements by the provider and of administrators' decisions, and compares the results
 * with a model.
 */
export function manyLives(): Promise<Measure[]> {
  return withApplication(async ({ db, time, plans, ask }) => {
    const access = await openSession(db, await insertAccount(db, { roles: ['admin'] }))
    const setStatus = async (id: number, status: string) =>
      (await ask(access, { method: 'PUT', url: `/api/payments/${id}/status`, payload: { status } })).status
    const property = fc.asyncProperty(paymentLife, (events) =>
      livePayments({ db, time, plans, setStatus }, events),
    )
    const found = await fc.check(property, { numRuns: sequences, seed: 1, endOnFailure: true })
    if (found.failed) console.error(found.errorInstance)
    const drift = await ledgerDrift(db)
    return [
      { what: 'random sequences of payments', value: found.numRuns, unit: 'sequences', atLeast: sequences },
      {
        what: 'that differ from a second account',
        value: found.failed ? 1 : 0,
        unit: 'sequences',
        atMost: 0,
      },
      { what: 'drift of the ledger (USD)', value: drift, unit: 'USD', atMost: 0, atLeast: 0 },
    ]
  })
}

/** Sends each request that moves money twenty times at once under one key. */
export function equalRequests(): Promise<Measure[]> {
  return withApplication(async ({ db, plans, ask }) => {
    const [adminId, userId] = [
      await insertAccount(db, { roles: ['admin'] }),
      await insertAccount(db, { roles: ['user'], isVerified: true }),
    ]
    const [admin, payer] = [await openSession(db, adminId), await openSession(db, userId)]
    const period = { startDate: '2026-01-01', endDate: '2026-02-01' }
    const { id: subscriptionId } = await db
      .insertInto('subscription')
      .values({
        user_id: userId,
        plan_id: plans.monthly,
        start_date: period.startDate,
        end_date: period.endDate,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const sent = {
      checkout: (round: number) => ({
        planId: plans.monthly,
        method: 'MOBILE_MONEY',
        phone: `081${String(3_000_000 + round)}`,
      }),
      payments: () => ({ subscriptionId, amount: 5, paymentMethod: 'CASH' }),
      subscriptions: () => ({ userId, planId: plans.monthly, ...period, status: 'ACTIVE' }),
    }
    const post =
      (path: string, token: string, bodyOf: (round: number) => object) => (key: string, round: number) =>
        ask(token, {
          method: 'POST',
          url: path,
          headers: { 'idempotency-key': path + key },
          payload: bodyOf(round),
        })
    const countAll = async () => {
      const [payments, subscriptions] = await Promise.all(
        (['payment', 'subscription'] as const).map((table) =>
          db
            .selectFrom(table)
            .select((e) => e.fn.countAll<number>().as('count'))
            .executeTakeFirstOrThrow(),
        ),
      )
      return (payments?.count ?? 0) + (subscriptions?.count ?? 0)
    }
    const before = await countAll()
    let strays = 0
    for (const send of [
      post('/api/payments/checkout', payer, sent.checkout),
      post('/api/payments', admin, sent.payments),
      post('/api/subscriptions', admin, sent.subscriptions),
    ]) {
      strays += await sendTogether(send, { rounds, times: atOnce })
    }
    const effects = (await countAll()) - before
    return [
      { what: 'requests that move money, each sent 20 times at once', value: 3 * rounds, unit: 'requests' },
      { what: 'effects of them', value: effects, unit: 'effects', atLeast: 3 * rounds, atMost: 3 * rounds },
      { what: 'not answered 201 alike', value: strays, unit: 'requests', atMost: 0 },
    ]
  })
}
