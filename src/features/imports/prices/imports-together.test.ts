import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { ImportProgress } from '#features/imports/importer.jobs.ts'
import { lockImports } from '#features/imports/lock.sql.ts'
import { importPrices } from '#features/imports/prices/imports.jobs.ts'
import { flagTitles } from '#features/prices/exports/columns.contract.ts'
import { inBulkTransaction } from '#server/db/bulk-transaction.ts'
import { isUnavailable } from '#server/db/errors.ts'
import { type Database, type Db, openPool } from '#server/db/pool.ts'
import { guardText } from '#shared/csv/cells.ts'
import { expectExactRollups } from '../../../../tests/support/exact-rollups.ts'
import { countAll, nothing, testImporter } from '../../../../tests/support/importer.ts'
import { bytesOf, ourFile, wfpFile2025 } from '../../../../tests/support/price-files.ts'
import { untilWaiting } from '../../../../tests/support/waiting.ts'

const sample = resolve(import.meta.dirname, '../../../../../shared/data/wfp_hdx_2025_format_sample_cog.csv')
const currencyMap = new Map([['XAF', 'CDF' as const]])

describe('a dry run', async () => {
  const { db, run } = await testImporter()
  const file = wfpFile2025({}, {}, { date: '2023-04-15' }, { currency: 'EUR' })

  test('reports what an import would do, and writes nothing', async () => {
    const trial = await run(file, { isDryRun: true })
    expect(trial).toMatchObject({
      read: 4,
      added: 2,
      existing: 1,
      rejected: 1,
      created: { markets: 1, products: 1 },
    })
    expect(await countAll(db)).toEqual(nothing)
    expect(await run(file)).toEqual(trial)
  })

  test('reports what exists already', async () => {
    const before = await countAll(db)
    expect(await run(file, { isDryRun: true })).toMatchObject({
      added: 0,
      existing: 3,
      created: { products: 0 },
    })
    expect(await countAll(db)).toEqual(before)
  })
})

describe('two imports at once', async () => {
  const { db, pool } = await testImporter()
  const rows = Array.from({ length: 300 }, (_, n) => ({
    date: new Date(Date.UTC(2022, 0, 1 + n)).toISOString().slice(0, 10),
    price: String(100 + n),
    market: `Marché ${n % 7}`,
  }))

  test('of the same file add each price once', async () => {
    const file = wfpFile2025(...rows)
    const outcomes = await Promise.all([1, 2].map(() => importPrices(pool, bytesOf(file))))
    expect(outcomes.map(({ added }) => added).sort()).toEqual([0, 300])
    expect(await countAll(db)).toMatchObject({ price: 300, market: 7, product: 1, audit_entry: 2 })
    await expectExactRollups(db)
  })

  test('run one after the other, without blocking a writer of single prices', async () => {
    const held = await holdImports(pool)
    const waiting = importPrices(pool, bytesOf(wfpFile2025({ date: '2019-01-01' })))
    await untilWaiting(db, 1)
    await db.updateTable('price').set({ price_value: 5 }).where('price_value', '=', 100).execute()
    await held.release()
    expect(await waiting).toMatchObject({ added: 1 })
    await expectExactRollups(db)
  })
})

describe('a market whose prices are being imported', async () => {
  const { db, pool } = await testImporter()
  const file = wfpFile2025({ date: '2022-05-01' })
  const change = async (row: { name?: string; time_zone?: string }) =>
    await db.updateTable('market').set(row).executeTakeFirstOrThrow()

  /** Runs an import, and does something while it is half done: after its markets, before its products. */
  async function importAround(work: () => Promise<unknown>) {
    const holder = await pool.connect()
    try {
      await holder.query('begin; lock table wfp_product in share row exclusive mode')
      const importing = importPrices(pool, bytesOf(file))
      importing.catch(() => {})
      await untilWaiting(db, 1)
      await work()
      await holder.query('commit')
      return importing
    } finally {
      holder.release()
    }
  }

  test('may be edited meanwhile', async () => {
    await importPrices(pool, bytesOf(wfpFile2025({ date: '2022-04-01' })))
    const outcome = await importAround(() => change({ name: 'Grand marché' }))
    expect(outcome).toMatchObject({ added: 1 })
  })

  test('stops the import when its time zone changes, so that no price has a wrong day', async () => {
    const before = await countAll(db)
    const failed = importAround(() => change({ time_zone: 'Africa/Kinshasa' }))
    await expect(failed).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('fuseau horaire'),
    })
    expect(await countAll(db)).toEqual(before)
  })
})

describe('a stopped import', async () => {
  const { db, pool } = await testImporter()

  test.each(['reading', 'matching', 'writing'] as const)('while %s writes nothing', async (stage) => {
    const stop = new AbortController()
    const onProgress = (progress: ImportProgress) => {
      if (progress.stage === stage) stop.abort(new Error('assez'))
    }
    const attempt = importPrices(pool, bytesOf(wfpFile2025({})), { signal: stop.signal, onProgress })
    await expect(attempt).rejects.toThrow('assez')
    expect(await countAll(db)).toEqual(nothing)
  })

  test('while it waits for the database releases it at once', async () => {
    const stop = new AbortController()
    const held = await holdImports(pool)
    const attempt = importPrices(pool, bytesOf(wfpFile2025({})), { signal: stop.signal })
    await untilWaiting(db, 1)
    stop.abort(new Error('assez'))
    await expect(attempt).rejects.toThrow('assez')
    await held.release()
    expect(await countAll(db)).toEqual(nothing)
  })

  test('by a lost connection says so, and the pool continues', async () => {
    const held = await holdImports(pool)
    const attempt = importPrices(pool, bytesOf(wfpFile2025({})))
    // The promise is handled before it fails, and not only after the connection is cut.
    const outcome = expect(attempt).rejects.toSatisfy(isUnavailable)
    await untilWaiting(db, 1)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    await outcome
    await held.release()
    expect(await countAll(db)).toEqual(nothing)
  })

  test('releases its connection', async () => {
    expect(pool.waitingCount).toBe(0)
    expect(pool.idleCount).toBe(pool.totalCount)
    expect(await importPrices(pool, bytesOf(wfpFile2025({})))).toMatchObject({ added: 1 })
  })
})

test('an import has no time limit, whatever the timeout of the pool', async () => {
  const { db, pool, connection } = await testImporter()
  const hasty = openPool({ connection, statementTimeoutMs: 500, idleInTransactionTimeoutMs: 500 })
  const held = await holdImports(pool)
  const attempt = importPrices(hasty, bytesOf(wfpFile2025({})))
  await sql`select pg_sleep(1)`.execute(db)
  await held.release()
  expect(await attempt).toMatchObject({ added: 1 })
  await hasty.end()
})

describe('our own export', async () => {
  const from = await testImporter()
  const to = await testImporter()

  test('is imported unchanged into a database without any of it', async () => {
    const odd = { market: 'Marché "Zando; Ya Mikolo"', admin2: '=Kinshasa, Gombe', admin1: 'Kinshasa' }
    await from.run(
      wfpFile2025(
        {},
        { price: '12.5', currency: 'USD', priceflag: 'aggregate', ...odd },
        { commodity: 'Riz\n"local"', latitude: '', longitude: '', date: '2022-12-31' },
      ),
    )
    await sql`with b as (insert into brand (name, country) values ('Simba', 'RD Congo') returning id)
      update product set brand_id = b.id, origin = '-5 %' from b where code like '%MAIZE%'`.execute(from.db)
    await sql`update price set collected_at = collected_at - interval '2 hours 3 minutes 4.567 seconds',
      collector_name = '@Jean', source = 'a;b' where currency = 'USD'`.execute(from.db)

    for (const variant of ['human', 'machine'] as const) {
      const outcome = await to.run(ourFile(variant, ...(await exported(from.db, variant))))
      expect(outcome).toMatchObject({ read: 3, added: variant === 'human' ? 3 : 0, rejected: 0 })
      expect(await exported(to.db, variant)).toEqual(await exported(from.db, variant))
    }
    await expectExactRollups(to.db)
  })

  test('adds nothing to the database that it comes from', async () => {
    const before = await countAll(from.db)
    const outcome = await from.run(ourFile('human', ...(await exported(from.db, 'human'))))
    expect(outcome).toMatchObject({ added: 0, existing: 3, created: { products: 0, brands: 0 } })
    expect(await countAll(from.db)).toEqual({ ...before, audit_entry: (before.audit_entry ?? 0) + 1 })
  })
})

describe('the sample of HDX', async () => {
  const { db, run } = await testImporter()

  // The sample is not part of the product: a copy of the sources alone lacks it.
  test.skipIf(!existsSync(sample))(
    'in ../shared/data is accepted once its currency is read as another',
    async () => {
      const content = await readFile(sample)
      expect(await run(content)).toMatchObject({ read: 59, added: 0, rejected: 59 })
      expect(await countAll(db)).toMatchObject({ price: 0, market: 0, product: 0 })
      const outcome = await run(content, { currencyMap })
      expect(outcome).toMatchObject({
        read: 59,
        added: 59,
        rejected: 0,
        created: { markets: 7, products: 3 },
      })
      expect(await run(content, { currencyMap })).toMatchObject({ added: 0, existing: 59 })
      await expectExactRollups(db)
    },
  )
})

/** Holds the lock of imports, as another import under way would, until it is released. */
async function holdImports(pool: Database['pool']) {
  const isHeld = Promise.withResolvers<void>()
  const isOver = Promise.withResolvers<void>()
  const ended = inBulkTransaction(pool, async ({ tx }) => {
    await lockImports(tx)
    isHeld.resolve()
    await isOver.promise
  })
  await isHeld.promise
  return {
    async release() {
      isOver.resolve()
      await ended
    },
  }
}

/** Returns every price as our export writes it, oldest first. */
async function exported(db: Db, variant: 'human' | 'machine'): Promise<Record<string, string>[]> {
  const { rows } = await sql<Record<string, string>>`
    select observed_on::text, market.name as market, market.location, coalesce(province, '') as province,
           coalesce(latitude::text, '') as latitude, coalesce(longitude::text, '') as longitude, time_zone,
           to_char(collected_at at time zone time_zone, 'YYYY-MM-DD"T"HH24:MI:SS.MS')
             || case time_zone when 'Africa/Kinshasa' then '+01:00' else '+02:00' end as collected_at,
           product.code as product_code, product.name as product, category.name as category, type.name as type,
           coalesce(brand.name, '') as brand, coalesce(country, '') as brand_country, weight, format, origin,
           price_value::text as price, price.currency, collector_name as collector, coalesce(source, '') as source, flag
      from price
      join market on market.id = market_id join product on product.id = product_id
      join product_type type on type.id = type_id join category on category.id = category_id
      left join brand on brand.id = brand_id
     order by price.observed_on, price_value`.execute(db)
  return rows.map((row) => {
    const guarded = Object.fromEntries(Object.entries(row).map(([key, value]) => [key, guardText(value)]))
    const { price = '', latitude = '', longitude = '', flag } = row
    if (variant === 'machine') return { ...guarded, latitude, longitude }
    const withComma = (number: string) => number.replace('.', ',')
    return {
      ...guarded,
      price: withComma(price),
      latitude: withComma(latitude),
      longitude: withComma(longitude),
      flag: flag === 'actual' ? flagTitles.actual : flagTitles.aggregate,
    }
  })
}
