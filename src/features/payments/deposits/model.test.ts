import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tries } from '../../../../tests/support/length.ts'
import { ledgerDrift, livePayments, paymentLife } from '../../../../tests/support/payment-model.ts'
import { insertPlan } from '../../../../tests/support/payments.ts'
import { testServer } from '../../../../tests/support/server.ts'

const time = { now: new Date('2026-01-30T09:00:00Z') }
const server = await testServer({ clock: () => time.now })
const admin = await server.as('admin')
const dependencies = {
  db: server.db,
  time,
  plans: {
    monthly: await insertPlan(server.db),
    yearly: await insertPlan(server.db, { billing_period: 'YEARLY' }),
  },
  setStatus: async (id: number, status: string) =>
    (await admin.put(`/api/payments/${id}/status`, { status })).status,
}

test('whatever a provider and administrators decide, each payment equals that of a plain model', async () => {
  await fc.assert(
    fc.asyncProperty(paymentLife, (events) => livePayments(dependencies, events)),
    { numRuns: tries(50, 500), seed: 20_261_122 },
  )
  expect(await ledgerDrift(server.db)).toBe(0)
})

test('a status reported as written that was not is a difference', async () => {
  const twice: typeof dependencies = { ...dependencies, setStatus: async () => 200 }
  const events = [
    { kind: 'checkout', isYearly: false },
    { kind: 'decided', of: 0, status: 'PAID' },
  ] as const
  await expect(livePayments(twice, events)).rejects.toThrow('expected')
})
