import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { within } from './deadline.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('work done in time returns its result, and leaves no timer behind', async () => {
  expect(await within(1_000, Promise.resolve('done'))).toBe('done')
  await expect(within(1_000, Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(vi.getTimerCount()).toBe(0)
})

test.each([0, -5, 1_000])(
  'after %s ms a waiting request is refused with Retry-After, whatever happens to the work',
  async (ms) => {
    const { promise, reject } = Promise.withResolvers<never>()
    const answer = within(ms, promise).catch((reason: unknown) => reason)
    await vi.advanceTimersByTimeAsync(Math.max(0, ms))
    expect(await answer).toMatchObject({ code: 'unavailable', retryAfterS: 5 })
    reject(new Error('too late for anybody to hear'))
  },
)
