// Runs before each test file: widens the product's timeouts, and records polls.

import { expect } from 'vitest'
import { widenLimits } from './limits.ts'
import { waitLimitMs } from './wait-limit.ts'
import { recordWait, reportWaits } from './waiting.ts'

widenLimits()
reportWaits()

const recorded = Symbol.for('polls are recorded')

// Files that share a process share `expect`.
if (!(recorded in expect)) {
  const poll = expect.poll
  const recordingPoll: typeof poll = (read, options) => {
    const { timeout = waitLimitMs, interval = 50, message = 'expect.poll' } = options ?? {}
    const wait = recordWait(message, timeout)
    const startedAt = performance.now()
    const timedRead = (given: Parameters<typeof read>[0]) => {
      wait.ms = performance.now() - startedAt
      wait.cameInTime = wait.ms + 2 * interval < timeout
      return read(given)
    }
    return poll(timedRead, options)
  }
  Object.assign(expect, { poll: recordingPoll, [recorded]: true })
}
