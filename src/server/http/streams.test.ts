import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import Fastify from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createStreams } from './streams.ts'

const refusal = { message: 'Trop de monde.', retryAfterS: 7 }

/** Starts a server whose responses send a first word, then what `goOn` yields. The header `user` names the user. */
async function serve(
  goOn: (signal: AbortSignal) => AsyncIterable<string>,
  limits: { most?: number; mostPerUser?: number; patienceMs?: number; idleTimeoutMs?: number } = {},
) {
  const http = Fastify({ forceCloseConnections: 'idle' })
  const streams = createStreams(http, { most: 10, mostPerUser: 10, patienceMs: 0, refusal, ...limits })
  http.get('/', async (request, reply) => {
    const actor = {
      userId: Number(request.headers.user),
      sessionId: 1,
      key: null,
      limits: { minute: 0, month: 0 },
      name: '',
      permissions: [],
      noAccessReason: null,
    }
    const signal = streams.admit({ actor, reply })
    async function* words() {
      yield 'un'
      yield* goOn(signal)
    }
    return Readable.from(words(), { objectMode: false })
  })
  await http.listen({ port: 0 })
  const { port } = http.server.address() as AddressInfo
  onTestFinished(() => http.close())
  return {
    http,
    ask: (user = 1) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        get({ port, headers: { user }, agent: false }, resolve).on('error', reject)
      }),
  }
}

async function* untilAborted(signal: AbortSignal) {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
  yield ' adieu'
}

// Like an export to a client that does not read.
async function* withoutEnd() {
  for (;;) yield 'x'.repeat(100_000)
}

// One word every 50 ms, in all for longer than the limit without progress.
async function* slowly() {
  for (let word = 0; word < 40; word++) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    yield 'x'
  }
}

describe('long responses', () => {
  test('are limited in total and per user, and a reader who leaves frees a place', async () => {
    const { ask } = await serve(untilAborted, { most: 3, mostPerUser: 2 })
    const [first] = [await ask(1), await ask(1)]
    expect((await ask(1)).statusCode).toBe(429)
    const third = await ask(2)
    expect(third.statusCode).toBe(200)
    const refused = await ask(3)
    expect([refused.statusCode, await text(refused)]).toEqual([503, expect.stringContaining(refusal.message)])

    first?.destroy()
    await expect.poll(async () => (await ask(3)).statusCode).toBe(200)
  })

  test('may send a last event when the server stops', async () => {
    const { http, ask } = await serve(untilAborted)
    const answer = await ask()
    await http.close()
    expect(await text(answer)).toBe('un adieu')
  })

  test('are waited for as long as they may last', async () => {
    async function* quick() {
      await new Promise((resolve) => setImmediate(resolve))
      yield ' deux'
    }
    const { http, ask } = await serve(quick, { patienceMs: 60_000 })
    const answer = await ask()
    await http.close()
    expect(await text(answer)).toBe('un deux')
  })

  test('are cut when they are not read, and free their place', async () => {
    const { ask } = await serve(withoutEnd, { most: 1, idleTimeoutMs: 100 })
    const unread = await ask(1)
    expect((await ask(2)).statusCode).toBe(503)
    await expect.poll(async () => (await ask(2)).statusCode).toBe(200)
    await expect(text(unread)).rejects.toThrow('aborted')
  })

  test('last as long as they are read, however slowly', async () => {
    const { ask } = await serve(slowly, { idleTimeoutMs: 1_500 })
    expect(await text(await ask())).toBe(`un${'x'.repeat(40)}`)
  })

  test('that are not read do not delay a shutdown', async () => {
    const { http, ask } = await serve(withoutEnd)
    const answer = await ask()
    await http.close()
    await expect(text(answer)).rejects.toThrow('aborted')
  })
})
