// The events of all processes in one order, remembered for a while for readers that were cut off.

import { randomUUID } from 'node:crypto'
import type { Listener } from '#server/db/listener.ts'
import type { Log } from '#server/log.ts'

/** `id` is the same in every process; `data` is JSON. */
export type FeedEvent = { id: string; data: string }

/** A place between two events: how many have passed in this process. */
export type Position = number

/** What one reads a feed with. */
export type FeedReader = {
  /** Now, with the id that stands for it. */
  now(): { position: Position; id: string }
  /** The place just after an event; undefined when this process does not remember it. */
  after(id: string): Position | undefined
  /** What has come since; undefined when this process missed some of it: notifications were lost, or it is long ago. */
  since(position: Position): readonly FeedEvent[] | undefined
  /** False while the database is away: nothing is heard, whatever happens. */
  isHearing(): boolean
  /** Milliseconds since the last event, or since nothing can have been missed. */
  quietForMs(): number
  /** @returns what to call to hear no more */
  onNews(tell: () => void): () => void
}

export type Feed<Change> = FeedReader & {
  /** Tells every process of what has been committed. Returns at once; events of the same moment go together. */
  tell(change: Change): void
  /** Sends what has not been sent yet. */
  close(): Promise<void>
}

const mostKept = 500
const pendingMs = 50

/**
 * A feed of changes over a channel of PostgreSQL. A reader holds a position, not a queue: a slow reader costs
 * nothing, and one too slow learns that he missed something.
 *
 * @param send notifies the channel
 * @param merge makes one of two changes, small enough for a notification
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
  // The place before the first that is remembered, and the id that stands for it.
  let start: Position = 0
  let startId: string = randomUUID()
  let lastAt = performance.now()
  let pending: Change | undefined
  const readers = new Set<() => void>()

  function tellReaders(): void {
    for (const tell of readers) tell()
  }

  function wake(): void {
    lastAt = performance.now()
    tellReaders()
  }

  listener.hear(channel, {
    // Nobody knows what was notified meanwhile: every position before is out of reach.
    onConnect() {
      start += events.length + 1
      startId = randomUUID()
      events.length = 0
      wake()
    },
    onCut: tellReaders,
    onNotification(payload) {
      events.push(readFeedMessage(payload))
      if (events.length > mostKept) {
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
      // Readers see the change when they ask again; a database out of reach makes them all ask when it is back.
      log.warn({ err: error, channel }, 'a change was not told')
    }
  }

  return {
    tell(change) {
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
    isHearing: listener.isConnected,
    quietForMs: () => Math.round(performance.now() - lastAt),
    onNews(tell) {
      readers.add(tell)
      return () => readers.delete(tell)
    },
    close: sendPending,
  }
}

/** What is notified of a change: also for who tells it in the transaction that makes it, as a long one may. */
export function feedMessage(change: unknown): string {
  return `${randomUUID()} ${JSON.stringify(change)}`
}

function readFeedMessage(payload: string): FeedEvent {
  const space = payload.indexOf(' ')
  return { id: payload.slice(0, space), data: payload.slice(space + 1) }
}
