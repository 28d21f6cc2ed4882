import { expect, test } from 'vitest'
import { insertMarket, insertPrice, insertProduct } from '../../../../tests/support/catalogue.ts'
import { testServer } from '../../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const reader = await server.as('manager')
const [product_id, market_id] = [await insertProduct(db), await insertMarket(db)]
const add = (day: string) => insertPrice(db, { product_id, market_id, day })

/** Reads the figures of a year of a selection, and the ids of the prices behind them. */
async function readYear(chosen: Record<string, number>) {
  const numbers = Object.entries(chosen).map(([name, id]): [string, string] => [name, String(id)])
  const days = { startDate: '2025-01-13', endDate: '2026-01-12' }
  const query = new URLSearchParams([...numbers, ...Object.entries(days)])
  const figures = (await reader.get(`/api/prices/analytics/summary?${query}`)).body
  const { bytes } = await reader.send(`/api/prices/export?${query}&behind=figures&fileFormat=csv-machine`, {})
  const lines = bytes.toString().trimEnd().split('\r\n').slice(1)
  return { figures, ids: lines.map((line) => Number(line.split(',')[0])) }
}

test('the rows behind a yearly change of one series have its base prices, by whatever filter it is chosen', async () => {
  const before = await add('2024-10-10')
  const base = await add('2024-12-20')
  await add('2025-10-30')
  await add('2025-11-01')
  const choices: Record<string, number>[] = [
    { productId: product_id, marketId: market_id },
    { productId: product_id },
    { marketId: market_id },
  ]
  for (const chosen of choices) {
    const { ids, figures } = await readYear(chosen)
    // The series is silent at the end: the change shown is the one up to its last day.
    expect(figures).toMatchObject({ knownSeries: 1, unmeasured: { change: { from: '2024-11-01' } } })
    expect(ids).toContain(before)
  }
  await add('2026-01-05')
  for (const chosen of choices) {
    const { ids, figures } = await readYear(chosen)
    expect(figures).toMatchObject({ knownSeries: 1, change: { from: '2025-01-12' } })
    expect(ids).toContain(base)
    expect(ids).not.toContain(before)
  }
})
