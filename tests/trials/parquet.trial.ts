import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { publishEdition } from '#features/editions/editions.jobs.ts'
import { insertMarket, insertProduct } from '../support/catalogue.ts'
import { testServer } from '../support/server.ts'

const run = promisify(execFile)
const server = await testServer()
const { db, connection, dataDir } = server
const folder = mkdtempSync(join(tmpdir(), 'ntalo-duckdb-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Package downloaded for this trial only. */
const duckdb = '@duckdb/node-api@1.5.6-r.1'
const program = `
import { DuckDBInstance } from '@duckdb/node-api'
const connection = await (await DuckDBInstance.create()).connect()
const read = await connection.runAndReadAll(\`
  select currency, count(*)::varchar, sum(price)::varchar, min(observed_on)::varchar, max(observed_on)::varchar,
         count(distinct id)::varchar, any_value(typeof(price)), any_value(typeof(observed_on))
    from read_parquet('prices.parquet') group by currency order by currency\`)
console.log(JSON.stringify(read.getRows()))`

test('DuckDB reads from an edition the same counts and sums as the database has, to the cent', async () => {
  const [product, market] = [await insertProduct(db), await insertMarket(db)]
  // More than two row groups.
  await sql`insert into price (product_id, market_id, price_value, currency, collector_name, collected_at, observed_on)
            select ${product}, ${market}, (100 + n % 9973)::numeric + (n % 100) / 100.0, case n % 7 when 0 then 'USD' else 'CDF' end,
                   'Amina', day, day::date
              from generate_series(1, 60000) n, lateral (select date '2026-01-01' + n % 31 as day) d`.execute(
    db,
  )
  await publishEdition(
    { db, connection, place: { dataDir, s3: null } },
    '2026-01',
    new AbortController().signal,
  )
  const { bytes } = await (await server.as('collector')).get('/api/editions/1/file?format=parquet')
  writeFileSync(join(folder, 'prices.parquet'), bytes)
  writeFileSync(join(folder, 'read.mjs'), program)
  await run('npm', ['install', '--no-save', duckdb], { cwd: folder })
  const { stdout } = await run(process.execPath, ['read.mjs'], { cwd: folder })
  const { rows } = await sql<{ told: string[] }>`
    select array[currency, count(*)::text, sum(price_value)::text, min(observed_on)::text, max(observed_on)::text,
                 count(*)::text, 'DECIMAL(14,2)', 'DATE'] as told
      from price group by currency order by currency`.execute(db)
  expect(JSON.parse(stdout)).toEqual(rows.map(({ told }) => told))
})
