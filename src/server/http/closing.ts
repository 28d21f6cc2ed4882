import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { AppError } from '#server/errors.ts'

// Nobody new has asked for anything for so long (ms): all those who go on asking wait for our answer.
const quietMs = 100
// Some ask again and again on new connections.
const longestNoticeMs = 1_000
// Who is being answered comes back at once; nobody else is kept waiting for him longer.
const longestAnswerMs = 2_000
// What has not arrived by then (ms) would hold up the stop for as long as its sender pleases.
const longestSendingMs = 5_000

/**
 * How a server stops without cutting anybody short: new requests are refused, but only once nobody can
 * connect any more, so that nobody is just connecting at that moment; then those who are connected are let go, last
 * those who are still sending.
 */
export type Closing = {
  /** The connections of a server are those to let go. */
  follow(server: Server): void
  /**
   * Once the server stops, has a request refused.
   *
   * @returns false until then
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

  // One that was idle a moment ago may be about to bring a request: the last answer on it did not say that it closes.
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
      // Node and Fastify call it at once when they close.
      server.closeIdleConnections = letGo
      const close = server.close.bind(server)
      server.close = (done) => {
        close(done)
        state = 'closed'
        for (const answer of held.splice(0)) answer()
        // A connection kept alive after its last answer would hold the process until its time-out.
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
      // Who is being answered comes back at once: by a new connection, which is refused in words or not opened.
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
        // On a busy machine, requests that have come meanwhile are seen only now.
        await turn()
      }
    },
  }
}

const restarting = () =>
  new AppError('unavailable', 'Le service redémarre. Réessayez dans quelques secondes.', { retryAfterS: 2 })
