import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { judgeAlerts } from '#features/alerts/judging/judging.jobs.ts'
import { openReview } from '#features/prices/doubt/doubt.sql.ts'
import { confirmReviews, searchDoubtful } from '#features/reviews/reviews.jobs.ts'
import { addDays, dayInKinshasa } from '#shared/days.ts'
import { insertMarket, insertPrice, insertProduct } from '../../../tests/support/catalogue.ts'
import { startFollower } from '../../../tests/support/following.ts'
import { yesterdayNoon } from '../../../tests/support/market-days.ts'
import { insertAccount, testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const collector = await server.as('collector')
const agent = await server.as('agent')
const manager = await server.as('manager')
const today = dayInKinshasa(new Date())

type Series = { product_id: number; market_id: number }
type Listed = { data: { priceId: number; state: string; reasons: { code: string; message: string }[] }[] }

/** Returns a series that has cost about 1 000 francs for two months. */
async function usualSeries(): Promise<Series> {
  const series = { product_id: await insertProduct(db), market_id: await insertMarket(db) }
  for (const [n, price_value] of [1000, 1010, 990, 1000, 1020].entries())
    await insertPrice(db, { ...series, price_value, day: addDays(today, -20 - 7 * n) })
  return series
}

async function quote({ product_id, market_id }: Series, priceValue: number, who = agent): Promise<number> {
  const body = { productId: product_id, marketId: market_id, priceValue, collectorName: 'Amina' }
  const { status, body: written } = await who.post('/api/prices', body)
  expect(status).toBe(201)
  return Number(Object(written).id)
}

async function queue(): Promise<Listed['data']> {
  const { body, status } = await collector.get('/api/reviews?limit=200')
  expect(status).toBe(200)
  return (body as Listed).data
}
const reviewOf = async (priceId: number) => (await queue()).find((each) => each.priceId === priceId)
const decide = (priceId: number, body: object, who = collector) => who.post(`/api/reviews/${priceId}`, body)
const log = async (priceId: number) =>
  ((await manager.get('/api/reviews/log?limit=200')).body as { data: { priceId: number }[] }).data.filter(
    (each) => each.priceId === priceId,
  )

describe('a doubtful price', () => {
  test('is in the queue with its reason, and is marked in lists of prices', async () => {
    const series = await usualSeries()
    const usual = await quote(series, 1030)
    const id = await quote(series, 10_000)
    expect(await reviewOf(usual)).toBe(undefined)
    expect(await reviewOf(id)).toMatchObject({
      state: 'waiting',
      priceValue: 10_000,
      usual: 1005,
      likely: 1000,
      reasons: [{ code: 'outlier', message: expect.stringContaining('fois le prix habituel') }],
    })
    const { body } = await collector.get(`/api/prices?productId=${series.product_id}&limit=2`)
    expect(body).toMatchObject({
      data: [
        { id, isUnderReview: true },
        { id: usual, isUnderReview: false },
      ],
    })
  })

  test('is told to who follows prices when its review is opened and closed, and when a photo comes', async () => {
    const usual = await quote(await usualSeries(), 1030)
    const follower = startFollower<{ id: number; isUnderReview: boolean; hasPhoto: boolean }>(
      '/api/prices',
      new Date().toISOString(),
    )
    const seen = async () => {
      await follower.catchUp(manager)
      return follower.copy.get(usual)
    }
    await openReview(db, usual, { reasons: ['outlier'], evidence: {} })
    expect(await seen()).toMatchObject({ isUnderReview: true, hasPhoto: false })
    await decide(usual, { decision: 'accept' })
    expect(await seen()).toMatchObject({ isUnderReview: false, hasPhoto: false })
    await sql`insert into price_photo (price_id, sha256, image)
              values (${usual}, sha256('a'), ${'0'.repeat(64)})`.execute(db)
    expect(await seen()).toMatchObject({ hasPhoto: true })
  })

  test('is never shown as a last price until it is accepted', async () => {
    const series = await usualSeries()
    const id = await quote(series, 10_000)
    const { product_id, market_id } = series
    const lastPrices = async () => {
      const ofProduct = Object((await collector.get(`/api/products/${product_id}/latest-prices`)).body)
      const inMarket = Object((await collector.get(`/api/markets/${market_id}/latest-prices`)).body)
      const ofSeries = Object((await collector.get(`/api/series/${product_id}/${market_id}`)).body)
      const round = Object((await agent.get(`/api/collection/rounds/${market_id}`)).body)
      const check = Object(
        (await collector.get(`/api/prices/check?productId=${product_id}&marketId=${market_id}`)).body,
      )
      return [
        ofProduct.data[0].priceValue,
        inMarket.data[0].priceValue,
        ofSeries.lastPrice,
        round.goods[0].lastPrice.value,
        check.lastPrice.value,
      ]
    }
    expect(await lastPrices()).toEqual(Array(5).fill(1000))
    expect(await decide(id, { decision: 'accept' })).toMatchObject({
      status: 200,
      body: { state: 'accepted' },
    })
    expect(await lastPrices()).toEqual(Array(5).fill(10_000))
    expect(await reviewOf(id)).toBe(undefined)
  })

  test('rings no alert until it is accepted, and is marked in files', async () => {
    const series = await usualSeries()
    const reader = await server.clientOf(await insertAccount(db, { roles: ['user'], ageDays: 1 }))
    const rule = {
      productId: series.product_id,
      marketId: series.market_id,
      kind: 'level',
      direction: 'above',
    }
    const made = await reader.post('/api/alerts', { ...rule, threshold: 2000, channels: ['mail'] })
    expect(made.status, made.text).toBe(201)
    // Two quotes that would trigger it, too far apart to confirm each other.
    const ids = [await quote(series, 3000), await quote(series, 4200)]
    for (const id of ids) expect(await reviewOf(id)).toMatchObject({ state: 'waiting' })
    const rung = async () => {
      await judgeAlerts(db, new Date())
      const { rows } = await sql`select from alert_event where user_id = ${reader.userId}`.execute(db)
      return rows.length
    }
    expect(await rung()).toBe(0)
    const file = await collector.get(
      `/api/prices/export?productId=${series.product_id}&fileFormat=csv-machine`,
    )
    const marks = file.bytes.toString().match(/à vérifier/g)
    expect(marks).toHaveLength(2)
    for (const id of ids) expect((await decide(id, { decision: 'accept' })).status).toBe(200)
    expect(await rung()).toBe(1)
  })

  test('is corrected with the old value and the new one in the log', async () => {
    const id = await quote(await usualSeries(), 10_000)
    expect((await decide(id, { decision: 'correct' })).status).toBe(400)
    expect((await decide(id, { decision: 'correct', priceValue: 10_000 })).status).toBe(400)
    expect(
      await decide(id, { decision: 'correct', priceValue: 1000, reason: 'Un zéro de trop' }),
    ).toMatchObject({ status: 200, body: { state: 'corrected' } })
    expect((await collector.get(`/api/prices/${id}`)).body).toMatchObject({
      priceValue: 1000,
      isUnderReview: false,
    })
    expect(await log(id)).toMatchObject([
      {
        state: 'corrected',
        priceValue: 10_000,
        newValue: 1000,
        comment: 'Un zéro de trop',
        decidedBy: { name: expect.any(String) },
      },
    ])
  })

  test('that is rejected disappears from lists and figures, and is still in the log', async () => {
    const series = await usualSeries()
    const id = await quote(series, 10_000)
    const count = async () =>
      Object((await collector.get(`/api/prices/analytics/summary?productId=${series.product_id}`)).body)
        .totalPrices
    expect(await count()).toBe(6)
    expect(await decide(id, { decision: 'reject', reason: 'Introuvable' })).toMatchObject({ status: 200 })
    expect(await count()).toBe(5)
    expect((await collector.get(`/api/prices/${id}`)).status).toBe(404)
    expect(await log(id)).toMatchObject([
      { state: 'rejected', priceValue: 10_000, newValue: null, comment: 'Introuvable' },
    ])
    const file = await manager.get('/api/reviews/log/export?fileFormat=csv-machine&state=rejected')
    expect(String(file.body)).toContain(`,${id},`)
    expect(String(file.body)).toContain(',outlier,rejected,')
    const forPeople = await manager.get('/api/reviews/log/export?fileFormat=csv&state=rejected')
    expect(forPeople.text).toContain(';Prix inhabituel;Écarté;')
  })

  test('is returned to its agent with a reason and a day', async () => {
    const id = await quote(await usualSeries(), 10_000)
    expect((await decide(id, { decision: 'return' })).status).toBe(400)
    expect(
      (await decide(id, { decision: 'return', reason: 'Zéro ?', dueOn: addDays(today, -1) })).status,
    ).toBe(400)
    expect((await decide(id, { decision: 'return', reason: 'Zéro ?' })).status).toBe(200)
    expect(await reviewOf(id)).toMatchObject({
      state: 'returned',
      comment: 'Zéro ?',
      dueOn: addDays(today, 3),
    })
    const series = await usualSeries()
    const nobodys = await insertPrice(db, { ...series, price_value: 10_000, day: today })
    await searchDoubtful(db, today)
    expect((await decide(nobodys, { decision: 'return', reason: 'Zéro ?' })).status).toBe(400)
  })

  test('is decided once: the second of two at the same time is refused', async () => {
    const id = await quote(await usualSeries(), 10_000)
    const answers = await Promise.all(
      ['accept', 'reject', 'accept', 'reject'].map((decision) => decide(id, { decision })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    expect(await log(id)).toHaveLength(1)
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'conflict' })
    expect((await decide(2_147_483_000, { decision: 'accept' })).status).toBe(404)
    expect((await decide(id, { decision: 'accept' }, agent)).status).toBe(403)
  })

  test('is not decided on at an amount that the reviewer has not seen', async () => {
    const id = await quote(await usualSeries(), 10_000)
    const { updatedAt } = Object(await reviewOf(id))
    expect((await agent.put(`/api/prices/${id}`, { priceValue: 20_000 })).status).toBe(200)
    const late = await decide(id, { decision: 'accept', updatedAt })
    expect(late).toMatchObject({ status: 409, body: { code: 'stale' } })
    expect(await reviewOf(id)).toMatchObject({ priceValue: 20_000 })
    const now = Object(await reviewOf(id)).updatedAt
    expect((await decide(id, { decision: 'accept', updatedAt: now })).status).toBe(200)
  })

  test('that its author edits is checked again', async () => {
    const id = await quote(await usualSeries(), 10_000)
    expect((await agent.put(`/api/prices/${id}`, { priceValue: 20_000 })).status).toBe(200)
    expect(await reviewOf(id)).toMatchObject({ priceValue: 20_000 })
    expect((await agent.put(`/api/prices/${id}`, { priceValue: 1000 })).status).toBe(200)
    expect(await reviewOf(id)).toBe(undefined)
    expect(await log(id)).toMatchObject([
      { state: 'corrected', priceValue: 20_000, newValue: 1000 },
      { state: 'corrected', priceValue: 10_000, newValue: 20_000 },
    ])
  })

  test('that is deleted elsewhere leaves the queue', async () => {
    const id = await quote(await usualSeries(), 10_000)
    expect((await collector.delete(`/api/prices/${id}`)).status).toBe(200)
    expect(await reviewOf(id)).toBe(undefined)
    expect(await log(id)).toMatchObject([{ state: 'withdrawn' }])
  })
})

describe('without a reviewer', () => {
  test('two quotes within 8 % confirm a price; one does not', async () => {
    const series = await usualSeries()
    const id = await quote(series, 1500)
    await quote(series, 1550)
    await confirmReviews(db, today)
    expect(await reviewOf(id)).toMatchObject({ state: 'waiting' })
    await quote(series, 1450)
    await confirmReviews(db, today)
    expect(await reviewOf(id)).toBe(undefined)
    expect(await log(id)).toMatchObject([{ state: 'confirmed', decidedBy: null }])
  })

  test('two quotes confirm a price however many other reviews are open', async () => {
    await quote(await usualSeries(), 10_000)
    const series = await usualSeries()
    const id = await quote(series, 1500)
    for (const price of [1550, 1450]) await quote(series, price)
    await confirmReviews(db, today, { batch: 1 })
    expect(await reviewOf(id)).toBe(undefined)
  })

  test('the nightly job checks prices that were written unchecked, and none twice', async () => {
    const series = await usualSeries()
    const id = await insertPrice(db, { ...series, price_value: 10_000, day: addDays(today, -1) })
    const old = await insertPrice(db, { ...series, price_value: 10_000, day: addDays(today, -15) })
    await searchDoubtful(db, today)
    expect(await reviewOf(id)).toMatchObject({ agent: null, reasons: [{ code: 'outlier' }] })
    expect(await reviewOf(old)).toBe(undefined)
    await decide(id, { decision: 'accept' })
    await searchDoubtful(db, today)
    expect(await reviewOf(id)).toBe(undefined)
  })

  test('the same amount from another collector on one day is a duplicate, which no quote confirms', async () => {
    const series = await usualSeries()
    await quote(series, 1000, collector)
    const body = { productId: series.product_id, marketId: series.market_id, priceValue: 1000 }
    const { body: written } = await agent.post('/api/prices', { ...body, collectorName: 'Béa' })
    const { id } = Object(written)
    expect(await reviewOf(id)).toMatchObject({
      reasons: [{ code: 'duplicate', message: 'Amina a relevé le même prix le même jour.' }],
    })
    await confirmReviews(db, today)
    expect(await reviewOf(id)).not.toBe(undefined)
  })

  test('the nightly job finds a price of a product that another agent entered as absent', async () => {
    const series = await usualSeries()
    const id = await quote(series, 1010)
    const absence = {
      productId: series.product_id,
      marketId: series.market_id,
      kind: 'absent',
      reason: 'rupture',
    }
    await collector.post('/api/collection/batches', {
      deviceId: '1',
      entries: [{ id: crypto.randomUUID(), ...absence, deviceAt: new Date().toISOString() }],
    })
    await searchDoubtful(db, today)
    expect(await reviewOf(id)).toMatchObject({
      reasons: [{ code: 'absent', message: expect.stringContaining('absent') }],
    })
  })
})

test('a visit makes its prices doubtful when it is too fast, or far from its market', async () => {
  const market_id = await insertMarket(db, { latitude: -1.6792, longitude: 29.2228 })
  const began = yesterdayNoon()
  const send = async (count: number, gapMs: number, more: object, at: number) => {
    const entries = await Promise.all(
      Array.from({ length: count }, async (_, n) => ({
        id: crypto.randomUUID(),
        marketId: market_id,
        productId: await insertProduct(db),
        kind: 'typed',
        priceValue: 1000,
        deviceAt: new Date(at + n * gapMs).toISOString(),
        ...more,
      })),
    )
    const { body } = await agent.post('/api/collection/batches', { deviceId: '9', entries })
    return (Object(body).receipts as { priceId: number }[]).map(({ priceId }) => priceId)
  }
  const codesOf = async (ids: number[]) =>
    (await queue())
      .filter(({ priceId }) => ids.includes(priceId))
      .map(({ reasons }) => reasons.map(({ code }) => code))
  expect(await codesOf(await send(12, 3000, {}, began))).toEqual([])
  expect(await codesOf(await send(12, 1000, {}, began + 600_000))).toEqual([['fast'], ['fast'], ['fast']])
  const bukavu = { position: { latitude: -2.5083, longitude: 28.8608, accuracyM: 40 } }
  expect(await codesOf(await send(1, 0, bukavu, began + 1_200_000))).toEqual([['far']])
  const here = { position: { latitude: -1.6792, longitude: 29.2228 } }
  expect(await codesOf(await send(1, 0, here, began + 1_300_000))).toEqual([])
})

test('an agent who corrects the amount of a far price does not release it, a collector does', async () => {
  const market_id = await insertMarket(db, { latitude: -1.6792, longitude: 29.2228 })
  const entry = {
    id: crypto.randomUUID(),
    marketId: market_id,
    productId: await insertProduct(db),
    kind: 'typed',
    priceValue: 1000,
    deviceAt: new Date(Date.now() - 60_000).toISOString(),
    position: { latitude: -2.5083, longitude: 28.8608, accuracyM: 40 },
  }
  const sent = async (more: object = {}) =>
    Object(
      (await agent.post('/api/collection/batches', { deviceId: '8', entries: [{ ...entry, ...more }] })).body,
    ).receipts[0].priceId as number
  const id = await sent()
  const isFar = { reasons: [{ code: 'far' }], state: 'waiting' }
  expect((await agent.put(`/api/prices/${id}`, { priceValue: 1001 })).status).toBe(200)
  expect(await reviewOf(id)).toMatchObject({ ...isFar, priceValue: 1001 })
  expect(await sent({ id: crypto.randomUUID(), replaces: entry.id, priceValue: 1002, position: null })).toBe(
    id,
  )
  expect(await reviewOf(id)).toMatchObject({ ...isFar, priceValue: 1002 })
  expect((await collector.put(`/api/prices/${id}`, { priceValue: 1003 })).status).toBe(200)
  expect(await reviewOf(id)).toBe(undefined)
})

test('each decision is in the journal', async () => {
  const id = await quote(await usualSeries(), 10_000)
  await decide(id, { decision: 'accept' })
  const { rows } = await sql<{ action: string }>`
    select action from audit_entry where entity = 'reviews' and entity_id = ${id}`.execute(db)
  expect(rows).toEqual([{ action: 'update' }])
})
