import { AppError } from '#server/errors.ts'
import { timeLimits } from '#server/time-limits.ts'

export type Gate = {
  /**
   * Runs work when its turn in the queue comes.
   *
   * @param key queue of the work: a user's id, or a visitor's network; a queue of its own when absent
   * @throws AppError 503 when the wait would be too long
   */
  run<T>(work: () => Promise<T>, key?: QueueKey): Promise<T>
  /** Whether one more request is accepted. If so, it is counted as about to call `run`. */
  admits(key?: QueueKey): boolean
}

type QueueKey = number | string

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
/** Queue of one user or visitor, with its running work; work without a key has a separate queue. */
type Queue = Pace & { busy: number; expected: number; waiting: Set<() => void> }

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
  const slotsPerUser = Math.ceil(slots / 3)
  const queues = new Map<QueueKey, Queue>()
  // Queues that can use a free slot, the next one first.
  const ready = new Set<Queue>()
  const pace = newPace()
  let busy = 0
  // Requests admitted in this turn of the event loop, which may accept hundreds before the first calls `run`.
  let expected = 0

  function queueOf(key: QueueKey | undefined): Queue {
    const existing = key === undefined ? undefined : queues.get(key)
    if (existing) return existing
    const queue = { ...newPace(), busy: 0, expected: 0, waiting: new Set<() => void>() }
    if (key !== undefined) queues.set(key, queue)
    return queue
  }

  function removeIfIdle(key: QueueKey | undefined, queue: Queue): void {
    if (key === undefined || queue.busy + queue.expected + queue.waiting.size > 0) return
    queues.delete(key)
  }

  function mayWait({ meanMs, queuedSince }: Pace, isQuiet: boolean, places: number): number {
    const isBurst = isQuiet || performance.now() - queuedSince < longestBurstMs
    return Math.floor(((isBurst ? burstWaitMs : longestWaitMs) * places) / meanMs)
  }

  function freePlaces(queue: Queue): number {
    const { waiting } = queue
    const ahead = ready.size * Math.max(1, waiting.size)
    const own = slotsPerUser - queue.busy + mayWait(queue, waiting.size === 0, slotsPerUser) - waiting.size
    const all = slots - busy + mayWait(pace, ready.size === 0, slots) - ahead
    return Math.min(own - queue.expected, all - expected)
  }

  async function waitForTurn(queue: Queue): Promise<void> {
    if (busy < slots && queue.busy < slotsPerUser) {
      busy += 1
      queue.busy += 1
      return
    }
    if (freePlaces(queue) <= 0) throw busyRefusal()
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.waiting.delete(start)
        if (queue.waiting.size === 0) ready.delete(queue)
        reject(busyRefusal())
      }, patienceMs)
      function start() {
        clearTimeout(timer)
        resolve()
      }
      const now = performance.now()
      if (queue.waiting.size === 0) queue.queuedSince = now
      queue.waiting.add(start)
      if (queue.busy >= slotsPerUser) return
      if (ready.size === 0) pace.queuedSince = now
      ready.add(queue)
    })
  }

  /** Gives the free slots to the next queues in turn. */
  function startNext(): void {
    for (const queue of ready) {
      if (busy >= slots) return
      ready.delete(queue)
      const [start] = queue.waiting
      if (!start) continue
      queue.waiting.delete(start)
      busy += 1
      queue.busy += 1
      // Re-added at the end, after all other queues.
      if (queue.waiting.size > 0 && queue.busy < slotsPerUser) ready.add(queue)
      start()
    }
  }

  function countExpected(key: QueueKey | undefined, queue: Queue): void {
    if (expected === 0) {
      setImmediate(() => {
        expected = 0
        for (const [eachKey, each] of queues) {
          each.expected = 0
          removeIfIdle(eachKey, each)
        }
      })
    }
    // Requests beyond a user's slots do not count against the other users.
    if (key === undefined || queue.expected < slotsPerUser) expected += 1
    queue.expected += 1
  }

  return {
    admits(key) {
      const queue = queueOf(key)
      const isAdmitted = freePlaces(queue) > 0
      if (isAdmitted) countExpected(key, queue)
      else removeIfIdle(key, queue)
      return isAdmitted
    },
    async run(work, key) {
      const queue = queueOf(key)
      try {
        await waitForTurn(queue)
      } catch (error) {
        removeIfIdle(key, queue)
        throw error
      }
      const startedAt = performance.now()
      try {
        return await work()
      } finally {
        const tookMs = performance.now() - startedAt
        for (const each of [pace, queue]) each.meanMs += (tookMs - each.meanMs) / 20
        busy -= 1
        queue.busy -= 1
        if (queue.waiting.size > 0) ready.add(queue)
        startNext()
        removeIfIdle(key, queue)
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
