// Requests to every operation of the contracts: valid, nearly valid, random, and hostile bytes.

import fc from 'fast-check'
import type { z } from 'zod'
import { anyBody, asJson, bodyOf, often, type Sent, textOf } from './bodies.ts'
import { spoilt, validInput } from './inputs.ts'

/** An operation as the router defines it. */
export type Operation = {
  method: string
  /** With `:id` for parameters. */
  path: string
  isPublic: boolean
  query?: z.ZodType
  body?: z.ZodType
  takesForms: boolean
}

export const nameOf = ({ method, path }: Operation) => `${method} ${path}`

export const people = [
  'visitor',
  'user',
  'individual',
  'agent',
  'collector',
  'manager',
  'admin',
  'super admin',
] as const
export type Person = (typeof people)[number]

export type FuzzRequest = {
  operation: Operation
  by: Person
  method: string
  url: string
  headers: Record<string, string>
  body: string | Uint8Array | undefined
}

/** Returns requests to the operations, each equally likely. */
export function requestsTo(operations: readonly Operation[]): fc.Arbitrary<FuzzRequest> {
  return fc.oneof(...operations.map(requestTo))
}

/** Returns requests to each operation once before any is repeated, each round in another order. */
export function requestsInTurn(operations: readonly Operation[], seed: number): fc.Arbitrary<FuzzRequest> {
  const each = operations.map(requestTo)
  const orders = fc.shuffledSubarray(each, { minLength: each.length })
  let turn = 0
  let left: fc.Arbitrary<FuzzRequest>[] = []
  const next = () => {
    if (left.length === 0) left = fc.sample(orders, { seed: seed + turn++, numRuns: 1 })[0]!
    return left.pop()!
  }
  return fc.constant(null).chain(next)
}

function requestTo(operation: Operation): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      // A user with more rights passes more checks.
      by: fc.oneof(
        { weight: 4, arbitrary: fc.constant('super admin' as const) },
        { weight: 3, arbitrary: fc.constantFrom('admin' as const, 'collector' as const) },
        { weight: 4, arbitrary: fc.constantFrom(...people) },
      ),
      method: often(operation.method, 200, fc.constantFrom('PATCH', 'HEAD', 'OPTIONS', 'DELETE', 'QUERY')),
      path: pathOf(operation),
      query: queryOf(operation),
      sent:
        operation.method === 'GET'
          ? often<Sent>({ headers: {} }, 30, anyBody)
          : bodyOf(operation.body, operation.takesForms),
      headers: often<Record<string, string>>({}, 3, oddHeaders),
    })
    .map(({ by, method, path, query, sent, headers }) => ({
      operation,
      by,
      method,
      url: path + query,
      headers: { ...sent.headers, ...headers },
      body: sent.body,
    }))
}

/** Returns a valid request of a super admin with an id of 15 digits, the longest that a path may have. */
export function requestWithLongestId(operation: Operation): fc.Arbitrary<FuzzRequest> {
  const { method, path, query, body } = operation
  const url = path.replaceAll(/:\w+/g, '9'.repeat(15))
  const valid = (schema: z.ZodType | undefined) => (schema ? validInput(schema) : fc.constant(undefined))
  return fc.tuple(valid(query), valid(body)).map(([asked, sent]) => ({
    operation,
    by: 'super admin',
    method,
    url: url + (asked ? encoded(asked) : ''),
    headers: {},
    body: undefined,
    ...(sent !== undefined && asJson(sent)),
  }))
}

// Raw texts of an address: invalid escapes, invalid UTF-8, invalid ids.
const rawTexts = fc.constantFrom(
  '%00',
  '%',
  '%zz',
  '%ff',
  '%ed%a0%80',
  '%u0000',
  '..x',
  '%2e%2e%2f',
  '%2F',
  ';',
  '-1',
  '0',
  '1.5',
  '1e3',
  '2147483648',
  '99999999999999999999',
  '9'.repeat(15),
  'NaN',
  'null',
  '__proto__',
  'x'.repeat(300),
  '%F0%9F%8D%8C',
  '%20',
  '1%0d%0aX:1',
  '[]',
  '*',
  '😀',
  '‮',
)

function pathOf({ path }: Operation): fc.Arbitrary<string> {
  const id = fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 1, max: 8 }).map(String) },
    { weight: 2, arbitrary: fc.integer({ min: 9, max: 60 }).map(String) },
    { weight: 2, arbitrary: fc.integer({ min: 61, max: 400 }).map(String) },
    { weight: 2, arbitrary: rawTexts },
  )
  const filled = id.map((text) => path.replaceAll(/:\w+/g, text))
  return fc.oneof(
    { weight: 60, arbitrary: filled },
    { weight: 1, arbitrary: filled.map((text) => `${text}/`) },
    { weight: 1, arbitrary: rawTexts.map((text) => `${path}/${text}`) },
  )
}

function queryOf({ query }: Operation): fc.Arbitrary<string> {
  if (!query)
    return often('', 10, fc.constantFrom('?', '?a=1', '?__proto__=1', '?%00=%00', `?x=${'y'.repeat(9000)}`))
  const valid = validInput(query)
  const asked = fc.oneof({ weight: 5, arbitrary: valid }, { weight: 3, arbitrary: spoilt(valid) })
  const raw = fc.tuple(asked, rawTexts, fc.nat()).map(([value, text, at]) => {
    const names = Object.keys(shapeOf(query))
    return `${encoded(value)}&${names[at % names.length]}=${text}`
  })
  return fc.oneof({ weight: 8, arbitrary: asked.map(encoded) }, { weight: 2, arbitrary: raw })
}

/** Encodes a query: lists repeat the name, and objects use brackets, as some clients do. */
function encoded(query: unknown): string {
  const pairs = Object.entries(query ?? {}).flatMap(([key, value]): [string, unknown][] => {
    if (Array.isArray(value)) return value.map((each) => [key, each])
    if (typeof value !== 'object' || value === null) return [[key, value]]
    return Object.entries(value).map(([inside, each]) => [`${key}[${inside}]`, each])
  })
  return `?${pairs.map(([key, value]) => `${escaped(key)}=${escaped(value)}`).join('&')}`
}

const escaped = (value: unknown) => encodeURIComponent(textOf(value).toWellFormed())

// The contracts' queries are all objects; zod's base type does not say so.
const shapeOf = (schema: z.ZodType) => (schema as z.ZodObject).shape

const oddHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  fc.constantFrom<Record<string, string>[]>(
    { 'content-type': 'application/json; charset=utf-16' },
    { 'content-type': ';;;' },
    { 'content-type': '__proto__' },
    { 'content-encoding': 'gzip' },
    { accept: 'text/html' },
    { 'accept-encoding': 'br' },
    { 'accept-encoding': 'gzip;q=0, *;q=-1' },
    { 'accept-language': 'xx' },
    { authorization: 'Bearer' },
    { authorization: `Bearer ${'x'.repeat(43)}` },
    { authorization: 'Basic YTpi' },
    { cookie: 'ntalo_refresh=%00; ntalo_refresh=deux' },
    { cookie: `ntalo_refresh=${'y'.repeat(43)}` },
    { origin: 'null' },
    { origin: 'https://ailleurs.example' },
    { 'sec-fetch-site': 'cross-site' },
    { host: '' },
    { host: 'a b' },
    { range: 'bytes=0-0' },
    { 'if-none-match': '*' },
    { 'x-request-id': 'x'.repeat(5000) },
  ),
  fc.string({ unit: 'grapheme-ascii' }).map((value) => ({ 'user-agent': value })),
  fc.oneof(fc.ipV4(), fc.ipV6(), fc.constant('<pas une adresse>')).map((ip) => ({ 'x-forwarded-for': ip })),
)
