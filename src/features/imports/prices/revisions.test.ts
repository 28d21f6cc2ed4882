import { sql } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { expectExactRollups } from '../../../../tests/support/exact-rollups.ts'
import { checkedImport, move } from '../../../../tests/support/imports.ts'
import {
  ourFile,
  ourRow,
  type WfpRow,
  wfpFile2023,
  wfpFile2025,
} from '../../../../tests/support/price-files.ts'
import { testServer } from '../../../../tests/support/server.ts'
import { untilWaiting } from '../../../../tests/support/waiting.ts'

const { db, pool, as } = await testServer({ hasJobs: true })
const admin = await as('admin')

const edition: Partial<WfpRow>[] = [
  { date: '2023-01-15', price: '1000' },
  { date: '2023-02-15', price: '1100' },
  { date: '2023-03-15', price: '1200' },
  { date: '2023-03-15', price: '30000', pricetype: 'Wholesale', unit: '25 KG' },
]
const values = async () => {
  const rows = await db
    .selectFrom('price')
    .select(['price_value', 'currency'])
    .orderBy('observed_on')
    .orderBy('id')
    .execute()
  return rows.map(({ price_value, currency }) => `${price_value} ${currency}`)
}
const confirmed = async (content: string) => {
  const { id, report: tried } = await checkedImport(admin, content)
  const { report } = await move(admin, id, 'confirm')
  // The dry run reports exactly what is then written.
  expect({ ...report, created: null }).toEqual({ ...tried, created: null })
  return { id, report }
}

beforeEach(async () => {
  for (const table of ['price', 'product', 'market', 'product_type', 'category']) {
    await sql`delete from ${sql.table(table)}`.execute(db)
  }
})

describe('a number given by WFP', () => {
  const numbers = { market_id: '703', commodity_id: '64' }
  const names = async (table: 'market' | 'product') =>
    (await db.selectFrom(table).select('name').orderBy('name').execute()).map(({ name }) => name)

  test('identifies one market and one product when a newer edition names them differently', async () => {
    const row = { market: 'Zando', commodity: 'Rice (imported)', ...numbers }
    await confirmed(wfpFile2025({ ...row, date: '2023-01-15', price: '1000' }))
    const renamed = {
      ...row,
      market: 'Marché central Zando',
      commodity: 'Rice (imported, Thai)',
      admin2: 'Lukunga',
    }
    const { report } = await confirmed(
      wfpFile2025(
        { ...renamed, date: '2023-01-15', price: '1100' },
        { ...renamed, date: '2023-02-15', price: '1200' },
        { ...renamed, date: '2023-02-15', price: '52000', unit: '50 KG' },
      ),
    )
    expect(report).toMatchObject({ added: 2, revised: 1, created: { markets: 0, products: 1 } })
    expect(await names('market')).toEqual(['Zando'])
    // Another unit makes another series.
    expect(await names('product')).toEqual(['Rice (imported)', 'Rice (imported, Thai)'])
    await expectExactRollups(db)
  })

  test('identifies one even when it was first read from a file without numbers, or its name changes within a file', async () => {
    await confirmed(wfpFile2023({ market: 'Zando', date: '2023-01-15' }))
    const { report } = await confirmed(
      wfpFile2025(
        { ...numbers, market: 'Zando II', date: '2023-02-15' },
        { ...numbers, market: 'Zando', date: '2023-03-15' },
        { ...numbers, market: 'Zando III', date: '2023-04-15' },
      ),
    )
    expect(report).toMatchObject({ added: 3, created: { markets: 0 } })
    expect(await names('market')).toEqual(['Zando'])
  })
})

describe('rows of a WFP file that are not goods', () => {
  test('are stored in their place: rates with the rates, wages and services under their own kinds', async () => {
    await db
      .insertInto('exchange_rate')
      .values({ day: '2023-02-15', cdf_per_usd: 2050, source: 'BCC' })
      .execute()
    const rate = { commodity: 'Exchange rate', unit: 'USD/LCU', category: 'non-food' }
    const rows: Partial<WfpRow>[] = [
      { ...rate, date: '2023-01-15', price: '2000' },
      { ...rate, date: '2023-01-15', price: '2010', market: 'Birere' },
      { ...rate, date: '2023-01-15', price: '2600', commodity: 'Exchange rate (unofficial)' },
      { ...rate, date: '2023-02-15', price: '2100' },
      { commodity: 'Wage (non-qualified labour)', unit: 'Day', category: 'non-food', price: '5000' },
      { commodity: 'Transport (public)', unit: 'Course', category: 'non-food', price: '500' },
    ]
    const rates = async () =>
      (
        await db.selectFrom('exchange_rate').select(['day', 'cdf_per_usd', 'source']).orderBy('day').execute()
      ).map(({ day, cdf_per_usd, source }) => [day, cdf_per_usd, source])
    const { id, report } = await confirmed(wfpFile2025(...rows))
    expect(report).toMatchObject({
      read: 6,
      added: 3,
      existing: 3,
      rejected: 0,
      created: { products: 2, markets: 1 },
    })
    expect(report?.notes).toEqual([expect.stringContaining('4\u00a0lignes donnent un taux de change')])
    expect(await rates()).toEqual([
      ['2023-01-15', 2005, 'WFP'],
      ['2023-02-15', 2050, 'BCC'],
    ])
    const kinds = await db.selectFrom('product_type').select(['name', 'kind']).orderBy('name').execute()
    expect(kinds).toEqual([
      { name: 'Salaire', kind: 'wage' },
      { name: 'Transport', kind: 'service' },
    ])
    const later = await confirmed(wfpFile2025({ ...rate, date: '2023-01-15', price: '2020' }))
    expect(later.report).toMatchObject({ added: 0, revised: 1 })
    expect((await rates())[0]).toEqual(['2023-01-15', 2020, 'WFP'])
    // The later import has changed it since.
    expect((await admin.post(`/api/imports/${id}/undo`)).status).toBe(409)
    expect(await move(admin, later.id, 'undo')).toMatchObject({ state: 'undone' })
    expect((await rates())[0]).toEqual(['2023-01-15', 2005, 'WFP'])
    expect(await move(admin, id, 'undo')).toMatchObject({ state: 'undone' })
    expect(await rates()).toEqual([['2023-02-15', 2050, 'BCC']])
    await db.deleteFrom('exchange_rate').execute()
  })
})

describe('a newer edition of a file of WFP', () => {
  test('revises the prices that changed, once, each in the journal', async () => {
    await confirmed(wfpFile2023(...edition))
    const newer = wfpFile2025(...edition.with(1, { date: '2023-02-15', price: '1150' }), {
      date: '2023-04-15',
      price: '1300',
    })
    const { id, report } = await confirmed(newer)
    expect(report).toMatchObject({ read: 5, added: 1, existing: 3, revised: 1, withdrawn: 0, rejected: 0 })
    expect(await values()).toEqual(['1000 CDF', '1150 CDF', '1200 CDF', '30000 CDF', '1300 CDF'])
    const updates = await db.selectFrom('audit_entry').selectAll().where('action', '=', 'update').execute()
    const entries = updates.filter(({ after }) => Object(after).importId === id)
    expect(entries).toMatchObject([
      {
        entity: 'prices',
        user_id: admin.userId,
        before: { priceValue: 1100, currency: 'CDF' },
        after: { priceValue: 1150, currency: 'CDF', importId: id },
      },
    ])
    await expectExactRollups(db)
    const again = await checkedImport(admin, newer)
    expect(again.report).toMatchObject({ added: 0, existing: 5, revised: 0 })
  })

  test('is undone with its revisions, restoring the former state, and so is the edition before it', async () => {
    const first = await confirmed(wfpFile2025(...edition))
    const updates = async () =>
      (await db.selectFrom('price').select('updated_at').orderBy('id').execute()).map(String)
    const before = await updates()
    const { id } = await confirmed(wfpFile2025({ date: '2023-01-15', price: '900' }, { date: '2023-05-15' }))
    expect(await move(admin, id, 'undo')).toMatchObject({ state: 'undone' })
    expect(await values()).toEqual(['1000 CDF', '1100 CDF', '1200 CDF', '30000 CDF'])
    expect(await updates()).toEqual(before)
    await expectExactRollups(db)
    expect(await move(admin, first.id, 'undo')).toMatchObject({ state: 'undone' })
    expect(await values()).toEqual([])
  })

  test('is not undone once a user has changed a price that it revised', async () => {
    await confirmed(wfpFile2025(...edition))
    const { id } = await confirmed(wfpFile2025({ date: '2023-01-15', price: '900' }))
    const price = await db
      .selectFrom('price')
      .select('id')
      .where('price_value', '=', 900)
      .executeTakeFirstOrThrow()
    expect((await admin.put(`/api/prices/${price.id}`, { priceValue: 950 })).status).toBe(200)
    expect((await admin.post(`/api/imports/${id}/undo`)).status).toBe(409)
  })

  test('revises prices written meanwhile, says so in the journal, and restores them when undone', async () => {
    await confirmed(wfpFile2025(...edition))
    const { id } = await checkedImport(
      admin,
      wfpFile2025(...edition.with(0, { date: '2023-01-15', price: '900' })),
    )
    const writer = await pool.connect()
    onTestFinished(() => writer.release(true))
    await writer.query('begin')
    await writer.query('update price set price_value = 950 where price_value = 1000')
    const confirming = move(admin, id, 'confirm')
    await untilWaiting(db, 1)
    await writer.query('commit')
    expect((await confirming).report).toMatchObject({ revised: 1, added: 0 })
    expect((await values())[0]).toBe('900 CDF')
    const updates = await db.selectFrom('audit_entry').selectAll().where('action', '=', 'update').execute()
    expect(updates.filter(({ after }) => Object(after).importId === id)).toMatchObject([
      { before: { priceValue: 950, currency: 'CDF' }, after: { priceValue: 900, currency: 'CDF' } },
    ])
    expect(await move(admin, id, 'undo')).toMatchObject({ state: 'undone' })
    expect((await values())[0]).toBe('950 CDF')
    await expectExactRollups(db)
  })

  test('recognises a price whose source was corrected, and no other of the same day', async () => {
    await confirmed(wfpFile2025(...edition))
    const [first, second] = await db
      .selectFrom('price')
      .select('id')
      .orderBy('observed_on')
      .limit(2)
      .execute()
    await admin.put(`/api/prices/${first?.id}`, { source: 'PAM, vérifié' })
    await admin.put(`/api/prices/${second?.id}`, { source: 'Relevé', collectorName: 'Amina' })
    const { report } = await confirmed(wfpFile2025(...edition.with(0, { date: '2023-01-15', price: '900' })))
    expect(report).toMatchObject({ added: 1, revised: 1, existing: 2 })
  })

  test('reports the prices that it no longer has, and does not delete them; an older one withdraws nothing', async () => {
    await confirmed(wfpFile2025(...edition, { date: '2023-03-15', market: 'Birere' }))
    const newer = await confirmed(
      wfpFile2025({ date: '2023-01-15', price: '1000' }, { date: '2023-03-15', price: '1200' }),
    )
    expect(newer.report).toMatchObject({ read: 2, added: 0, existing: 2, revised: 0, withdrawn: 3 })
    expect(await values()).toHaveLength(5)
    const older = await checkedImport(admin, wfpFile2025({ date: '2023-02-15', price: '1100' }))
    expect(older.report).toMatchObject({ withdrawn: 0 })
  })

  test('reports a whole province that it no longer has, and nothing of another country', async () => {
    const goma = [{ date: '2023-01-15' }, { date: '2023-03-15' }]
    const kinshasa = { admin1: 'Kinshasa', admin2: 'Kinshasa', market: 'Zando' }
    const abroad = { admin1: 'Brazzaville', admin2: 'Brazzaville', market: 'Mikalou' }
    await confirmed(
      wfpFile2025(...goma, { ...kinshasa, date: '2023-01-15' }, { ...kinshasa, date: '2023-03-15' }),
    )
    await confirmed(wfpFile2025({ ...abroad, date: '2023-01-15' }, { ...abroad, date: '2023-05-15' }))
    const newer = await confirmed(wfpFile2025(...goma))
    expect(newer.report).toMatchObject({ added: 0, existing: 2, revised: 0, withdrawn: 2 })
    expect(await values()).toHaveLength(6)
    const next = await checkedImport(admin, wfpFile2025({ ...abroad, date: '2023-05-15' }))
    expect(next.report).toMatchObject({ existing: 1, withdrawn: 0 })
  })

  test('withdraws nothing of another country with the same province name or days', async () => {
    const egypt = { admin1: 'Central', admin2: 'Cairo', market: 'Cairo' }
    const malawi = { admin1: 'Central', admin2: 'Lilongwe', market: 'Lilongwe' }
    await confirmed(
      wfpFile2025(
        { ...egypt, date: '2023-01-15' },
        { ...egypt, date: '2023-02-15' },
        { ...egypt, date: '2023-03-15' },
      ),
    )
    const first = await confirmed(
      wfpFile2025(
        { ...malawi, date: '2023-01-15' },
        { ...malawi, date: '2023-02-15' },
        { ...malawi, date: '2023-03-15' },
      ),
    )
    expect(first.report).toMatchObject({ added: 3, withdrawn: 0 })
    const next = await confirmed(
      wfpFile2025(
        { ...malawi, date: '2023-01-15' },
        { ...malawi, date: '2023-03-15' },
        { ...malawi, date: '2023-04-15' },
      ),
    )
    expect(next.report).toMatchObject({ added: 1, withdrawn: 1, notes: [] })
  })

  test('withdraws prices written only by an edition in between, in markets that this one omits', async () => {
    const goma = [{ date: '2023-01-15' }, { date: '2023-03-15' }]
    const kinshasa = { admin1: 'Kinshasa', admin2: 'Kinshasa', market: 'Zando' }
    await confirmed(wfpFile2025(...goma, { ...kinshasa, date: '2023-01-15' }))
    await confirmed(
      wfpFile2025(...goma, { ...kinshasa, date: '2023-01-15' }, { ...kinshasa, date: '2023-02-15' }),
    )
    const newer = await confirmed(wfpFile2025(...goma))
    expect(newer.report).toMatchObject({ existing: 2, withdrawn: 2 })
  })

  test('is distinguished from an older one, whose amounts would replace newer ones', async () => {
    await confirmed(wfpFile2025(...edition))
    const same = await checkedImport(admin, wfpFile2025({ date: '2023-02-15', price: '1100' }))
    expect(same.report).toMatchObject({ revised: 0, notes: [] })
    const older = await checkedImport(admin, wfpFile2025({ date: '2023-02-15', price: '1090' }))
    expect(older.report).toMatchObject({ revised: 1, notes: [expect.stringContaining('plus ancienne')] })
    const newer = await checkedImport(admin, wfpFile2025({ date: '2023-03-15', price: '1190' }))
    expect(newer.report).toMatchObject({ revised: 1, notes: [] })
  })

  test('may contain the same quote twice: the last amount counts', async () => {
    const { report } = await confirmed(wfpFile2025({ price: '1' }, { price: '2' }))
    expect(report).toMatchObject({ read: 2, added: 1, existing: 1 })
    expect(await values()).toEqual(['2 CDF'])
  })

  test('distinguishes actual prices from means of the same day', async () => {
    const { report } = await confirmed(wfpFile2025({ price: '1' }, { price: '2', priceflag: 'aggregate' }))
    expect(report).toMatchObject({ added: 2, revised: 0 })
  })
})

test('in our own export another amount, or another collector, makes another price', async () => {
  await confirmed(ourFile('machine', ourRow))
  const { report } = await confirmed(
    ourFile('machine', ourRow, { ...ourRow, price: '1600' }, { ...ourRow, collector: 'Amina' }),
  )
  expect(report).toMatchObject({ read: 3, added: 2, existing: 1, revised: 0 })
})

test('an old file without flags has actual prices', async () => {
  const lines = wfpFile2023(...edition)
    .trimEnd()
    .split('\n')
  const file = lines.map((line) => line.split(',').toSpliced(9, 1).join(',')).join('\n')
  const { report } = await confirmed(file)
  expect(report).toMatchObject({ read: 4, added: 4 })
})
