import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createHttp } from '#server/http/app.ts'
import { createApi } from '#server/http/endpoint.ts'
import { healthRoute } from '#server/http/health.ts'
import { type Admission, createAdmission } from '#server/http/overload.ts'
import { createLog } from '#server/log.ts'
import { createQuotas } from '#server/session/quotas.ts'
import { defineEndpoint } from '#shared/contract.ts'
import { testDatabase } from '../support/database.ts'
import { narrowLimits } from '../support/limits.ts'
import { byConnection, load, openAdmission } from '../support/load.ts'
import { client } from '../support/server.ts'

narrowLimits()

// Twelve at once, a quarter of a second each: a capacity of 48 a second, however fast the machine is.
const workMs = 250
const capacity = (12 * 1000) / workMs

const work = defineEndpoint({
  method: 'GET',
  path: '/api/work',
  right: 'session',
  summary: 'Work of the database',
  description: 'Pour essayer.',
  response: z.object({ done: z.boolean() }),
})

async function serve(admission: Admission): Promise<string> {
  const { db } = await testDatabase()
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
  api.on(work, async () => {
    await sql`select pg_sleep(${workMs / 1000})`.execute(db)
    return { done: true }
  })
  return http.listen({ port: 0, host: '127.0.0.1' })
}

const seconds = 4
const overload = (url: string) =>
  load({ url: `${url}/api/work`, token: null, rate: 10 * capacity, connections: 300, seconds })

test('at ten times its capacity the server does nearly as much work as ever, and refuses the rest at once with Retry-After', async () => {
  const url = await serve(createAdmission())
  const visitor = client(url, null, null)
  const overloading = overload(url)
  const states: number[] = []
  const watching = new AbortController()
  const watch = (async () => {
    while (!watching.signal.aborted) {
      states.push((await visitor.get('/api/health')).status)
    }
  })()
  const report = await overloading
  watching.abort()
  await watch
  expect(Object.keys(report.answers)).toEqual(['200', '503'])
  expect(report.unanswered).toBe(0)
  expect(report.answers['200']?.count).toBeGreaterThan(0.8 * capacity * seconds)
  expect(report.answers['503']?.msMedian).toBeLessThan(100)
  expect(report.answers['200']?.msP99).toBeLessThan(5_000)
  // The health check is answered throughout.
  expect(states.filter((status) => status !== 200)).toEqual([])

  const refused = await Promise.all(Array.from({ length: 150 }, () => visitor.get('/api/work')))
  const [refusal] = refused.filter(({ status }) => status === 503)
  expect(refusal?.headers.get('retry-after')).toBe('1')
  expect(refusal?.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(refusal?.body).toMatchObject({
    message: expect.any(String),
    error: 'Service indisponible',
    errors: [],
  })
  expect((await visitor.get('/api/work')).status).toBe(200)
})

test('control: a server that admits every request makes most clients wait for nothing', async () => {
  const url = await serve(openAdmission)
  const { answers } = await overload(url)
  expect(answers['503']?.msMedian ?? Number.POSITIVE_INFINITY).toBeGreaterThan(1_000)
})
