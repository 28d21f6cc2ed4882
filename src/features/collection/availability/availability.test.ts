import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { addDays, dayIn } from '#shared/days.ts'
import { insertMarket, insertPrice, insertProduct } from '../../../../tests/support/catalogue.ts'
import { testServer } from '../../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const agent = await server.as('agent')
const reader = await server.as('manager')
const today = dayIn('Africa/Kinshasa', new Date())

const missing = async (marketId: number, productId: number, reason = 'rupture') => {
  const entry = {
    id: randomUUID(),
    marketId,
    productId,
    kind: 'absent',
    reason,
    deviceAt: new Date().toISOString(),
    clockOffsetMs: 0,
    fetchedAt: new Date(Date.now() - 60_000).toISOString(),
  }
  const sent = await agent.post('/api/collection/batches', {
    deviceId: '7',
    sentAt: entry.deviceAt,
    entries: [entry],
  })
  expect(sent.body).toMatchObject({ receipts: [{ state: 'received' }] })
}
const read = async (query: string) => (await reader.get(`/api/collection/availability?${query}`)).body

test('what the last visit missed is absent until a price is quoted; what nobody looked for is not', async () => {
  const [rice, oil] = [await insertProduct(db, { name: 'Riz' }), await insertProduct(db, { name: 'Huile' })]
  const [goma, bukavu, boma] = [await insertMarket(db), await insertMarket(db), await insertMarket(db)]
  for (const market_id of [goma, bukavu])
    await insertPrice(db, { product_id: rice, market_id, day: addDays(today, -3) })
  await missing(goma, rice)
  await missing(boma, rice, 'saison')
  await missing(goma, oil)
  expect(await read(`productId=${rice}`)).toMatchObject({
    looked: 3,
    data: [
      { market: { id: boma }, reason: 'saison', day: today },
      { market: { id: goma }, product: { name: 'Riz' }, reason: 'rupture' },
    ],
  })
  expect(await read(`marketId=${goma}`)).toMatchObject({ looked: 2, data: [{ product: { id: oil } }, {}] })
  expect(await read(`productId=${rice}&marketId=${bukavu}`)).toMatchObject({ looked: 1, data: [] })
  const found = {
    product_id: rice,
    market_id: goma,
    at: new Date(Date.now() + 60_000).toISOString(),
  }
  await insertPrice(db, { ...found, day: today })
  expect(await read(`productId=${rice}&marketId=${goma}`)).toMatchObject({ looked: 1, data: [] })
  // An absence is no price: no average has it.
  expect(await db.selectFrom('price').selectAll().where('product_id', '=', oil).execute()).toEqual([])
})
