import { once } from 'node:events'
import { request as open } from 'node:http'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { createClosing } from '#server/http/closing.ts'
import { createAdmission, sheddingServer } from '#server/http/overload.ts'
import { createLog } from '#server/log.ts'
import { stopUnderWriters } from '../../../tests/support/stops.ts'

// The bench does twenty.
test('ten writers who never pause see no connection reset while servers stop, and refusals of ours', async () => {
  const refused = await stopUnderWriters(5)
  expect(refused.length).toBeGreaterThan(0)
  for (const outcome of refused) {
    expect(outcome).toMatchObject({
      status: 503,
      type: 'application/json; charset=utf-8',
      retryAfter: '2',
      policy: expect.stringContaining("default-src 'none'"),
      body: expect.stringMatching(/redémarre.*"requestId":"[0-9a-f-]{36}"/),
    })
  }
})

test('a file that is still being sent holds up a stop for seconds, however long it may take', async () => {
  const admission = createAdmission()
  const closing = createClosing(200)
  const patience = { usual: 60_000, slow: 60_000, mayBeSlow: () => true }
  const limits = { patience, connectionTimeout: 60_000, keepAliveTimeout: 60_000 }
  const log = createLog('silent')
  const server = { closing, log, headers: {}, callerOf: () => undefined, trustedProxies: 0, ...limits }
  const http = Fastify({ serverFactory: sheddingServer(admission, server), forceCloseConnections: 'idle' })
  http.addHook('preClose', closing.begin)
  const { promise: isHeard, resolve: hear } = Promise.withResolvers<void>()
  http.addHook('onRequest', async () => hear())
  http.post('/', async () => 'entier')
  const { port } = new URL(await http.listen({ port: 0, host: '127.0.0.1' }))
  const headers = { 'content-type': 'application/json', 'content-length': '1000' }
  const form = open({ port, host: '127.0.0.1', method: 'POST', headers })
  const isCut = once(form, 'error')
  form.write('{"note":')
  await isHeard
  await http.close()
  await isCut
})
