// Beyond its capacity a server that takes everything answers nothing in time. Ours does a bounded amount of work at
// once, lets others wait as long as their turn will come soon, and sends the rest away for the price of one write.

import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { FastifyServerFactory } from 'fastify'
import { usualConnections } from '#server/db/pool.ts'
import { AppError } from '#server/errors.ts'
import { endWhenTooSlow, type Patience } from '#server/http/patience.ts'
import type { Log } from '#server/log.ts'
import type { Problem } from '#shared/contract.ts'

export type Gate = {
  /**
   * Does work when its turn comes.
   *
   * @throws AppError 503 when that would be too late
   */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Whether one more may come; who does is expected to ask for his turn at once. */
  admits(): boolean
}

export type Admission = {
  everyday: Gate
  /** The gate that a path's work passes; null for what needs no database. */
  gateOf(path: string): Gate | null
}

const retryAfterS = 1

// Whether we live, and who one is, can be asked while everything else is overrun: some connections are left for it.
const essentialSlots = 4
const essentialLimits = { slots: essentialSlots, longestWaitMs: 4_000, burstWaitMs: 4_000 }
/** How many requests work on the database at once, beside the essential ones. */
export const everydaySlots = usualConnections - essentialSlots
const everydayLimits = { slots: everydaySlots, longestWaitMs: 500, burstWaitMs: 2_000 }

// Others have waited for so long without a break: it is no burst any more.
const longestBurstMs = 1_000
// Whoever has waited for so long is sent away, whatever he was led to expect.
const patienceMs = 4_000

type Limits = {
  /** How much is done at once. */
  slots: number
  /** How long whoever comes may expect to wait, and how long in a burst, which ends by itself. */
  longestWaitMs: number
  burstWaitMs: number
}

export function createAdmission(): Admission {
  const everyday = createGate(everydayLimits)
  const essential = createGate(essentialLimits)
  return {
    everyday,
    gateOf(path) {
      if (/^(\/api)?\/auth\/|^\/api\/health\b/.test(path)) return essential
      return path.startsWith('/api/') ? everyday : null
    },
  }
}

export function createGate({ slots, longestWaitMs, burstWaitMs }: Limits): Gate {
  const waiting = new Set<() => void>()
  let busy = 0
  // Of the last twenty or so pieces of work.
  let meanMs = 20
  // Let in during this turn of the event loop, which may bring hundreds before the first of them gets here.
  let expected = 0
  let queuedSince = 0

  function room(): number {
    const isBurst = waiting.size === 0 || performance.now() - queuedSince < longestBurstMs
    const waitMs = isBurst ? burstWaitMs : longestWaitMs
    return slots - busy + Math.floor((waitMs * slots) / meanMs) - waiting.size
  }

  async function turn(): Promise<void> {
    if (busy < slots) {
      busy += 1
      return
    }
    if (room() <= 0) throw busyRefusal()
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(start)
        reject(busyRefusal())
      }, patienceMs)
      function start() {
        clearTimeout(timer)
        waiting.delete(start)
        resolve()
      }
      if (waiting.size === 0) queuedSince = performance.now()
      waiting.add(start)
    })
  }

  return {
    admits() {
      if (room() - expected <= 0) return false
      if (expected === 0) {
        setImmediate(() => {
          expected = 0
        })
      }
      expected += 1
      return true
    },
    async run(work) {
      await turn()
      const startedAt = performance.now()
      try {
        return await work()
      } finally {
        meanMs += (performance.now() - startedAt - meanMs) / 20
        // The slot goes to whoever has waited longest.
        const [next] = waiting
        if (next) next()
        else busy -= 1
      }
    },
  }
}

function busyRefusal(): AppError {
  return new AppError('unavailable', 'Trop de demandes en même temps. Réessayez dans un instant.', {
    retryAfterS,
  })
}

/** A server that refuses what has no chance before anything is done for it. */
export function sheddingServer(
  admission: Admission,
  options: {
    headers: Record<string, string>
    log: Log
    keepAliveTimeout: number
    patience: Patience
    connectionTimeout: number
  },
): FastifyServerFactory {
  const { headers, log, keepAliveTimeout, patience, connectionTimeout } = options
  const report = countEachSecond((refused) => log.warn({ refused }, 'more is asked than can be answered'))
  return (handler) => {
    const limits = { keepAliveTimeout, headersTimeout: patience.usual, requestTimeout: patience.slow }
    const server = createServer(limits, (request, response) => {
      endWhenTooSlow(request, response, patience)
      const gate = admission.gateOf(request.url ?? '')
      if (!gate || gate.admits()) return handler(request, response)
      report()
      refuse(request, response, headers)
    })
    return server.setTimeout(connectionTimeout)
  }
}

// A line for each refusal would cost more than the refusal.
function countEachSecond(tell: (count: number) => void): () => void {
  let count = 0
  return () => {
    count += 1
    if (count > 1) return
    const timer = setTimeout(() => {
      tell(count)
      count = 0
    }, 1_000)
    timer.unref()
  }
}

function refuse(request: IncomingMessage, response: ServerResponse, headers: Record<string, string>): void {
  const { message, title: error, status } = busyRefusal()
  const requestId = randomUUID()
  const body = JSON.stringify({ message, error, errors: [], requestId } satisfies Problem)
  response.writeHead(status, {
    ...headers,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'retry-after': String(retryAfterS),
    'x-request-id': requestId,
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}
