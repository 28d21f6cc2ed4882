import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIPv6 } from 'node:net'
import { timeLimits } from '#server/time-limits.ts'

/**
 * Returns the network that identifies a visitor: an IPv4 address, or the /64 of an IPv6 one (one machine may own it).
 */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (!isIPv6(plain)) return plain
  // The URL parser normalises it: an IPv4 suffix becomes hexadecimal, and `::` replaces the longest run of zeros.
  const [head = '', tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::')
  const [first, last] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean))
  const zeros = Array(8 - (first?.length ?? 0) - (last?.length ?? 0)).fill('0')
  return `${[...(first ?? []), ...zeros, ...(last ?? [])].slice(0, 4).join(':')}::/64`
}

/** Returns the address of the client behind this number of trusted proxies. */
export function addressOf({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const named = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
  const hops = [...named, socket.remoteAddress ?? ''].reverse()
  return hops[Math.min(trustedProxies, hops.length - 1)] ?? ''
}

/** Whether a path is a built file: it needs no work, and takes long only on a slow network. */
export const isStaticAsset = (path: string) => path.startsWith('/assets/')

const isHealth = (path: string) => /^\/api\/health\b/.test(path)

/** Returns the queue of a visitor's request: the network's; health checks have a separate one. */
export function visitorQueueKey(path: string, address: string): string {
  return isHealth(path) ? 'health' : networkOf(address)
}

type Queue = { busy: number; waiting: Set<() => void> }

/** Maximum numbers of running and of waiting requests of one network. */
const atOnce = 4
const mostWaiting = 200
/**
 * Maximum pause (ms) after a request whose network has others waiting. The pause equals the request's duration, which
 * leaves half of the time to other networks.
 */
const longestPauseMs = 20
/**
 * After this time (ms) a request releases its place: it waits for the database or its sender, which have other limits.
 */
const longestHoldMs = 500

export type VisitorQueues = {
  /** Calls `start` when the request's turn comes, or `refuse` when the queue is full or the wait too long. */
  enter(key: string, response: ServerResponse, start: () => void, refuse: () => void): void
  /** Releases the place of a request found to be a user's; the rest of its work counts in the user's queue. */
  leave(response: ServerResponse): void
}

/**
 * Limits the concurrent requests of each network, so that a network that sends many does not take the event loop from
 * the others.
 */
export function createVisitorQueues(): VisitorQueues {
  const queues = new Map<string, Queue>()
  const ends = new WeakMap<ServerResponse, () => void>()

  function begin(key: string, queue: Queue, response: ServerResponse, start: () => void): void {
    queue.busy += 1
    let isOver = false
    const begunAt = performance.now()
    const end = () => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      const release = () => {
        queue.busy -= 1
        const [next] = queue.waiting
        if (next) next()
        else if (queue.busy === 0) queues.delete(key)
      }
      const tookMs = performance.now() - begunAt
      if (queue.waiting.size > 0) setTimeout(release, Math.min(tookMs, longestPauseMs))
      else setImmediate(release)
    }
    const timer = setTimeout(end, longestHoldMs).unref()
    response.once('close', end)
    ends.set(response, end)
    start()
  }

  function enter(key: string, response: ServerResponse, start: () => void, refuse: () => void): void {
    const queue = queues.get(key) ?? { busy: 0, waiting: new Set() }
    queues.set(key, queue)
    if (queue.busy < atOnce) {
      begin(key, queue, response, start)
      return
    }
    if (queue.waiting.size >= mostWaiting) {
      refuse()
      return
    }
    const leave = () => {
      clearTimeout(timer)
      queue.waiting.delete(turn)
      response.off('close', leave)
    }
    const turn = () => {
      leave()
      begin(key, queue, response, start)
    }
    const timer = setTimeout(() => {
      leave()
      refuse()
    }, timeLimits.patience)
    queue.waiting.add(turn)
    response.once('close', leave)
  }

  return { enter, leave: (response) => ends.get(response)?.() }
}
