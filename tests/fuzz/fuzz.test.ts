import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { testDatabase } from '../support/database.ts'
import { inject } from '../support/inject.ts'
import { tries } from '../support/length.ts'
import { type Answer, judgeBy } from './answers.ts'
import { addFaultyRoute, faultyOperation } from './control.ts'
import { expectNoFindings } from './expectations.ts'
import { fuzz, toInject } from './fuzz.ts'
import { type FuzzRequest, nameOf, requestWithLongestId } from './requests.ts'
import { type FuzzWorld, fuzzWorld } from './world.ts'

async function world(addRoutes?: (http: FastifyInstance) => void): Promise<FuzzWorld> {
  const made = await fuzzWorld(await testDatabase(), addRoutes)
  onTestFinished(made.close)
  return made
}

// The bench sends 200 000 requests.
test('requests of every kind from every role meet no failure and only documented responses', async () => {
  const app = await world()
  expect(await faultsAtLongestIds(app)).toEqual([])
  // A fixed number of requests per operation, however many operations there are.
  await expectNoFindings(app, app.operations.length * tries(28, 90), tries(0.25, 0.1))
})

/** Sends a valid request to each address with an id, with one of 15 digits. @returns the faults of the responses */
async function faultsAtLongestIds(app: FuzzWorld): Promise<string[]> {
  const judge = judgeBy(app.http)
  const faults: string[] = []
  const withId = app.operations.filter(({ path }) => path.includes(':'))
  for (const [number, operation] of withId.entries()) {
    const [request] = fc.sample(requestWithLongestId(operation), { seed: 1, numRuns: 1 })
    const asked = await app.completed(request!)
    const answer = await inject(app.http, await toInject(app, asked, number))
    faults.push(...judge(asked, answer).map((fault) => `${nameOf(operation)}: ${fault}`))
  }
  expect(withId.length).toBeGreaterThan(80)
  return faults
}

test('a route that fails at a NUL character is found', async () => {
  const app = await world(addFaultyRoute)
  const operation = faultyOperation
  // Only this operation, so that the number of requests does not depend on the others.
  const operations = app.operations.filter((each) => nameOf(each) === operation)
  const { findings } = await fuzz({ ...app, operations }, { seed: 1, requests: 100, until: { operation } })
  const request = expect.stringMatching(/^\w.*\/api\/notes\/?\?? .*note.*u0000/)
  expect(findings).toContainEqual({ operation, fault: 'status 500', request })
})

describe('the check of responses', () => {
  const request = (more: Partial<FuzzRequest> = {}): FuzzRequest => ({
    operation: { method: 'GET', path: '/api/health', isPublic: true, takesForms: false },
    by: 'visitor',
    method: 'GET',
    url: '/api/health',
    headers: {},
    body: undefined,
    ...more,
  })
  const refusal = { message: 'Non.', code: 'forbidden', error: 'Refus', errors: [], requestId: 'r' }
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': 'r',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  }
  const answer = (statusCode: number, body: unknown, more = {}): Answer =>
    // The check reads only these fields of a response.
    ({
      statusCode,
      rawPayload: Buffer.from(JSON.stringify(body) ?? ''),
      headers: { ...headers, ...more },
    })

  const health = { status: 'ok', failingJobs: [], demonstration: false }
  const blamed: [string, Answer, FuzzRequest?][] = [
    ['fails', answer(500, refusal)],
    ['lacks a property', answer(200, { status: 'ok' })],
    ['has a property too many', answer(200, { ...health, password_hash: 'x' })],
    ['has a status that is not declared', answer(302, health)],
    ['is no JSON', answer(200, undefined)],
    ['has a type that is not declared', answer(200, health, { 'content-type': 'text/html' })],
    ['is a refusal in another shape', answer(404, { error: 'Not Found', statusCode: 404 })],
    ['is a refusal in English', answer(400, { ...refusal, message: 'Invalid input' })],
    ['is a refusal in careless French', answer(400, { ...refusal, message: "Il n'y a rien ici" })],
    ['leaks SQL', answer(400, { ...refusal, message: 'select id from price' })],
    ['leaks a path', answer(400, { ...refusal, message: '/home/ntalo/server' })],
    ['lets a limited client guess how long', answer(429, refusal)],
    ['may be cached although it refuses', answer(404, refusal, { 'cache-control': undefined })],
    ['carries no request id', answer(200, health, { 'x-request-id': undefined })],
    [
      'shows a visitor what needs a session',
      answer(200, health),
      request({ operation: { ...request().operation, isPublic: false } }),
    ],
    [
      'accepts what its contract refuses',
      answer(200, health),
      request({
        url: '/api/health?a=0',
        operation: { ...request().operation, query: z.object({ a: z.literal('1') }) },
      }),
    ],
  ]

  test('finds one fault in each of these responses, and none in a correct one', async () => {
    const judge = judgeBy((await world()).http)
    expect(judge(request(), answer(200, health))).toEqual([])
    expect(judge(request(), answer(404, refusal))).toEqual([])
    for (const [what, given, asked = request()] of blamed) expect(judge(asked, given), what).toHaveLength(1)
  })
})
