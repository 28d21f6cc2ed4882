import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createHttp } from '#server/http/app.ts'
import { createApi } from '#server/http/endpoint.ts'
import { healthRoute } from '#server/http/health.ts'
import { createAdmission, ordinarySlots } from '#server/http/overload.ts'
import { createLog } from '#server/log.ts'
import { createQuotas } from '#server/session/quotas.ts'
import { timeLimits } from '#server/time-limits.ts'
import { defineEndpoint } from '#shared/contract.ts'
import { testDatabase } from './support/database.ts'
import { byConnection } from './support/load.ts'
import { client } from './support/server.ts'

const work = defineEndpoint({
  method: 'GET',
  path: '/api/work',
  right: 'session',
  summary: 'Work that lasts',
  description: 'Pour essayer.',
  response: z.object({ done: z.boolean() }),
})

// With ten times the possible load, measured by the clock: `tests/trials/overload.trial.ts`.
test('a request is refused at once with Retry-After while all places are taken, and health is answered', async () => {
  // No request may wait for a turn.
  Object.assign(timeLimits, { turn: 0, turnInBurst: 0 })
  const { db } = await testDatabase()
  const admission = createAdmission()
  const http = await createHttp({
    log: createLog('silent'),
    publicUrl: null,
    trustedProxies: 0,
    admission,
    callerOf: byConnection.callerOf,
  })
  onTestFinished(async () => http.close())
  const api = createApi(http, {
    authenticate: byConnection.authenticate,
    admission,
    quotas: createQuotas(db, { log: createLog('silent'), inTurn: admission.everyday.run }),
  })
  healthRoute(api, db)
  const end = Promise.withResolvers<void>()
  api.on(work, async () => {
    await end.promise
    return { done: true }
  })
  const visitor = client(await http.listen({ port: 0, host: '127.0.0.1' }), null, null)

  let refused = 0
  const asked = Array.from({ length: 150 }, async () => {
    const answer = await visitor.get('/api/work')
    if (answer.status === 503) refused += 1
    return answer
  })
  await expect.poll(() => refused).toBeGreaterThanOrEqual(150 - ordinarySlots)
  expect((await visitor.get('/api/health')).status).toBe(200)
  end.resolve()
  const answers = await Promise.all(asked)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(150 - refused)
  const refusal = answers.find(({ status }) => status === 503)
  expect(refusal?.headers.get('retry-after')).toBe('1')
  expect(refusal?.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(refusal?.body).toMatchObject({
    message: expect.any(String),
    error: 'Service indisponible',
    errors: [],
  })
  expect((await visitor.get('/api/work')).status).toBe(200)
})
