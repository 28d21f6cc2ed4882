import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createGate } from './gate.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const lasting = (ms: number) => () => new Promise<number>((resolve) => setTimeout(resolve, ms, ms))
const refused = { code: 'unavailable', retryAfterS: 1 }

describe('a gate', () => {
  test('runs a limited number at once, and the others in the order they came', async () => {
    const gate = createGate({ slots: 2, longestWaitMs: 1_000, burstWaitMs: 1_000 })
    const done: number[] = []
    const all = Promise.all([1, 2, 3, 4, 5].map((each) => gate.run(lasting(10)).then(() => done.push(each))))
    await vi.advanceTimersByTimeAsync(10)
    expect(done).toEqual([1, 2])
    await vi.advanceTimersByTimeAsync(10)
    expect(done).toEqual([1, 2, 3, 4])
    await vi.advanceTimersByTimeAsync(10)
    expect(done).toEqual([1, 2, 3, 4, 5])
    await all
  })

  test('refuses at once requests that would wait too long, estimated from recent work', async () => {
    const gate = createGate({ slots: 1, longestWaitMs: 1_000, burstWaitMs: 1_000 })
    for (let i = 0; i < 100; i++) {
      const slow = gate.run(lasting(300))
      await vi.advanceTimersByTimeAsync(300)
      await slow
    }
    const turns = [1, 2, 3, 4].map(() => gate.run(lasting(300)))
    expect(gate.admits()).toBe(false)
    await expect(gate.run(lasting(0))).rejects.toMatchObject(refused)
    await vi.advanceTimersByTimeAsync(1_200)
    await Promise.all(turns)
    expect(gate.admits()).toBe(true)
    const next = gate.run(lasting(0))
    await vi.advanceTimersByTimeAsync(0)
    expect(await next).toBe(0)
  })

  test('refuses requests that have waited too long, when work takes longer than before', async () => {
    const gate = createGate({ slots: 1, longestWaitMs: 500, burstWaitMs: 500, patienceMs: 4_000 })
    const slow = gate.run(lasting(60_000))
    const waiter = gate.run(lasting(0)).catch((reason: unknown) => reason)
    await vi.advanceTimersByTimeAsync(3_999)
    expect(vi.getTimerCount()).toBe(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(await waiter).toMatchObject(refused)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await slow).toBe(60_000)
  })

  test('accepts a burst, and less when requests are always waiting', async () => {
    const gate = createGate({ slots: 1, longestWaitMs: 100, burstWaitMs: 1_000 })
    // Each is expected to take 20 ms, until work of 50 ms has been measured.
    const burst = Array.from({ length: 51 }, () => gate.run(lasting(50)))
    expect(gate.admits()).toBe(false)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(gate.admits()).toBe(false)
    await vi.advanceTimersByTimeAsync(1_400)
    expect(gate.admits()).toBe(false)
    await vi.advanceTimersByTimeAsync(100)
    expect(gate.admits()).toBe(true)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await Promise.all(burst)).toHaveLength(51)
  })

  test('admits no more in one turn of the event loop than it has room for', async () => {
    const gate = createGate({ slots: 2, longestWaitMs: 30, burstWaitMs: 30 })
    const admitted = () => Array.from({ length: 10 }, () => gate.admits()).filter(Boolean).length
    // Two at once, and three that wait 10 ms each, since work counts as 20 ms until it is measured.
    expect(admitted()).toBe(5)
    await vi.advanceTimersByTimeAsync(0)
    expect(admitted()).toBe(5)
  })

  test('frees the place of work that fails', async () => {
    const gate = createGate({ slots: 1, longestWaitMs: 500, burstWaitMs: 500 })
    for (let i = 0; i < 3; i++) {
      await expect(gate.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    }
    expect(await gate.run(async () => 'yes')).toBe('yes')
  })

  test('reserves two thirds of its places for other users, and lets another in before the rest of one user’s requests', async () => {
    const gate = createGate({ slots: 6, longestWaitMs: 1_000, burstWaitMs: 1_000 })
    const done: string[] = []
    const ask = (user: number, ms: number) => gate.run(lasting(ms), user).then(() => done.push(`${user}`))
    const greedy = Array.from({ length: 20 }, () => ask(1, 100))
    const others = [2, 3, 4].map((user) => ask(user, 10))
    await vi.advanceTimersByTimeAsync(10)
    expect(done).toEqual(['2', '3', '4'])
    await vi.advanceTimersByTimeAsync(90)
    expect(done).toHaveLength(5)
    await vi.advanceTimersByTimeAsync(1_000)
    await Promise.all([...greedy, ...others])
  })

  test('serves waiting users in turn, one request of each', async () => {
    const gate = createGate({ slots: 1, longestWaitMs: 1_000, burstWaitMs: 1_000 })
    const done: number[] = []
    const ask = (user: number) => gate.run(lasting(10), user).then(() => done.push(user))
    const all = [1, 1, 1, 1, 2, 2, 3].map(ask)
    await vi.advanceTimersByTimeAsync(100)
    await Promise.all(all)
    expect(done).toEqual([1, 2, 3, 1, 2, 1, 1])
  })

  test('refuses a user who sends too many requests, and only that user', async () => {
    const gate = createGate({ slots: 12, longestWaitMs: 500, burstWaitMs: 2_000 })
    const slow = () => gate.run(lasting(3_000), 1).catch((reason: unknown) => reason)
    const waiting = Array.from({ length: 8 }, slow)
    await vi.advanceTimersByTimeAsync(3_000)
    waiting.push(...Array.from({ length: 500 }, slow))
    expect(gate.admits(1)).toBe(false)
    await expect(gate.run(lasting(0), 1)).rejects.toMatchObject(refused)
    // As many as a browser requests when it opens a page, with work that is slow for another reason.
    expect([1, 2, 3, 4, 5, 6].map(() => gate.admits(2))).not.toContain(false)
    expect(gate.admits()).toBe(true)
    const quick = Promise.all([1, 2, 3, 4, 5, 6].map(() => gate.run(lasting(5), 2)))
    await vi.advanceTimersByTimeAsync(10)
    expect(await quick).toHaveLength(6)
    await vi.advanceTimersByTimeAsync(60_000)
    await Promise.all(waiting)
  })
})
