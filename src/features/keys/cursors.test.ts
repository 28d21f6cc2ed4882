import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { insertMarket, insertProduct } from '../../../tests/support/catalogue.ts'
import { expectRefusal } from '../../../tests/support/price-calls.ts'
import { insertAccount, testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const [rice, goma] = [await insertProduct(db), await insertMarket(db)]
const others = [await insertProduct(db), await insertProduct(db)]
const elsewhere = [await insertMarket(db), await insertMarket(db)]
const places = [
  [rice, goma],
  ...others.map((product) => [product, goma]),
  ...elsewhere.map((market) => [rice, market]),
]
for (const [at, [product, market]] of places.entries()) {
  await sql`insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on)
            select ${product}, ${market}, 100 + n, ${`Collecteur ${at}`}, now(), current_date - n
              from generate_series(1, 3) n`.execute(db)
}

const userId = await insertAccount(db, { roles: ['admin'] })
await sql`insert into alert_event (user_id, product_id, market_id, sentence, price, day, quotes)
          select ${userId}, ${rice}, ${goma}, 'Riz plus cher', 100, current_date, 2 from generate_series(1, 5)`.execute(
  db,
)
await sql`insert into import (kind, file_name, file_bytes, state, author_id, author_name)
          select 'prices', n || '.csv', 1, 'abandoned', ${userId}, 'Amina' from generate_series(1, 5) n`.execute(
  db,
)
const session = await server.clientOf(userId)
const made = await session.post('/api/keys', {
  name: 'Suite',
  scopes: ['prices.read', 'catalogue.read', 'prices.import'],
})
const get = (path: string) =>
  server.visitor.send(path, { headers: { authorization: `Bearer ${Object(made.body).key}` } })

type Followed = { data: Record<string, unknown>[]; cursor: string; hasMore: boolean }

/** Reads all pages of two rows; returns the rows and the number of pages. */
async function readAll(path: string) {
  const rows: Record<string, unknown>[] = []
  for (let [cursor, pages] = ['start', 1]; ; pages++) {
    const { status, body } = await get(`${path}?cursor=${cursor}&limit=2`)
    expect(status).toBe(200)
    const page = body as Followed
    rows.push(...page.data)
    if (!page.hasMore) return { rows, pages, cursor: page.cursor }
    cursor = page.cursor
  }
}

test.each([
  ['the last prices of a product', `/api/products/${rice}/latest-prices`, 3],
  ['the last prices in a market', `/api/markets/${goma}/latest-prices`, 3],
  ['the collectors of a market', `/api/markets/${goma}/collectors`, 3],
  ['what rang', '/api/alerts/events', 5],
  ['imports', '/api/imports', 5],
])('%s are read to their end by cursor, each once', async (_, path, count) => {
  const whole = Object((await session.get(path)).body).data as unknown[]
  const { rows, pages, cursor } = await readAll(path)
  expect([rows.length, pages]).toEqual([count, Math.ceil(count / 2)])
  const texts = (of: unknown[]) => of.map((row) => JSON.stringify(row)).sort()
  expect(texts(rows)).toEqual(texts(whole))
  // The last cursor is where later rows begin.
  expect((await get(`${path}?cursor=${cursor}&limit=1000`)).body).toEqual({
    data: [],
    cursor,
    hasMore: false,
  })
  expectRefusal(await get(`${path}?cursor=ailleurs`), 400, {
    field: 'cursor',
    message: 'Ce curseur est inconnu',
  })
})

type Described = { 'x-scopes'?: string[]; parameters?: { name: string }[] }

test('every list that a key reads page by page has a cursor', () => {
  const operations = Object.entries(server.http.swagger().paths ?? {}).map(
    ([path, methods]) => [path, Object(methods).get as Described | undefined] as const,
  )
  const without = operations.filter(([, operation]) => {
    const names = operation?.parameters?.map(({ name }) => name) ?? []
    return operation?.['x-scopes']?.length && names.includes('page') && !names.includes('cursor')
  })
  expect(without.map(([path]) => path)).toEqual([])
})
