import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '#server/errors.ts'

// Nobody new has asked for anything for so long (ms): all those who go on asking wait for our answer.
const quietMs = 100
// Some ask again and again on new connections.
const longestNoticeMs = 1_000
// What has not arrived by then (ms) would hold up the stop for as long as its sender pleases.
const longestSendingMs = 5_000

/**
 * How a server stops without cutting anybody short: whoever asks from now on is refused, but only once nobody can
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
  const connections = new Set<Socket>()
  // Opened ahead of need, as browsers do: Node does not count them among the idle ones.
  const unused = new Set<Socket>()
  const sending = new Set<IncomingMessage>()
  const servers = new Set<Server>()
  const held: (() => void)[] = []
  let state: 'open' | 'closing' | 'closed' = 'open'
  let askedAt = 0

  function letGo(): void {
    for (const server of servers) server.closeIdleConnections()
    for (const socket of unused) socket.destroy()
  }

  function endSending(): void {
    for (const request of sending) if (!request.complete) request.socket.destroy()
  }

  return {
    follow(server) {
      servers.add(server)
      server.on('connection', (socket) => {
        for (const each of [connections, unused]) {
          each.add(socket)
          socket.once('close', () => each.delete(socket))
        }
      })
      server.on('request', (request) => {
        unused.delete(request.socket)
        sending.add(request)
        request.once('close', () => sending.delete(request))
      })
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
      const refuse = () => answer(restarting())
      if (state === 'closed') refuse()
      else held.push(refuse)
      return true
    },
    async begin() {
      state = 'closing'
      const begunAt = performance.now()
      askedAt = begunAt
      const isOver = (now: number) => now - askedAt > quietMs || now - begunAt > longestNoticeMs
      while (connections.size > 0 && !isOver(performance.now())) await sleep(20)
    },
  }
}

const restarting = () =>
  new AppError('unavailable', 'Le service redémarre. Réessayez dans quelques secondes.', { retryAfterS: 2 })
