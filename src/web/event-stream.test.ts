import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followEvents, pauseMs, readEvents, type StreamEvent, type StreamStatus } from '#web/event-stream.ts'

const address = { method: 'GET', path: '/api/things/live' } as const
const frame = (id: string) => `event: change\nid: ${id}\ndata: {"n":"${id}"}\n\n`
const event = (id: string) => ({ event: 'change', id, data: { n: id } })

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('navigator', { onLine: true })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Follows a server that gives each connection the next of these responses, then none. */
async function follow(answers: (() => Response)[]) {
  const ids: (string | null)[] = []
  vi.stubGlobal('fetch', async (_url: string, { headers, signal }: RequestInit) => {
    ids.push(new Headers(headers).get('last-event-id'))
    const answer = answers.shift()
    if (answer) return answer()
    return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  })
  const heard: StreamEvent[] = []
  const statuses: StreamStatus[] = []
  const leaving = new AbortController()
  const over = followEvents(
    address,
    { id: undefined },
    {
      signal: leaving.signal,
      onEvent: (event) => heard.push(event),
      onStatus: (status) => statuses.push(status),
    },
  )
  await vi.advanceTimersByTimeAsync(30_000)
  return { ids, heard, statuses, over, leave: () => leaving.abort() }
}

test('events are read completely, however the network cuts them, and heartbeats are skipped', async () => {
  const text = `${frame('é')}:\n\n${frame('2')}event: change\nid: 3`
  const bytes = new TextEncoder().encode(text)
  for (let size = 1; size < 9; size++) {
    const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.slice(index * size, (index + 1) * size),
    )
    const read: StreamEvent[] = []
    for await (const each of readEvents(answerIn(parts), () => {})) read.push(each)
    expect(read).toEqual([event('é'), event('2')])
  }
})

function answerIn(parts: Uint8Array<ArrayBuffer>[]): Response {
  return new Response(
    new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(part)
        controller.close()
      },
    }),
  )
}

test('after a cut the next connection sends the id of the last event', async () => {
  const { ids, heard, statuses, leave, over } = await follow([
    () => new Response(frame('1') + frame('2')),
    () => Response.error(),
    () => new Response(frame('3')),
  ])
  expect(ids).toEqual([null, '2', '2', '3'])
  expect(heard).toEqual([event('1'), event('2'), event('3')])
  expect(statuses).toContain('lost')
  leave()
  await over
})

test('a server that lost its notifications is not live until it says so', async () => {
  const cut = 'event: cut\nid: 1\ndata: {}\n\n'
  const { heard, statuses, leave, over } = await follow([
    () => new Response(frame('1') + cut + frame('2')),
    () => new Response(frame('3')),
  ])
  expect(heard).toEqual([event('1'), event('2'), event('3')])
  expect(statuses.slice(0, 3)).toEqual(['live', 'lost', 'live'])
  leave()
  await over
})

test('a refusal is final', async () => {
  const { ids, statuses, over } = await follow([() => new Response('{}', { status: 403 })])
  await over
  expect([ids, statuses]).toEqual([[null], ['refused']])
})

test('without a network no request is sent until it is back', async () => {
  vi.stubGlobal('navigator', { onLine: false })
  const { ids, statuses, leave, over } = await follow([])
  expect([ids, new Set(statuses)]).toEqual([[], new Set(['lost'])])
  vi.stubGlobal('navigator', { onLine: true })
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(ids).toEqual([null])
  leave()
  await over
})

test('pauses grow to a minute, and are random', () => {
  expect([1, 2, 3, 10, 2_000].map((failures) => pauseMs(failures, 1))).toEqual([
    1000, 2000, 4000, 60_000, 60_000,
  ])
  expect(pauseMs(1, 0)).toBe(500)
})
