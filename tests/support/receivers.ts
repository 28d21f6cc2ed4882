import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Reach } from '#server/webhooks/reach.ts'

/** Allows requests to this machine, for tests. */
export const here: Reach = { allows: (address) => address === '127.0.0.1', protocols: ['http:'] }

export type Received = { headers: IncomingHttpHeaders; body: string }

/** Starts a server that receives messages until the test ends. @param answer responds to one message */
export async function receiver(answer: (response: ServerResponse, received: Received) => void) {
  const messages: Received[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const received = { headers: request.headers, body }
    messages.push(received)
    answer(response, received)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/ntalo`, messages }
}

export const taken = (response: ServerResponse) => void response.writeHead(204).end()
