import { expect, onTestFinished, test } from 'vitest'
import { percentile } from '../bench/measure.ts'
import { searches, type Watched, watchDuring } from './support/attacks.ts'
import { testServer } from './support/server.ts'

const seconds = 2
const server = await testServer()
const neighbour = await server.as('collector')
const paths = ['/api/markets', '/api/categories?limit=10', '/api/auth/me']

function expectUndisturbed({ refused, ms }: Watched): void {
  expect(refused).toEqual([])
  expect(percentile(ms, 0.99)).toBeLessThan(1_000)
}

test('twenty connections of slow searches of one user leave another his answers', async () => {
  const attacker = await server.as('collector')
  // Whatever reads brands waits, and so is as slow as a statement may be.
  const holder = await server.pool.connect()
  onTestFinished(async () => {
    await holder.query('rollback')
    holder.release()
  })
  await holder.query('begin; lock table brand in access exclusive mode')
  expectUndisturbed(await watchDuring(searches(attacker, '/api/brands'), seconds, { neighbour, paths }))
})
