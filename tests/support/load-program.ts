// Sends requests to one address repeatedly, from its own process so that this costs the server nothing.
// Arguments: a JSON of LoadOptions. Prints a JSON of LoadReport.
//
// Requests are due at fixed times, whether or not earlier ones are answered; a request without a free connection waits
// for one, and this wait counts. Responses are parsed by hand: a full client would cost more than the server it loads.

import { connect, type Socket } from 'node:net'

export type LoadOptions = {
  url: string
  token: string | null
  /** Body to POST as JSON; without it, GET. */
  body?: object
  /** Requests per second; null: each connection sends again as soon as it is answered. */
  rate: number | null
  connections: number
  seconds: number
}

/** Longest useful wait for a list; a later response counts as useless. */
export const goodWithinMs = 2_000

export type LoadReport = {
  /** By status; 0: the connection broke. */
  answers: Record<string, { count: number; msMedian: number; msP99: number }>
  /** Successful responses in time, by second. */
  goodPerSecond: number[]
  /** Requests still unanswered, or not yet sent, two seconds after the end. */
  unanswered: number
}

const tickMs = 5
const patienceMs = 2_000

async function load({ url, rate, connections, seconds, ...what }: LoadOptions): Promise<LoadReport> {
  const { hostname, port } = new URL(url)
  const request = requestOf({ url, ...what })
  const latencies = new Map<number, number[]>()
  const goodPerSecond: number[] = []
  const backlog: number[] = []
  const idle: Line[] = []
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  let inFlight = 0

  type Line = { socket: Socket; dueAt: number; received: string }

  function open(): Line {
    const line: Line = { socket: connect(Number(port), hostname), dueAt: 0, received: '' }
    line.socket.setNoDelay(true)
    line.socket.on('data', (bytes) => read(line, bytes.toString('latin1')))
    line.socket.on('error', () => {})
    line.socket.on('close', () => {
      if (line.dueAt > 0) count(line, 0)
      const at = idle.indexOf(line)
      if (at >= 0) idle.splice(at, 1)
      if (performance.now() < endsAt) release(open())
    })
    return line
  }

  function read(line: Line, text: string): void {
    line.received += text
    const headEnd = line.received.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(line.received)?.[1] ?? 0)
    if (line.received.length < headEnd + 4 + length) return
    count(line, Number(line.received.slice(9, 12)))
    line.received = ''
    release(line)
  }

  function count(line: Line, status: number): void {
    const now = performance.now()
    const timed = latencies.get(status) ?? []
    const ms = now - line.dueAt
    timed.push(ms)
    latencies.set(status, timed)
    if (status >= 200 && status < 300 && ms <= goodWithinMs) {
      const second = Math.floor((now - startedAt) / 1000)
      goodPerSecond[second] = (goodPerSecond[second] ?? 0) + 1
    }
    line.dueAt = 0
    inFlight -= 1
  }

  function release(line: Line): void {
    const dueAt = rate === null && performance.now() < endsAt ? performance.now() : backlog.shift()
    if (dueAt === undefined) idle.push(line)
    else send(line, dueAt)
  }

  function send(line: Line, dueAt: number): void {
    line.dueAt = dueAt
    inFlight += 1
    line.socket.write(request)
  }

  for (let i = 0; i < connections; i++) release(open())
  let due = 0
  const ended = Promise.withResolvers<void>()
  const timer = setInterval(() => {
    const now = performance.now()
    for (; rate !== null && due < ((Math.min(now, endsAt) - startedAt) / 1000) * rate; due++) {
      const dueAt = startedAt + (due / rate) * 1000
      const line = idle.pop()
      if (line) send(line, dueAt)
      else backlog.push(dueAt)
    }
    const isDone = now > endsAt && inFlight + backlog.length === 0
    if (isDone || now > endsAt + patienceMs) ended.resolve()
  }, tickMs)
  await ended.promise
  clearInterval(timer)
  return {
    answers: Object.fromEntries([...latencies].map(([status, samples]) => [status, describe(samples)])),
    goodPerSecond: Array.from(goodPerSecond, (good) => good ?? 0),
    unanswered: inFlight + backlog.length,
  }
}

function requestOf({ url, token, body }: Pick<LoadOptions, 'url' | 'token' | 'body'>): string {
  const { pathname, search, host } = new URL(url)
  const content = body ? JSON.stringify(body) : ''
  const head = [
    `${body ? 'POST' : 'GET'} ${pathname}${search} HTTP/1.1`,
    `Host: ${host}`,
    ...(token ? [`Authorization: Bearer ${token}`] : []),
    ...(body ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`] : []),
  ]
  return `${head.join('\r\n')}\r\n\r\n${content}`
}

function describe(samples: number[]) {
  const sorted = Float64Array.from(samples).sort()
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
  return { count: samples.length, msMedian: at(0.5), msP99: at(0.99) }
}

// Our own caller passes what the type says.
const options = JSON.parse(process.argv[2] ?? '') as LoadOptions
console.log(JSON.stringify(await load(options)))
process.exit(0)
