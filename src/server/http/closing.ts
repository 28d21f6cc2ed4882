import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { AppError } from '#server/errors.ts'

// Closing starts once no request has come for this long (ms).
const quietMs = 100
// Maximum wait (ms) for that pause, because some clients keep sending requests on new connections.
const longestNoticeMs = 1_000
// Maximum wait (ms) while a response has not begun: its client sends its next request right after it.
const longestAnswerMs = 2_000
// Maximum time (ms) to receive the rest of requests; a slow sender could otherwise delay the stop indefinitely.
const longestSendingMs = 5_000

/**
 * Graceful stop of a server: it holds new requests until the port no longer accepts connections, then refuses them;
 * it then closes idle connections, and last the connections of clients that are still sending.
 */
export type Closing = {
  /** Tracks the connections of a server, to close them when it stops. */
  follow(server: Server): void
  /**
   * Refuses a request once the server is stopping, by calling `answer` at once or when the port is closed.
   *
   * @returns false while the server is not stopping
   */
  refuse(response: ServerResponse, answer: (refusal: AppError) => void): boolean
  /** Resolves when the server may be closed. */
  begin(): Promise<void>
}

export function createClosing(sendingMs = longestSendingMs): Closing {
  const connections = new Map<Socket, { requests: number; idleSince: number }>()
  const sending = new Set<IncomingMessage>()
  const answering = new Set<ServerResponse>()
  const held: (() => void)[] = []
  let state: 'open' | 'closing' | 'closed' = 'open'
  let askedAt = 0

  // A connection idle for less than `quietMs` may be about to send a request: its last response announced no close.
  function letGo(): void {
    const latest = performance.now() - quietMs
    for (const [socket, { requests, idleSince }] of connections) {
      if (requests === 0 && idleSince <= latest) socket.destroy()
    }
  }

  function endSending(): void {
    for (const request of sending) if (!request.complete) request.socket.destroy()
  }

  return {
    follow(server) {
      server.on('connection', (socket) => {
        connections.set(socket, { requests: 0, idleSince: performance.now() })
        socket.once('close', () => connections.delete(socket))
      })
      server.on('request', (request, response) => {
        const connection = connections.get(request.socket)
        if (connection) connection.requests += 1
        sending.add(request)
        request.once('close', () => sending.delete(request))
        answering.add(response)
        response.once('close', () => {
          answering.delete(response)
          if (!connection) return
          connection.requests -= 1
          connection.idleSince = performance.now()
        })
      })
      // Node and Fastify call this at once when they close.
      server.closeIdleConnections = letGo
      const close = server.close.bind(server)
      server.close = (done) => {
        close(done)
        state = 'closed'
        for (const answer of held.splice(0)) answer()
        // A kept-alive connection would delay the end of the process until its timeout.
        setInterval(letGo, 50).unref()
        setTimeout(endSending, sendingMs).unref()
        return server
      }
    },
    refuse(response, answer) {
      if (state === 'open') return false
      askedAt = performance.now()
      response.shouldKeepAlive = false
      answering.delete(response)
      const refuse = () => answer(restarting())
      if (state === 'closed') refuse()
      else held.push(refuse)
      return true
    },
    async begin() {
      state = 'closing'
      const begunAt = performance.now()
      askedAt = begunAt
      // The next request of these clients needs a new connection, which is refused with a message or not opened.
      for (const response of answering) if (!response.headersSent) response.shouldKeepAlive = false
      const isOver = (now: number) => {
        const longestMs = [...answering].some(({ headersSent }) => !headersSent)
          ? longestAnswerMs
          : longestNoticeMs
        const isQuiet = longestMs === longestNoticeMs && now - askedAt > quietMs
        return isQuiet || now - begunAt > longestMs
      }
      while (connections.size > 0 && !isOver(performance.now())) {
        await sleep(20)
        // On a busy machine, requests that arrived during the pause are handled only in this turn.
        await turn()
      }
    },
  }
}

const restarting = () =>
  new AppError('unavailable', 'Le service redémarre. Réessayez dans quelques secondes.', { retryAfterS: 2 })
