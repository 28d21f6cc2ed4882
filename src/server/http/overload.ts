// Beyond its capacity a server that takes everything answers nothing in time. Ours does a bounded amount of work at
// once, lets others wait as long as their turn will come soon, and sends the rest away for the cost of one write.

import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { FastifyServerFactory } from 'fastify'
import { usualConnections } from '#server/db/pool.ts'
import { busyRefusal, createGate, type Gate, retryAfterS } from '#server/http/gate.ts'
import { endWhenTooSlow, type Patience } from '#server/http/patience.ts'
import type { Log } from '#server/log.ts'
import type { Problem } from '#shared/contract.ts'

export type Admission = {
  everyday: Gate
  /** The gate that a path's work passes; null for what needs no database. */
  gateOf(path: string): Gate | null
}

// Whether we live, and who one is, can be asked while everything else is overrun: some connections are left for it.
const essentialSlots = 4
const essentialLimits = { slots: essentialSlots, longestWaitMs: 4_000, burstWaitMs: 4_000 }
/** How many requests work on the database at once, beside the essential ones. */
export const everydaySlots = usualConnections - essentialSlots
const everydayLimits = { slots: everydaySlots, longestWaitMs: 500, burstWaitMs: 2_000 }

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

/** A server that refuses what has no chance before anything is done for it. */
export function sheddingServer(
  admission: Admission,
  options: {
    headers: Record<string, string>
    log: Log
    /** Who asks, as far as it is known without asking the database. */
    callerOf: (request: IncomingMessage) => number | undefined
    keepAliveTimeout: number
    patience: Patience
    connectionTimeout: number
  },
): FastifyServerFactory {
  const { headers, log, callerOf, keepAliveTimeout, patience, connectionTimeout } = options
  const report = countEachSecond((refused) => log.warn({ refused }, 'more is asked than can be answered'))
  return (handler) => {
    const limits = { keepAliveTimeout, headersTimeout: patience.usual, requestTimeout: patience.slow }
    const server = createServer(limits, (request, response) => {
      endWhenTooSlow(request, response, patience)
      const gate = admission.gateOf(request.url ?? '')
      if (!gate || gate.admits(callerOf(request))) return handler(request, response)
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
