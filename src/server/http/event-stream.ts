import type { FeedReader } from '#server/feed.ts'

const beatEveryMs = 25_000

export type EventStreamOptions = {
  feed: FeedReader
  /** Id of the last event received, when the reader reconnects: `Last-Event-ID`. */
  lastId: string | undefined
  /** Ends the stream. */
  signal: AbortSignal
  /** Whether the reader still has the right to the stream; checked every 25 s and when `onRightsChange` notifies. */
  isAllowed: () => Promise<boolean>
  onRightsChange: (tell: () => void) => () => void
  /** Position in the database's log that is after all events sent (`positionHeader`); absent where it is not needed. */
  positionNow?: (() => Promise<string>) | undefined
}

/**
 * Sends a feed as server-sent events: `ready` when no later event will be missed; `change` for each event; `resync`
 * when events were missed and the reader must request everything again; `cut` when the database is lost, followed by a
 * `resync` when it is back. `position`, sent before changes, is the position in the database's log that a read must
 * include. `ready` gives the time without changes (`quietForMs`), which tells a reader whether earlier data is current.
 */
export async function* eventStream(options: EventStreamOptions): AsyncGenerator<string, void> {
  const { feed, lastId, signal, isAllowed, positionNow } = options
  let woken = Promise.withResolvers<void>()
  let isCheckDue = false
  let isBeatDue = false
  const wake = () => woken.resolve()
  const check = () => {
    isCheckDue = true
    wake()
  }
  const beat = setInterval(() => {
    isBeatDue = true
    check()
  }, beatEveryMs)
  const leave = [feed.subscribe(wake), options.onRightsChange(check), () => clearInterval(beat)]
  signal.addEventListener('abort', wake)
  async function* reached(lastTold: string) {
    // The position is unknown while the database is unavailable; a `resync` follows.
    const position = await positionNow?.().catch(() => null)
    if (position) yield frame('position', lastTold, JSON.stringify(position))
  }
  try {
    const resumed = lastId === undefined ? undefined : feed.after(lastId)
    let { position, id } = feed.now()
    if (lastId !== undefined) yield* reached(lastId)
    if (lastId !== undefined && resumed === undefined) yield frame('resync', id, '{}')
    else yield frame('ready', lastId ?? id, JSON.stringify({ quietForMs: feed.quietForMs() }))
    position = resumed ?? position

    let wasConnected = true
    while (!signal.aborted) {
      if (isCheckDue) {
        isCheckDue = false
        if (!(await isAllowed())) return
      }
      const events = feed.since(position)
      if (events === undefined) {
        ;({ position, id } = feed.now())
        yield* reached(id)
        yield frame('resync', id, '{}')
        continue
      }
      position += events.length
      if (events.length > 0) yield* reached(id)
      for (const event of events) {
        id = event.id
        yield frame('change', id, event.data)
      }
      const isConnected = feed.isConnected()
      if (wasConnected && !isConnected) yield frame('cut', id, '{}')
      wasConnected = isConnected
      if (isBeatDue) {
        isBeatDue = false
        yield ':\n\n'
      }
      await woken.promise
      woken = Promise.withResolvers()
    }
  } finally {
    for (const each of leave) each()
  }
}

// Neither ids nor JSON contain a line feed.
function frame(event: string, id: string, data: string): string {
  return `event: ${event}\nid: ${id}\ndata: ${data}\n\n`
}
