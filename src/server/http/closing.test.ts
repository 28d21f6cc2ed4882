import { once } from 'node:events'
import { Agent, type IncomingMessage, request as open } from 'node:http'
import { text } from 'node:stream/consumers'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { type Closing, createClosing } from '#server/http/closing.ts'
import { createAdmission, sheddingServer } from '#server/http/overload.ts'
import { createLog } from '#server/log.ts'
import { stopUnderWriters } from '../../../tests/support/stops.ts'

// The bench stops twenty servers.
test('ten writers without pause see no connection reset while servers stop, only our refusals', async () => {
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

test('a response under way when the server stops is complete, and announces that its connection closes', async () => {
  const closing = createClosing()
  const http = Fastify({ serverFactory: servedBy(closing), forceCloseConnections: 'idle' })
  const { promise: isHeard, resolve: hear } = Promise.withResolvers<void>()
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>()
  http.addHook('preClose', async () => {
    const isBegun = closing.begin()
    answer()
    await isBegun
  })
  http.get('/', async () => {
    hear()
    await mayAnswer
    return { isWhole: true }
  })
  const { port } = new URL(await http.listen({ port: 0, host: '127.0.0.1' }))
  const agent = new Agent({ keepAlive: true })
  const asked = open({ port, host: '127.0.0.1', path: '/', agent }).end()
  const answered = once(asked, 'response') as Promise<[IncomingMessage]>
  await isHeard
  const closed = http.close()
  const [response] = await answered
  expect(response.headers.connection).toBe('close')
  expect(await text(response)).toBe('{"isWhole":true}')
  await closed
  agent.destroy()
})

test('a file being sent delays a stop by seconds, however long it would take', async () => {
  const closing = createClosing(200)
  const http = Fastify({ serverFactory: servedBy(closing), forceCloseConnections: 'idle' })
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

function servedBy(closing: Closing) {
  const patience = { usual: 60_000, slow: 60_000, mayBeSlow: () => true }
  const limits = { patience, connectionTimeout: 60_000, keepAliveTimeout: 60_000 }
  const log = createLog('silent')
  const server = { closing, log, headers: {}, callerOf: () => undefined, trustedProxies: 0, ...limits }
  return sheddingServer(createAdmission(), server)
}
