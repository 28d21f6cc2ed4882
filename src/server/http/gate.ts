import { AppError } from '#server/errors.ts'
import { timeLimits } from '#server/time-limits.ts'

export type Gate = {
  /**
   * Runs work when its turn in the queue comes.
   *
   * @param share queue of the work: a user's id, or a visitor's network; a queue of its own when absent
   * @throws AppError 503 when the wait would be too long
   */
  run<T>(work: () => Promise<T>, share?: Share): Promise<T>
  /** Whether one more request is accepted. If so, it is counted as about to call `run`. */
  admits(share?: Share): boolean
}

type Share = number | string

type Limits = {
  /** Maximum number of concurrent pieces of work. */
  slots: number
  /** Maximum expected wait of a new request under lasting load, and during a short burst. */
  longestWaitMs: number
  burstWaitMs: number
  /** Actual wait after which a request is refused; default `timeLimits.patience`. */
  patienceMs?: number
}

/** Seconds after which a refused client may try again. */
const retryAfterS = 1

// A queue that has not been empty for this long (ms) is no longer a burst.
const longestBurstMs = 1_000

/** Recent mean duration (ms) of work, and time since which the queue has not been empty. */
type Pace = { meanMs: number; queuedSince: number }
/** Queue of one user or visitor, with its running work; work without a share has a separate queue. */
type Line = Pace & { busy: number; expected: number; waiting: Set<() => void> }

/**
 * Limits concurrent work. A user takes at most a third of the slots and has a separate queue. Queues are served
 * round-robin, one item each, so that one user's load delays another by one item per turn only.
 */
export function createGate({
  slots,
  longestWaitMs,
  burstWaitMs,
  patienceMs = timeLimits.patience,
}: Limits): Gate {
  const share = Math.ceil(slots / 3)
  const lines = new Map<Share, Line>()
  // Queues that can use a free slot, the next one first.
  const ready = new Set<Line>()
  const pace = newPace()
  let busy = 0
  // Requests admitted in this turn of the event loop, which may accept hundreds before the first calls `run`.
  let expected = 0

  function lineOf(user: Share | undefined): Line {
    const queue = user === undefined ? undefined : lines.get(user)
    if (queue) return queue
    const line = { ...newPace(), busy: 0, expected: 0, waiting: new Set<() => void>() }
    if (user !== undefined) lines.set(user, line)
    return line
  }

  function leave(user: Share | undefined, line: Line): void {
    if (user === undefined || line.busy + line.expected + line.waiting.size > 0) return
    lines.delete(user)
  }

  function mayWait({ meanMs, queuedSince }: Pace, isQuiet: boolean, places: number): number {
    const isBurst = isQuiet || performance.now() - queuedSince < longestBurstMs
    return Math.floor(((isBurst ? burstWaitMs : longestWaitMs) * places) / meanMs)
  }

  function room(line: Line): number {
    const ahead = ready.size * Math.max(1, line.waiting.size)
    const own = share - line.busy + mayWait(line, line.waiting.size === 0, share) - line.waiting.size
    const all = slots - busy + mayWait(pace, ready.size === 0, slots) - ahead
    return Math.min(own - line.expected, all - expected)
  }

  async function turn(line: Line): Promise<void> {
    if (busy < slots && line.busy < share) {
      busy += 1
      line.busy += 1
      return
    }
    if (room(line) <= 0) throw busyRefusal()
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        line.waiting.delete(start)
        if (line.waiting.size === 0) ready.delete(line)
        reject(busyRefusal())
      }, patienceMs)
      function start() {
        clearTimeout(timer)
        resolve()
      }
      const now = performance.now()
      if (line.waiting.size === 0) line.queuedSince = now
      line.waiting.add(start)
      if (line.busy >= share) return
      if (ready.size === 0) pace.queuedSince = now
      ready.add(line)
    })
  }

  /** Gives the free slots to the next queues in turn. */
  function proceed(): void {
    for (const line of ready) {
      if (busy >= slots) return
      ready.delete(line)
      const [start] = line.waiting
      if (!start) continue
      line.waiting.delete(start)
      busy += 1
      line.busy += 1
      // Re-added at the end, after all other queues.
      if (line.waiting.size > 0 && line.busy < share) ready.add(line)
      start()
    }
  }

  function expect(user: Share | undefined, line: Line): void {
    if (expected === 0) {
      setImmediate(() => {
        expected = 0
        for (const [each, queue] of lines) {
          queue.expected = 0
          leave(each, queue)
        }
      })
    }
    // Requests beyond a user's share do not count against the other users.
    if (user === undefined || line.expected < share) expected += 1
    line.expected += 1
  }

  return {
    admits(user) {
      const line = lineOf(user)
      const isAdmitted = room(line) > 0
      if (isAdmitted) expect(user, line)
      else leave(user, line)
      return isAdmitted
    },
    async run(work, user) {
      const line = lineOf(user)
      try {
        await turn(line)
      } catch (error) {
        leave(user, line)
        throw error
      }
      const startedAt = performance.now()
      try {
        return await work()
      } finally {
        const tookMs = performance.now() - startedAt
        for (const each of [pace, line]) each.meanMs += (tookMs - each.meanMs) / 20
        busy -= 1
        line.busy -= 1
        if (line.waiting.size > 0) ready.add(line)
        proceed()
        leave(user, line)
      }
    },
  }
}

// The mean covers about the last twenty pieces of work.
const newPace = (): Pace => ({ meanMs: 20, queuedSince: 0 })

/** Returns the 503 for requests beyond capacity. */
export function busyRefusal(): AppError {
  return new AppError('unavailable', 'Trop de demandes en même temps. Réessayez dans un instant.', {
    retryAfterS,
  })
}
