import type { Endpoint } from '#shared/contract.ts'
import { type Address, ApiError, open, setReadPosition } from '#web/api.ts'
import { eitherSignal } from '#web/either-signal.ts'

/** One server-sent event; `data` is its parsed JSON. */
export type StreamEvent = { event: string; id: string; data: unknown }

/** `refused`: the server refused the stream, and no retry follows. */
export type StreamStatus = 'live' | 'lost' | 'refused'

// The server sends a heartbeat every 25 s.
const silenceMs = 60_000
const answeredWithinMs = 10_000
const longestPauseMs = 60_000

/**
 * Follows a stream of events and reconnects after a cut with the id of the last event received, so that the server can
 * send what was missed. Resolves when `signal` is aborted or the server refuses.
 *
 * @param last stores the id between calls; `id` is undefined before the first event
 */
export async function followEvents(
  address: Address<Endpoint>,
  last: { id: string | undefined },
  hooks: {
    signal: AbortSignal
    /** `isFirst`: no event had been received before. */
    onEvent: (event: StreamEvent, isFirst: boolean) => void
    onStatus: (status: StreamStatus) => void
  },
): Promise<void> {
  const { signal, onEvent, onStatus } = hooks
  let failures = 0
  while (!signal.aborted) {
    const attempt = new AbortController()
    const cut = () => attempt.abort()
    window.addEventListener('offline', cut)
    const slow = setTimeout(() => onStatus('lost'), answeredWithinMs)
    try {
      if (!navigator.onLine) throw new Error('there is no network to ask')
      const response = await open(address, {
        ...(last.id !== undefined && { headers: { 'last-event-id': last.id } }),
        signal: eitherSignal(signal, attempt.signal),
      })
      clearTimeout(slow)
      for await (const event of readEvents(response, cut)) {
        const isFirst = last.id === undefined
        failures = 0
        last.id = event.id
        // The server is available, but its own source of events is not.
        if (event.event === 'cut') {
          onStatus('lost')
          continue
        }
        onStatus('live')
        if (event.event === 'position') {
          setReadPosition(String(event.data))
          continue
        }
        onEvent(event, isFirst)
      }
    } catch (error) {
      if (signal.aborted) return
      if (isFinal(error)) return onStatus('refused')
      // A stream that just ends may come from a server that is being replaced.
      onStatus('lost')
    } finally {
      attempt.abort()
      clearTimeout(slow)
      window.removeEventListener('offline', cut)
    }
    failures += 1
    await pause(pauseMs(failures), signal)
  }
}

/**
 * Returns the delay in ms before the next retry: longer after each failure, and random so that clients of one server do
 * not reconnect at the same time.
 */
export function pauseMs(failures: number, random = Math.random()): number {
  return Math.min(longestPauseMs, 500 * 2 ** failures) * (0.5 + random / 2)
}

/** Parses the events of a response; `giveUp` is called after too long a silence. */
export async function* readEvents(response: Response, giveUp: () => void): AsyncGenerator<StreamEvent, void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (reader) {
    const timer = setTimeout(giveUp, silenceMs)
    const { done, value } = await reader.read().finally(() => clearTimeout(timer))
    if (done) return
    const blocks = (text + value).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => [line.split(':', 1)[0], line.replace(/^\w*: ?/, '')]),
      )
      const [event, id, data] = [fields.get('event'), fields.get('id'), fields.get('data')]
      // Anything else is a heartbeat.
      if (event && id && data) yield { event, id, data: JSON.parse(data) }
    }
  }
}

function isFinal(error: unknown): boolean {
  return error instanceof ApiError && [401, 402, 403, 404].includes(error.status)
}

/** Waits; ends early when the network is back. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      window.removeEventListener('online', end)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    window.addEventListener('online', end)
    signal.addEventListener('abort', end)
  })
}
