import { clockToleranceMs, dayIn } from '#shared/days.ts'

/** The clock readings that come with an entry; times in milliseconds since 1970, offsets are server minus device. */
export type ClockReading = {
  /** Device clock when the entry was made and when it was sent; `sentAt` is null for a program with a trusted clock. */
  deviceAt: number
  sentAt: number | null
  /** Server clock. */
  receivedAt: number
  /** Server time when the phone fetched its list: no entry is earlier. */
  fetchedAt: number | null
  /** Clock offset that the device measured last before the entry. */
  offsetMs: number | null
  /** Whether the device saw its clock go back after that. */
  hasGoneBack: boolean
  timeZone: string
}

/** Tolerance between two offsets of one clock: the time that messages take. */
const agreementMs = 2 * 60_000

/**
 * Returns when an entry was made, by the server's clock. Null where its day cannot be determined: clocks of phones may
 * be hours off, or be changed between an entry and its sending.
 */
export function momentOf(reading: ClockReading): number | null {
  const { deviceAt, sentAt, receivedAt, fetchedAt, offsetMs, hasGoneBack, timeZone } = reading
  if (sentAt === null) return deviceAt
  if (hasGoneBack || deviceAt > sentAt) return null
  const offsetAtSending = receivedAt - sentAt
  const isPossible = (at: number) =>
    at <= receivedAt + clockToleranceMs && (fetchedAt === null || at >= fetchedAt - clockToleranceMs)
  const [atSending, atEntry] = [deviceAt + offsetAtSending, offsetMs === null ? null : deviceAt + offsetMs]
  const isAgreed = offsetMs === null || Math.abs(offsetMs - offsetAtSending) <= agreementMs
  // A single offset does not show whether the clock was changed in between.
  if (isAgreed) return isPossible(atSending) && (offsetMs !== null || fetchedAt !== null) ? atSending : null
  const candidates = [atSending, atEntry].filter((at): at is number => at !== null && isPossible(at))
  const days = new Set(candidates.map((at) => dayIn(timeZone, new Date(at))))
  return days.size === 1 ? (candidates[0] ?? null) : null
}
