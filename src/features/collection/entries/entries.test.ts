import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { EntryReceipt } from '#features/collection/entries/entries.contract.ts'
import { insertMarket, insertPrice, insertProduct } from '../../../../tests/support/catalogue.ts'
import { type Client, testServer } from '../../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const agent = await server.as('agent')
const marketId = await insertMarket(db)
const productId = await insertProduct(db)
const now = () => new Date().toISOString()

const entry = (more: Record<string, unknown> = {}) => ({
  id: randomUUID(),
  productId,
  marketId,
  kind: 'typed',
  priceValue: 2500,
  deviceAt: now(),
  ...more,
})

async function send(entries: unknown[], more: object = {}, by: Client = agent): Promise<EntryReceipt[]> {
  const answer = await by.post('/api/collection/batches', { deviceId: 'essai', entries, ...more })
  expect(answer.status, answer.text).toBe(200)
  return (answer.body as { receipts: EntryReceipt[] }).receipts
}

async function pricesBy(userId: number | null) {
  return db
    .selectFrom('price')
    .select(['id', 'price_value', 'currency', 'observed_on'])
    .where('written_by', '=', userId)
    .orderBy('id')
    .execute()
}

describe('entries from the field', () => {
  test('are stored once, however often they are sent', async () => {
    const own = await server.as('agent')
    const typed = entry({ marketId: await insertMarket(db) })
    const [receipt] = await send([typed], {}, own)
    expect(receipt).toMatchObject({
      id: typed.id,
      state: 'received',
      priceId: expect.any(Number),
      message: null,
    })
    expect(await send([typed, typed], {}, own)).toEqual([receipt])
    const written = await pricesBy(own.userId)
    expect(written.map(({ id, price_value }) => [id, price_value])).toEqual([[receipt?.priceId, 2500]])
  })

  test('of twenty identical batches at once are written once each', async () => {
    const own = await server.as('agent')
    const batch = Array.from({ length: 50 }, (_, n) => entry({ priceValue: 1000 + n }))
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => send(n % 2 ? batch : batch.toReversed(), {}, own)),
    )
    expect(await pricesBy(own.userId)).toHaveLength(50)
    const ids = new Set(answers.flat().map(({ id, priceId }) => `${id} ${priceId}`))
    expect(ids.size).toBe(50)
  })

  test('that are invalid do not block the others', async () => {
    const good = [entry(), entry({ kind: 'absent', priceValue: null, reason: 'rupture' })]
    const bad = [
      entry({ priceValue: -1 }),
      entry({ priceValue: undefined }),
      entry({ productId: 2_147_483_000 }),
      entry({ kind: 'absent', reason: 'paresse' }),
      { id: 'pas un identifiant' },
      null,
    ]
    const receipts = await send([bad[0], good[0], ...bad.slice(1), good[1]])
    const stateOf = (item: unknown) => receipts.find(({ id }) => id === String(Object(item).id ?? ''))?.state
    expect(good.map(stateOf)).toEqual(['received', 'received'])
    expect(bad.map(stateOf)).toEqual(bad.map(() => 'refused'))
    expect(receipts.filter(({ state }) => state === 'refused').every(({ message }) => message)).toBe(true)
    // A refused entry is not stored: once corrected, it is checked again.
    const [corrected] = await send([{ ...bad[1], priceValue: 900 }])
    expect(corrected?.state).toBe('received')
  })

  test('with an id in capitals are the same as in small letters', async () => {
    const own = await server.as('agent')
    const typed = entry()
    const [capitals] = await send([{ ...typed, id: typed.id.toUpperCase() }], {}, own)
    expect(capitals).toMatchObject({ id: typed.id.toUpperCase(), state: 'received' })
    expect(await send([typed], {}, own)).toMatchObject([
      { id: typed.id, state: 'received', priceId: capitals?.priceId },
    ])
    for (const both of [entry({ kind: 'absent', priceValue: null, reason: 'rupture' }), entry()]) {
      const ids = [both.id, both.id.toUpperCase()]
      const twice = await send(
        ids.map((id) => ({ ...both, id })),
        {},
        own,
      )
      expect(twice.map(({ id, state }) => [id, state]).toSorted()).toEqual(
        ids.map((id) => [id, 'received']).toSorted(),
      )
      expect(new Set(twice.map(({ priceId }) => priceId)).size).toBe(1)
    }
    expect(await pricesBy(own.userId)).toHaveLength(2)
  })

  test('about an absence are not prices, and are in the journal', async () => {
    const own = await server.as('agent')
    const [receipt] = await send([entry({ kind: 'absent', priceValue: null, reason: 'saison' })], {}, own)
    expect(receipt).toMatchObject({ state: 'received', priceId: null })
    expect(await pricesBy(own.userId)).toEqual([])
    const { rows } = await sql<{ after: object }>`
      select after from audit_entry where user_id = ${own.userId} and entity = 'absences'`.execute(db)
    expect(rows).toMatchObject([{ after: { reason: 'saison', product: {}, market: {} } }])
  })

  test('about an unchanged price use the last price when they give none', async () => {
    const series = { productId: await insertProduct(db), marketId }
    const [none] = await send([entry({ ...series, kind: 'unchanged', priceValue: null })])
    expect(none).toMatchObject({ state: 'refused', message: expect.stringContaining('pas encore de prix') })
    await insertPrice(db, {
      product_id: series.productId,
      market_id: marketId,
      price_value: 7,
      currency: 'USD',
    })
    const [receipt] = await send([entry({ ...series, kind: 'unchanged', priceValue: null })])
    const price = await db
      .selectFrom('price')
      .select(['price_value', 'currency'])
      .where('id', '=', receipt?.priceId ?? 0)
      .executeTakeFirst()
    expect(price).toEqual({ price_value: 7, currency: 'USD' })
  })

  test('about a product merged since, even twice, belong to the product that remains', async () => {
    const own = await server.as('agent')
    const admin = await server.as('super admin')
    const [first, second, kept] = [await insertProduct(db), await insertProduct(db), await insertProduct(db)]
    const sent = entry({ productId: first, priceValue: 25_000 })
    const [receipt] = await send([sent], {}, own)
    for (const [id, intoId] of [
      [first, second],
      [second, kept],
    ]) {
      expect((await admin.post(`/api/products/${id}/merge`, { intoId })).status).toBe(200)
    }
    expect(await send([sent], {}, own)).toEqual([receipt])
    const corrected = entry({ productId: first, priceValue: 2500, replaces: sent.id })
    const waiting = [
      entry({ productId: second, priceValue: 2600 }),
      entry({ productId: first, kind: 'unchanged', priceValue: null }),
      entry({ productId: first, kind: 'absent', priceValue: null, reason: 'rupture' }),
    ]
    const receipts = await send([corrected, ...waiting], {}, own)
    expect(receipts.map(({ state, message }) => [state, message])).toEqual(
      receipts.map(() => ['received', null]),
    )
    expect(receipts.find(({ id }) => id === corrected.id)?.priceId).toBe(receipt?.priceId)
    expect(await send([corrected, ...waiting], {}, own)).toEqual(expect.arrayContaining(receipts))
    const { rows } = await sql<{ productId: number }>`
      select product_id as "productId" from price where written_by = ${own.userId}
       union all select product_id from collection_entry where user_id = ${own.userId}`.execute(db)
    expect(rows.map(({ productId }) => productId)).toEqual(Array(8).fill(kept))
  })

  test('of another agent, or with an id used for another content, are refused', async () => {
    const typed = entry()
    await send([typed])
    const stranger = await server.as('agent')
    expect(await send([typed], {}, stranger)).toMatchObject([{ state: 'refused', priceId: null }])
    expect(await send([{ ...typed, priceValue: 3000 }])).toMatchObject([{ state: 'refused' }])
    const answer = await stranger.post('/api/collection/batches', {
      deviceId: '1',
      agentId: agent.userId,
      entries: [entry()],
    })
    expect(answer).toMatchObject({ status: 403, body: { message: expect.stringContaining('autre compte') } })
  })

  test('correct the price that they replace, and only the agent’s own', async () => {
    const own = await server.as('agent')
    const first = entry({ priceValue: 25_000 })
    const [receipt] = await send([first], {}, own)
    const second = entry({ priceValue: 2500, replaces: first.id })
    expect(await send([second], {}, own)).toMatchObject([{ state: 'received', priceId: receipt?.priceId }])
    expect(await send([second], {}, own)).toMatchObject([{ state: 'received', priceId: receipt?.priceId }])
    expect((await pricesBy(own.userId)).map(({ price_value }) => price_value)).toEqual([2500])
    const stranger = await server.as('agent')
    await send([entry({ priceValue: 1, replaces: second.id })], {}, stranger)
    expect((await pricesBy(own.userId)).map(({ price_value }) => price_value)).toEqual([2500])
    const gone = entry({ kind: 'absent', priceValue: null, replaces: second.id })
    expect(await send([gone], {}, own)).toMatchObject([{ state: 'received', priceId: null }])
    expect(await pricesBy(own.userId)).toEqual([])
  })

  test('whose day is ambiguous ask for it, and accept the answer', async () => {
    const own = await server.as('agent')
    const unsure = entry({ deviceAt: '2017-01-01T08:00:00Z', clockOffsetMs: 0, hasGoneBack: true })
    const sentAt = '2017-01-01T09:00:00Z'
    expect(await send([unsure], { sentAt }, own)).toMatchObject([
      { state: 'day_needed', message: expect.stringContaining('Quel jour') },
    ])
    expect(await pricesBy(own.userId)).toEqual([])
    for (const day of ['2199-01-01', '1989-12-31']) {
      expect(await send([{ ...unsure, day }], { sentAt }, own)).toMatchObject([{ state: 'refused' }])
    }
    expect(await send([{ ...unsure, day: '2026-03-04' }], { sentAt }, own)).toMatchObject([
      { state: 'received' },
    ])
    expect((await pricesBy(own.userId)).map(({ observed_on }) => observed_on)).toEqual(['2026-03-04'])
    expect(await send([entry({ deviceAt: '2190-01-01T00:00:00Z' })], {}, own)).toMatchObject([
      { state: 'day_needed' },
    ])
  })

  test('arrive in batches of at most a hundred, from collectors', async () => {
    const many = Array.from({ length: 101 }, () => entry())
    expect((await agent.post('/api/collection/batches', { deviceId: '1', entries: many })).status).toBe(400)
    expect((await agent.post('/api/collection/batches', { entries: [] })).status).toBe(400)
    const reader = await server.as('manager')
    expect((await reader.post('/api/collection/batches', { deviceId: '1', entries: [] })).status).toBe(403)
  })
})
