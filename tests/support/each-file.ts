// Runs before each test file: widens the product's timeouts, and records polls.

import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { dayMs } from '#shared/days.ts'
import { widenLimits } from './limits.ts'
import { waitLimitMs } from './wait-limit.ts'
import { recordWait, reportWaits } from './waiting.ts'

widenLimits()
reportWaits()

// Many files compute the day at the markets (UTC+1) once: it does not change while they run.
const untilMidnightMs = dayMs - ((Date.now() + 3_600_000) % dayMs)
if (untilMidnightMs < 180_000) {
  process.stdout.write('Les tests attendent le jour suivant à Kinshasa, trois minutes au plus…\n')
  await sleep(untilMidnightMs + 1_000)
}

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
