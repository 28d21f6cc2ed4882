import { describe, expect, test } from 'vitest'
import {
  insertBrand,
  insertCategory,
  insertMarket,
  insertProduct,
  insertType,
} from '../../../../tests/support/catalogue.ts'
import { expectExactRollups } from '../../../../tests/support/exact-rollups.ts'
import { testImporter } from '../../../../tests/support/importer.ts'
import { ourFile, type WfpRow, wfpFile2023, wfpFile2025 } from '../../../../tests/support/price-files.ts'

const none = { markets: 0, categories: 0, types: 0, brands: 0, products: 0 }

/** Three months of two products at two markets, in both currencies, as quotes and as means. */
const rows: Partial<WfpRow>[] = ['2023-01-15', '2023-02-15', '2023-03-15'].flatMap((date, month) => [
  { date, price: String(1500 + 50 * month) },
  { date, market: 'Birere', admin2: 'Karisimbi', price: '1600.125' },
  { date, commodity: 'Rice (imported)', price: '1.2', currency: 'USD' },
  { date, pricetype: 'Wholesale', unit: '50 KG', price: '70000', priceflag: 'aggregate' },
])

describe('a file of WFP', async () => {
  const { db, run } = await testImporter()

  test('brings its prices, and the catalogue that they need', async () => {
    const outcome = await run(wfpFile2023(...rows), { fileName: 'wfp.csv' })
    const created = { markets: 2, categories: 1, types: 2, brands: 0, products: 3 }
    expect(outcome).toMatchObject({ read: 12, added: 12, existing: 0, rejected: 0, errors: [], created })

    const markets = await db.selectFrom('market').selectAll().orderBy('name').execute()
    expect(markets).toMatchObject([
      { name: 'Birere', location: 'Karisimbi', province: 'Nord-Kivu', latitude: -1.67, longitude: 29.23 },
      { name: 'Virunga', location: 'Goma', province: 'Nord-Kivu', time_zone: 'Africa/Lubumbashi' },
    ])
    const products = await db.selectFrom('product').selectAll().orderBy('code').execute()
    expect(products).toMatchObject([
      {
        code: 'WFP-MAIZE-FLOUR-50-KG-GROS',
        name: 'Maize flour',
        weight: '50 kg',
        format: 'Gros',
        brand_id: null,
      },
      {
        code: 'WFP-MAIZE-FLOUR-KG-DETAIL',
        name: 'Maize flour',
        weight: 'kg',
        format: 'Détail',
        brand_id: null,
      },
      { code: 'WFP-RICE-IMPORTED-KG-DETAIL', name: 'Rice (imported)', origin: 'Importé' },
    ])
    const prices = await db
      .selectFrom('price')
      .selectAll()
      .where('observed_on', '=', '2023-01-15')
      .orderBy('id')
      .execute()
    expect(prices).toHaveLength(4)
    for (const price of prices) {
      expect(price).toMatchObject({
        collector_name: 'WFP',
        source: 'WFP (HDX)',
        lane: 15,
        // Noon in Goma.
        collected_at: '2023-01-15T10:00:00.000Z',
      })
    }
    expect(prices.map(({ price_value }) => price_value).sort()).toEqual([1.2, 1500, 1600.13, 70000])
    expect(prices.map(({ flag }) => flag).sort()).toEqual(['actual', 'actual', 'actual', 'aggregate'])
  })

  test('leaves one entry in the journal', async () => {
    const entries = await db.selectFrom('audit_entry').selectAll().execute()
    expect(entries).toMatchObject([
      {
        action: 'import',
        entity: 'prices',
        user_id: null,
        after: { file: 'wfp.csv', read: 12, added: 12, rejected: 0 },
      },
    ])
  })

  test('adds nothing the second time', async () => {
    const outcome = await run(wfpFile2023(...rows))
    expect(outcome).toMatchObject({ read: 12, added: 0, existing: 12, rejected: 0, created: none })
  })

  test('adds nothing in its other format, with other cases and accents', async () => {
    const renamed = rows.map((row) => ({
      ...row,
      admin1: 'NORD-KIVU',
      commodity: row.commodity ?? 'Mâïze Flour',
    }))
    const outcome = await run(wfpFile2025(...renamed))
    expect(outcome).toMatchObject({ read: 12, added: 0, existing: 12, created: none })
  })

  test('adds prices with another day or flag, and revises those with another amount or currency, once', async () => {
    const news = [{ date: '2023-01-16' }, { price: '1999' }, { currency: 'USD' }, { priceflag: 'aggregate' }]
    const twice = [...news, ...news].map((row) => ({ date: '2023-01-15', ...row }))
    expect(await run(wfpFile2025(...twice))).toMatchObject({
      read: 8,
      added: 2,
      revised: 1,
      existing: 5,
      rejected: 0,
    })
  })

  test('keeps every rollup exact, with and without rates', async () => {
    await expectExactRollups(db)
    await db.insertInto('exchange_rate').values({ day: '2023-02-01', cdf_per_usd: 2100 }).execute()
    await expectExactRollups(db)
    expect(await run(wfpFile2025({ date: '2023-02-20', currency: 'USD', price: '2' }))).toMatchObject({
      added: 1,
    })
    await expectExactRollups(db)
  })
})

describe('existing rows', async () => {
  const { db, run } = await testImporter()

  test('are used unchanged: markets have their time zone, which gives the day and noon', async () => {
    const market = await insertMarket(db, { name: 'VIRUNGA', time_zone: 'Africa/Kinshasa' })
    await db.updateTable('market').set({ location: 'göma' }).execute()
    expect((await run(wfpFile2025({}))).created).toMatchObject({ markets: 0, products: 1 })
    const prices = await db.selectFrom('price').selectAll().execute()
    expect(prices).toMatchObject([{ market_id: market, collected_at: '2023-03-15T11:00:00.000Z' }])
  })

  test('give the time of a clock without an offset, whatever zone the file assumes for the market', async () => {
    const names = { market: 'Virunga', location: 'Goma', product: 'Thé', category: 'Boissons', type: 'Thé' }
    const words = {
      weight: '1kg',
      format: 'Sac',
      price: '9,5',
      currency: 'CDF',
      collector: 'Jean',
      flag: 'relevé',
    }
    const when = {
      observed_on: '03/05/2024',
      collected_at: '03/05/2024 23:30',
      time_zone: 'Africa/Lubumbashi',
    }
    expect(await run(ourFile('human', { ...names, ...words, ...when }))).toMatchObject({ added: 1 })
    const price = await db.selectFrom('price').selectAll().where('price_value', '=', 9.5).executeTakeFirst()
    expect(price).toMatchObject({ observed_on: '2024-05-03', collected_at: '2024-05-03T22:30:00.000Z' })
  })

  test('leave their codes unchanged: a product whose code is taken gets another, always the same', async () => {
    await insertProduct(db, { code: 'wfp-beans-kg-detail', name: 'Autre chose' })
    await run(wfpFile2025({ commodity: 'Beans' }, { commodity: 'Beans.' }))
    const codes = await codesOf('Beans%')
    expect(codes).toHaveLength(2)
    for (const code of codes) expect(code).toMatch(/^WFP-BEANS-KG-DETAIL-[0-9a-f]{8}$/)
    expect(await run(wfpFile2025({ commodity: 'Beans' }, { commodity: 'Beans.' }))).toMatchObject({
      existing: 2,
    })
    expect(await codesOf('Beans%')).toEqual(codes)
  })

  test('give a category and a type where they have them', async () => {
    const category = await insertCategory(db, 'LEGUMINEUSES ET OLEAGINEUX')
    const type = await insertType(db, { name: 'niebe', category_id: category })
    const outcome = await run(wfpFile2025({ commodity: 'Cowpeas (dry)', category: 'pulses and nuts' }))
    expect(outcome.created).toEqual({ ...none, products: 1 })
    const product = await db
      .selectFrom('product')
      .selectAll()
      .where('name', '=', 'Cowpeas (dry)')
      .executeTakeFirst()
    expect(product?.type_id).toBe(type)
  })

  test('give a product without a brand before one with a brand', async () => {
    const brand = await insertBrand(db)
    const same = { name: 'Sugar', weight: 'KG' }
    const branded = await insertProduct(db, { ...same, brand_id: brand })
    const plain = await insertProduct(db, { ...same, brand_id: null })
    await db.updateTable('product').set(same).where('id', 'in', [branded, plain]).execute()
    await run(wfpFile2025({ commodity: 'Sugar', date: '2020-01-01' }))
    const prices = await db
      .selectFrom('price')
      .select('product_id')
      .where('observed_on', '=', '2020-01-01')
      .execute()
    expect(prices).toEqual([{ product_id: plain }])
  })

  async function codesOf(name: string): Promise<string[]> {
    const found = await db
      .selectFrom('product')
      .select('code')
      .where('name', 'like', name)
      .orderBy('code')
      .execute()
    return found.map(({ code }) => code)
  }
})
