import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { to as copyTo } from 'pg-copy-streams'
import { importPrices } from '#features/imports/prices/imports.jobs.ts'
import { openPool } from '#server/db/pool.ts'
import { insertAccount, openSession } from '../tests/support/server.ts'
import type { BenchOptions, Measure } from './measure.ts'
import { priceFile } from './support/price-file.ts'
import { type PrivatePostgres, withPostgres } from './support/private-postgres.ts'
import { startApp } from './support/programs.ts'

export const title = 'Exporting prices over HTTP'

export async function measure({ prices: rows }: BenchOptions): Promise<Measure[]> {
  return withPostgres(async ({ db, pool, connection }) => {
    await importPrices(pool, Readable.from(chunks(rows)))
    const token = await openSession(db, await insertAccount(db, { roles: ['manager'] }))
    const bareMs = await timeBareCopy(connection)
    const measures: Measure[] = [
      { what: 'prices', value: rows, unit: 'prices' },
      {
        what: 'bare COPY of the same columns by the database',
        value: (rows / bareMs) * 1000,
        unit: 'rows/s',
      },
    ]
    for (const format of ['csv', 'csv-machine', 'xlsx']) {
      // A separate process for each, so that none inherits memory from another.
      const server = await startApp({ connection, isOpen: false })
      try {
        const url = `${server.url}/api/prices/export?fileFormat=${format}`
        await download(`${url}&startDate=2199-01-01`, token)
        const before = peakMb(server.child)
        const { ms, bytes } = await download(url, token)
        const grownMb = peakMb(server.child) - before
        measures.push(
          { what: format, value: (rows / ms) * 1000, unit: 'rows/s' },
          { what: `${format}: size`, value: bytes / 1e6, unit: 'MB' },
          { what: `${format}: memory beyond an empty export's`, value: grownMb, unit: 'MB', atMost: 150 },
        )
      } finally {
        server.child.kill()
      }
    }
    return measures
  })
}

async function* chunks(rows: number): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for (const text of priceFile(rows)) yield encoder.encode(text)
}

async function download(url: string, token: string): Promise<{ ms: number; bytes: number }> {
  const start = performance.now()
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers: { authorization: `Bearer ${token}` } }, resolve).on('error', reject)
  })
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} for ${url}`)
  let bytes = 0
  for await (const chunk of answer) bytes += chunk.length
  return { ms: performance.now() - start, bytes }
}

/** Returns the peak memory (MB) of a process so far, as Linux counts it. */
function peakMb({ pid }: ChildProcess): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000
}

/** Measures the time of the database alone to write the same rows, joined and in the same order. */
async function timeBareCopy(connection: PrivatePostgres['connection']): Promise<number> {
  const pool = openPool({ connection, statementTimeoutMs: 0 })
  const client = await pool.connect()
  const start = performance.now()
  const stream = client.query(
    copyTo(`copy (
      select price.id, observed_on, collected_at, market.name, market.location, province, latitude, longitude,
             time_zone, code, product.name, category.name, type.name, brand.name, country, weight, format, origin,
             price_value, price.currency, collector_name, source, flag
        from price
        join market on market.id = market_id
        join product on product.id = product_id
        join product_type type on type.id = type_id
        join category on category.id = category_id
        left join brand on brand.id = brand_id
       order by observed_on desc, price.id desc) to stdout`),
  )
  stream.resume()
  await once(stream, 'end')
  const ms = performance.now() - start
  client.release()
  await pool.end()
  return ms
}
