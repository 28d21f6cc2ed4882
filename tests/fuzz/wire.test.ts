import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../support/database.ts'
import { tries } from '../support/length.ts'
import { endsSession } from './fuzz.ts'
import { requestsTo } from './requests.ts'
import { bytesOf, damaged, damages, send } from './wire.ts'
import { fuzzWorld } from './world.ts'

test('truncated, damaged and wrongly framed requests are refused or dropped, and other clients are not affected', async () => {
  const database = await testDatabase()
  const world = await fuzzWorld(database)
  onTestFinished(world.close)
  const url = await world.http.listen({ port: 0, host: '127.0.0.1' })
  const port = Number(new URL(url).port)
  const one = fc.tuple(requestsTo(world.operations), damages)
  const answered = new Set<number>()
  await fc.assert(
    fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 20, size: 'max' }), async (together) => {
      const answers = together.map(async ([request, damage]) => {
        const session = await world.sessionOf(request.by, endsSession(request))
        return send(port, damaged(bytesOf(request, session?.access ?? null), damage), damage)
      })
      const statuses = (await Promise.all(answers)).flat()
      for (const status of statuses) answered.add(status)
      expect(statuses.filter((status) => status >= 500)).toEqual([])
      expect((await fetch(`${url}/api/health`)).status).toBe(200)
    }),
    { seed: 20_260_101, numRuns: tries(80, 500) },
  )
  // Some requests did get through.
  expect([...answered]).toEqual(expect.arrayContaining([200, 201, 400, 401, 403, 404]))
  // Disconnected clients hold no connection of the pool.
  const { pool } = database
  await expect.poll(() => [pool.waitingCount, pool.totalCount - pool.idleCount]).toEqual([0, 0])
})
