import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { FieldWork } from '#features/collection/work/work.contract.ts'
import { addDays, dayInKinshasa } from '#shared/days.ts'
import { insertMarket, insertPrice, insertProduct } from '../../../../tests/support/catalogue.ts'
import { yesterdayNoon } from '../../../../tests/support/market-days.ts'
import { testServer } from '../../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const [paul, marie] = [await server.as('agent'), await server.as('agent')]
const manager = await server.as('manager')

type Client = typeof paul
const workOf = async (who: Client) => Object((await who.get('/api/collection/work')).body).data as FieldWork[]

test('the work of an agent is counted by visits, beside what other agents found in the same market', async () => {
  const marketId = await insertMarket(db)
  const goods = [
    await insertProduct(db),
    await insertProduct(db),
    await insertProduct(db),
    await insertProduct(db),
  ]
  for (const product_id of goods)
    await insertPrice(db, { product_id, market_id: marketId, day: '2026-01-10' })
  const began = yesterdayNoon()
  const visit = (who: Client, kinds: string[]) =>
    who.post('/api/collection/batches', {
      deviceId: '3',
      entries: kinds.map((kind, n) => ({
        id: randomUUID(),
        marketId,
        productId: goods[n],
        kind,
        priceValue: kind === 'typed' ? 1000 + n : null,
        reason: kind === 'absent' ? 'rupture' : null,
        deviceAt: new Date(began + n * 120_000).toISOString(),
      })),
    })
  await visit(paul, ['unchanged', 'unchanged', 'unchanged', 'absent'])
  await visit(marie, ['unchanged', 'typed', 'typed', 'typed'])
  const [own, ...others] = await workOf(paul)
  expect(others).toEqual([])
  expect(own).toMatchObject({
    visits: 1,
    markets: 1,
    goodsPerVisit: 4,
    minutesPerVisit: 6,
    returnedShare: 0,
    unchangedShare: 1,
    othersUnchangedShare: 0.25,
    lastVisitOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  })
  const all = await workOf(manager)
  expect(all.map(({ unchangedShare }) => unchangedShare).sort()).toEqual([0.25, 1])
})

test('an agent without a visit has no shares', async () => {
  const [own] = await workOf(await server.as('agent'))
  expect(own).toMatchObject({
    visits: 0,
    goodsPerVisit: null,
    returnedShare: null,
    unchangedShare: null,
    lastVisitOn: null,
  })
})

test('a planned visit is done on its day, a weekly one in its week; agents see their own, and their phone lists the market first', async () => {
  const agent = await server.as('agent')
  const collector = await server.as('collector')
  const [monthly, weekly] = [await insertMarket(db), await insertMarket(db)]
  const today = dayInKinshasa(new Date())
  const isoDay = (new Date(today).getUTCDay() + 6) % 7
  const plan = (marketId: number, when: object) =>
    collector.post('/api/collection/plans', { agentId: agent.userId, marketId, ...when })
  expect((await plan(monthly, { day: today })).status).toBe(201)
  expect((await plan(monthly, { day: today })).status).toBe(409)
  expect((await plan(monthly, { day: today, weekday: 1 })).status).toBe(400)
  expect((await plan(monthly, {})).status).toBe(400)
  expect((await plan(2_147_483_000, { day: today })).status).toBe(400)
  const { body: made } = await plan(weekly, { weekday: isoDay + 1 })
  const plansOf = async (who: Client) =>
    Object((await who.get('/api/collection/plans')).body).data as {
      market: { id: number }
      isDone: boolean
    }[]
  expect(await plansOf(await server.as('agent'))).toEqual([])
  expect((await plansOf(agent)).map(({ isDone }) => isDone)).toEqual([false, false])
  const marketsOf = async () =>
    Object((await agent.get('/api/collection/rounds')).body).data as {
      id: number
      plannedOn: string | null
    }[]
  const isNear = async (id: number) => (await marketsOf()).find((each) => each.id === id)?.plannedOn === today
  expect([await isNear(monthly), await isNear(weekly)]).toEqual([true, true])
  const productId = await insertProduct(db)
  const entry = { productId, marketId: weekly, kind: 'typed', priceValue: 1000 }
  await agent.post('/api/collection/batches', {
    deviceId: '3',
    entries: [{ ...entry, id: randomUUID(), deviceAt: new Date().toISOString() }],
  })
  const done = (await plansOf(agent)).map(({ market, isDone }) => [market.id, isDone])
  expect(new Map(done as [number, boolean][])).toEqual(
    new Map([
      [monthly, false],
      [weekly, true],
    ]),
  )
  expect([await isNear(monthly), await isNear(weekly)]).toEqual([true, false])
  expect(await workOf(agent)).toMatchObject([{ planned: 2, plannedDone: 1 }])
  const change = (when: object, who = collector) =>
    who.put(`/api/collection/plans/${Object(made).id}`, { agentId: agent.userId, marketId: weekly, ...when })
  expect((await change({ day: today }, agent)).status).toBe(403)
  expect((await change({})).status).toBe(400)
  expect(await change({ day: addDays(today, 2) })).toMatchObject({
    status: 200,
    body: { day: addDays(today, 2), weekday: null, isDone: false },
  })
  expect((await collector.delete(`/api/collection/plans/${Object(made).id}`)).status).toBe(200)
  expect(await plansOf(agent)).toHaveLength(1)
})

test('a visit newly planned for each week is due on that day next time, not on one before it was planned', async () => {
  const agent = await server.as('agent')
  const collector = await server.as('collector')
  const marketId = await insertMarket(db)
  for (const weekday of [1, 2, 3, 4, 5, 6, 7]) {
    await collector.post('/api/collection/plans', { agentId: agent.userId, marketId, weekday })
  }
  const today = dayInKinshasa(new Date())
  const dueDays = async () => {
    const { data } = Object((await agent.get('/api/collection/plans')).body)
    return data.map(({ dueOn }: { dueOn: string }) => dueOn)
  }
  expect(await dueDays()).toEqual([0, 1, 2, 3, 4, 5, 6].map((n) => addDays(today, n)))
  await sql`update planned_visit set created_at = created_at - interval '8 days'
             where user_id = ${agent.userId}`.execute(db)
  const monday = addDays(today, -((new Date(today).getUTCDay() + 6) % 7))
  expect(await dueDays()).toEqual([0, 1, 2, 3, 4, 5, 6].map((n) => addDays(monday, n)))
  // On the phone too, a visit of this week may be made until Sunday.
  const { data: markets } = Object((await agent.get('/api/collection/rounds')).body)
  expect(markets.find(({ id }: { id: number }) => id === marketId)).toMatchObject({ plannedOn: monday })
  const ofAgent = (id: number | null) => collector.get(`/api/collection/plans?agentId=${id}`)
  expect(Object((await ofAgent(agent.userId)).body).data).toHaveLength(7)
  expect(await ofAgent(collector.userId)).toMatchObject({ status: 200, body: { data: [] } })
})
