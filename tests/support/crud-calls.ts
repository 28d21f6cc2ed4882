// Calls to the routes of one resource, with each response checked against the contract.

import { expect } from 'vitest'
import { z } from 'zod'
import { type Endpoint, problem } from '#shared/contract.ts'
import { type Noun, succeeded } from '#shared/resource.ts'
import { type Answer, type Client, client, type testServer } from './server.ts'

export type Server = Awaited<ReturnType<typeof testServer>>

export type Resource = {
  name: string
  listed: string
  noun: Noun
  query: z.ZodType
  /** Fields that PUT may change. */
  change: z.ZodObject
  sortable: readonly string[]
  /** Field that holds the version of a row. */
  versioned: 'updated_at' | 'updatedAt'
  columns: readonly { key?: string; title: string; value: (row: never) => unknown }[]
} & Record<'list' | 'find' | 'create' | 'update' | 'remove', Endpoint>

export type Body = Record<string, unknown>
export type Row = Body & { id: number }

const english = /\b(invalid|expected|required|received|must|string|number|undefined)\b/i

let marks = 0
/** Returns letters that no other test's rows contain, so that a search for them lists only the rows of one test. */
export const newMark = () => `lot${String.fromCharCode(97 + (marks % 26))}${marks++}fin`

export type Calls = ReturnType<typeof callsOf>

/**
 * @param valid returns a body that creates a row of this name
 * @param role role of the caller by default
 */
export function callsOf(server: Server, resource: Resource, valid: (name: string) => Body, role: string) {
  const path = `/api/${resource.name}`
  let signedIn: Promise<Client> | undefined
  const writer = () => {
    signedIn ??= server.as(role)
    return signedIn
  }

  /** Returns a client with an API key of the writer that has the right an endpoint requires. */
  const byKey = async ({ right }: Endpoint) => {
    const { userId, post } = await writer()
    const { body } = await post('/api/keys', { name: 'essai', scopes: [right].flat() })
    return client(server.url, (body as { key: string }).key, userId)
  }

  const post = async (body: unknown) => answered(resource.create, await (await writer()).post(path, body))
  const put = async (id: number | string, body: unknown) =>
    answered(resource.update, await (await writer()).put(`${path}/${id}`, body))
  const find = async (id: number | string) =>
    answered(resource.find, await (await writer()).get(`${path}/${id}`))
  const remove = async (id: number | string) =>
    answered(resource.remove, await (await writer()).delete(`${path}/${id}`))
  const list = async (query: Record<string, string | number>) => {
    const texts = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
    return answered(resource.list, await (await writer()).get(`${path}?${new URLSearchParams(texts)}`))
  }

  /** Exports the list as a file. */
  const file = async (query: Record<string, string>) =>
    (await writer()).send(`${path}/export?${new URLSearchParams(query)}`, {})

  return {
    path,
    file,
    writer,
    byKey,
    post,
    put,
    find,
    remove,
    list,
    async create(name = newMark()): Promise<Row> {
      const { status, body } = await post(valid(name))
      expect(status, JSON.stringify(body)).toBe(201)
      return rowOf(body, succeeded(resource.noun, 'créé'))
    },
    /** Returns the rows of a list; the contract has checked their shape. */
    rowsOf: ({ body }: Answer) => (body as Record<string, Row[]>)[resource.listed] ?? [],
    pageOf: ({ body }: Answer) => (body as { pagination: Body }).pagination,
    entriesOf: (id: number) =>
      server.db
        .selectFrom('audit_entry')
        .selectAll()
        .where('entity', '=', resource.name)
        .where('entity_id', '=', id)
        .orderBy('id')
        .execute(),
  }
}

/** Returns the row in the response to a write, without its message. */
export function rowOf(body: unknown, message: string): Row {
  expect(body).toMatchObject({ message })
  // The contract has already checked the shape.
  const { message: _, ...row } = body as Row
  return row as Row
}

export async function refusedUnder(field: string, answer: Promise<Answer>, status = 400): Promise<void> {
  const { status: given, body } = await answer
  const { code, errors } = problem.parse(body)
  expect({ status: given, code, fields: errors.map((error) => error.field) }).toEqual({
    status,
    code: status === 409 ? 'duplicate' : 'invalid',
    fields: expect.arrayContaining([field]),
  })
}

/** Checks that a response keeps the contract: the announced shape, or a problem in French that leaks nothing. */
export function answered(endpoint: Endpoint, answer: Answer): Answer {
  const { status, body, text, headers } = answer
  expect(headers.get('content-type')).toMatch(/^application\/json/)
  if (status === (endpoint.status ?? 200)) {
    const shape = endpoint.changes ? z.union([endpoint.response, endpoint.changes]) : endpoint.response
    expect(shape.parse(body)).toEqual(body)
    return answer
  }
  expect(status, text).toBeGreaterThanOrEqual(400)
  expect(status, text).toBeLessThan(500)
  const { message, error, errors } = problem.parse(body)
  for (const words of [message, error, ...errors.map((each) => each.message)]) {
    expect(words).not.toMatch(english)
  }
  expect(text).not.toMatch(/select |insert into|node_modules|\.ts:|fkey|_key|constraint/i)
  return answer
}
