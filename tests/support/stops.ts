// Servers that are stopped while writers send requests without pause.

import { Agent, request as open } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { createHttp } from '#server/http/app.ts'
import { createAdmission } from '#server/http/overload.ts'
import { createLog } from '#server/log.ts'

/** A response, or the code of the error that broke the connection. */
export type Outcome =
  | { status: number; type: string; retryAfter: string; policy: string; body: string }
  | string

/** @returns the outcomes other than 200 that ten writers got over `stops` stops */
export async function stopUnderWriters(stops: number): Promise<Outcome[]> {
  const refused: Outcome[] = []
  for (let stop = 0; stop < stops; stop++) {
    const { http, port } = await serve()
    const writers = Promise.all(Array.from({ length: 10 }, () => write(port)))
    while ((await connections(http.server)) < 10) await sleep(5)
    await http.close()
    refused.push(...(await writers).flat())
  }
  return refused
}

async function serve() {
  const admission = createAdmission()
  const http = await createHttp({ log: createLog('silent'), publicUrl: null, trustedProxies: 0, admission })
  http.post('/api/notes', { config: { right: 'public' } }, async () => ({ written: true }))
  const { port } = new URL(await http.listen({ port: 0, host: '127.0.0.1' }))
  return { http, port }
}

/** Writes on a kept-alive connection until no server listens; returns each outcome other than 200. */
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

function connections(server: {
  getConnections(tell: (error: Error | null, count: number) => void): unknown
}) {
  return new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))
}
