// The contract that every resource keeps, run over HTTP on the real application.

import { describe, expect, test } from 'vitest'
import { problem } from '#shared/contract.ts'
import { succeeded } from '#shared/resource.ts'
import {
  answered,
  type Body,
  callsOf,
  newMark,
  type Resource,
  type Row,
  refusedUnder,
  rowOf,
  type Server,
} from './crud-calls.ts'
import { testLists } from './crud-lists.ts'
import type { Client } from './server.ts'

export type Facts = {
  /** A body that creates a row of this name. */
  valid(name: string): Body
  required: string[]
  /** What no two rows may share; the name, when not told. */
  unique?: string
  /** Wrong values beside those of a wrong type, each with the field that the refusal names. */
  invalid: [field: string, wrong: Body][]
  /** What PUT changes, field by field, one of them to this name. */
  changes(name: string): Body
  /** Makes one thing depend on the row; absent when nothing can. */
  use?(id: number): Promise<unknown>
  /** How the refusal to delete it then counts. */
  inUse?: RegExp
}

const serverOwned = {
  id: 1,
  created_at: '2001-01-01T00:00:00.000Z',
  createdAt: '2001-01-01T00:00:00.000Z',
  totalProducts: 99,
  _count: { products: 99, prices: 99 },
  category: { id: 99 },
  unknown: true,
  constructor: 'Object',
  toString: null,
}

export function testCrud(server: Server, resource: Resource, facts: Facts): void {
  const calls = callsOf(server, resource, facts.valid)
  const { path, writer, post, put, find, remove, create, entriesOf } = calls

  describe(`the contract of ${path}`, () => {
    test('a created row comes back bare, with 201, its message and what was sent; reading it gives the same', async () => {
      const sent = facts.valid(newMark())
      const { status, body } = await post(sent)
      expect(status).toBe(201)
      const row = rowOf(body, succeeded(resource.noun, 'créé'))
      expect(row).toMatchObject(sent)
      expect((await find(row.id)).body).toEqual(row)
    })

    testLists(resource, calls)

    test.each(Object.keys(facts.changes('')))('PUT changes %s alone', async (field) => {
      const value = facts.changes(newMark())[field]
      const { updated_at, ...before } = await create()
      const { status, body } = await put(before.id, { [field]: value })
      expect(status).toBe(200)
      const after = rowOf(body, succeeded(resource.noun, 'mis à jour'))
      expect(after).toMatchObject({ [field]: value })
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

    test('what is unique is so whatever its case and accents, even when two send it at once', async () => {
      const mark = newMark()
      const { id } = await create(`Été ${mark}`)
      const { unique = 'name' } = facts
      await refusedUnder(unique, post(facts.valid(`ETE ${mark.toUpperCase()}`)), 409)
      const other = await create(`autre ${mark}`)
      await refusedUnder(unique, put(other.id, { [unique]: `été ${mark}` }), 409)
      expect((await put(id, { [unique]: `ÉTÉ ${mark}` })).status).toBe(200)
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

    const { use, inUse } = facts
    if (use && inUse) {
      test('a row in use is not deleted, and the refusal counts the uses in digits', async () => {
        const { id } = await create()
        await use(id)
        const { status, body } = await remove(id)
        expect(status).toBe(409)
        expect(problem.parse(body).message).toMatch(inUse)
        expect((await find(id)).status).toBe(200)
        expect((await entriesOf(id)).map(({ action }) => action)).toEqual(['create'])
      })
    }

    test('each write leaves who, what, before and after', async () => {
      const before = await create()
      await put(before.id, facts.changes(newMark()))
      const { body: after } = await find(before.id)
      await remove(before.id)
      const by = { user_id: (await writer()).userId, request_id: expect.any(String) }
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
      const row = rowOf(body, succeeded(resource.noun, 'créé'))
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
      const answer = await (await writer()).send(path, { method: 'POST', headers, body })
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
