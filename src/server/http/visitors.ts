import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIPv6 } from 'node:net'
import { timeLimits } from '#server/time-limits.ts'

/** Who a visitor counts as: an IPv4 address, or the /64 of an IPv6 one, all of whose addresses one machine may take. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (!isIPv6(plain)) return plain
  // As browsers write it: an IPv4 tail becomes hexadecimal, and `::` the longest run of zeros.
  const [head = '', tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::')
  const [first, last] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean))
  const zeros = Array(8 - (first?.length ?? 0) - (last?.length ?? 0)).fill('0')
  return `${[...(first ?? []), ...zeros, ...(last ?? [])].slice(0, 4).join(':')}::/64`
}

/** Where a request comes from, seen through as many proxies of ours. */
export function addressOf({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const named = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
  const hops = [...named, socket.remoteAddress ?? ''].reverse()
  return hops[Math.min(trustedProxies, hops.length - 1)] ?? ''
}

/** Built files cost no work, and take as long as a thin line does. */
export const isFreeOfWork = (path: string) => path.startsWith('/assets/')

const isHealth = (path: string) => /^\/api\/health\b/.test(path)

/** Whose share a visitor's request takes: his network's; the state of the service has one of its own. */
export function visitorShare(path: string, address: string): string {
  return isHealth(path) ? 'health' : networkOf(address)
}

type Line = { busy: number; waiting: Set<() => void> }

/** How many requests of one network are worked on at once, and how many may wait for that. */
const atOnce = 4
const mostWaiting = 200
/** While others of its network wait, a request is followed by a pause as long as it took, up to this: others have half of the time. */
const longestPauseMs = 20
/** What lasts longer waits for the database or for its sender, which have bounds of their own. */
const longestHoldMs = 500

export type VisitorLines = {
  /** Starts a request when its turn comes; `refuse` is called when that would be too late. */
  enter(share: string, response: ServerResponse, start: () => void, refuse: () => void): void
  /** Gives up the place of a request that turned out to be a user's: what follows takes the user's share. */
  leave(response: ServerResponse): void
}

/**
 * Lets the requests of each share in a few at a time, so that however many one network sends, a turn of the event loop
 * serves as much of everybody else.
 */
export function createVisitorLines(): VisitorLines {
  const lines = new Map<string, Line>()
  const ends = new WeakMap<ServerResponse, () => void>()

  function begin(share: string, line: Line, response: ServerResponse, start: () => void): void {
    line.busy += 1
    let isOver = false
    const begunAt = performance.now()
    const end = () => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      const release = () => {
        line.busy -= 1
        const [next] = line.waiting
        if (next) next()
        else if (line.busy === 0) lines.delete(share)
      }
      const tookMs = performance.now() - begunAt
      if (line.waiting.size > 0) setTimeout(release, Math.min(tookMs, longestPauseMs))
      else setImmediate(release)
    }
    const timer = setTimeout(end, longestHoldMs).unref()
    response.once('close', end)
    ends.set(response, end)
    start()
  }

  function enter(share: string, response: ServerResponse, start: () => void, refuse: () => void): void {
    const line = lines.get(share) ?? { busy: 0, waiting: new Set() }
    lines.set(share, line)
    if (line.busy < atOnce) {
      begin(share, line, response, start)
      return
    }
    if (line.waiting.size >= mostWaiting) {
      refuse()
      return
    }
    const leave = () => {
      clearTimeout(timer)
      line.waiting.delete(turn)
      response.off('close', leave)
    }
    const turn = () => {
      leave()
      begin(share, line, response, start)
    }
    const timer = setTimeout(() => {
      leave()
      refuse()
    }, timeLimits.patience)
    line.waiting.add(turn)
    response.once('close', leave)
  }

  return { enter, leave: (response) => ends.get(response)?.() }
}
