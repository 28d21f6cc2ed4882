import { Kysely, PostgresDialect, sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { partsOf } from '#features/figures/parts/parts.rules.ts'
import { findParts } from '#features/figures/parts/parts.sql.ts'
import { readPanel, readWindows } from '#features/figures/price-index/price-index.sql.ts'
import { readFigures } from '#features/figures/summary/summary.sql.ts'
import { listPrices } from '#features/prices/listing/listing.sql.ts'
import { prices } from '#features/prices/prices.contract.ts'
import { findPrice } from '#features/prices/prices.sql.ts'
import type { Db } from '#server/db/pool.ts'
import type { Tables } from '#server/db/tables.ts'
import { insertMarket, insertProduct } from '../../../tests/support/catalogue.ts'
import { testDatabase } from '../../../tests/support/database.ts'

const { db, pool } = await testDatabase({ statementTimeoutMs: 60_000 })

type Statement = { sql: string; parameters: readonly unknown[] }
let sent: Statement[] = []
// The same connections with a log of their statements; without a transaction, so that each statement can be explained
// alone.
const logged: Db = new Kysely<Tables>({
  dialect: new PostgresDialect({ pool }),
  log: ({ query }) => {
    sent.push(query)
  },
})

const productIds: number[] = []
const marketIds: number[] = []
for (let i = 0; i < 30; i++) productIds.push(await insertProduct(db, { name: `Produit ${i}` }))
for (let i = 0; i < 20; i++) marketIds.push(await insertMarket(db, { name: `Marché ${i}` }))
const [productId = 0] = productIds
const [marketId = 0] = marketIds
const everything = partsOf({}, {})
const product = partsOf({ productId }, {})
const market = partsOf({ marketId }, {})
const ofSeries = partsOf({ productId, marketId }, {})
const period = { start: '2025-12-01', end: '2026-02-28' }
const windows = {
  before: { start: '2026-01-25', end: '2026-01-29' },
  after: { start: '2026-02-24', end: '2026-02-28' },
}

beforeAll(async () => {
  await sql`insert into exchange_rate (day, cdf_per_usd)
    select date '2025-01-01' + n, 2000 + n from generate_series(0, 500) n`.execute(db)
  await sql`insert into price (product_id, market_id, price_value, currency, collector_name, collected_at, observed_on, lane)
    select p, m, 100 + (p * 31 + m * 17 + d * 7) % 900, case when m % 7 = 0 then 'USD' else 'CDF' end,
           'Collecteur ' || m % 5, date '2025-12-01' + d + time '12:00', date '2025-12-01' + d, 15
      from unnest(${productIds}::int[]) p, unnest(${marketIds}::int[]) m, generate_series(0, 89) d`.execute(
    db,
  )
  await sql`vacuum analyze`.execute(db)
})

const search = (words: string) => findParts(logged, { search: words })
const figures = (parts: ReturnType<typeof partsOf>) =>
  readFigures(logged, parts, { indexName: null, categoryId: null, place: null })
const list = (query: object) => listPrices(logged, prices.list.query.parse(query))

test.each<[string, () => Promise<unknown>]>([
  ['the list', () => list({})],
  ['the list on its last page', () => list({ page: '5400' })],
  ['the oldest first', () => list({ sort: 'observedOn', page: '2000' })],
  ['the cheapest first', () => list({ sort: 'priceValue' })],
  ['a product', () => list({ productId: `${productId}`, page: '20' })],
  ['a market', () => list({ marketId: `${marketId}`, page: '20' })],
  ['a series', () => list({ productId: `${productId}`, marketId: `${marketId}` })],
  ['a category', () => list({ categoryId: '1' })],
  ['a category in a market', () => list({ categoryId: '1', marketId: `${marketId}` })],
  ['a currency', () => list({ currency: 'USD', page: '100' })],
  ['some days', () => list({ startDate: '2026-01-01', endDate: '2026-01-20', page: '100' })],
  ['prices between bounds', () => list({ minPrice: '300', maxPrice: '500' })],
  ['a product’s prices above a bound', () => list({ productId: `${productId}`, minPrice: '300' })],
  ['a market’s prices above a bound', () => list({ marketId: `${marketId}`, minPrice: '300' })],
  ['prices above any', () => list({ minPrice: '999999' })],
  ['a collector', () => list({ collectorName: 'collecteur 3', page: '100' })],
  ['nobody’s prices', () => list({ collectorName: 'Personne' })],
  ['a search for products', () => list({ search: 'produit 1' })],
  ['a search for markets', () => list({ search: 'marche 1' })],
  ['a search for either', () => list({ search: '1' })],
  ['a search for products in markets', () => list({ search: 'marche 1 produit' })],
  ['one price', () => findPrice(logged, 777)],
  ['the figures of everything', () => figures(everything)],
  ['the figures of a product', () => figures(product)],
  ['the figures of a market', () => figures(partsOf({ marketId, startDate: period.start }, {}))],
  ['the figures of a series', () => figures(ofSeries)],
  ['the figures of what a search finds', async () => figures(await search('produit 17'))],
  ['the weekly means of everything', () => readPanel(logged, everything, period)],
  ['the weekly means of a product', () => readPanel(logged, product, period)],
  ['the weekly means of a market', () => readPanel(logged, market, period)],
  ['the two windows of a series', () => readWindows(logged, ofSeries, windows)],
])(
  'reading %s goes through no more than three statements, none of which reads all prices',
  async (_what, read) => {
    sent = []
    await read()
    // `explain` itself reads no rows.
    const statements = sent.filter(({ sql }) => !sql.trimStart().startsWith('explain'))
    expect(statements.length).toBeGreaterThan(0)
    expect(statements.length).toBeLessThanOrEqual(3)
    for (const statement of statements) {
      const { rows } = await pool.query(`explain (format json) ${statement.sql}`, [...statement.parameters])
      expect(await tablesReadWhole(rows[0]['QUERY PLAN']), statement.sql).toEqual([])
    }
  },
)

/** Returns the tables of more than 10 000 rows that a plan scans completely. */
async function tablesReadWhole(plan: unknown): Promise<string[]> {
  const { rows } = await sql<{ relname: string }>`
    select relname from pg_class where relkind = 'r' and reltuples > 10000`.execute(db)
  const read = scannedTables(plan)
  return rows.map(({ relname }) => relname).filter((table) => read.includes(table))
}

function scannedTables(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  const inner = Object.values(node).flatMap(scannedTables)
  if (!('Node Type' in node) || node['Node Type'] !== 'Seq Scan' || !('Relation Name' in node)) return inner
  return [String(node['Relation Name']), ...inner]
}

test('the check detects a plan that reads all prices', async () => {
  const { rows } = await pool.query('explain (format json) select count(source) from price')
  expect(await tablesReadWhole(rows[0]['QUERY PLAN'])).toEqual(['price'])
})
