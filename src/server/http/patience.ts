import type { IncomingMessage, ServerResponse } from 'node:http'

/** How long (ms) a request may take to be sent. */
export type Patience = {
  usual: number
  /** For what may be slow: a large file from the countryside. Silence ends it long before. */
  slow: number
  mayBeSlow: (path: string) => boolean
}

/** Ends the connection of a client that takes too long to send what it has begun: Node itself knows one limit for all. */
export function endWhenTooSlow(
  request: IncomingMessage,
  response: ServerResponse,
  { usual, slow, mayBeSlow }: Patience,
): void {
  if (request.headers['content-length'] === undefined && !request.headers['transfer-encoding']) return
  const end = () => {
    if (!request.complete) request.socket.destroy()
  }
  let timer = setTimeout(end, mayBeSlow(request.url ?? '') ? slow : usual).unref()
  // A client that has its refusal has nothing more to send that anybody reads.
  response.once('finish', () => {
    clearTimeout(timer)
    if (!request.complete) timer = setTimeout(end, usual).unref()
  })
  request.once('close', () => clearTimeout(timer))
}
