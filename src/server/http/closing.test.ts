import { Agent, request as open } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createHttp } from '#server/http/app.ts'
import { createAdmission } from '#server/http/overload.ts'
import { createLog } from '#server/log.ts'

async function serve() {
  const admission = createAdmission()
  const http = await createHttp({ log: createLog('silent'), publicUrl: null, trustedProxies: 0, admission })
  http.post('/api/notes', { config: { right: 'public' } }, async () => ({ written: true }))
  const { port } = new URL(await http.listen({ port: 0, host: '127.0.0.1' }))
  return { http, port }
}

type Outcome = { status: number; type: string; retryAfter: string; policy: string; body: string } | string

/** Writes on a connection that it keeps, until nobody listens any more; tells each other outcome than 200. */
async function write(port: string): Promise<Outcome[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const outcomes: Outcome[] = []
  for (;;) {
    const outcome = await new Promise<Outcome>((resolve) => {
      const headers = { 'content-type': 'application/json' }
      const request = open({ port, host: '127.0.0.1', path: '/api/notes', method: 'POST', agent, headers })
      request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      request.on('response', async (response) => {
        const body = await text(response)
        const { 'content-type': type = '', 'retry-after': retryAfter = '' } = response.headers
        const policy = String(response.headers['content-security-policy'])
        resolve({ status: response.statusCode ?? 0, type, retryAfter, policy, body })
      })
      request.end('{"note":"x"}')
    })
    if (outcome === 'ECONNREFUSED') break
    if (typeof outcome === 'string' || outcome.status !== 200) outcomes.push(outcome)
  }
  agent.destroy()
  return outcomes
}

test('ten writers who never pause see no connection reset while servers stop, and refusals of ours', async () => {
  const refused: Outcome[] = []
  for (let stop = 0; stop < 5; stop++) {
    const { http, port } = await serve()
    const writers = Promise.all(Array.from({ length: 10 }, () => write(port)))
    await expect.poll(() => http.server.listening && connections(http.server)).toBe(10)
    await http.close()
    refused.push(...(await writers).flat())
  }
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

function connections(server: {
  getConnections(tell: (error: Error | null, count: number) => void): unknown
}) {
  return new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))
}
