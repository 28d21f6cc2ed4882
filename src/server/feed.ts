// The events of all processes in one order. The latest are held in memory for readers that reconnect.

import { randomUUID } from 'node:crypto'
import type { Listener } from '#server/db/listener.ts'
import type { Log } from '#server/log.ts'

/** `id` is the same in every process; `data` is JSON. */
export type FeedEvent = { id: string; data: string }

/** A position between two events: the number of events before it in this process. */
export type Position = number

/** The reading side of a feed. */
export type FeedReader = {
  /** Current position, with the id of the last event before it. */
  now(): { position: Position; id: string }
  /** Position just after an event; undefined when this process no longer holds it in memory. */
  after(id: string): Position | undefined
  /** Events after a position; undefined when some are missing: notifications were lost, or the position is too old. */
  since(position: Position): readonly FeedEvent[] | undefined
  /** False while the connection to the database is lost: no event is received. */
  isConnected(): boolean
  /** Milliseconds since the last event or the last (re)connection, whichever is later. */
  quietForMs(): number
  /** Calls `notify` on new events and when the connection is lost or made. @returns a function that unsubscribes */
  subscribe(notify: () => void): () => void
}

export type Feed<Change> = FeedReader & {
  /** Publishes a committed change to every process. Returns at once; changes within 50 ms are merged. */
  publish(change: Change): void
  /** Sends the pending change, if any. */
  close(): Promise<void>
}

const mostEvents = 500
const pendingMs = 50

/**
 * Creates a feed of changes over a PostgreSQL channel. A reader holds a position, not a queue: a slow reader uses no
 * memory, and one that falls too far behind is told that it missed events.
 *
 * @param send notifies the channel
 * @param merge combines two changes into one, small enough for a notification
 */
export function createFeed<Change>(options: {
  listener: Listener
  channel: string
  send: (payload: string) => Promise<void>
  merge: (one: Change, other: Change) => Change
  log: Log
}): Feed<Change> {
  const { listener, channel, send, merge, log } = options
  const events: FeedEvent[] = []
  // The position before the first event in memory, and its id.
  let start: Position = 0
  let startId: string = randomUUID()
  let lastAt = performance.now()
  let pending: Change | undefined
  const readers = new Set<() => void>()

  function notifyReaders(): void {
    for (const notify of readers) notify()
  }

  function wake(): void {
    lastAt = performance.now()
    notifyReaders()
  }

  listener.subscribe(channel, {
    // Notifications may have been lost while disconnected, so all earlier positions become invalid.
    onConnect() {
      start += events.length + 1
      startId = randomUUID()
      events.length = 0
      wake()
    },
    onDisconnect: notifyReaders,
    onNotification(payload) {
      events.push(readFeedMessage(payload))
      if (events.length > mostEvents) {
        startId = events.shift()?.id ?? startId
        start += 1
      }
      wake()
    },
  })

  async function sendPending(): Promise<void> {
    const change = pending
    pending = undefined
    if (change === undefined) return
    try {
      await send(feedMessage(change))
    } catch (error) {
      // Readers see the change at their next request; after an outage of the database, all of them request again.
      log.warn({ err: error, channel }, 'a change was not published')
    }
  }

  return {
    publish(change) {
      if (pending === undefined) setTimeout(sendPending, pendingMs).unref()
      pending = pending === undefined ? change : merge(pending, change)
    },
    now: () => ({ position: start + events.length, id: events.at(-1)?.id ?? startId }),
    after(id) {
      if (id === startId) return start
      const index = events.findLastIndex((event) => event.id === id)
      return index < 0 ? undefined : start + index + 1
    },
    since: (position) => (position < start ? undefined : events.slice(position - start)),
    isConnected: listener.isConnected,
    quietForMs: () => Math.round(performance.now() - lastAt),
    subscribe(notify) {
      readers.add(notify)
      return () => readers.delete(notify)
    },
    close: sendPending,
  }
}

/** Returns the notification payload of a change. A long transaction may send it itself, when it commits. */
export function feedMessage(change: unknown): string {
  return `${randomUUID()} ${JSON.stringify(change)}`
}

function readFeedMessage(payload: string): FeedEvent {
  const space = payload.indexOf(' ')
  return { id: payload.slice(0, space), data: payload.slice(space + 1) }
}
