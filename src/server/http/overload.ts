// A server that accepts every request beyond its capacity answers none in time. This one limits concurrent work, queues
// requests while the expected wait is short, and refuses the rest at the cost of one write.

import { createServer, type IncomingMessage } from 'node:http'
import type { FastifyServerFactory } from 'fastify'
import { usualConnections } from '#server/db/pool.ts'
import { countEachSecond } from '#server/each-second.ts'
import type { AppError } from '#server/errors.ts'
import type { Closing } from '#server/http/closing.ts'
import { busyRefusal, createGate, type Gate } from '#server/http/gate.ts'
import { endWhenTooSlow, type ReceiveTimeLimits } from '#server/http/patience.ts'
import { faultOfHead, refuseTunnel, sendPlainRefusal, unmetExpectation } from '#server/http/plain-refusals.ts'
import {
  addressOf,
  createVisitorQueues,
  isStaticAsset,
  type VisitorQueues,
  visitorQueueKey,
} from '#server/http/visitors.ts'
import type { Log } from '#server/log.ts'
import { timeLimits } from '#server/time-limits.ts'

export type Admission = {
  everyday: Gate
  visitors: VisitorQueues
  /** Returns the gate of a path; null for paths that need no database. */
  gateOf(path: string): Gate | null
}

// Connections reserved for health checks and authentication, so that they work under overload.
const essentialSlots = 4
/** Maximum number of concurrent requests on the database, not counting the essential ones. */
export const ordinarySlots = usualConnections - essentialSlots

/** @param connections size of the pool */
export function createAdmission(connections = usualConnections): Admission {
  const { turn, turnInBurst, essentialTurn } = timeLimits
  const everyday = createGate({
    slots: connections - essentialSlots,
    longestWaitMs: turn,
    burstWaitMs: turnInBurst,
  })
  const essential = createGate({
    slots: essentialSlots,
    longestWaitMs: essentialTurn,
    burstWaitMs: essentialTurn,
  })
  return {
    everyday,
    visitors: createVisitorQueues(),
    gateOf(path) {
      if (/^(\/api)?\/auth\/|^\/api\/(health|ready)\b/.test(path)) return essential
      return path.startsWith('/api/') ? everyday : null
    },
  }
}

/** Returns a server factory that refuses requests beyond capacity before any work is done for them. */
export function sheddingServer(
  admission: Admission,
  options: {
    headers: Record<string, string>
    log: Log
    closing: Closing
    /** User id of the caller, if it is cached in memory. */
    callerOf: (request: IncomingMessage) => number | undefined
    trustedProxies: number
    keepAliveTimeout: number
    patience: ReceiveTimeLimits
    connectionTimeout: number
  },
): FastifyServerFactory {
  const { headers, log, closing, callerOf, trustedProxies, keepAliveTimeout, patience, connectionTimeout } =
    options
  // Counted per second: a log line for each refusal would cost more than the refusal.
  const report = countEachSecond((refused) => log.warn({ refused }, 'more is asked than can be answered'))
  return (handler) => {
    const limits = {
      keepAliveTimeout,
      headersTimeout: patience.usual,
      requestTimeout: patience.slow,
      // Node would refuse with an empty response.
      requireHostHeader: false,
    }
    const server = createServer(limits, (request, response) => {
      request.url = withoutOrigin(request.url ?? '/')
      endWhenTooSlow(request, response, patience)
      const refuse = (refusal: AppError) => sendPlainRefusal(request, response, refusal, headers)
      if (closing.refuse(response, refuse)) return
      const fault = faultOfHead(request)
      if (fault) return refuse(fault)
      const refuseAsBusy = () => {
        report()
        refuse(busyRefusal())
      }
      const gate = admission.gateOf(request.url)
      const key = callerOf(request) ?? visitorQueueKey(request.url, addressOf(request, trustedProxies))
      const start = () => {
        if (!gate || gate.admits(key)) handler(request, response)
        else refuseAsBusy()
      }
      if (typeof key === 'number' || isStaticAsset(request.url)) start()
      else admission.visitors.enter(key, response, start, refuseAsBusy)
    })
    server.on('checkExpectation', (request, response) => {
      sendPlainRefusal(request, response, unmetExpectation(), headers)
    })
    server.on('connect', (_request, socket) => refuseTunnel(socket, headers))
    closing.follow(server)
    return server.setTimeout(connectionTimeout)
  }
}

// Proxies may send the absolute form of the URL (RFC 9112, 3.2.2); the code here needs its path.
function withoutOrigin(url: string): string {
  const rest = url.replace(/^https?:\/\/[^/?#]*/i, '')
  return rest === url || rest.startsWith('/') ? rest : `/${rest}`
}
