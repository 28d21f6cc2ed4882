import { randomUUID } from 'node:crypto'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createSimulator } from '#features/payment-simulator/simulator.routes.ts'
import { depositTask } from '#features/payments/deposits/deposits.jobs.ts'
import { insertDeposit } from '#features/payments/deposits/deposits.sql.ts'
import { createPawapay } from '#features/payments/pawapay/pawapay.gateway.ts'
import { startJobs } from '#server/jobs/jobs.ts'
import { createLog } from '#server/log.ts'
import { testDatabase } from '../../../../tests/support/database.ts'
import { killWorker, startWorker } from '../../../../tests/support/deposits-worker.ts'
import { insertPlan } from '../../../../tests/support/payments.ts'
import { insertAccount, testDefaults } from '../../../../tests/support/server.ts'
import { untilWaiting } from '../../../../tests/support/waiting.ts'

const token = 'secret'
const log = createLog('silent')
const { db, pool, connection } = await testDatabase()
const planId = await insertPlan(db)
const simulator = createSimulator({ token, endsAfterMs: 30 })
/** Hooks on a request for a deposit, before the provider takes it and before it answers. */
const meets: { taking: () => unknown; answering: () => unknown } = { taking() {}, answering() {} }
simulator.http.addHook('preHandler', async ({ method }) => {
  if (method === 'POST') await meets.taking()
})
simulator.http.addHook('onSend', async ({ method }) => {
  if (method === 'POST') await meets.answering()
})
const url = await simulator.http.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => simulator.http.close())

async function begin(): Promise<{ paymentId: number; depositId: string }> {
  const userId = await insertAccount(db, { roles: ['user'], isVerified: true })
  const depositId = randomUUID()
  const order = {
    userId,
    planId,
    billingPeriod: 'MONTHLY',
    amount: 5,
    currency: 'USD',
    phone: '243813456204',
    operator: 'MPESA',
  } as const
  const paymentId = await db
    .transaction()
    .execute((tx) => insertDeposit(tx, { ...order, depositId }, new Date()))
  return { paymentId, depositId }
}

async function statusOf(paymentId: number): Promise<string> {
  const row = await db
    .selectFrom('payment')
    .select('status')
    .where('id', '=', paymentId)
    .executeTakeFirstOrThrow()
  return row.status
}

async function stateOf(paymentId: number): Promise<string> {
  const row = await db
    .selectFrom('deposit')
    .select('state')
    .where('payment_id', '=', paymentId)
    .executeTakeFirstOrThrow()
  return row.state
}

/** Runs the jobs of other processes, once the lease of the killed one has expired. */
async function goOn(paymentId: number): Promise<void> {
  const others = [1, 2].map(() =>
    startJobs({
      db,
      connection,
      log,
      tasks: [
        depositTask({
          ledger: { db, team: testDefaults.contactTo },
          providers: [createPawapay({ url, token, log })],
          log,
          clock: () => new Date(Date.now() + 61_000),
        }),
      ],
    }),
  )
  try {
    await expect.poll(() => statusOf(paymentId)).toBe('PAID')
  } finally {
    await Promise.all(others.map((other) => other.stop()))
  }
}

async function effectsOf(paymentId: number, depositId: string) {
  const { rows } = await pool.query(
    `select (select count(*) from subscription where payment_id = $1) as subscriptions,
            (select count(*) from audit_entry where entity = 'payments' and entity_id = $1 and action = 'confirm') as entries`,
    [paymentId],
  )
  const collected = simulator.books().filter((each) => each.depositId === depositId).length
  return { ...rows[0], collected }
}

type Step = { paymentId: number; die: () => Promise<void> }
const never = new Promise(() => {})
const steps: [string, (step: Step) => Promise<void>][] = [
  [
    'before the provider has taken it',
    ({ die }) =>
      new Promise((resolve) => {
        meets.taking = async () => {
          meets.taking = () => {}
          await die()
          resolve()
          // A request that a killed process had begun to send never arrives.
          await never
        }
      }),
  ],
  [
    'once the provider has taken it, before it has answered',
    ({ die }) =>
      new Promise((resolve) => {
        meets.answering = async () => {
          meets.answering = () => {}
          await die()
          resolve()
        }
      }),
  ],
  [
    'while it writes down that it is paid, before the commit',
    async ({ paymentId, die }) => {
      await expect.poll(() => stateOf(paymentId), { interval: 10 }).toBe('pending')
      const holder = await pool.connect()
      try {
        await holder.query('begin')
        await holder.query('select from payment where id = $1 for update', [paymentId])
        await untilWaiting(db, 1)
        await die()
      } finally {
        await holder.query('rollback')
        holder.release()
      }
    },
  ],
  [
    'right after the commit',
    async ({ paymentId, die }) => {
      await expect.poll(() => statusOf(paymentId), { interval: 10 }).toBe('PAID')
      await die()
    },
  ],
]

test.each(steps)(
  'after a follower of deposits is killed %s, another process takes over and the deposit is paid once',
  async (_, meet) => {
    const { paymentId, depositId } = await begin()
    const worker = startWorker({ connection, url, token })
    onTestFinished(async () => killWorker(await worker))
    await meet({ paymentId, die: async () => killWorker(await worker) })
    await killWorker(await worker)
    await goOn(paymentId)
    expect(await effectsOf(paymentId, depositId)).toEqual({ subscriptions: 1, entries: 1, collected: 1 })
  },
)
