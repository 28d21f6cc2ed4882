import { AppError } from '#server/errors.ts'
import { timeLimits } from '#server/time-limits.ts'

export type Gate = {
  /**
   * Does work when its turn comes.
   *
   * @param share whose share it takes: a user's id, or what a visitor counts as; nobody's when absent
   * @throws AppError 503 when that would be too late
   */
  run<T>(work: () => Promise<T>, share?: Share): Promise<T>
  /** Whether one more may come; who does is expected to ask for his turn at once. */
  admits(share?: Share): boolean
}

type Share = number | string

type Limits = {
  /** How much is done at once. */
  slots: number
  /** How long a new request may expect to wait, and how long in a burst, which ends by itself. */
  longestWaitMs: number
  burstWaitMs: number
  /** After which a waiting request is refused, whatever was expected; `timeLimits.patience`. */
  patienceMs?: number
}

/** Seconds after which a refused client may try again. */
const retryAfterS = 1

// Others have waited for so long without a break: it is no burst any more.
const longestBurstMs = 1_000

/** How long (ms) work has taken lately, and since when somebody has been waiting without a break. */
type Pace = { meanMs: number; queuedSince: number }
/** What one user has in hand, and waits for; work of nobody in particular has a line of its own. */
type Line = Pace & { busy: number; expected: number; waiting: Set<() => void> }

/**
 * Lets a bounded amount of work be done at once. One user has a third of the places at most, and waits in a line of his
 * own: those who wait are served in turn, one of each line, so that however much one asks, another waits for no more
 * than one piece of it.
 */
export function createGate({
  slots,
  longestWaitMs,
  burstWaitMs,
  patienceMs = timeLimits.patience,
}: Limits): Gate {
  const share = Math.ceil(slots / 3)
  const lines = new Map<Share, Line>()
  // The lines that would use a place, the next one first.
  const ready = new Set<Line>()
  const pace = newPace()
  let busy = 0
  // Let in during this turn of the event loop, which may bring hundreds before the first of them gets here.
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

  /** Gives the free places to the next in turn. */
  function proceed(): void {
    for (const line of ready) {
      if (busy >= slots) return
      ready.delete(line)
      const [start] = line.waiting
      if (!start) continue
      line.waiting.delete(start)
      busy += 1
      line.busy += 1
      // Behind all the others.
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
    // Whatever comes beyond a user's share takes nothing from the others.
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

// Of the last twenty or so pieces of work.
const newPace = (): Pace => ({ meanMs: 20, queuedSince: 0 })

/** The refusal of those who came too late. */
export function busyRefusal(): AppError {
  return new AppError('unavailable', 'Trop de demandes en même temps. Réessayez dans un instant.', {
    retryAfterS,
  })
}
