import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { priceFileColumns } from '#features/prices/exports/columns.contract.ts'
import type { Db } from '#server/db/pool.ts'
import {
  insertBrand,
  insertCategory,
  insertMarket,
  insertPrice,
  insertProduct,
  insertType,
} from '../../../../tests/support/catalogue.ts'
import { testImporter } from '../../../../tests/support/importer.ts'
import { tries } from '../../../../tests/support/length.ts'
import { readPriceFile } from '../../../../tests/support/price-files.ts'
import { forgetRate, setRate } from '../../../../tests/support/rates.ts'
import { type Client, testServer } from '../../../../tests/support/server.ts'
import { readWorkbook } from '../../../../tests/support/workbooks.ts'

async function exported(reader: Client, query: Record<string, string | number> = {}) {
  const texts = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
  return reader.send(`/api/prices/export?${new URLSearchParams(texts)}`, {})
}

describe('an export', async () => {
  const server = await testServer()
  const { db } = server
  const reader = await server.as('manager')
  const productId = await insertProduct(db, { name: '=HYPERLINK("http://x")', code: 'RIZ-1' })
  const marketId = await insertMarket(db, { name: 'Marché; "central"', time_zone: 'Africa/Lubumbashi' })
  const ids: number[] = []
  for (const [day, price_value] of [
    ['2026-01-10', 1500.5],
    ['2026-01-12', 2000],
    ['2026-02-01', 99.99],
  ] as const) {
    ids.push(await insertPrice(db, { product_id: productId, market_id: marketId, day, price_value }))
  }
  await db
    .updateTable('market')
    .set({ latitude: -11.66, longitude: 27.48 })
    .where('id', '=', marketId)
    .execute()

  test('for people opens in a French spreadsheet without a question', async () => {
    const answer = await exported(reader, { sort: 'observedOn' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    const lines = answer.bytes.toString().split('\r\n')
    expect(lines[0]).toBe(`\ufeff${priceFileColumns.map(({ title }) => title).join(';')}`)
    expect(lines[1]).toBe(
      `${ids[0]};2026-01-10;2026-01-10T14:00:00+02:00;"Marché; ""central""";Kinshasa;;-11,66;27,48;Africa/Lubumbashi;RIZ-1;"'=HYPERLINK(""http://x"")";${await categoryAndType(db, productId)};;;1kg;Détail;RD Congo;1500,50;CDF;Collecteur;;;relevé`,
    )
    expect(lines).toHaveLength(5)
  })

  test('for programs has field names, commas and decimal points', async () => {
    const answer = await exported(reader, { fileFormat: 'csv-machine', sort: 'priceValue' })
    const lines = answer.bytes.toString().split('\r\n')
    expect(lines[0]).toBe(priceFileColumns.map(({ key }) => key).join(','))
    expect(lines[1]).toMatch(
      /^\d+,2026-02-01,2026-02-01T14:00:00\+02:00,.*,-11\.66,27\.48,.*,99\.99,CDF,Collecteur,,,actual$/,
    )
  })

  test('as a workbook stores numbers and days as such, and formulas as texts', async () => {
    const answer = await exported(reader, { fileFormat: 'xlsx', sort: 'observedOn' })
    expect(answer.headers.get('content-type')).toBe(
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    )
    const [sheet] = readWorkbook(answer.bytes)
    const cell = (row: number, key: string) =>
      sheet?.rows[row]?.[priceFileColumns.findIndex((column) => column.key === key)]
    expect(sheet?.rows).toHaveLength(4)
    expect(cell(0, 'observed_on')).toBe('Date d’observation')
    expect(cell(1, 'id')).toEqual({ value: ids[0], style: 0 })
    expect(cell(1, 'observed_on')).toEqual({ value: 46032, style: 2 })
    expect(cell(1, 'collected_at')).toEqual({ value: 46032 + 14 / 24, style: 3 })
    expect(cell(1, 'product')).toBe('=HYPERLINK("http://x")')
    expect(cell(1, 'price')).toEqual({ value: 1500.5, style: 4 })
    expect(cell(1, 'flag')).toBe('relevé')
  })

  test('contains the rows of the list, in its order, whatever its page', async () => {
    const queries: Record<string, string | number>[] = [
      {},
      { sort: 'priceValue' },
      { minPrice: 1000 },
      { search: 'hyperlink' },
      { currency: 'USD' },
      { search: 'rien de tel' },
    ]
    for (const query of queries) {
      const texts = Object.entries({ ...query, limit: 200 }).map(([k, v]): [string, string] => [k, String(v)])
      const list = await reader.get(`/api/prices?${new URLSearchParams(texts)}`)
      const answer = await exported(reader, { ...query, fileFormat: 'csv-machine', limit: 1, page: 7 })
      const written = answer.bytes.toString().split('\r\n').slice(1, -1)
      const wanted = (list.body as { data: { id: number }[] }).data
      expect(written.map((line) => Number(line.split(',')[0]))).toEqual(wanted.map(({ id }) => id))
    }
  })

  test('of the rows behind figures has only goods, and no dollars without a rate', async () => {
    const wages = await insertProduct(db, { type_id: await insertType(db, { kind: 'wage' }) })
    const others = [
      await insertPrice(db, { product_id: wages, market_id: marketId, day: '2026-01-11' }),
      await insertPrice(db, {
        product_id: productId,
        market_id: marketId,
        day: '2026-01-11',
        currency: 'USD',
      }),
    ]
    const counted = async (query: Record<string, string | number>) =>
      (await exported(reader, query)).bytes.toString().trimEnd().split('\r\n').length - 1
    expect(await counted({})).toBe(5)
    expect(await counted({ behind: 'figures' })).toBe(3)
    expect(await counted({ behind: 'figures', productId: wages })).toBe(1)
    expect(await counted({ behind: 'figures', productId })).toBe(3)
    await sql`delete from price where id = any(${others}::bigint[])`.execute(db)
    await sql`update product_type set kind = 'good'`.execute(db)
  })

  test('of some series contains only these, for the list or for the rows behind their figures', async () => {
    const other = await insertMarket(db, { name: 'Ailleurs' })
    const tea = await insertProduct(db, { name: 'Thé' })
    const each = async (product_id: number, market_id: number) =>
      Number(await insertPrice(db, { product_id, market_id, day: '2026-01-20' }))
    const [there, tisane, apart] = [
      await each(productId, other),
      await each(tea, marketId),
      await each(tea, other),
    ]
    const idsOf = async (query: Record<string, string>) => {
      const { bytes } = await exported(reader, { ...query, fileFormat: 'csv-machine' })
      return bytes
        .toString()
        .trimEnd()
        .split('\r\n')
        .slice(1)
        .map((line) => Number(line.split(',')[0]))
    }
    const series = `${productId}-${other},${tea}-${marketId}`
    const ways: Record<string, string>[] = [{}, { behind: 'figures' }]
    for (const behind of ways) {
      expect((await idsOf({ series, ...behind })).toSorted()).toEqual([there, tisane].toSorted())
      expect(await idsOf({ series, marketId: String(other), ...behind })).toEqual([there])
    }
    expect((await exported(reader, { series: '1-2;3' })).status).toBe(400)
    await sql`delete from price where id = any(${[there, tisane, apart]}::bigint[])`.execute(db)
  })

  test('of the rows behind figures gives each price in francs, and includes the year that the index is fitted to', async () => {
    await setRate(db, { day: '2025-03-01', cdfPerUsd: 2500.5 })
    const series = { product_id: productId, market_id: marketId }
    const ids = [
      await insertPrice(db, { ...series, day: '2025-03-03', price_value: 4, currency: 'USD' }),
      await insertPrice(db, { ...series, day: '2024-12-01' }),
    ]
    const answer = await exported(reader, {
      behind: 'figures',
      productId,
      startDate: '2026-01-12',
      fileFormat: 'csv-machine',
      sort: 'observedOn',
    })
    const [titles = '', ...lines] = answer.bytes.toString().trimEnd().split('\r\n')
    const keys = titles.split(',')
    const rows = lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [keys[at], cell])))
    expect(keys.slice(-6)).toEqual(['in_period', 'cdf_per_usd', 'rate_day', 'price_cdf', 'price_usd', 'flag'])
    expect(rows[0]).toMatchObject({
      observed_on: '2025-03-03',
      in_period: 'non',
      price: '4.00',
      cdf_per_usd: '2500.5',
      rate_day: '2025-03-01',
      price_cdf: '10002',
      price_usd: '4',
    })
    expect(
      rows.every(({ observed_on, in_period }) => observed_on >= '2026-01-12' === (in_period === 'oui')),
    ).toBe(true)
    await sql`delete from price where id = any(${ids}::bigint[])`.execute(db)
    await forgetRate(db, '2025-03-01')
  })

  test('is named after its period', async () => {
    const named = async (query: Record<string, string>) =>
      (await exported(reader, query)).headers.get('content-disposition')
    expect(await named({ startDate: '2026-01-01', endDate: '2026-01-31', fileFormat: 'xlsx' })).toBe(
      'attachment; filename="prix-du-2026-01-01-au-2026-01-31.xlsx"',
    )
    expect(await named({ startDate: '2026-01-01' })).toMatch(/prix-du-2026-01-01-au-\d{4}-\d\d-\d\d\.csv/)
    expect(await named({})).toMatch(/"prix-au-\d{4}-\d\d-\d\d\.csv"/)
  })

  test('in another format, or with days out of order, is refused under its field', async () => {
    const refusals = [
      [{ fileFormat: 'pdf' }, 'fileFormat', 'Le format est csv, csv-machine ou xlsx'],
      [
        { startDate: '2026-02-01', endDate: '2026-01-01' },
        'endDate',
        'La date de fin précède la date de début',
      ],
    ] as const
    for (const [query, field, message] of refusals) {
      const answer = await exported(reader, query)
      expect(answer.status).toBe(400)
      expect(answer.body).toMatchObject({ errors: [{ field, message }] })
    }
  })
})

describe('a long export', async () => {
  const server = await testServer()
  const { db } = server
  const reader = await server.as('manager')
  await insertLongPrices(db)
  const start = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { authorization: `Bearer ${reader.token}` }
      get(`${server.url}/api/prices/export`, { headers, agent: false }, resolve).on('error', reject)
    })

  test('runs beside one other of the same user, and frees its place when the reader disconnects', async () => {
    const open = [await start(), await start()]
    const refused = await start()
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60'])
    const other = await server.as('manager')
    expect((await exported(other, { endDate: '2026-01-01' })).status).toBe(200)

    for (const answer of open) answer.destroy()
    await expect.poll(async () => (await exported(reader, { endDate: '2026-01-01' })).status).toBe(200)
    await expect.poll(() => openSnapshots(db)).toBe(0)
  })

  test('of a database that goes away is cut off, never ended as if it were complete', async () => {
    const answer = await start()
    await expect.poll(() => openSnapshots(db)).toBe(1)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where ${isSnapshot}`.execute(db)
    await expect(buffer(answer).then(({ length }) => length)).rejects.toThrow('aborted')
  })
})

describe('an exported file', async () => {
  const server = await testServer()
  const { db } = server
  const reader = await server.as('manager')
  const other = await testImporter()
  await insertHostileCatalogue(db)
  for (let seed = 1; seed <= tries(1, 8); seed++) await insertHostilePrices(db, 1_500, seed)
  const wanted = await everything(db)

  test('is imported unchanged, for random prices with hostile texts', async () => {
    expect(wanted.length).toBeGreaterThan(tries(1_200, 10_000))
    const { bytes } = await exported(reader)
    const outcome = await other.run(bytes)
    expect(outcome).toMatchObject({ read: wanted.length, added: wanted.length, errors: [] })
    expect(await everything(other.db)).toEqual(wanted)
  })

  test('is imported unchanged from a workbook as well, to the thousandth of a second', async () => {
    const { bytes } = await exported(reader, { fileFormat: 'xlsx' })
    const { db, run } = await testImporter()
    const outcome = await run(bytes)
    expect(outcome).toMatchObject({ read: wanted.length, added: wanted.length, errors: [] })
    expect(await everything(db)).toEqual(wanted)
    expect(await run(bytes)).toMatchObject({ added: 0, existing: wanted.length })
  })

  test('has the same content in both variants', async () => {
    const [human, machine] = await Promise.all(
      ['csv', 'csv-machine'].map(async (fileFormat) =>
        readPriceFile((await exported(reader, { fileFormat })).bytes),
      ),
    )
    expect(human?.counts).toMatchObject({ read: wanted.length, rejected: 0 })
    // Apart from the decimal separators that they show.
    const plain = (file: typeof human) =>
      JSON.parse(JSON.stringify(file, (key, value) => (key === 'decimal' ? undefined : value)))
    expect(plain(machine)).toEqual(plain(human))
  })
})

// Starts of formulas, starts that look like our own escaping, separators of CSV, and ordinary letters.
const starts = ['=', '+', '-', '@', "'", "'=", "''-", '"', '""', ';', ',', '#', '\\N', 'é', '字']
const letters = [...'aZ9 ;,"\'=+-@|\\éç’字😀']
// Blanks are stored as single ordinary spaces.
const asKept = (text: string) => text.replaceAll(/ +/g, ' ').normalize().trim()
const hostile = fc
  .tuple(fc.constantFrom(...starts), fc.string({ unit: fc.constantFrom(...letters), maxLength: 12 }))
  .map(([start, text]) => asKept(start + text))

/** Inserts rows with distinct hostile texts, distinguished by a number even without case or accents. */
async function insertHostileCatalogue(db: Db): Promise<void> {
  const texts = fc.sample(hostile, { numRuns: 160, seed: 1 }).map((text, index) => `${text} n${index}`)
  const next = () => texts.pop() ?? ''
  for (let index = 0; index < 8; index++) {
    const type_id = await insertType(db, { name: next(), category_id: await insertCategory(db, next()) })
    const brand_id = index % 3 === 0 ? null : await insertBrand(db, next())
    const id = await insertProduct(db, { name: next(), code: next(), type_id, brand_id })
    const words = { weight: next(), origin: next(), format: next() }
    await db.updateTable('product').set(words).where('id', '=', id).execute()
  }
  for (let index = 0; index < 6; index++) {
    const time_zone = index % 2 === 0 ? 'Africa/Kinshasa' : 'Africa/Lubumbashi'
    const id = await insertMarket(db, { name: next(), time_zone })
    const place = index % 3 === 0 ? {} : { latitude: -4.5 - index, longitude: 27.12345 }
    await db
      .updateTable('market')
      .set({ location: next(), province: index === 1 ? null : next(), ...place })
      .where('id', '=', id)
      .execute()
  }
}

async function insertHostilePrices(db: Db, count: number, seed: number): Promise<void> {
  const quote = fc.record({
    product_id: fc.integer({ min: 1, max: 8 }),
    market_id: fc.integer({ min: 1, max: 6 }),
    cents: fc.oneof(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 99_999_999_999_999 })),
    currency: fc.constantFrom('CDF', 'USD'),
    flag: fc.constantFrom('actual', 'aggregate'),
    collector_name: hostile,
    source: fc.option(hostile),
    collected_at: fc.date({ min: new Date('1990-01-01'), max: new Date('2026-01-01'), noInvalidDate: true }),
  })
  const quotes = JSON.stringify(fc.sample(quote, { numRuns: count, seed }))
  // Prices that the importer takes for duplicates are not tested here.
  await sql`
    insert into price (product_id, market_id, price_value, currency, flag, collector_name, source, collected_at,
                       observed_on, lane)
    select distinct on (product_id, market_id, cents, currency, flag)
           product_id, market_id, cents * 0.01, currency, flag, collector_name, source, collected_at,
           (collected_at at time zone time_zone)::date, 15
      from json_to_recordset(${quotes}) as quote (product_id integer, market_id integer, cents bigint, currency text,
             flag text, collector_name text, source text, collected_at timestamptz(3))
      join market on market.id = quote.market_id
     where not exists (
       select from price where price.product_id = quote.product_id and price.market_id = quote.market_id
          and price_value = cents * 0.01 and price.currency = quote.currency and price.flag = quote.flag)`.execute(
    db,
  )
}

/** Returns every price with all fields of its row in a file, without ids of this database. */
async function everything(db: Db): Promise<unknown[]> {
  const { rows } = await sql`
    select observed_on, collected_at, price_value::text, price.currency, flag, collector_name, source,
           market.name as market, location, province, latitude, longitude, time_zone,
           code, product.name as product, weight, format, origin, type.name as type, category.name as category,
           brand.name as brand, brand.country
      from price
      join market on market.id = market_id
      join product on product.id = product_id
      join product_type type on type.id = type_id
      join category on category.id = category_id
      left join brand on brand.id = brand_id
     order by collected_at, code, market.name, price_value, price.currency, flag`.execute(db)
  return rows
}

const isSnapshot = sql`datname = current_database() and xact_start is not null
  and backend_type = 'client backend' and pid <> pg_backend_pid()`

/** Returns the number of exports that hold a connection to the database. */
async function openSnapshots(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from pg_stat_activity where ${isSnapshot}`.execute(db)
  return rows[0]?.n ?? 0
}

/** Inserts 60 MB of CSV: more than the socket buffers between a server and a client that does not read. */
async function insertLongPrices(db: Db): Promise<void> {
  const productId = await insertProduct(db, { name: 'x'.repeat(200) })
  const words = { weight: 'x'.repeat(100), origin: 'x'.repeat(200), format: 'x'.repeat(200) }
  await db.updateTable('product').set(words).where('id', '=', productId).execute()
  const marketId = await insertMarket(db, { name: 'x'.repeat(200) })
  for (let part = 0; part < 20; part++) {
    await sql`
      insert into price (product_id, market_id, price_value, collector_name, source, collected_at, observed_on, lane)
      select ${productId}, ${marketId}, i, repeat('x', 200), repeat('x', 500), '2026-02-10T12:00Z', '2026-02-10', 15
        from generate_series(1, 2000::integer) i`.execute(db)
  }
}

async function categoryAndType(db: Db, productId: number): Promise<string> {
  const { rows } = await sql<{ category: string; type: string }>`
    select category.name as category, type.name as type from product
      join product_type type on type.id = type_id join category on category.id = category_id
     where product.id = ${productId}`.execute(db)
  return `${rows[0]?.category};${rows[0]?.type}`
}
