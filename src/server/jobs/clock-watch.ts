/** Largest difference (ms) from the expected time at which a clock is trusted. */
export const mostOffMs = 3_600_000

/** How long (ms) a clock that jumped must keep its new time before it is trusted. */
const trustedAfterMs = 10 * 60_000

type ClockWatch = {
  /** Returns the instant (ms) that the watched clock should show; null before its first reading and after a long jump. */
  expectedAt(elapsedMs: number): number | null
  /**
   * Takes a reading of the watched clock, an instant in ms. Returns whether it is trusted: it is not for ten minutes
   * after a jump of an hour or more, unless it returns before.
   */
  isTrusted(reading: number, elapsedMs: number): boolean
}

/**
 * Compares a clock with the elapsed time (ms) that its caller counts, so that a clock that is wrong for a minute starts
 * no job that deletes what only seems old.
 *
 * @param onJump called once for each jump, with the reading
 */
export function watchClock(onJump: (reading: number) => void): ClockWatch {
  let trusted: { reading: number; elapsedMs: number } | null = null
  let jumpedMs: number | null = null

  const expectedAt = (elapsedMs: number) =>
    trusted === null ? null : trusted.reading + elapsedMs - trusted.elapsedMs

  return {
    expectedAt,
    isTrusted(reading, elapsedMs) {
      const expected = expectedAt(elapsedMs)
      if (expected === null || Math.abs(reading - expected) < mostOffMs) {
        trusted = { reading, elapsedMs }
        jumpedMs = null
        return true
      }
      if (jumpedMs === null) {
        jumpedMs = elapsedMs
        onJump(reading)
      }
      if (elapsedMs - jumpedMs >= trustedAfterMs) trusted = null
      return false
    },
  }
}
