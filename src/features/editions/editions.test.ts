import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { parquetReadObjects } from 'hyparquet'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { publishEdition } from '#features/editions/editions.jobs.ts'
import { citationOf, endOfMonth, lastSettledMonth, monthName } from '#features/editions/editions.rules.ts'
import { listEditions } from '#features/editions/editions.sql.ts'
import { makeFiles } from '#features/editions/making/making.jobs.ts'
import { insertEndpoint } from '#features/webhooks/webhooks.sql.ts'
import { openSnapshot } from '#server/db/snapshot.ts'
import { openFileStore } from '#server/files/file-store.ts'
import { newWebhookSecret } from '#server/webhooks/signature.ts'
import { insertMarket, insertProduct } from '../../../tests/support/catalogue.ts'
import { insertAccount, testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db, connection } = server
const folder = join(server.dataDir, 'editions')
const never = new AbortController().signal
const productId = await insertProduct(db)
const marketId = await insertMarket(db)
await sql`update market set province = 'haut uele', latitude = 3.5, longitude = 27.61 where id = ${marketId}`.execute(
  db,
)
await sql`update product set name = 'Riz "long", 5 % brisé' where id = ${productId}`.execute(db)
const insertPrices = (days: number, from: string) =>
  sql`insert into price (product_id, market_id, price_value, currency, collector_name, collected_at, observed_on)
      select ${productId}, ${marketId}, 1000.10 + n, case n % 3 when 0 then 'USD' else 'CDF' end, 'Amina Kasongo',
             day, day::date
        from generate_series(0, ${days - 1}) n, lateral (select ${from}::date + n as day) d`.execute(db)
await insertPrices(90, '2026-01-01')
const publish = (month: string) =>
  publishEdition({ db, connection, place: { dataDir: server.dataDir, s3: null } }, month, never)
const reader = await server.as('collector')

type Row = {
  id: bigint
  observed_on: Date
  price: number
  province_pcode: string
  brand: string | null
  review: string | null
}
async function rowsOf(bytes: Buffer): Promise<Row[]> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer
  const compressors = { ZSTD: (input: Uint8Array) => zstdDecompressSync(input) }
  return (await parquetReadObjects({ file, compressors })) as Row[]
}
const fileOf = (number: number, format: string) => reader.get(`/api/editions/${number}/file?format=${format}`)

describe('an edition', () => {
  test('contains all prices up to the end of its month, in three files with published hashes', async () => {
    await publish('2026-02')
    const { body } = await reader.get('/api/editions')
    const [edition] = Object(body).data
    expect(edition).toMatchObject({
      number: 1,
      month: '2026-02',
      day: '2026-02-28',
      lastDay: '2026-02-28',
      rows: 59,
      supersededBy: null,
    })
    expect(edition.files.map(({ sha256 }: Record<string, string>) => sha256)).toContain(edition.sha256)
    expect(JSON.stringify(body)).not.toContain('storedAs')
    for (const { format, name, bytes, sha256, url } of edition.files) {
      const answer = await fileOf(1, format)
      expect((await reader.get(url.slice(new URL(url).origin.length))).status).toBe(200)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`)
      expect([answer.bytes.length, createHash('sha256').update(answer.bytes).digest('hex')]).toEqual([
        bytes,
        sha256,
      ])
    }
    const described = JSON.parse((await fileOf(1, 'datapackage')).text)
    expect(described).toMatchObject({ version: '1', rows: 59, method: 'troisième édition' })
    expect(described.resources.map(({ path, hash }: Record<string, string>) => [path, hash])).toEqual(
      edition.files.slice(0, 2).map(({ name, sha256 }: Record<string, string>) => [name, `sha256:${sha256}`]),
    )
  })

  test('has the same content in CSV and in Parquet, amounts to the cent, with the p-code and without collectors', async () => {
    const lines = gunzipSync((await fileOf(1, 'csv')).bytes)
      .toString()
      .trimEnd()
      .split('\r\n')
    expect(lines[0]).toMatch(/^id,observed_on,province,province_pcode,/)
    expect(lines[1]).toMatch(/^#meta\+id,#date,#adm1\+name,#adm1\+code,/)
    expect(lines).toHaveLength(61)
    expect(lines[2]).toContain('"Riz ""long"", 5 % brisé"')
    expect(lines.join()).not.toContain('Amina')
    const rows = await rowsOf((await fileOf(1, 'parquet')).bytes)
    const cents = rows.map(({ price }) => Math.round(price * 100))
    expect([rows.length, cents.reduce((sum, each) => sum + each, 0)]).toEqual([
      59,
      59 * 100_010 + 100 * 29 * 59,
    ])
    expect(rows[0]).toMatchObject({ province_pcode: 'CD53', brand: null, latitude: 3.5, currency: 'USD' })
    expect(rows[0]!.observed_on.toISOString()).toBe('2026-01-01T00:00:00.000Z')
    expect(rows.map(({ id }) => String(id))).toEqual(lines.slice(2).map((line) => line.split(',')[0]))
  })

  test('of the same rows has the same bytes, whatever order they were written in', async () => {
    const other = mkdtempSync(join(tmpdir(), 'ntalo-editions-'))
    afterAll(() => rmSync(other, { recursive: true }))
    await sql`update price set updated_at = now()`.execute(db)
    const snapshot = await openSnapshot(connection, { limitMs: 60_000, signal: never })
    const made = await makeFiles(snapshot, openFileStore(other), { lastDay: '2026-02-28', stem: 'x' })
    await snapshot.close()
    const [first] = await listEditions(db, 1)
    expect(made.files.map(({ sha256 }) => sha256)).toEqual(
      first!.files.slice(0, 2).map(({ sha256 }) => sha256),
    )
    const csv = readFileSync(join(other, made.files[0]!.storedAs))
    // The header contains neither a time nor the operating system.
    expect([...csv.subarray(4, 10)]).toEqual([0, 0, 0, 0, 2, 255])
  })

  test('is not published again without a change, and leaves no file', async () => {
    const before = readdirSync(folder)
    await publish('2026-02')
    expect(await listEditions(db)).toHaveLength(1)
    expect(readdirSync(folder)).toEqual(before)
  })

  test('that is corrected is superseded by another of its month, does not change, and is announced', async () => {
    const userId = await insertAccount(db, { roles: ['collector'] })
    const url = 'https://exemple.cd/ntalo'
    await insertEndpoint(db, { userId, url, events: ['edition.published'], secret: newWebhookSecret() })
    const before = (await fileOf(1, 'csv')).bytes
    await insertPrices(1, '2026-02-10')
    await publish('2026-02')
    await publish('2026-03')
    const all = await listEditions(db)
    expect(all.map(({ number, month, rows, supersededBy }) => [number, month, rows, supersededBy])).toEqual([
      [3, '2026-03', 91, null],
      [2, '2026-02', 60, null],
      [1, '2026-02', 59, 2],
    ])
    expect((await fileOf(1, 'csv')).bytes.equals(before)).toBe(true)
    const { rows } = await sql<{ body: string }>`select body from webhook_message order by id`.execute(db)
    expect(rows.map(({ body }) => JSON.parse(body))).toMatchObject([
      { type: 'edition.published', data: { number: 2, supersedes: 1, rows: 60 } },
      { type: 'edition.published', data: { number: 3, supersedes: null } },
    ])
  })

  test('cannot be changed by any user', async () => {
    await expect(sql`update edition set rows = 1 where number = 2`.execute(db)).rejects.toThrow(
      'never change',
    )
    await expect(sql`update edition set superseded_by = null where number = 1`.execute(db)).rejects.toThrow()
    await expect(sql`delete from edition`.execute(db)).rejects.toThrow('never change')
  })

  test('of a month without prices does not exist, nor does one that was never published', async () => {
    await publish('2025-01')
    expect(await listEditions(db)).toHaveLength(3)
    expect((await fileOf(99, 'csv')).status).toBe(404)
    expect((await fileOf(1, 'pdf')).status).toBe(400)
  })

  test('marks the prices that wait to be verified', async () => {
    const { rows: doubted } = await sql<{ price_id: number }>`
      insert into price_review (price_id, product_id, market_id, observed_on, reasons, evidence, price_value, currency)
      select id, product_id, market_id, observed_on, '{outlier}', '{}', price_value, currency
        from price order by id limit 2 returning price_id`.execute(db)
    const marked = doubted.map(({ price_id }) => String(price_id))
    await publish('2026-04')
    const [edition] = await listEditions(db)
    const [header, , ...lines] = gunzipSync((await fileOf(edition!.number, 'csv')).bytes)
      .toString()
      .trimEnd()
      .split('\r\n')
    expect(header).toMatch(/,source,review$/)
    expect(lines.flatMap((line) => (line.endsWith(',à vérifier') ? line.split(',')[0] : []))).toEqual(marked)
    const rows = await rowsOf((await fileOf(edition!.number, 'parquet')).bytes)
    expect(rows.flatMap(({ id, review }) => (review === null ? [] : String(id)))).toEqual(marked)
  })
})

test('an edition of a finished month is requested by an administrator, whom the answer tells the month', async () => {
  const admin = await server.as('admin')
  expect((await admin.post('/api/editions', { month: '2026-03' })).status).toBe(200)
  const last = await admin.post('/api/editions', {})
  expect(last.status).toBe(200)
  for (const month of ['2099-01', '2026-13', 'mars']) {
    expect((await admin.post('/api/editions', { month })).status).toBe(400)
  }
  const jobs = await db.selectFrom('job').select('payload').where('task', '=', 'make edition').execute()
  expect(jobs).toMatchObject([{ payload: { month: '2026-03' } }, {}])
  const { month } = Object(jobs[1]?.payload)
  expect(last.body).toMatchObject({ message: expect.stringContaining(monthName(month)) })
  expect((await reader.post('/api/editions', {})).status).toBe(403)
})

test('a month is published three days after its end', () => {
  expect(['2026-11-03', '2026-11-04', '2026-03-31', '2026-01-02'].map(lastSettledMonth)).toEqual([
    '2026-09',
    '2026-10',
    '2026-02',
    '2025-11',
  ])
  expect(['2026-02', '2024-02', '2026-12'].map(endOfMonth)).toEqual([
    '2026-02-28',
    '2024-02-29',
    '2026-12-31',
  ])
})

test('a citation names the edition, its day and its hash', () => {
  const { text, bibtex, csl } = citationOf({
    number: 3,
    month: '2026-10',
    rows: 302_118,
    lastDay: '2026-10-31',
    createdAt: '2026-11-03T02:10:00.000Z',
    sha256: 'abc',
    url: 'https://ntalo.example/donnees',
  })
  expect(text).toContain('Ntalo (2026). Prix des marchés de la RD Congo, édition 3\u00a0: octobre 2026')
  expect(text).toContain('302\u202f118 relevés jusqu’au 31 octobre 2026. SHA-256 (Parquet)\u00a0: abc')
  expect(bibtex).toMatch(/^@misc\{ntalo-3,\n[\s\S]*url = \{https:\/\/ntalo\.example\/donnees\}\n\}$/)
  expect(csl).toMatchObject({ type: 'dataset', version: '3', issued: { 'date-parts': [[2026, 11, 3]] } })
})
