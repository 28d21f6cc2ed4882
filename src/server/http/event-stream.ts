import type { FeedReader } from '#server/feed.ts'

const beatEveryMs = 25_000

export type EventStreamOptions = {
  feed: FeedReader
  /** The last event that the reader had, when he comes back: `Last-Event-ID`. */
  lastId: string | undefined
  /** Ends the stream. */
  signal: AbortSignal
  /** Asked from time to time, and when `onRightsChange` tells: whether the reader may still have it. */
  isAllowed: () => Promise<boolean>
  onRightsChange: (tell: () => void) => () => void
  /** Everything told of is before this position of the database's log (`positionHeader`); absent where nobody needs it. */
  positionNow?: (() => Promise<string>) | undefined
}

/**
 * A feed as server-sent events: `ready` once what follows is complete, `change` for each event, `resync` where some were
 * missed and the reader must ask for everything again, `cut` while the database is away, whose return is a `resync`.
 * Before changes, `position` tells up to where in the database's log they are to be read.
 * `ready` tells for how long there had been no change (`quietForMs`), from which a reader sees whether what he had asked
 * for before is still true.
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
  const leave = [feed.onNews(wake), options.onRightsChange(check), () => clearInterval(beat)]
  signal.addEventListener('abort', wake)
  async function* reached(lastTold: string) {
    // While the database is away nobody knows: what follows then is a `resync`.
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

    let wasHearing = true
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
      const isHearing = feed.isHearing()
      if (wasHearing && !isHearing) yield frame('cut', id, '{}')
      wasHearing = isHearing
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

// Neither ids nor JSON hold a line feed.
function frame(event: string, id: string, data: string): string {
  return `event: ${event}\nid: ${id}\ndata: ${data}\n\n`
}
