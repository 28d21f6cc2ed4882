import type { ServerResponse } from 'node:http'
import { finished } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError } from '#server/errors.ts'
import type { Actor } from '#server/http/actor.ts'

/** Limits the number of concurrent long responses. */
export type Streams = {
  /**
   * Admits a long response.
   *
   * @returns a signal that is aborted when the client is gone, the response is over, or the server is stopping
   * @throws AppError 429 when the user has reached their limit, 503 when the process has
   */
  admit(call: { actor: Actor | null; reply: FastifyReply }): AbortSignal
}

/** Default idle time (ms) after which a connection is closed. */
const usualIdleTimeoutMs = 60_000

/** How long (ms) a response that is being ended may take to send its remaining data. */
const drainMs = 1_000

/**
 * Creates the limit of one kind of long response.
 *
 * @param most maximum number of concurrent responses in this process
 * @param mostPerUser maximum number for one user
 * @param idleTimeoutMs idle time of the connection, in both directions, after which it is closed; default a minute
 * @param patienceMs how long open responses may continue when the server is stopping
 * @param refusal message and retry delay (s) for responses beyond the limits
 */
export function createStreams(
  http: FastifyInstance,
  options: {
    most: number
    mostPerUser: number
    patienceMs: number
    idleTimeoutMs?: number
    refusal: { message: string; retryAfterS: number }
  },
): Streams {
  const open = new Map<AbortController, { userId: number; response: ServerResponse }>()

  function end(): void {
    for (const controller of open.keys()) controller.abort()
    setTimeout(() => {
      for (const { response } of open.values()) response.destroy()
    }, drainMs).unref()
  }
  http.addHook('preClose', async () => {
    if (options.patienceMs === 0) end()
    else setTimeout(end, options.patienceMs).unref()
  })

  return {
    admit({ actor, reply }) {
      if (!actor) throw new Error('a long response was declared public')
      const { userId } = actor
      const own = [...open.values()].filter((each) => each.userId === userId).length
      const { message, retryAfterS } = options.refusal
      if (own >= options.mostPerUser) {
        const limit = { name: 'at-once', hits: options.mostPerUser }
        throw new AppError('limited', message, { retryAfterS, limit })
      }
      if (open.size >= options.most) throw new AppError('unavailable', message, { retryAfterS })
      const controller = new AbortController()
      // Node closes idle connections, and resets this timeout after the response. Injected requests have no such
      // socket.
      reply.raw.socket?.setTimeout?.(options.idleTimeoutMs ?? usualIdleTimeoutMs)
      open.set(controller, { userId, response: reply.raw })
      finished(reply.raw, () => {
        open.delete(controller)
        controller.abort()
      })
      return controller.signal
    },
  }
}
