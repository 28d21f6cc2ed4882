import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { insertProduct } from '../../../tests/support/catalogue.ts'
import { expectExactRollups } from '../../../tests/support/exact-rollups.ts'
import { countAll } from '../../../tests/support/importer.ts'
import {
  checkedImport,
  holdImports,
  move,
  readImport,
  sendFile,
  settled,
} from '../../../tests/support/imports.ts'
import { ourFile, wfpFile2025 } from '../../../tests/support/price-files.ts'
import { testServer } from '../../../tests/support/server.ts'

const server = await testServer({ hasJobs: true })
const { db } = server
const admin = await server.as('admin')

const days = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ date: `2023-03-${String(i + 1).padStart(2, '0')}` }))
const good = wfpFile2025(...days(5))

beforeEach(async () => {
  await db.deleteFrom('price').execute()
  await db.deleteFrom('product').execute()
  await db.deleteFrom('market').execute()
  await db.deleteFrom('product_type_weight').execute()
  await db.deleteFrom('product_type').execute()
  await db.deleteFrom('category').execute()
  await db.deleteFrom('brand').execute()
})

const prices = async () => (await countAll(db)).price
const journal = async (action: string, importId: number) => {
  const entries = await db.selectFrom('audit_entry').selectAll().where('action', '=', action).execute()
  return entries.filter(
    ({ before, after }) => Object({ ...Object(before), ...Object(after) }).importId === importId,
  )
}

describe('a sent file', () => {
  test('says how many are before it in the queue, and is checked in its turn', async () => {
    const release = await holdImports(server.pool)
    const files: number[] = []
    for (const price of ['1000', '1100', '1200']) {
      const { body } = await sendFile(admin, wfpFile2025({ price }))
      files.push(Object(body).id)
    }
    const line = async () => {
      const rows = await Promise.all(files.map((id) => readImport(admin, id)))
      return rows.map(({ isWaiting, ahead }) => [isWaiting, ahead])
    }
    await expect.poll(line).toEqual([
      [true, 0],
      [true, 1],
      [true, 2],
    ])
    const listed = await admin.get('/api/imports')
    expect(Object(listed.body).data[0]).toMatchObject({ id: files[2], ahead: 2 })
    await release()
    for (const id of files) expect(await settled(admin, id)).toMatchObject({ state: 'checked', ahead: 0 })
  })

  test('is checked without writing anything, and its report is stored', async () => {
    const content = wfpFile2025(...days(3), { price: '0' }, { currency: 'XAF' }, { currency: 'XAF' })
    const found = await checkedImport(admin, content)
    expect(found).toMatchObject({
      state: 'checked',
      fileName: 'prix.csv',
      fileBytes: content.length,
      stage: null,
      isWaiting: false,
      hasFile: true,
      failure: null,
      author: { id: admin.userId },
    })
    expect(found.report).toMatchObject({
      read: 6,
      added: 3,
      existing: 0,
      rejected: 3,
      created: { markets: 1, products: 1 },
      currencies: [{ code: 'XAF', count: 2 }],
    })
    expect(found.report?.reasons[0]).toEqual({
      message: expect.stringContaining('XAF'),
      count: 2,
      example: { line: 6 },
    })
    expect(found.report?.errors.map(({ line }) => line)).toEqual([5, 6, 7])
    expect(await prices()).toBe(0)
    expect(await journal('import', found.id)).toEqual([])
  })

  test('offers all its rejected lines as a download that is harmless in a spreadsheet', async () => {
    const many = Array.from({ length: 1_500 }, () => ({ price: '-1' }))
    const found = await checkedImport(admin, wfpFile2025({ commodity: '=1+1', price: 'x"y' }, ...many))
    const { status, headers, text } = await admin.get(`/api/imports/${found.id}/rejected`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain('text/csv')
    expect(headers.get('content-disposition')).toContain('attachment')
    const lines = text.split('\r\n')
    expect(lines[0]).toMatch(/Ligne;Motif;Contenu$/)
    expect(lines).toHaveLength(1_503)
    expect(lines[1]).toMatch(/^2;"Le prix .*x""y.* n’est pas un nombre\.";"2023-03-15,.*=1\+1,.*x""y/)
    const formulas = await checkedImport(admin, `${wfpFile2025().trimEnd()}\n=cmd|' /C calc'!A0\n`)
    expect((await admin.get(`/api/imports/${formulas.id}/rejected`)).text).toContain(`;"'=cmd|' /C calc'!A0"`)
  })

  test('may have its currencies read as others, and is checked again', async () => {
    const { id } = await checkedImport(admin, wfpFile2025(...days(2), { currency: 'XAF' }))
    const again = await move(admin, id, 'check', { currencyMap: { XAF: 'CDF' } })
    expect(again).toMatchObject({ state: 'checked', currencyMap: { XAF: 'CDF' } })
    expect(again.report).toMatchObject({ added: 3, rejected: 0, currencies: [] })
    expect((await move(admin, id, 'confirm')).report).toMatchObject({ added: 3 })
    expect(await prices()).toBe(3)
  })

  test('is confirmed as its last check reported it, not as one before', async () => {
    const seen = await checkedImport(admin, wfpFile2025(...days(2), { currency: 'XAF' }))
    const again = await move(admin, seen.id, 'check', { currencyMap: { XAF: 'CDF' } })
    const confirm = ({ updatedAt }: { updatedAt: string }) =>
      admin.post(`/api/imports/${seen.id}/confirm`, { updatedAt })
    expect(await confirm(seen)).toMatchObject({ status: 409, body: { code: 'stale' } })
    expect((await readImport(admin, seen.id)).state).toBe('checked')
    expect((await confirm(again)).status).toBe(200)
    // A confirmation whose response was lost is not refused.
    expect((await confirm(again)).status).toBe(200)
    await settled(admin, seen.id)
    expect(await prices()).toBe(3)
  })

  test('is checked once for a mapping, and written once for a confirmation, when their responses are lost', async () => {
    const { id, table } = await checkedImport(
      admin,
      'Article;Lieu;Quand;Combien\nRiz;Gambela;2026-03-01;1500\n',
    )
    const mapping = { ...table?.proposal, name: null }
    const send = (step: string, body: object, key: string) =>
      admin.send(`/api/imports/${id}/${step}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
      })
    const blank = { ...mapping, fields: { ...table?.proposal.fields, currency: { value: ' ' } } }
    expect((await send('map', blank, 'vide')).body).toMatchObject({
      errors: [{ field: 'fields.currency', message: expect.stringContaining('écrivez une valeur') }],
    })
    const mapped = await send('map', mapping, 'correspondance')
    expect(mapped.status, mapped.text).toBe(200)
    expect((await send('map', mapping, 'correspondance')).body).toEqual(mapped.body)
    expect((await send('map', { ...mapping, name: 'Autre' }, 'correspondance')).status).toBe(422)
    await settled(admin, id)
    const confirmed = await send('confirm', {}, 'accord')
    expect(confirmed.status, confirmed.text).toBe(200)
    await settled(admin, id)
    expect((await send('confirm', {}, 'accord')).body).toEqual(confirmed.body)
    expect(await prices()).toBe(1)
  })

  test('that has no prices fails, with the reason in French', async () => {
    const { state, failure } = await checkedImport(admin, 'nom;âge\nAmina;30\n')
    expect(state).toBe('failed')
    expect(failure).toMatch(/fichier/)
    expect(await checkedImport(admin, new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]))).toMatchObject({
      state: 'failed',
    })
  })

  test('may be abandoned, and can then be neither confirmed nor undone', async () => {
    const { id } = await checkedImport(admin, good)
    expect(await move(admin, id, 'abandon')).toMatchObject({ state: 'abandoned' })
    expect((await admin.post(`/api/imports/${id}/confirm`)).status).toBe(409)
    expect((await admin.post(`/api/imports/${id}/undo`)).status).toBe(409)
    expect((await admin.post(`/api/imports/${id}/check`, {})).status).toBe(409)
    expect(await prices()).toBe(0)
  })

  test('is refused without a file, when it is empty, or of an unsupported kind', async () => {
    expect((await admin.post('/api/imports?kind=prices', new FormData())).status).toBe(400)
    expect((await sendFile(admin, '')).body).toMatchObject({ message: 'Ce fichier est vide.' })
    expect((await sendFile(admin, good, { kind: 'gens' })).status).toBe(400)
    expect((await admin.post('/api/imports?kind=prices', {})).status).toBe(415)
  })
})

describe('a confirmed import', () => {
  test('writes what its dry run reported, once, with one entry in the journal', async () => {
    const { id } = await checkedImport(admin, good)
    const answers = await Promise.all([1, 2, 3].map(() => admin.post(`/api/imports/${id}/confirm`)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const done = await move(admin, id, 'confirm')
    expect(done).toMatchObject({ state: 'done', actor: { id: admin.userId } })
    expect(done.report).toMatchObject({ read: 5, added: 5, existing: 0, rejected: 0 })
    expect(await prices()).toBe(5)
    const written = await db.selectFrom('price').select(['import_id', 'written_by']).distinct().execute()
    expect(written).toEqual([{ import_id: id, written_by: admin.userId }])
    const entries = await journal('import', id)
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({ user_id: admin.userId, entity: 'prices' })
    expect(entries[0]?.after).toMatchObject({ importId: id, file: 'prix.csv', added: 5 })
    await expectExactRollups(db)
  })

  test('is first in the list, without its lines', async () => {
    const { id } = await checkedImport(admin, wfpFile2025({ price: '0' }))
    const { body } = await admin.get('/api/imports?limit=2')
    expect(body).toMatchObject({ data: [{ id, report: { rejected: 1, errors: [] } }, {}] })
    expect(Object(body).pagination).toMatchObject({ page: 1, limit: 2 })
  })
})

describe('an undone import', () => {
  test('leaves neither prices nor the rows created for them', async () => {
    const before = await countAll(db)
    const { id } = await checkedImport(admin, good)
    await move(admin, id, 'confirm')
    const asked = await admin.post(`/api/imports/${id}/undo`)
    expect(await settled(admin, id)).toMatchObject({ state: 'undone', failure: null })
    expect(await countAll(db)).toMatchObject({
      ...before,
      audit_entry: expect.anything(),
      price_day: expect.anything(),
    })
    const [entry] = await journal('undo import', id)
    expect(entry).toMatchObject({ user_id: admin.userId, before: { importId: id, added: 5 } })
    expect(entry?.request_id).toBe(asked.headers.get('x-request-id'))
    expect(entry?.after).toMatchObject({ prices: 5, catalogue: { market: 1, product: 1, category: 1 } })
    await expectExactRollups(db)
    // Undoing it again changes nothing.
    expect(await move(admin, id, 'undo')).toMatchObject({ state: 'undone' })
    expect(await journal('undo import', id)).toHaveLength(1)
  })

  test('leaves rows used by others, and rows that existed before it', async () => {
    const first = await checkedImport(admin, wfpFile2025(...days(2)))
    await move(admin, first.id, 'confirm')
    const second = await checkedImport(admin, wfpFile2025({ date: '2023-04-01' }, { market: 'Kituku' }))
    await move(admin, second.id, 'confirm')
    await move(admin, first.id, 'undo')
    expect(await countAll(db)).toMatchObject({ price: 2, market: 2, product: 1 })
    await move(admin, second.id, 'undo')
    // The first market and the product came from the first import, which is finished.
    expect(await countAll(db)).toMatchObject({ price: 0, market: 1, product: 1 })
  })

  test('leaves a followed product, a market with an agent, and a type with a weight', async () => {
    const { id } = await checkedImport(admin, wfpFile2025({}, { market: 'Kituku', commodity: 'Salt' }))
    await move(admin, id, 'confirm')
    const products = await db.selectFrom('product').select(['id', 'name', 'type_id']).orderBy('id').execute()
    const flour = products.find(({ name }) => name === 'Maize flour')
    const salt = products.find(({ name }) => name === 'Salt')
    const market = await db
      .selectFrom('market')
      .select('id')
      .where('name', '=', 'Kituku')
      .executeTakeFirstOrThrow()
    expect((await admin.post('/api/follows', { productId: flour?.id })).status).toBe(201)
    await db
      .insertInto('agent_market')
      .values({ user_id: Number(admin.userId), market_id: market.id })
      .execute()
    const weight = { day: '2024-01-01', weight: 1, source: 'Enquête', type_id: salt?.type_id ?? 0 }
    await db.insertInto('product_type_weight').values(weight).execute()
    expect(await move(admin, id, 'undo')).toMatchObject({ state: 'undone', failure: null })
    expect(await countAll(db)).toMatchObject({ price: 0, market: 1, product: 1, product_type: 2 })
    expect(await db.selectFrom('follow').select('product_id').execute()).toEqual([{ product_id: flour?.id }])
    expect(await db.selectFrom('agent_market').select('market_id').execute()).toEqual([
      { market_id: market.id },
    ])
  })

  test('is refused with a count when some of its prices were changed or deleted since', async () => {
    const { id } = await checkedImport(admin, good)
    await move(admin, id, 'confirm')
    const [one, other] = await db.selectFrom('price').select('id').orderBy('id').execute()
    await admin.put(`/api/prices/${one?.id}`, { priceValue: 2000 })
    await admin.delete(`/api/prices/${other?.id}`)
    const answer = await admin.post(`/api/imports/${id}/undo`)
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({
      message:
        '2\u00a0relevés de cet import ont été modifiés ou supprimés depuis\u00a0: il ne peut plus être annulé.',
    })
    expect(await prices()).toBe(4)
  })

  test('is refused by its job when a price is changed in between', async () => {
    const { id } = await checkedImport(admin, good)
    await move(admin, id, 'confirm')
    const done = await readImport(admin, id)
    const other = await server.as('admin')
    const release = await holdImports(server.pool)
    expect((await other.post(`/api/imports/${id}/undo`)).status).toBe(200)
    await sql`update price set price_value = 1 where id = (select min(id) from price)`.execute(db)
    await release()
    const refused = await settled(admin, id)
    expect(refused.failure).toMatch(/^1\u00a0relevé de cet import a été modifié ou supprimé/)
    // Who imported the file, and when, is unchanged.
    expect(refused).toMatchObject({ state: 'done', actor: done.actor, endedAt: done.endedAt })
    expect(await prices()).toBe(5)
  })
})

test('prices written during an import do not count as its own', async () => {
  const first = await checkedImport(admin, wfpFile2025(...days(1)))
  await move(admin, first.id, 'confirm')
  const before = await db.selectFrom('price').selectAll().executeTakeFirstOrThrow()
  const body = {
    productId: before.product_id,
    marketId: before.market_id,
    priceValue: 1,
    collectorName: 'Amina',
  }
  const created = await admin.post('/api/prices', { ...body, collectedAt: '2024-01-01' })
  expect(created.status).toBe(201)
  const second = await checkedImport(admin, wfpFile2025({ date: '2023-05-01' }))
  await move(admin, second.id, 'confirm')
  await move(admin, second.id, 'undo')
  await move(admin, first.id, 'undo')
  expect(await db.selectFrom('price').select('id').execute()).toEqual([{ id: Object(created.body).id }])
})

test('importing our own export finds only existing prices', async () => {
  const { id } = await checkedImport(admin, good)
  await move(admin, id, 'confirm')
  const { text } = await admin.get('/api/prices/export?format=csv-machine')
  expect((await checkedImport(admin, text)).report).toMatchObject({ read: 5, added: 0, existing: 5 })
  expect((await checkedImport(admin, ourFile('machine'))).report).toMatchObject({ read: 0, added: 0 })
})

test('a product merged into another is found by its code in our earlier files, and nothing is added twice', async () => {
  const { id } = await checkedImport(admin, good)
  await move(admin, id, 'confirm')
  const merged = await db.selectFrom('product').select('id').executeTakeFirstOrThrow()
  const { text: prices } = await admin.get('/api/prices/export?format=csv-machine')
  const { text: catalogue } = await admin.get('/api/products/export?fileFormat=csv')
  const [between, last] = [await insertProduct(db), await insertProduct(db)]
  for (const [from, intoId] of [
    [merged.id, between],
    [between, last],
  ])
    expect((await admin.post(`/api/products/${from}/merge`, { intoId })).status).toBe(200)
  const { report } = await checkedImport(admin, prices)
  expect(report).toMatchObject({ read: 5, added: 0, existing: 5, created: { products: 0 } })
  const sent = await sendFile(admin, catalogue, { kind: 'products' })
  const again = await settled(admin, Object(sent.body).id)
  expect(again.report).toMatchObject({ read: 1, added: 0, existing: 1, rejected: 0 })
})

test('rejected lines are in the order of the file, even those rejected only after the whole file was read', async () => {
  const dates = ['15/01/2006', '2006-02-30', '1/15/2006', '2006-03-40', '16/01/2006', '2006-03-15']
  const { id, report } = await checkedImport(admin, wfpFile2025(...dates.map((date) => ({ date }))))
  expect(report?.errors.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6])
  const { text } = await admin.get(`/api/imports/${id}/rejected`)
  expect([...text.matchAll(/^(\d+);/gm)].map(([, line]) => Number(line))).toEqual([2, 3, 4, 5, 6])
})
