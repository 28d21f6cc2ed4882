// The contract that every resource keeps, run over HTTP on the real application.

import { beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { type Endpoint, problem } from '#shared/contract.ts'
import { type Noun, succeeded } from '#shared/resource.ts'
import type { Answer, Client, testServer } from './server.ts'

type Resource = {
  name: string
  listed: string
  noun: Noun
  query: z.ZodType
  sortable: readonly string[]
} & Record<'list' | 'find' | 'create' | 'update' | 'remove', Endpoint>

type Body = Record<string, unknown>
type Row = Body & { id: number; updated_at: string }

export type Facts = {
  /** A body that creates a row of this name. */
  valid(name: string): Body
  required: string[]
  /** Wrong values beside those of a wrong type, each with the field that the refusal names. */
  invalid: [field: string, wrong: Body][]
  /** What PUT changes, field by field, one of them to this name. */
  changes(name: string): Body
  /** Makes one thing depend on the row. */
  use(id: number): Promise<unknown>
  /** How the refusal to delete it then counts. */
  inUse: RegExp
}

const english = /\b(invalid|expected|required|received|must|string|number|undefined)\b/i
const serverOwned = {
  id: 1,
  created_at: '2001-01-01T00:00:00.000Z',
  createdAt: '2001-01-01T00:00:00.000Z',
  totalProducts: 99,
  _count: { products: 99, prices: 99 },
  category: { id: 99 },
  unknown: true,
  constructor: { prototype: { isAdmin: true } },
}

let marks = 0
/** Letters that no other test's rows contain: searching them lists those of one test. */
const newMark = () => `lot${String.fromCharCode(97 + (marks % 26))}${marks++}fin`

export function testCrud(
  server: Awaited<ReturnType<typeof testServer>>,
  resource: Resource,
  facts: Facts,
): void {
  const path = `/api/${resource.name}`
  let writer: Client
  beforeAll(async () => {
    writer = await server.as('collector')
  })

  const post = async (body: unknown) => answered(resource.create, await writer.post(path, body))
  const put = async (id: number | string, body: unknown) =>
    answered(resource.update, await writer.put(`${path}/${id}`, body))
  const find = async (id: number | string) => answered(resource.find, await writer.get(`${path}/${id}`))
  const remove = async (id: number | string) =>
    answered(resource.remove, await writer.delete(`${path}/${id}`))
  const list = async (query: Record<string, string | number>) =>
    answered(resource.list, await writer.get(`${path}?${new URLSearchParams(query as never)}`))

  async function create(name = newMark()): Promise<Row> {
    const { status, body } = await post(facts.valid(name))
    expect(status, JSON.stringify(body)).toBe(201)
    const { message, ...row } = body as Row & { message: string }
    expect(message).toBe(succeeded(resource.noun, 'créé'))
    return row as Row
  }
  const rowsOf = ({ body }: Answer) => (body as Record<string, Row[]>)[resource.listed] ?? []
  const pageOf = ({ body }: Answer) => (body as { pagination: Body }).pagination
  const namesOf = (answer: Answer) => rowsOf(answer).map(({ name }) => name)
  const entriesOf = (id: number) =>
    server.db
      .selectFrom('audit_entry')
      .selectAll()
      .where('entity', '=', resource.name)
      .where('entity_id', '=', id)
      .orderBy('id')
      .execute()
  async function refusedUnder(field: string, answer: Promise<Answer>, status = 400): Promise<void> {
    const { status: given, body } = await answer
    expect({ status: given, fields: problem.parse(body).errors.map((error) => error.field) }).toEqual({
      status,
      fields: expect.arrayContaining([field]),
    })
  }

  describe(`the contract of ${path}`, () => {
    test('a created row comes back bare, with 201, its message and what was sent; reading it gives the same', async () => {
      const sent = facts.valid(newMark())
      const { status, body } = await post(sent)
      expect(status).toBe(201)
      expect(body).toMatchObject({ ...sent, message: succeeded(resource.noun, 'créé') })
      const { message: _, ...row } = body as Row & { message: string }
      expect((await find(row.id)).body).toEqual(row)
    })

    test('a list is cut in pages that neither repeat nor miss a row, with the exact total', async () => {
      const mark = newMark()
      const ids = new Set<number>()
      for (const each of 'abcde') ids.add((await create(`${mark} ${each}`)).id)
      const seen: number[] = []
      for (const [page, size] of [
        [1, 2],
        [2, 2],
        [3, 1],
        [4, 0],
        [999_999_999_999, 0],
      ] as const) {
        const answer = await list({ search: mark, limit: 2, page })
        expect(pageOf(answer)).toEqual({ page, limit: 2, total: 5, pages: 3 })
        expect(rowsOf(answer)).toHaveLength(size)
        seen.push(...rowsOf(answer).map(({ id }) => id))
      }
      expect(new Set(seen)).toEqual(ids)
    })

    test('without parameters the first page comes, of the usual size; unknown and empty parameters change nothing', async () => {
      const plain = await list({})
      expect(pageOf(plain)).toMatchObject(resource.query.parse({}) as Body)
      expect((await list({ search: '', page: '', limit: '', sort: '', utm: 'x' })).body).toEqual(plain.body)
    })

    test.each([
      ['limit', '0'],
      ['limit', '201'],
      ['limit', '-1'],
      ['limit', '1.5'],
      ['limit', 'abc'],
      ['limit', '1e2'],
      ['page', '0'],
      ['page', '-1'],
      ['page', 'x'],
      ['page', '99999999999999'],
      ['sort', 'password'],
      ['search', '\u0000'],
    ])('%s=%j is refused', async (name, value) => {
      await refusedUnder(name, list({ [name]: value }))
    })

    test('search ignores case and accents, and takes % and _ as letters', async () => {
      const mark = newMark()
      const name = `Éàç ${mark} 100% n_o`
      await create(name)
      for (const search of [`EAC ${mark}`, `éàç ${mark.toUpperCase()} 100%`, `${mark} 100% N_O`]) {
        expect(namesOf(await list({ search })), search).toEqual([name])
      }
      for (const search of [`${mark}%100`, `${mark} 1_0`, `%${mark}`, `${mark}\\`, `${mark}'--`]) {
        expect(pageOf(await list({ search })), search).toMatchObject({ total: 0, pages: 0 })
      }
    })

    test('names are sorted as French does; every announced sort works in both directions', async () => {
      const mark = newMark()
      const inOrder = ['eau', 'éclair', 'Été', 'Zoo'].map((word) => `${mark} ${word}`)
      for (const name of inOrder.toReversed()) await create(name)
      expect(namesOf(await list({ search: mark, sort: 'name' }))).toEqual(inOrder)
      expect(namesOf(await list({ search: mark, sort: '-name' }))).toEqual(inOrder.toReversed())
      for (const sort of resource.sortable.flatMap((field) => [field, `-${field}`])) {
        expect(rowsOf(await list({ search: mark, sort })), sort).toHaveLength(4)
      }
    })

    test.each(Object.keys(facts.changes('')))('PUT changes %s alone', async (field) => {
      const value = facts.changes(newMark())[field]
      const { updated_at, ...before } = await create()
      const { status, body } = await put(before.id, { [field]: value })
      expect(status).toBe(200)
      expect(body).toMatchObject({ [field]: value, message: succeeded(resource.noun, 'mis à jour') })
      const { message: _, ...after } = body as Row & { message: string }
      expect((await find(before.id)).body).toEqual(after)
      expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(updated_at))
      for (const other of Object.keys(facts.valid('')).filter((name) => name !== field)) {
        expect(after[other], other).toEqual(before[other])
      }
    })

    test('PUT of nothing changes nothing', async () => {
      const before = await create()
      expect((await put(before.id, {})).body).toMatchObject(before)
    })

    test('PUT with the version that was read is refused once somebody else has written', async () => {
      const { id, updated_at } = await create()
      const changes = facts.changes(newMark())
      const first = await put(id, { ...changes, updated_at })
      expect(first.status).toBe(200)
      for (const stale of [{ updated_at }, { updatedAt: updated_at }]) {
        expect((await put(id, { ...changes, ...stale })).status).toBe(409)
      }
      const current = (first.body as Row).updated_at
      expect((await put(id, { ...changes, updatedAt: current })).status).toBe(200)
      await refusedUnder('updated_at', put(id, { updated_at: 'hier' }))
    })

    test('a name is unique whatever its case and accents, even when two send it at once', async () => {
      const mark = newMark()
      const { id } = await create(`Été ${mark}`)
      await refusedUnder('name', post(facts.valid(`ETE ${mark.toUpperCase()}`)), 409)
      const other = await create(`autre ${mark}`)
      await refusedUnder('name', put(other.id, { name: `été ${mark}` }), 409)
      expect((await put(id, { name: `ÉTÉ ${mark}` })).status).toBe(200)
      const both = await Promise.all([post(facts.valid(`deux ${mark}`)), post(facts.valid(`DEUX ${mark}`))])
      expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
    })

    test('an id that names nothing is 404, one that is no id is 400', async () => {
      for (const id of [0, 2_147_483_647, '2147483648', '999999999999999']) {
        for (const { status, body } of [
          await find(id),
          await put(id, facts.changes(newMark())),
          await remove(id),
        ]) {
          expect({ id, status }).toEqual({ id, status: 404 })
          expect(body).toMatchObject({ message: expect.stringContaining(resource.noun.one) })
        }
      }
      for (const id of ['abc', '-1', '1.5', '1e3', '9'.repeat(16), '%00']) {
        for (const { status } of [
          await find(id),
          await put(id, facts.changes(newMark())),
          await remove(id),
        ]) {
          expect({ id, status }).toEqual({ id, status: 400 })
        }
      }
    })

    test('a deleted row is gone', async () => {
      const { id } = await create()
      const { status, body } = await remove(id)
      expect({ status, body }).toEqual({
        status: 200,
        body: { message: succeeded(resource.noun, 'supprimé') },
      })
      expect((await find(id)).status).toBe(404)
      expect((await remove(id)).status).toBe(404)
    })

    test('a row in use is not deleted, and the refusal counts the uses in digits', async () => {
      const { id } = await create()
      await facts.use(id)
      const { status, body } = await remove(id)
      expect(status).toBe(409)
      expect(problem.parse(body).message).toMatch(facts.inUse)
      expect((await find(id)).status).toBe(200)
      expect((await entriesOf(id)).map(({ action }) => action)).toEqual(['create'])
    })

    test('each write leaves who, what, before and after', async () => {
      const before = await create()
      await put(before.id, facts.changes(newMark()))
      const { body: after } = await find(before.id)
      await remove(before.id)
      const by = { user_id: writer.userId, request_id: expect.any(String) }
      expect(await entriesOf(before.id)).toMatchObject([
        { ...by, action: 'create', before: null, after: before },
        { ...by, action: 'update', before, after },
        { ...by, action: 'delete', before: after, after: null },
      ])
    })

    test('fields that are unknown or not the client’s are dropped', async () => {
      const sent = facts.valid(newMark())
      const { status, body } = await post({ ...serverOwned, ...sent })
      expect(status).toBe(201)
      const { message: _, ...row } = body as Row & { message: string }
      const { body: changed } = await put(row.id, serverOwned)
      for (const answer of [row, changed as Row]) {
        expect(answer).toMatchObject({ ...sent, id: row.id, created_at: row.created_at })
        expect(Object.keys(answer).filter((key) => key === 'unknown' || key === 'createdAt')).toEqual([])
      }
      expect(row.id).not.toBe(serverOwned.id)
      expect(row.created_at).not.toBe(serverOwned.created_at)
    })

    test.each(facts.required)('%s is required, on POST as on PUT when it is sent', async (field) => {
      const { [field]: _, ...rest } = facts.valid(newMark())
      const { id } = await create()
      await refusedUnder(field, post(rest))
      for (const blank of [null, '', '  ']) {
        await refusedUnder(field, post({ ...rest, [field]: blank }))
        await refusedUnder(field, put(id, { [field]: blank }))
      }
    })

    test.each(Object.keys(facts.valid('')))('%s of a wrong type is refused under its name', async (field) => {
      const { id } = await create()
      for (const wrong of [{}, [1], true, 'a\u0000b', '\ud800', { $ne: 1 }]) {
        await refusedUnder(field, post({ ...facts.valid(newMark()), [field]: wrong }))
        await refusedUnder(field, put(id, { [field]: wrong }))
      }
    })

    test.each(facts.invalid)('a wrong %s is refused (%#)', async (field, wrong) => {
      await refusedUnder(field, post({ ...facts.valid(newMark()), ...wrong }))
    })

    test.each([
      ['nothing', ''],
      ['a list', '[]'],
      ['null', 'null'],
      ['a text', '"texte"'],
      ['cut short', '{"name":'],
      ['a prototype', '{"__proto__":{"name":"a"}}'],
      ['50 000 brackets', '['.repeat(50_000)],
    ])('a body that is %s is refused', async (_, body) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await writer.send(path, { method: 'POST', headers, body })
      expect(answered(resource.create, answer).status).toBe(400)
    })

    test('visitors sign in, subscribers without access pay, readers read, and only some write', async () => {
      const { id } = await create()
      const statuses = async (client: Client) => [
        (await client.get(path)).status,
        (await client.get(`${path}/${id}`)).status,
        (await client.post(path, facts.valid(newMark()))).status,
        (await client.put(`${path}/${id}`, {})).status,
        (await client.delete(`${path}/2147483647`)).status,
      ]
      expect(await statuses(server.visitor)).toEqual([401, 401, 401, 401, 401])
      expect(await statuses(await server.as('user'))).toEqual([402, 402, 403, 403, 403])
      for (const role of ['agent', 'manager']) {
        expect(await statuses(await server.as(role)), role).toEqual([200, 200, 403, 403, 403])
      }
      for (const role of ['collector', 'admin', 'super admin']) {
        expect(await statuses(await server.as(role)), role).toEqual([200, 200, 201, 200, 404])
      }
    })
  })
}

/** Whatever comes back keeps the contract: the announced shape, or a French problem that leaks nothing. */
export function answered(endpoint: Endpoint, answer: Answer): Answer {
  const { status, body, text, headers } = answer
  expect(headers.get('content-type')).toMatch(/^application\/json/)
  if (status === (endpoint.status ?? 200)) {
    expect(endpoint.response.parse(body)).toEqual(body)
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
