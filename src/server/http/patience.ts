import type { IncomingMessage, ServerResponse } from 'node:http'

/** Time limits (ms) for receiving a request. */
export type ReceiveTimeLimits = {
  usual: number
  /** For slow uploads, such as a large file on a rural connection. An idle connection is closed long before. */
  slow: number
  mayBeSlow: (path: string) => boolean
}

/**
 * Closes the connection of a client that takes too long to send a request. Node has only one limit for all requests.
 */
export function endWhenTooSlow(
  request: IncomingMessage,
  response: ServerResponse,
  { usual, slow, mayBeSlow }: ReceiveTimeLimits,
): void {
  if (request.headers['content-length'] === undefined && !request.headers['transfer-encoding']) return
  const end = () => {
    if (!request.complete) request.socket.destroy()
  }
  let timer = setTimeout(end, mayBeSlow(request.url ?? '') ? slow : usual).unref()
  // After a refusal, the rest of the request is not read.
  response.once('finish', () => {
    clearTimeout(timer)
    if (!request.complete) timer = setTimeout(end, usual).unref()
  })
  request.once('close', () => clearTimeout(timer))
}
