import { type Client, client, insertAccount, openSession } from '../tests/support/server.ts'
import { type Measure, percentile, timeEach } from './measure.ts'
import { catalogueShape, fillCatalogue } from './support/catalogue-data.ts'
import { withPostgres } from './support/private-postgres.ts'
import { startApp } from './support/programs.ts'

const { products, brands, markets } = catalogueShape

export const title = `Lists of a catalogue of ${products.toLocaleString('en')} products, ${brands.toLocaleString('en')} brands and ${markets.toLocaleString('en')} markets over HTTP`

const times = 200
const goalMs = 15

/** Lists, each with a search that matches some of its rows, and its orders other than the default. */
const lists = [
  { path: 'products', search: 'farine fin', sorts: ['code', 'price', 'type', 'brand', '-created_at'] },
  { path: 'product-types', search: 'farine', sorts: ['category'] },
  { path: 'categories', search: 'rayon', sorts: ['-totalProducts'] },
  { path: 'brands', search: 'farine', sorts: ['country', '-products'] },
  { path: 'markets', search: 'farine', sorts: ['location', '-prices'] },
] as const

export async function measure(): Promise<Measure[]> {
  return withPostgres(async ({ db, pool, connection }) => {
    await fillCatalogue(pool)
    const token = await openSession(db, await insertAccount(db, { roles: ['manager'] }))
    const app = await startApp({ connection, isOpen: false })
    try {
      return await measureAll(client(app.url, token, null))
    } finally {
      app.stop()
    }
  })
}

async function measureAll(reader: Client): Promise<Measure[]> {
  const measures: Measure[] = []
  for (const { path, search, sorts } of lists) {
    const list = `/api/${path}?limit=10`
    const { pages } = await pagesOf(reader, list)
    const found = await pagesOf(reader, `${list}&search=${search}`)
    const asked: [what: string, url: string][] = [
      ['first page', list],
      [`search that ${found.total} match`, `${list}&search=${search}`],
      [`last page, ${pages}`, `${list}&page=${pages}`],
    ]
    for (const [what, url] of asked)
      measures.push({ ...(await time(reader, path, what, url)), atMost: goalMs })
    for (const sort of sorts) {
      measures.push(await time(reader, path, `first page by ${sort}`, `${list}&sort=${sort}`))
      const middle = Math.ceil(pages / 2)
      measures.push(
        await time(reader, path, `page ${middle} by ${sort}`, `${list}&sort=${sort}&page=${middle}`),
      )
    }
  }
  for (const path of ['products', 'categories', 'markets']) {
    measures.push(await time(reader, path, 'figures', `/api/${path}/figures`))
  }
  return measures
}

async function time(reader: Client, path: string, what: string, url: string): Promise<Measure> {
  const ask = async () => {
    const { status } = await reader.get(url)
    if (status !== 200) throw new Error(`${status} for ${url}`)
  }
  // The first requests of each connection, which read, plan and prepare, are not measured.
  await timeEach(30, ask)
  return { what: `${path}: ${what}, p95`, value: percentile(await timeEach(times, ask), 0.95), unit: 'ms' }
}

async function pagesOf(reader: Client, url: string): Promise<{ pages: number; total: number }> {
  const { body } = await reader.get(url)
  // The contract of every list is `{ <listed>: rows, pagination }`.
  return (body as { pagination: { pages: number; total: number } }).pagination
}
