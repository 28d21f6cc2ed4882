import { followPrices } from '#features/prices/live/live.contract.ts'
import type { FeedReader } from '#server/feed.ts'
import { type Authenticate, isStillAllowed } from '#server/http/actor.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { type EventStreamOptions, eventStream } from '#server/http/event-stream.ts'
import type { Streams } from '#server/http/streams.ts'
import type { Sessions } from '#server/session/sessions.ts'

/**
 * Registers the live stream of prices.
 * @param readers decides whether another reader is admitted
 */
export function livePriceRoutes(
  api: Api,
  options: {
    feed: FeedReader
    readers: Streams
    authenticate: Authenticate
    sessions: Sessions
    /**
     * Returns the current position in the database's log, up to which a reader must have read; absent with a single
     * process.
     */
    positionNow: EventStreamOptions['positionNow']
  },
): void {
  const { feed, readers, authenticate, sessions, positionNow } = options
  api.on(followPrices, async (call) => {
    const { request, reply } = call
    const { userId } = signedIn(call.actor)
    const signal = readers.admit(call)
    const lastId = request.headers['last-event-id']
    // Without this header, a proxy that buffers responses would never forward the events.
    reply.headers({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
    return eventStream({
      feed,
      lastId: typeof lastId === 'string' ? lastId : undefined,
      signal,
      positionNow,
      isAllowed: () => isStillAllowed(() => authenticate(request), followPrices),
      onRightsChange: (tell) => sessions.onChange((changed) => (changed ?? userId) === userId && tell()),
    })
  })
}
