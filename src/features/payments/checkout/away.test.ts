import { expect, test } from 'vitest'
import { createPawapay } from '#features/payments/pawapay/pawapay.gateway.ts'
import { createLog } from '#server/log.ts'
import { problem } from '#shared/contract.ts'
import { insertPlan, pay } from '../../../../tests/support/payments.ts'
import { insertAccount, testServer } from '../../../../tests/support/server.ts'

// No server listens there.
const mobileMoney = createPawapay({ url: 'http://127.0.0.1:1', token: 'x', log: createLog('silent') })
const server = await testServer({ payments: { mobileMoney: [mobileMoney], isSimulated: true } })

test('when the provider is down before its methods were ever read, the payer is asked to come back', async () => {
  const userId = await insertAccount(server.db, { roles: ['user'], isVerified: true })
  const payer = await server.clientOf(userId)
  const answer = await pay(payer, await insertPlan(server.db))
  expect(answer.status).toBe(503)
  expect(problem.parse(answer.body).message).toMatch(/^Le paiement mobile ne répond pas/)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await payer.get('/api/payments/mine')).body).toMatchObject({ payments: [] })
})
