import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSimulator, type Simulator } from '#features/payment-simulator/simulator.routes.ts'
import type { Db } from '#server/db/pool.ts'
import { freePort, onDatabase, startServer } from '../tests/support/kill-trial.ts'
import { strayAmounts } from '../tests/support/money-texts.ts'
import { insertAccount, openSession } from '../tests/support/server.ts'
import type { Measure } from './measure.ts'
import { killedFollowers } from './support/killed-followers.ts'
import { equalRequests, manyLives } from './support/payment-lives.ts'

export const title = 'Paying by mobile money while the provider errs and the server is killed'

const perSecond = 50
const seconds = 60
const killsAt = [15, 30, 45]
const token = 'secret'
/** Numbers of payers: half succeed; in the other half, each failure is equally frequent. */
const plain = '789'
const faulty = [
  '019',
  '029',
  '039',
  '049',
  '069',
  '129',
  '201',
  '202',
  '203',
  '204',
  '205',
  '206',
  '207',
  '208',
  '209',
  '210',
  '211',
  '212',
  '213',
  '214',
  '215',
  '216',
  '217',
  '218',
]
const longestSettlingMs = 180_000

export async function measure(): Promise<Measure[]> {
  return [
    ...(await underFire()),
    ...(await manyLives()),
    ...(await equalRequests()),
    ...(await killedFollowers()),
    ...writtenAmounts(),
  ]
}

type Buyer = { userId: number; token: string }

async function underFire(): Promise<Measure[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ntalo-bench-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const simulator = createSimulator({ token, endsAfterMs: 500, pace: 0.2 })
  const providerUrl = await simulator.http.listen({ port: 0, host: '127.0.0.1' })
  simulator.tell(`${url}/webhooks/pawapay`)
  const settings = { PAWAPAY_URL: providerUrl, PAWAPAY_TOKEN: token }
  const start = () => startServer(dataDir, port, { settings })
  let server = await start()
  try {
    const total = perSecond * seconds
    const { planId, buyers } = await onDatabase(dataDir, (db) => prepare(db, total))
    const restarts = killsAt.map(async (second) => {
      await sleep(second * 1000)
      await killed(server)
      server = await start()
    })
    const asked = buyers.map(async (buyer, index) => {
      await sleep((index * 1000) / perSecond)
      return pay(url, buyer, planId, scenarioOf(index))
    })
    const accepted = (await Promise.all(asked)).filter((isAccepted) => isAccepted).length
    await Promise.all(restarts)
    const found = await onDatabase(dataDir, (db) => settledBooks(db, simulator))
    return [
      { what: 'payments asked for', value: total, unit: 'payments' },
      { what: 'in a second', value: perSecond, unit: 'payments/s' },
      { what: 'acknowledged to the payer', value: accepted, unit: 'payments', atLeast: total },
      { what: 'times that the server was killed', value: killsAt.length, unit: 'kills' },
      { what: 'collected by the provider', value: found.collected, unit: 'deposits' },
      { what: 'of which paid and open a subscription', value: found.paid, unit: 'payments' },
      { what: 'collected with another amount: in review', value: found.inReview, unit: 'payments' },
      { what: 'collected, and neither', value: found.lost, unit: 'payments', atMost: 0 },
      { what: 'paid and not collected', value: found.invented, unit: 'payments', atMost: 0 },
      {
        what: 'acknowledged twice, or with two subscriptions',
        value: found.doubled,
        unit: 'payments',
        atMost: 0,
      },
      { what: 'difference between the books (USD)', value: found.drift, unit: 'USD', atMost: 0, atLeast: 0 },
    ]
  } finally {
    server.kill('SIGKILL')
    await simulator.http.close()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
  }
}

async function killed(server: ChildProcess): Promise<void> {
  server.kill('SIGKILL')
  await once(server, 'exit')
}

function scenarioOf(index: number): string {
  return index % 2 === 0 ? plain : (faulty[((index - 1) / 2) % faulty.length] ?? plain)
}

async function prepare(db: Db, count: number): Promise<{ planId: number; buyers: Buyer[] }> {
  const plan = { name: 'Essai', price: 5, currency: 'USD' }
  const { id: planId } = await db.insertInto('plan').values(plan).returning('id').executeTakeFirstOrThrow()
  const buyers: Buyer[] = []
  for (let index = 0; index < count; index++) {
    const userId = await insertAccount(db, { roles: ['user'], isVerified: true })
    buyers.push({ userId, token: await openSession(db, userId) })
  }
  return { planId, buyers }
}

/** Retries until it is answered, as a browser does with one idempotency key. */
async function pay(url: string, buyer: Buyer, planId: number, scenario: string): Promise<boolean> {
  const key = randomUUID()
  for (let attempt = 0; attempt < 300; attempt++) {
    const answer = await fetch(`${url}/api/payments/checkout`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${buyer.token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({ planId, method: 'MOBILE_MONEY', phone: `0813456${scenario}` }),
    }).catch(() => null)
    await answer?.arrayBuffer().catch(() => null)
    if (answer?.status === 201) return true
    if (answer && answer.status < 500) throw new Error(`a payment was answered ${answer.status}`)
    await sleep(500)
  }
  return false
}

/** Compares the provider's collections with the database, once none that the provider has ended is still open. */
async function settledBooks(db: Db, simulator: Simulator) {
  const until = Date.now() + longestSettlingMs
  for (;;) {
    const found = await compareBooks(db, simulator)
    if (found.lost === 0 || Date.now() > until) return found
    await sleep(1_000)
  }
}

async function compareBooks(db: Db, simulator: Simulator) {
  const rows = await db
    .selectFrom('payment')
    .innerJoin('deposit', 'deposit.payment_id', 'payment.id')
    .leftJoin('subscription', 'subscription.payment_id', 'payment.id')
    .select([
      'deposit.id',
      'deposit.state',
      'payment.status',
      'payment.user_id',
      'amount',
      'subscription.id as opened',
    ])
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const collected = simulator.books().filter(({ status }) => status === 'COMPLETED')
  const isPaid = (id: string) => byId.get(id)?.status === 'PAID' && byId.get(id)?.opened !== null
  const isReviewed = (id: string) => byId.get(id)?.state === 'review'
  const paid = collected.filter(({ depositId }) => isPaid(depositId))
  const ids = new Set(collected.map(({ depositId }) => depositId))
  const sumPaid = rows
    .filter(({ status }) => status === 'PAID')
    .reduce((sum, { amount }) => sum + Number(amount), 0)
  return {
    collected: collected.length,
    paid: paid.length,
    inReview: collected.filter(({ depositId }) => isReviewed(depositId)).length,
    lost: collected.filter(({ depositId }) => !isPaid(depositId) && !isReviewed(depositId)).length,
    invented: rows.filter(({ id, status }) => status === 'PAID' && !ids.has(id)).length,
    doubled: rows.length - new Set(rows.map((row) => row.user_id)).size,
    drift: sumPaid - paid.reduce((sum, { amount }) => sum + Number(amount), 0),
  }
}

function writtenAmounts(): Measure[] {
  const written = 1_000_000
  return [
    { what: 'amounts written in both currencies and read again', value: written, unit: 'amounts' },
    {
      what: 'that came back as another',
      value: strayAmounts(written, 1).length,
      unit: 'amounts',
      atMost: 0,
    },
  ]
}
