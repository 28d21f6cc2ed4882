import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Listener } from '#server/db/listener.ts'
import { createFeed, feedMessage } from '#server/feed.ts'
import { createLog } from '#server/log.ts'
import { eventStream } from './event-stream.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** Returns a feed of numbers, and hooks that act as PostgreSQL. */
function setUp() {
  let hooks: Parameters<Listener['subscribe']>[1] | undefined
  let isConnected = true
  const listener: Listener = {
    subscribe(_channel, given) {
      hooks = given
    },
    isConnected: () => isConnected,
    firstAttempt: Promise.resolve(),
    close: async () => {},
  }
  const sent: string[] = []
  const feed = createFeed<number[]>({
    listener,
    channel: 'numbers',
    send: async (payload) => void sent.push(payload),
    merge: (one, other) => [...one, ...other],
    log: createLog('silent'),
  })
  const ending = new AbortController()
  const rights = { isAllowed: true, tell: () => {} }
  const read = (lastId?: string) =>
    eventStream({
      feed,
      lastId,
      signal: ending.signal,
      isAllowed: async () => rights.isAllowed,
      onRightsChange(tell) {
        rights.tell = tell
        return () => {}
      },
    })
  return {
    feed,
    sent,
    rights,
    read,
    end: () => ending.abort(),
    cut() {
      isConnected = false
      hooks?.onDisconnect?.()
    },
    reconnect() {
      isConnected = true
      hooks?.onConnect()
    },
    notify: (change: number[]) => hooks?.onNotification(feedMessage(change)),
  }
}

/** Returns the next message of a stream: `change [1]`, or its heartbeat. */
async function said(stream: AsyncGenerator<string, void>): Promise<string | undefined> {
  const { value } = await stream.next()
  return value?.replace(/event: (\w+)\nid: \S+\ndata: (.*)\n\n/, '$1 $2')
}

describe('a stream of events', () => {
  test('sends what is notified, in order, and ends when its signal aborts', async () => {
    const { notify, read, end } = setUp()
    const stream = read()
    expect(await said(stream)).toBe('ready {"quietForMs":0}')
    notify([1])
    notify([2])
    expect([await said(stream), await said(stream)]).toEqual(['change [1]', 'change [2]'])
    const next = said(stream)
    end()
    expect(await next).toBeUndefined()
  })

  test('tells a late reader for how long there had been no events', async () => {
    const { notify, read } = setUp()
    notify([1])
    vi.advanceTimersByTime(1_234)
    expect(await said(read())).toBe('ready {"quietForMs":1234}')
  })

  test('announces once that the database is away, and on its return that events may have been missed', async () => {
    const { notify, read, cut, reconnect } = setUp()
    const stream = read()
    await said(stream)
    notify([1])
    expect(await said(stream)).toBe('change [1]')
    const next = said(stream)
    cut()
    expect(await next).toBe('cut {}')
    const back = said(stream)
    cut()
    reconnect()
    expect(await back).toBe('resync {}')
    notify([2])
    expect(await said(stream)).toBe('change [2]')
  })

  test('stores nothing for a reader who does not read, who then has to start again', async () => {
    const { notify, read } = setUp()
    const stream = read()
    await stream.next()
    for (let number = 1; number <= 501; number++) notify([number])
    expect(await said(stream)).toBe('resync {}')
    notify([0])
    expect(await said(stream)).toBe('change [0]')
  })

  test('asks readers to start again when notifications were lost', async () => {
    const { notify, read, reconnect } = setUp()
    const stream = read()
    await stream.next()
    notify([1])
    reconnect()
    notify([2])
    expect([await said(stream)]).toEqual(['resync {}'])
    notify([3])
    expect(await said(stream)).toBe('change [3]')
  })

  test('sends a heartbeat every 25 seconds, and ends when its reader has lost the right meanwhile', async () => {
    const { rights, read } = setUp()
    const stream = read()
    await stream.next()
    const beat = said(stream)
    await vi.advanceTimersByTimeAsync(25_000)
    expect(await beat).toBe(':\n\n')
    rights.isAllowed = false
    const next = said(stream)
    await vi.advanceTimersByTimeAsync(25_000)
    expect(await next).toBeUndefined()
  })

  test('ends as soon as the reader has no rights, and continues when they still suffice', async () => {
    const { rights, notify, read } = setUp()
    const stream = read()
    await stream.next()
    rights.tell()
    notify([1])
    expect(await said(stream)).toBe('change [1]')
    rights.isAllowed = false
    const next = said(stream)
    rights.tell()
    expect(await next).toBeUndefined()
  })
})

test('the events of a moment are sent in one notification, and the rest when the feed closes', async () => {
  const { feed, sent } = setUp()
  feed.publish([1])
  feed.publish([2])
  expect(sent).toEqual([])
  vi.advanceTimersByTime(50)
  feed.publish([3])
  await feed.close()
  vi.advanceTimersByTime(50)
  expect(sent.map((payload) => payload.split(' ')[1])).toEqual(['[1,2]', '[3]'])
})
