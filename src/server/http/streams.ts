import type { ServerResponse } from 'node:http'
import { finished } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError } from '#server/errors.ts'
import type { Actor } from '#server/http/actor.ts'

/** Room for answers that last longer than a request should. */
export type Streams = {
  /**
   * Lets an answer begin.
   *
   * @returns aborted once the client is gone, the answer is over, or the server wants to stop
   * @throws AppError 429 when this user has enough of them, 503 when the process has
   */
  admit(call: { actor: Actor | null; reply: FastifyReply }): AbortSignal
}

/** How long (ms) neither side may move before the connection is cut. */
const usualStillMs = 60_000

/** How long (ms) an answer that is being ended may take to send what it still holds. */
const lastWordsMs = 1_000

/**
 * @param most at the same time in this process
 * @param mostPerUser of these, for one user
 * @param stillMs how long nothing of an answer, or of what it is the answer to, may move; a minute
 * @param patienceMs how long those that are open may last when the server wants to stop
 * @param refusal the answer to those for whom there is no room, and when they may try again
 */
export function createStreams(
  http: FastifyInstance,
  options: {
    most: number
    mostPerUser: number
    patienceMs: number
    stillMs?: number
    refusal: { message: string; retryAfterS: number }
  },
): Streams {
  const open = new Map<AbortController, { userId: number; response: ServerResponse }>()

  function end(): void {
    for (const controller of open.keys()) controller.abort()
    setTimeout(() => {
      for (const { response } of open.values()) response.destroy()
    }, lastWordsMs).unref()
  }
  http.addHook('preClose', async () => {
    if (options.patienceMs === 0) end()
    else setTimeout(end, options.patienceMs).unref()
  })

  return {
    admit({ actor, reply }) {
      if (!actor) throw new Error('an answer that lasts was declared public')
      const { userId } = actor
      const own = [...open.values()].filter((each) => each.userId === userId).length
      const { message, retryAfterS } = options.refusal
      if (own >= options.mostPerUser) {
        const limit = { name: 'at-once', hits: options.mostPerUser }
        throw new AppError('limited', message, { retryAfterS, limit })
      }
      if (open.size >= options.most) throw new AppError('unavailable', message, { retryAfterS })
      const controller = new AbortController()
      // Node ends what stands still, and forgets this time with the answer. A request without a network has no such socket.
      reply.raw.socket?.setTimeout?.(options.stillMs ?? usualStillMs)
      open.set(controller, { userId, response: reply.raw })
      finished(reply.raw, () => {
        open.delete(controller)
        controller.abort()
      })
      return controller.signal
    },
  }
}
