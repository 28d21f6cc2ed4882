import { get } from 'node:http'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { loadViews } from '#server/views.ts'
import { insertMarket, insertPrice, insertProduct } from './support/catalogue.ts'
import { daysAgo } from './support/market-days.ts'
import { testServer } from './support/server.ts'

const goods = 58
const mostBytes = 110_000

const views = await loadViews(join(import.meta.dirname, '../dist'))
const server = await testServer({ views })
const { db, url } = server

/** Returns the size of a response in bytes, headers included. */
function weighed(path: string, token: string | null = null): Promise<{ bytes: number; text: string }> {
  const headers = { 'accept-encoding': 'br', ...(token && { authorization: `Bearer ${token}` }) }
  return new Promise((resolve, reject) => {
    get(`${url}${path}`, { headers }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part) => parts.push(part))
      answer.on('error', reject)
      answer.on('end', () => {
        const body = Buffer.concat(parts)
        expect(answer.statusCode, path).toBe(200)
        resolve({ bytes: body.length + answer.rawHeaders.join(': \r\n').length, text: body.toString() })
      })
    }).on('error', reject)
  })
}

test('the first install of the field tool, with a list of 58 goods, is at most 110 kB', async () => {
  const market_id = await insertMarket(db, { name: 'Gambela' })
  for (let n = 0; n < goods; n++) {
    const product_id = await insertProduct(db, { name: `Produit de marché numéro ${n}` })
    await sql`insert into market_list (market_id, product_id) values (${market_id}, ${product_id})`.execute(
      db,
    )
    await insertPrice(db, { product_id, market_id, price_value: 900 + 37 * n, day: daysAgo(n % 9) })
  }
  const { token } = await server.as('agent')
  const worker = await fetch(`${url}/collecte-sw.js`)
  const [, list = ''] = /const files = (\[.*?\])/.exec(await worker.text()) ?? []
  const files = JSON.parse(list) as string[]
  expect(files.some((path) => path.endsWith('.js'))).toBe(true)
  const icons = [...(await (await fetch(`${url}/collecte`)).text()).matchAll(/rel="icon" href="([^"]+)"/g)]
  const program = ['/collecte', '/collecte-sw.js', ...files, ...icons.map(([, path = '']) => path)]
  const data = ['rounds', `rounds/${market_id}`, 'returns', 'catalogue'].map(
    (name) => `/api/collection/${name}`,
  )
  const weights = await Promise.all([
    ...[...new Set(program)].map((path) => weighed(path)),
    ...data.map((path) => weighed(path, token)),
  ])
  const bytes = weights.reduce((sum, each) => sum + each.bytes, 0)
  expect(bytes).toBeLessThan(mostBytes)
  expect(bytes).toBeGreaterThan(50_000)
})
