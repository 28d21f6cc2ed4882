// Sends many requests of every kind to every operation, and collects the faults of the responses.

import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import { inject } from '../support/inject.ts'
import { judgeBy } from './answers.ts'
import { type FuzzRequest, nameOf, requestsInTurn } from './requests.ts'
import type { FuzzWorld } from './world.ts'

/** A fault, and the smallest request found that shows it. */
export type Finding = { operation: string; fault: string; request: string }

export type FuzzReport = {
  /** Number of responses by operation and by hundred of the status: `{ 'GET /api/brands': { 2: 310, 4: 190 } }`. */
  answers: Map<string, Record<number, number>>
  sent: number
  findings: Finding[]
}

const atOnce = 12
const mostFindings = 10
// About once each operation: a request may end the session that the others share.
const renewEvery = 300

/**
 * Sends at least `requests` requests, several at once; stops early after ten findings, or after the first in
 * `operation`. The same seed sends the same requests.
 */
export async function fuzz(
  world: FuzzWorld,
  options: { seed: number; requests: number; until?: { operation: string } },
): Promise<FuzzReport> {
  const judge = judgeBy(world.http)
  const report: FuzzReport = { answers: new Map(), sent: 0, findings: [] }
  const reported = new Set<string>()
  const together = fc.array(requestsInTurn(world.operations, options.seed), {
    minLength: 1,
    maxLength: atOnce,
    size: 'max',
  })
  let isShrinking = false
  let renewed = 0

  async function faultsOf(asked: FuzzRequest): Promise<string[]> {
    const request = await world.completed(asked)
    const answer = await inject(world.http, await toInject(world, request, report.sent))
    const name = nameOf(request.operation)
    if (!isShrinking) count(report, name, answer.statusCode)
    return judge(request, answer).map((fault) => `${name}: ${fault}`)
  }

  const property = fc.asyncProperty(together, async (requests) => {
    if (report.sent - renewed >= renewEvery) {
      renewed = report.sent
      world.renew()
    }
    const faults = await Promise.all(requests.map(faultsOf))
    const at = faults.findIndex((each) => each.some((fault) => !reported.has(fault)))
    if (at < 0) return
    isShrinking = true
    throw new Fault(faults[at]?.find((fault) => !reported.has(fault)) ?? '', requests[at])
  })

  for (let round = 0; report.sent < options.requests; round++) {
    isShrinking = false
    const missing = options.requests - report.sent
    const details = await fc.check(property, {
      seed: options.seed + round,
      numRuns: Math.ceil((missing * 2) / (atOnce + 1)),
    })
    const { errorInstance: error } = details
    if (!details.failed) continue
    if (!(error instanceof Fault)) throw error
    reported.add(error.message)
    report.findings.push(error.finding)
    const isFound = error.finding.operation === options.until?.operation
    if (isFound || report.findings.length >= mostFindings) break
  }
  return report
}

class Fault extends Error {
  readonly finding: Finding

  constructor(fault: string, request: FuzzRequest | undefined) {
    super(fault)
    const [operation = '', ...rest] = fault.split(': ')
    this.finding = { operation, fault: rest.join(': '), request: request ? describe(request) : '' }
  }
}

function count(report: FuzzReport, name: string, status: number): void {
  const hundred = Math.floor(status / 100)
  const seen = report.answers.get(name) ?? {}
  seen[hundred] = (seen[hundred] ?? 0) + 1
  report.answers.set(name, seen)
  report.sent += 1
}

/** Whether a request ends or replaces its session, and so must not use the one that other requests share. */
export function endsSession({ operation }: FuzzRequest): boolean {
  return /\/(logout|refresh|close)$|second-factor/.test(operation.path)
}

/** Returns a request in the form that `inject` takes. @param number gives the request its own client address */
export async function toInject(
  world: FuzzWorld,
  request: FuzzRequest,
  number: number,
): Promise<InjectOptions> {
  const { method, url, headers, body, by } = request
  const isOwn = endsSession(request)
  const session = await world.sessionOf(by, isOwn)
  return {
    // Any word: the server must handle methods that inject's type does not list.
    method: method as NonNullable<InjectOptions['method']>,
    url,
    headers: {
      // Each request has its own client address: otherwise all sign-ins would soon be refused by the rate limit.
      'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
      ...(session && { authorization: `Bearer ${session.access}` }),
      ...(session && isOwn && { cookie: `ntalo_refresh=${session.refresh}` }),
      ...headers,
    },
    ...(body !== undefined && { payload: typeof body === 'string' ? body : Buffer.from(body) }),
  }
}

function describe({ by, method, url, headers, body }: FuzzRequest): string {
  const sent = typeof body === 'string' ? body : body && `<${Buffer.from(body).toString('latin1')}>`
  const short = (text: string) => (text.length > 600 ? `${text.slice(0, 600)}… (${text.length})` : text)
  return short(
    `${by}: ${method} ${short(url)} ${JSON.stringify(headers)} ${JSON.stringify(short(sent ?? ''))}`,
  )
}
