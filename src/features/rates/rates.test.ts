import { describe, expect, test } from 'vitest'
import { exchangeRates } from '#features/rates/rates.contract.ts'
import { insertMarket, insertProduct } from '../../../tests/support/catalogue.ts'
import { daysAgo } from '../../../tests/support/market-days.ts'
import { testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const admin = await server.as('admin')
const path = '/api/exchange-rates'
type Answer = { id: number; updatedAt: string }

async function enter(day: string, cdfPerUsd: number | string, source?: string): Promise<Answer> {
  const { status, body } = await admin.post(path, { day, cdfPerUsd, source })
  expect(status).toBe(201)
  return body as Answer
}

describe('exchange rates', () => {
  test('are entered for a day each, the latest first, and returned as typed', async () => {
    await enter('2026-01-02', 2800)
    await enter('2026-01-05', '2 850,123456', 'BCC')
    const { body } = await admin.get(path)
    expect(body).toMatchObject({
      data: [
        { day: '2026-01-05', cdfPerUsd: 2850.123456, source: 'BCC' },
        { day: '2026-01-02', cdfPerUsd: 2800, source: null },
      ],
      pagination: { total: 2 },
    })
    expect((await admin.get(`${path}?search=bcc&startDate=2026-01-03`)).body).toMatchObject({
      pagination: { total: 1 },
    })
    expect((await admin.get(`${path}/export`)).text).toContain('2026-01-05;2850,123456;BCC')
  })

  test.each([
    ['day', { day: '2026-02-30', cdfPerUsd: 1 }],
    ['day', { cdfPerUsd: 1 }],
    ['cdfPerUsd', { day: '2026-03-01', cdfPerUsd: 0 }],
    ['cdfPerUsd', { day: '2026-03-01', cdfPerUsd: 'beaucoup' }],
    ['cdfPerUsd', { day: '2026-03-01', cdfPerUsd: 1.1234567 }],
  ])('with a wrong %s are refused under it: %j', async (field, body) => {
    expect(await admin.post(path, body)).toMatchObject({ status: 400, body: { errors: [{ field }] } })
  })

  test('of tomorrow are accepted, and those of later days are refused', async () => {
    const inDays = (days: number) => daysAgo(-days)
    await enter(inDays(1), 2800)
    // Two days after tomorrow, in case midnight passes meanwhile.
    for (const day of [inDays(3), '2099-01-01']) {
      expect(await admin.post(path, { day, cdfPerUsd: 2800 })).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'day', message: 'Un taux n’est connu que jusqu’au lendemain' }] },
      })
    }
  })

  test('are one a day: a second one is refused under the day', async () => {
    await enter('2026-04-01', 2800)
    expect(await admin.post(path, { day: '2026-04-01', cdfPerUsd: 2801 })).toMatchObject({
      status: 409,
      body: { errors: [{ field: 'day' }] },
    })
  })

  test('that are corrected or deleted change the figures at once, and are in the journal', async () => {
    const productId = await insertProduct(server.db)
    const marketId = await insertMarket(server.db)
    const { id, updatedAt } = await enter('2026-05-01', 2000)
    await admin.post('/api/prices', {
      productId,
      marketId,
      priceValue: 3,
      currency: 'USD',
      collectorName: 'Amina',
      collectedAt: '2026-05-03',
    })
    const average = async () =>
      Reflect.get(
        Object((await admin.get(`/api/prices/analytics/summary?productId=${productId}`)).body),
        'averagePrice',
      )
    expect(await average()).toBe(6000)
    expect((await admin.put(`${path}/${id}`, { cdfPerUsd: 2500, updatedAt })).status).toBe(200)
    expect(await average()).toBe(7500)
    expect((await admin.put(`${path}/${id}`, { cdfPerUsd: 2600, updatedAt })).status).toBe(409)
    expect((await admin.delete(`${path}/${id}`)).status).toBe(200)
    expect(await average()).toBe(8400)
    const entries = await server.db
      .selectFrom('audit_entry')
      .select('action')
      .where('entity', '=', exchangeRates.name)
      .where('entity_id', '=', id)
      .orderBy('id')
      .execute()
    expect(entries.map(({ action }) => action)).toEqual(['create', 'update', 'delete'])
  })
})
