import { dayIn } from '#shared/days.ts'

/** What is known of the moment of an entry; times in milliseconds since 1970, offsets are server minus device. */
export type ClockReading = {
  /** By the device, when the entry was made and when it was sent; null from a program that vouches for its clock. */
  deviceAt: number
  sentAt: number | null
  /** By the server. */
  receivedAt: number
  /** Nothing was seen before the list was there. */
  fetchedAt: number | null
  /** As the device last read it before the entry. */
  offsetMs: number | null
  /** The device saw its clock go back since then. */
  hasGoneBack: boolean
  timeZone: string
}

/** Two readings of one clock differ by the time that messages take. */
const agreementMs = 2 * 60_000
const slackMs = 5 * 60_000

/**
 * When an entry was made, by the server's clock. Null where the day cannot be found out: clocks of phones are hours off, and
 * are set between an entry and its sending.
 */
export function momentOf(reading: ClockReading): number | null {
  const { deviceAt, sentAt, receivedAt, fetchedAt, offsetMs, hasGoneBack, timeZone } = reading
  if (sentAt === null) return deviceAt
  if (hasGoneBack || deviceAt > sentAt) return null
  const offsetAtSending = receivedAt - sentAt
  const isPossible = (at: number) =>
    at <= receivedAt + slackMs && (fetchedAt === null || at >= fetchedAt - slackMs)
  const [atSending, atEntry] = [deviceAt + offsetAtSending, offsetMs === null ? null : deviceAt + offsetMs]
  const isAgreed = offsetMs === null || Math.abs(offsetMs - offsetAtSending) <= agreementMs
  // One reading alone does not show whether the clock was set between.
  if (isAgreed) return isPossible(atSending) && (offsetMs !== null || fetchedAt !== null) ? atSending : null
  const candidates = [atSending, atEntry].filter((at): at is number => at !== null && isPossible(at))
  const days = new Set(candidates.map((at) => dayIn(timeZone, new Date(at))))
  return days.size === 1 ? (candidates[0] ?? null) : null
}
