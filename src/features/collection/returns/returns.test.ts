import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { addDays, dayInKinshasa } from '#shared/days.ts'
import { insertMarket, insertPrice, insertProduct } from '../../../../tests/support/catalogue.ts'
import { testServer } from '../../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const agent = await server.as('agent')
const other = await server.as('agent')
const collector = await server.as('collector')
const today = dayInKinshasa(new Date())

type Returned = { priceId: number; product: { id: number }; market: { id: number }; day: string }

/** Returns a price that was given back to its agent. */
async function returnedPrice(): Promise<Returned> {
  const series = { product_id: await insertProduct(db, { name: 'Savon' }), market_id: await insertMarket(db) }
  for (const n of [1, 2, 3, 4, 5])
    await insertPrice(db, { ...series, price_value: 2800, day: addDays(today, -20 - n) })
  const body = { productId: series.product_id, marketId: series.market_id, priceValue: 28_000 }
  const { body: written } = await agent.post('/api/prices', { ...body, collectorName: 'Amina' })
  const { id } = Object(written)
  expect(
    (await collector.post(`/api/reviews/${id}`, { decision: 'return', reason: 'Zéro de trop ?' })).status,
  ).toBe(200)
  const found = (await listed()).find(({ priceId }) => priceId === id)
  if (!found) throw new Error('it did not come back')
  return found
}

const listed = async (who = agent) =>
  Object((await who.get('/api/collection/returns')).body).data as Returned[]
const answer = async (
  { priceId, product, market, day }: Returned,
  more: object,
  { id = randomUUID(), who = agent } = {},
) => {
  const entry = {
    id,
    productId: product.id,
    marketId: market.id,
    answers: priceId,
    day,
    deviceAt: new Date().toISOString(),
  }
  const { body } = await who.post('/api/collection/batches', {
    deviceId: '1',
    entries: [{ ...entry, ...more }],
  })
  return Object(body).receipts[0]
}
const typed = (priceValue: number) => ({ kind: 'typed', priceValue })
const queued = async (id: number) =>
  (Object((await collector.get('/api/reviews?limit=200')).body).data as { priceId: number }[]).find(
    ({ priceId }) => priceId === id,
  )

describe('a price returned to its agent', () => {
  test('is in that agent’s list with its reason, its day and the likely price, and in no other list', async () => {
    const returned = await returnedPrice()
    expect(returned).toMatchObject({
      priceValue: 28_000,
      currency: 'CDF',
      day: today,
      comment: 'Zéro de trop ?',
      dueOn: addDays(today, 3),
      likely: 2800,
      product: { name: 'Savon' },
    })
    expect(await listed(other)).toEqual([])
  })

  test('is corrected by the agent’s answer, once however often it is sent', async () => {
    const returned = await returnedPrice()
    const id = randomUUID()
    const first = await answer(returned, typed(2800), { id })
    expect(first).toMatchObject({ state: 'received', priceId: returned.priceId })
    expect(await answer(returned, typed(2800), { id })).toEqual(first)
    expect((await collector.get(`/api/prices/${returned.priceId}`)).body).toMatchObject({
      priceValue: 2800,
      observedOn: returned.day,
      isUnderReview: false,
    })
    expect((await listed()).map(({ priceId }) => priceId)).not.toContain(returned.priceId)
    expect(await queued(returned.priceId)).toBe(undefined)
  })

  test('is confirmed by the same amount, and waits for the supervisor again', async () => {
    const returned = await returnedPrice()
    await answer(returned, typed(28_000))
    expect(await queued(returned.priceId)).toMatchObject({
      state: 'waiting',
      isMaintained: true,
      priceValue: 28_000,
    })
    expect((await listed()).map(({ priceId }) => priceId)).not.toContain(returned.priceId)
  })

  test('is deleted when the agent does not remember', async () => {
    const returned = await returnedPrice()
    expect(await answer(returned, { kind: 'withdrawn' })).toMatchObject({ state: 'received', priceId: null })
    expect((await collector.get(`/api/prices/${returned.priceId}`)).status).toBe(404)
  })

  test('is not changed by an answer that is late, or from another user', async () => {
    const returned = await returnedPrice()
    await answer(returned, typed(1), { who: other })
    expect(await queued(returned.priceId)).toMatchObject({ state: 'returned', priceValue: 28_000 })
    await collector.post(`/api/reviews/${returned.priceId}`, { decision: 'accept' })
    expect(await answer(returned, typed(2800))).toMatchObject({ state: 'received' })
    expect((await collector.get(`/api/prices/${returned.priceId}`)).body).toMatchObject({
      priceValue: 28_000,
    })
  })

  test('accepts only a price or no price as the answer', async () => {
    const returned = await returnedPrice()
    expect(await answer(returned, { kind: 'absent' })).toMatchObject({ state: 'refused' })
    expect(await answer({ ...returned, priceId: 0 }, { kind: 'withdrawn' })).toMatchObject({
      state: 'refused',
    })
  })
})
