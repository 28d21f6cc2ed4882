import { describe, expect, test } from 'vitest'
import { type ClockReading, momentOf } from '#features/collection/entries/clock.rules.ts'

const hour = 3_600_000
const seen = Date.parse('2026-11-24T08:00:00Z')

/**
 * Returns an entry made at `seen` and sent ten hours later; the clock is wrong by this much at the list, the entry and
 * the sending.
 */
function reading(
  wrong: { list: number; entry?: number; sending?: number },
  more: Partial<ClockReading> = {},
): ClockReading {
  const { list, entry = list, sending = entry } = wrong
  const receivedAt = seen + 10 * hour
  return {
    deviceAt: seen + entry,
    sentAt: receivedAt + sending,
    receivedAt,
    fetchedAt: seen - 2 * hour,
    offsetMs: -list,
    hasGoneBack: false,
    timeZone: 'Africa/Kinshasa',
    ...more,
  }
}

describe('the moment of an entry', () => {
  test('is read from a clock that is right, or wrong by the same amount throughout', () => {
    for (const wrong of [0, 3 * hour, -40 * hour, -9 * 365 * 24 * hour]) {
      expect(momentOf(reading({ list: wrong }))).toBe(seen)
    }
  })

  test('is derived when the clock was set in between, and only one reading is possible', () => {
    // Two days slow, and corrected before sending: by the last reading alone, the entry would be older than its list.
    expect(momentOf(reading({ list: -48 * hour, sending: 0 }))).toBe(seen)
  })

  test('is asked for when both readings are possible, on two days', () => {
    const late = { receivedAt: seen + 30 * hour, sentAt: seen + 30 * hour, fetchedAt: seen - 30 * hour }
    expect(momentOf(reading({ list: -20 * hour, sending: 0 }, late))).toBe(null)
  })

  test('is asked for when neither is possible, or the clock was seen going back', () => {
    expect(momentOf(reading({ list: 0, entry: -72 * hour, sending: -90 * hour }))).toBe(null)
    expect(momentOf(reading({ list: 0 }, { hasGoneBack: true }))).toBe(null)
    expect(momentOf(reading({ list: 48 * hour, sending: 0 }))).toBe(null)
    expect(momentOf(reading({ list: 0 }, { offsetMs: null, fetchedAt: null }))).toBe(null)
    expect(momentOf(reading({ list: 0, entry: 20 * hour, sending: 0 }))).toBe(null)
  })

  test('is the given one when a program does not send its own time', () => {
    expect(momentOf(reading({ list: 0 }, { sentAt: null }))).toBe(seen)
  })

  test('never falls on a wrong day, however a clock is wrong or set forward', () => {
    // A seeded generator, so that a failure can be reproduced.
    let seed = 20_261_126
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed / 2_147_483_648
    }
    const dayOf = (at: number) => Math.floor((at + hour) / (24 * hour))
    let asked = 0
    for (let n = 0; n < 4_000; n++) {
      const list = (random() - 0.5) * 96 * hour
      const sending = random() < 0.5 ? list : (random() - 0.5) * 0.02 * hour
      const receivedAt = seen + random() * 160 * hour
      const given = reading(
        { list, sending },
        { receivedAt, sentAt: receivedAt + sending, fetchedAt: seen - random() * 30 * hour },
      )
      const at = momentOf(given)
      if (at === null) asked++
      else expect(dayOf(at)).toBe(dayOf(seen))
    }
    expect(asked).toBeLessThan(2_000)
  })
})
