import { describe, expect, test } from 'vitest'
import { expectRefusal, priceCalls } from '../../../tests/support/price-calls.ts'
import { testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const { collector, agent, valid, create } = await priceCalls(server)

/** Makes the price this many hours older. */
const age = (id: number, hours: number) =>
  db
    .updateTable('price')
    .set({ created_at: new Date(Date.now() - hours * 3_600_000) })
    .where('id', '=', id)
    .execute()

describe('rights to write prices', () => {
  test.each([
    ['visitor', 401, 401, 401],
    ['user', 403, 403, 403],
    ['manager', 403, 403, 403],
    ['agent', 201, 403, 403],
    ['collector', 201, 200, 200],
    ['admin', 201, 200, 200],
    ['super admin', 201, 200, 200],
  ])('%s creates (%i), edits another user’s (%i), deletes (%i)', async (role, creates, edits, deletes) => {
    const client = role === 'visitor' ? server.visitor : await server.as(role)
    const { id } = await create({}, agent)
    expect((await client.post('/api/prices', valid)).status).toBe(creates)
    expect((await client.put(`/api/prices/${id}`, { priceValue: 1 })).status).toBe(edits)
    expect((await client.delete(`/api/prices/${id}`)).status).toBe(deletes)
  })

  test('an agent edits their own prices for 48 hours, and sees which', async () => {
    const { id, canEdit } = await create({}, agent)
    expect(canEdit).toBe(true)
    await age(id, 47.9)
    expect((await agent.put(`/api/prices/${id}`, { priceValue: 1 })).status).toBe(200)
    await age(id, 48.1)
    expect((await agent.get(`/api/prices/${id}`)).body).toMatchObject({ canEdit: false })
    const answer = await agent.put(`/api/prices/${id}`, { priceValue: 2 })
    expectRefusal(answer, 403, { message: 'que vous avez saisis vous-même, pendant 48 heures' })
    expect((await collector.get(`/api/prices/${id}`)).body).toMatchObject({ priceValue: 1, canEdit: true })
  })

  test('an agent edits neither prices of others nor prices without an author', async () => {
    for (const written_by of [collector.userId, null]) {
      const { id } = await create({}, agent)
      await db.updateTable('price').set({ written_by }).where('id', '=', id).execute()
      expect((await agent.get(`/api/prices/${id}`)).body).toMatchObject({ canEdit: false })
      expect((await agent.put(`/api/prices/${id}`, { priceValue: 2 })).status).toBe(403)
    }
  })

  test('an agent may not delete even their own prices', async () => {
    const { id } = await create({}, agent)
    expect((await agent.delete(`/api/prices/${id}`)).status).toBe(403)
  })

  test('a subscriber without access is offered a plan instead of prices', async () => {
    const subscriber = await server.as('user')
    const paths = ['', `/${(await create()).id}`, '/analytics/summary']
    for (const path of paths) {
      expect((await subscriber.get(`/api/prices${path}`)).status, path).toBe(402)
      expect((await server.visitor.get(`/api/prices${path}`)).status, path).toBe(401)
      expect((await (await server.as('manager')).get(`/api/prices${path}`)).status, path).toBe(200)
    }
  })
})
