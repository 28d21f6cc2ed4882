import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addDays, dayInKinshasa } from '#shared/days.ts'
import { insertMarket, insertPrice, insertProduct } from '../../../../tests/support/catalogue.ts'
import { testServer } from '../../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const agent = await server.as('agent')
const reader = await server.as('manager')
const today = dayInKinshasa(new Date())

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

test('a product missed at the last visit is absent until a price is quoted; one that was not looked for is not', async () => {
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
  const lastIn = async (path: string) => Object((await reader.get(path)).body).data as { absence: unknown }[]
  const absence = { since: today, reason: 'rupture' }
  const ofRice = await lastIn(`/api/products/${rice}/latest-prices`)
  expect(ofRice.map((each) => each.absence).filter(Boolean)).toEqual([absence])
  expect(await lastIn(`/api/markets/${goma}/latest-prices`)).toMatchObject([{ absence }])
  expect(await lastIn(`/api/markets/${bukavu}/latest-prices`)).toMatchObject([{ absence: null }])
  const found = {
    product_id: rice,
    market_id: goma,
    at: new Date(Date.now() + 60_000).toISOString(),
  }
  await insertPrice(db, { ...found, day: today })
  expect(await read(`productId=${rice}&marketId=${goma}`)).toMatchObject({ looked: 1, data: [] })
  // An absence is not a price, and is in no average.
  expect(await db.selectFrom('price').selectAll().where('product_id', '=', oil).execute()).toEqual([])
})

test('the file of visits distinguishes absent products (NA) from those not looked for (NC), and neither has a price', async () => {
  const market = await insertMarket(db, { name: 'Marché du fichier' })
  const goods = await Promise.all(['Sel', 'Sucre', 'Thé'].map((name) => insertProduct(db, { name })))
  const [salt = 0, sugar = 0] = goods
  for (const product of goods) {
    await sql`insert into market_list (market_id, product_id) values (${market}, ${product})`.execute(db)
  }
  await missing(market, salt, 'saison')
  const entry = { id: randomUUID(), marketId: market, productId: sugar, kind: 'typed', priceValue: 2500 }
  await agent.post('/api/collection/batches', {
    deviceId: '7',
    entries: [{ ...entry, deviceAt: new Date().toISOString() }],
  })
  const fileOf = async (query: string) => {
    const { bytes } = await reader.get(`/api/collection/visits/export?fileFormat=csv-machine&${query}`)
    const lines = bytes.toString().trim().split('\n')
    return lines.map((line) => line.trim().split(','))
  }
  const [, ...rows] = await fileOf(`marketId=${market}`)
  expect(rows).toHaveLength(3)
  // Only the columns from the name on, since the codes depend on the order of the insertions.
  expect(rows.map((row) => row.slice(4).join(',')).sort()).toMatchObject([
    expect.stringMatching(/Sel.*,NA,saison,,,$/),
    expect.stringMatching(/Sucre.*,relevé,,2500(\.00)?,CDF,$/),
    expect.stringMatching(/Thé.*,NC,,,,$/),
  ])
  expect(await fileOf(`marketId=${market}&endDate=${addDays(today, -1)}`)).toHaveLength(1)
})
