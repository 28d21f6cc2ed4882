// The contract of every resource, tested over HTTP on the real application.

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

/** Rights on a resource of visitors, of a subscriber without access, and of the roles of the staff. */
export type Rights = {
  /** Status of a read by a visitor; `subscriber`: by a subscriber without access. */
  visitor: 200 | 401
  subscriber: 200 | 402 | 403
  /** Roles that only read; roles in neither list may do nothing. */
  readers: readonly string[]
  /** Roles that write; the tests write with the first. */
  writers: readonly [string, ...string[]]
}

const staff = ['agent', 'collector', 'manager', 'admin', 'super admin']
const catalogueRights: Rights = {
  visitor: 401,
  subscriber: 402,
  readers: ['agent', 'manager'],
  writers: ['collector', 'admin', 'super admin'],
}

export type Facts = {
  /** The rights of the catalogue by default. */
  rights?: Rights
  /** Field that holds the name of a row, which search finds and lists sort; `name` by default. */
  named?: string
  /** Fields that are sent and never returned, such as a password. */
  unseen?: readonly string[]
  /** Returns a body that creates a row of this name. */
  valid(name: string): Body
  required: string[]
  /** Field that must be unique; the name by default, null when no field must be. */
  unique?: string | null
  /** Wrong values besides those of a wrong type, each with the field that the refusal names. */
  invalid: [field: string, wrong: Body][]
  /** Returns what PUT changes, field by field; one of them is set to this name. */
  changes(name: string): Body
  /** Makes one row of another table refer to the row; absent when none can. */
  use?(id: number): Promise<unknown>
  /** How the refusal to delete a used row counts its uses. */
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
  const { rights = catalogueRights, named = 'name', unique = named } = facts
  const calls = callsOf(server, resource, facts.valid, rights.writers[0])
  const versionOf = (row: object) => Reflect.get(row, resource.versioned)
  const created = resource.versioned === 'updatedAt' ? 'createdAt' : 'created_at'
  const seen = (sent: Body) =>
    Object.fromEntries(Object.entries(sent).filter(([field]) => !facts.unseen?.includes(field)))
  const { path, writer, post, put, find, remove, create, entriesOf } = calls
  /** Checks that a wrong value is refused for a field that may be changed, and dropped for any other. */
  const refusedOrDropped = async (field: string, id: number, wrong: unknown) => {
    if (field in resource.change.shape) return refusedUnder(field, put(id, { [field]: wrong }))
    const { body: before } = await find(id)
    expect((await put(id, { [field]: wrong })).status).toBe(200)
    expect((await find(id)).body).toEqual(before)
  }

  describe(`the contract of ${path}`, () => {
    test('creating a row answers 201 with the row and a message, and reading it gives the same row', async () => {
      const sent = facts.valid(newMark())
      const { status, body } = await post(sent)
      expect(status).toBe(201)
      const row = rowOf(body, succeeded(resource.noun, 'créé'))
      expect(row).toMatchObject(seen(sent))
      for (const field of facts.unseen ?? []) expect(row).not.toHaveProperty(field)
      expect((await find(row.id)).body).toEqual(row)
    })

    testLists(resource, calls, named)

    test.each(Object.keys(facts.changes('')))('PUT changes only %s', async (field) => {
      const value = facts.changes(newMark())[field]
      const before = await create()
      const { status, body } = await put(before.id, { [field]: value })
      expect(status).toBe(200)
      const after = rowOf(body, succeeded(resource.noun, 'mis à jour'))
      expect(after).toMatchObject(seen({ [field]: value }))
      expect((await find(before.id)).body).toEqual(after)
      expect(Date.parse(versionOf(after))).toBeGreaterThan(Date.parse(versionOf(before)))
      for (const other of Object.keys(facts.valid('')).filter((name) => name !== field)) {
        expect(after[other], other).toEqual(before[other])
      }
    })

    test('PUT of nothing changes nothing', async () => {
      const before = await create()
      expect((await put(before.id, {})).body).toMatchObject(before)
    })

    test('PUT with an outdated version is refused after another user has written', async () => {
      const row = await create()
      const { id } = row
      const read = versionOf(row)
      const changes = facts.changes(newMark())
      const first = await put(id, { ...changes, updated_at: read })
      expect(first.status).toBe(200)
      for (const stale of [{ updated_at: read }, { updatedAt: read }]) {
        expect(await put(id, { ...changes, ...stale })).toMatchObject({
          status: 409,
          body: { code: 'stale' },
        })
      }
      const current = versionOf(first.body as Row)
      expect((await put(id, { ...changes, updatedAt: current })).status).toBe(200)
      await refusedUnder('updated_at', put(id, { updated_at: 'hier' }))
    })

    if (unique !== null) {
      test('a unique field ignores case, accents and blanks, even when two clients send it at once', async () => {
        const mark = newMark()
        const { id } = await create(`Été ${mark}`)
        await refusedUnder(unique, post(facts.valid(`ETE\u00a0 ${mark.toUpperCase()}`)), 409)
        const other = await create(`autre ${mark}`)
        await refusedUnder(unique, put(other.id, { [unique]: `été ${mark}` }), 409)
        expect((await put(id, { [unique]: `ÉTÉ ${mark}` })).status).toBe(200)
        const both = await Promise.all([post(facts.valid(`deux ${mark}`)), post(facts.valid(`DEUX ${mark}`))])
        expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
      })
    }

    test('an unknown id answers 404, a malformed one 400', async () => {
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
        expect(problem.parse(body)).toMatchObject({
          code: 'in_use',
          message: expect.stringMatching(inUse),
        })
        expect((await find(id)).status).toBe(200)
        expect((await entriesOf(id)).map(({ action }) => action)).toEqual(['create'])
      })
    }

    test('each write is recorded with its author and the row before and after', async () => {
      const before = await create()
      await put(before.id, facts.changes(newMark()))
      const { body: after } = await find(before.id)
      // A deletion may erase personal data from the entries.
      const written = await entriesOf(before.id)
      await remove(before.id)
      const by = { user_id: (await writer()).userId, request_id: expect.any(String) }
      expect([...written, ...(await entriesOf(before.id)).slice(written.length)]).toMatchObject([
        { ...by, action: 'create', before: null, after: before },
        { ...by, action: 'update', before, after },
        { ...by, action: 'delete', before: after, after: null },
      ])
    })

    test('unknown fields, and fields that the client may not set, are dropped', async () => {
      const sent = facts.valid(newMark())
      const { status, body } = await post({ ...serverOwned, ...sent })
      expect(status).toBe(201)
      const row = rowOf(body, succeeded(resource.noun, 'créé'))
      const { body: changed } = await put(row.id, serverOwned)
      for (const answer of [row, changed as Row]) {
        expect(answer).toMatchObject({ ...seen(sent), id: row.id, [created]: row[created] })
        const foreign = ['unknown', created === 'createdAt' ? 'created_at' : 'createdAt']
        expect(Object.keys(answer).filter((key) => foreign.includes(key))).toEqual([])
      }
      expect(row.id).not.toBe(serverOwned.id)
      expect(row[created]).not.toBe(serverOwned[created])
    })

    test.each(facts.required)('%s is required, on POST and in a PUT that sends it', async (field) => {
      const { [field]: _, ...rest } = facts.valid(newMark())
      const { id } = await create()
      await refusedUnder(field, post(rest))
      for (const blank of [null, '', '  ']) {
        await refusedUnder(field, post({ ...rest, [field]: blank }))
        await refusedOrDropped(field, id, blank)
      }
    })

    test.each(Object.keys(facts.valid('')))(
      '%s of a wrong type is refused with the name of the field',
      async (field) => {
        const { id } = await create()
        for (const wrong of [{}, [1], true, 'a\u0000b', '\ud800', { $ne: 1 }]) {
          await refusedUnder(field, post({ ...facts.valid(newMark()), [field]: wrong }))
          await refusedOrDropped(field, id, wrong)
        }
      },
    )

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

    test('visitors, subscribers and each role may read and write exactly what the table of rights says', async () => {
      const { id } = await create()
      const statuses = async (client: Client) => [
        (await client.get(path)).status,
        (await client.get(`${path}/${id}`)).status,
        (await client.post(path, facts.valid(newMark()))).status,
        (await client.put(`${path}/${id}`, {})).status,
        (await client.delete(`${path}/2147483647`)).status,
      ]
      const { visitor, subscriber, readers, writers } = rights
      expect(await statuses(server.visitor)).toEqual([visitor, visitor, 401, 401, 401])
      const unpaid = await server.as('user')
      expect(await statuses(unpaid)).toEqual([subscriber, subscriber, 403, 403, 403])
      for (const role of staff) {
        const reading = readers.includes(role) || writers.includes(role) || visitor === 200 ? 200 : 403
        const writing = writers.includes(role) ? [201, 200, 404] : [403, 403, 403]
        expect(await statuses(await server.as(role)), role).toEqual([reading, reading, ...writing])
      }
    })
  })
}
