import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { prices } from '#features/prices/prices.contract.ts'
import { insertMarket, insertPrice, insertProduct } from '../../../tests/support/catalogue.ts'
import { expectRefusal, priceCalls, priceOf } from '../../../tests/support/price-calls.ts'
import { insertAccount, testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const { collector, agent, productId, marketId, eastern, valid, create, entriesOf } = await priceCalls(server)

describe('a price', () => {
  test('is created in CDF with the current time, and read with the names of its rows', async () => {
    const before = Date.now()
    const created = await create()
    expect(created).toMatchObject({
      ...valid,
      currency: 'CDF',
      source: null,
      flag: 'actual',
      canEdit: true,
      product: { id: productId, name: 'Riz', price: null, brand: { name: 'Simba' } },
      market: { id: marketId, name: 'Marché Gambela', location: 'Kinshasa' },
    })
    expect(created.product.type.category.name).toMatch(/^Catégorie/)
    expect(Date.parse(created.collectedAt)).toBeGreaterThanOrEqual(before - 1000)
    expect(Date.parse(created.collectedAt)).toBeLessThanOrEqual(Date.now())
    expect(priceOf(await collector.get(`/api/prices/${created.id}`))).toEqual(created)
  })

  test('of a product without a brand has a null brand', async () => {
    expect(await create({ productId: await insertProduct(db) })).toMatchObject({ product: { brand: null } })
  })

  test.each([
    ['collectedAt', 1_767_225_600],
    ['collected_at', '1767225600000'],
    ['createdAt', 1_767_225_600_000],
    ['created_at', '2026-01-01T00:00:00Z'],
  ])('is collected when %s says: %j', async (field, refusal) => {
    expect(await create({ [field]: refusal })).toMatchObject({ collectedAt: '2026-01-01T00:00:00.000Z' })
  })

  test('keeps the session’s user as its writer, whatever the body says', async () => {
    const { id } = await create({
      writtenBy: 1,
      written_by: 1,
      lane: 9,
      flag: 'aggregate',
      observedOn: '2001-01-01',
    })
    const row = await db.selectFrom('price').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ written_by: collector.userId, lane: 0, flag: 'actual' })
    expect(row.observed_on > '2025').toBe(true)
  })

  test('is changed field by field, and omitted fields are not changed', async () => {
    const { updatedAt, ...before } = await create({ currency: 'USD', source: 'Enquête', priceValue: 3 })
    for (const change of [
      { priceValue: 4 },
      { collectorName: 'Jean' },
      { source: null },
      { currency: 'CDF' },
      { marketId: eastern },
      { productId: await insertProduct(db) },
    ]) {
      const answer = await collector.put(`/api/prices/${before.id}`, change)
      expect(answer.body).toMatchObject({ ...change, message: 'Prix mis à jour avec succès' })
      Object.assign(before, change)
      const { product, market, updatedAt: later, ...after } = priceOf(answer)
      expect({ ...before, ...after }).toMatchObject(after)
      expect(later > updatedAt).toBe(true)
      expect([product.id, market.id]).toEqual([before.productId, before.marketId])
    }
  })

  test('in dollars stays in dollars when only its value changes', async () => {
    const { id } = await create({ currency: 'USD', priceValue: 3 })
    expect((await collector.put(`/api/prices/${id}`, { priceValue: 4 })).body).toMatchObject({
      currency: 'USD',
    })
  })

  test('is deleted once; then it is not found', async () => {
    const { id } = await create()
    expect(await collector.delete(`/api/prices/${id}`)).toMatchObject({
      status: 200,
      body: { message: 'Prix supprimé avec succès' },
    })
    for (const answer of [
      await collector.get(`/api/prices/${id}`),
      await collector.put(`/api/prices/${id}`, { priceValue: 1 }),
      await collector.delete(`/api/prices/${id}`),
      await collector.get('/api/prices/999999999999999'),
    ]) {
      expectRefusal(answer, 404, { message: 'Prix introuvable' })
    }
    expectRefusal(await collector.get('/api/prices/abc'), 400, { field: 'id' })
  })

  test('leaves an audit entry for each write, with the row before and after', async () => {
    const { id } = await create()
    await collector.put(`/api/prices/${id}`, { priceValue: 7 })
    await collector.delete(`/api/prices/${id}`)
    expect(await entriesOf(id)).toMatchObject([
      {
        action: 'create',
        entity: 'prices',
        before: null,
        after: { priceValue: 2500.5 },
        user_id: collector.userId,
      },
      { action: 'update', before: { priceValue: 2500.5 }, after: { priceValue: 7 } },
      { action: 'delete', before: { priceValue: 7, product: { name: 'Riz' } }, after: null },
    ])
  })

  test('is recorded in the journal as it is shown, whatever wrote it', async () => {
    const { id } = await create({ priceValue: 2500, collectedAt: '2026-03-10T10:00:00.500Z' })
    await collector.put(`/api/prices/${id}`, {})
    const [created, updated] = await entriesOf(id)
    expect(updated?.before).toEqual(created?.after)
  })

  test('is not written without its audit entry', async () => {
    const { id } = await create()
    await db.schema.alterTable('audit_entry').renameTo('audit_entry_gone').execute()
    try {
      expect((await collector.put(`/api/prices/${id}`, { priceValue: 9 })).status).toBe(500)
      expect((await collector.post('/api/prices', valid)).status).toBe(500)
    } finally {
      await db.schema.alterTable('audit_entry_gone').renameTo('audit_entry').execute()
    }
    expect(await collector.get(`/api/prices/${id}`)).toMatchObject({ body: { priceValue: 2500.5 } })
  })
})

describe('the day of collection', () => {
  test.each([
    ['2026-03-10T22:59:59Z', '2026-03-10', '2026-03-11'],
    ['2026-03-10T23:00:00Z', '2026-03-11', '2026-03-11'],
    ['2026-03-10T21:59:59.999Z', '2026-03-10', '2026-03-10'],
    ['2026-03-10T22:00:00+00:00', '2026-03-10', '2026-03-11'],
    ['2026-03-11T00:30:00+01:00', '2026-03-11', '2026-03-11'],
    ['2026-03-11T20:00:00+23:00', '2026-03-10', '2026-03-10'],
  ])('%s falls on %s in Kinshasa and %s in Lubumbashi', async (collectedAt, west, east) => {
    expect(await create({ collectedAt })).toMatchObject({ observedOn: west })
    expect(await create({ collectedAt, marketId: eastern })).toMatchObject({ observedOn: east })
  })

  test('given without an hour is that day in both zones', async () => {
    expect(await create({ collectedAt: '2026-03-10' })).toMatchObject({
      observedOn: '2026-03-10',
      collectedAt: '2026-03-10T11:00:00.000Z',
    })
    expect(await create({ collected_at: '2026-03-10', marketId: eastern })).toMatchObject({
      observedOn: '2026-03-10',
      collectedAt: '2026-03-10T10:00:00.000Z',
    })
  })

  test('of today is not in the future, even before noon', async () => {
    const { observedOn } = await create()
    const { collectedAt } = await create({ collectedAt: observedOn })
    expect(Date.parse(collectedAt)).toBeLessThanOrEqual(Date.now())
  })

  test('of today has the current time, also in the evening: noon would be hours ago', async () => {
    const { db } = server
    await sql`alter table market drop constraint market_time_zone_known`.execute(db)
    const hours = 20 - new Date().getUTCHours()
    // The signs in the names of these zones are reversed.
    const evening = await insertMarket(db, { time_zone: `Etc/GMT${hours > 0 ? '' : '+'}${-hours}` })
    const before = Date.now()
    const { observedOn } = await create({ marketId: evening })
    const { collectedAt } = await create({ marketId: evening, collectedAt: observedOn })
    expect(Date.parse(collectedAt)).toBeGreaterThanOrEqual(before - 1000)
  })

  test('does not change when the market is corrected to another zone, and follows the instant when this changes', async () => {
    const collectedAt = '2026-03-10T22:30:00.000Z'
    const { id } = await create({ collectedAt })
    const put = async (change: object) => priceOf(await collector.put(`/api/prices/${id}`, change)).observedOn
    expect(await put({ marketId: eastern })).toBe('2026-03-10')
    expect(await put({ marketId, collectedAt: '2026-03-10T21:30:00Z' })).toBe('2026-03-10')
    expect(await put({ collectedAt })).toBe('2026-03-10')
    expect(await put({ marketId: eastern, collectedAt })).toBe('2026-03-10')
    expect(await put({ marketId })).toBe('2026-03-10')
    expect(await put({ collectedAt: '2026-02-01T12:00:00Z' })).toBe('2026-02-01')
    expect(await put({ collected_at: '2026-02-02T12:00:00Z' })).toBe('2026-02-02')
    expect(await put({ collectedAt: null, createdAt: '2001-01-01' })).toBe('2026-02-02')
  })

  test('may be five minutes ahead, as clocks are, but not in the future', async () => {
    const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
    await create({ collectedAt: inMinutes(4) })
    for (const collectedAt of [inMinutes(6), inMinutes(2880).slice(0, 10), '2199-12-31']) {
      const answer = await collector.post('/api/prices', { ...valid, collectedAt })
      expectRefusal(answer, 400, { field: 'collectedAt', message: 'La date de collecte est dans le futur' })
    }
    const { id } = await create()
    expectRefusal(await collector.put(`/api/prices/${id}`, { collectedAt: inMinutes(6) }), 400, {
      field: 'collectedAt',
    })
  })
})

describe('a wrong value is refused in French, under its field', () => {
  const english = /\b(invalid|expected|required|received|must|null value|constraint)\b/i

  test.each([
    ['productId', { productId: undefined }, 'Choisissez un produit'],
    ['productId', { productId: 2_000_000_000 }, 'Ce produit n’existe pas.'],
    ['productId', { productId: 9_999_999_999 }, 'Choisissez un produit'],
    ['marketId', { marketId: null }, 'Choisissez un marché'],
    ['marketId', { marketId: 2_000_000_000 }, 'Ce marché n’existe pas.'],
    ['priceValue', { priceValue: undefined }, 'Ce champ est obligatoire'],
    ['priceValue', { priceValue: '' }, 'Ce champ est obligatoire'],
    ['priceValue', { priceValue: 0 }, 'Le montant doit être supérieur à zéro'],
    ['priceValue', { priceValue: -5 }, 'Le montant doit être supérieur à zéro'],
    ['priceValue', { priceValue: 1.005 }, 'Deux décimales au plus'],
    ['priceValue', { priceValue: 1e15 }, 'Montant trop grand'],
    ['priceValue', { priceValue: 'cher' }, 'Nombre attendu'],
    ['currency', { currency: 'EUR' }, 'La devise est CDF ou USD'],
    ['collectorName', { collectorName: ' ' }, 'Ce champ est obligatoire'],
    ['collectorName', { collectorName: 'x'.repeat(201) }, '200 caractères au plus'],
    ['source', { source: 'x'.repeat(501) }, '500 caractères au plus'],
    ['collectedAt', { collectedAt: '2026-02-30' }, 'Date attendue'],
    ['collectedAt', { collectedAt: 'hier' }, 'Date attendue'],
    ['collectedAt', { collectedAt: '1989-12-31' }, 'Un prix d’avant 1990 n’est pas accepté'],
    ['collected_at', { collected_at: '1970-01-01T10:00:00Z' }, 'Un prix d’avant 1990 n’est pas accepté'],
    ['collectedAt', { collectedAt: '2500-01-01T10:00:00Z' }, 'Date attendue'],
    ['collected_at', { collected_at: 12 }, 'Date attendue'],
  ])('%s: %j', async (field, wrong, message) => {
    const answer = await collector.post('/api/prices', { ...valid, ...wrong })
    expectRefusal(answer, 400, { field, message })
    expect(answer.text.replace(/"code":"\w+"/, '')).not.toMatch(english)
    const value = Object.values(wrong)[0]
    if (value === undefined) return
    const { id } = await create()
    expectRefusal(await collector.put(`/api/prices/${id}`, wrong), 400, { field, message })
  })

  test('several at once are all named', async () => {
    const answer = await collector.post('/api/prices', {})
    expect(answer).toMatchObject({
      status: 400,
      body: {
        message: '4 champs sont à corriger.',
        errors: [
          { field: 'productId' },
          { field: 'marketId' },
          { field: 'priceValue' },
          { field: 'collectorName' },
        ],
      },
    })
  })

  test('and nothing is written', async () => {
    const wrong = { ...valid, priceValue: 123.45, productId: 2_000_000_000 }
    expect((await collector.post('/api/prices', wrong)).status).toBe(400)
    const rows = await db.selectFrom('price').select('id').where('price_value', '=', 123.45).execute()
    expect(rows).toEqual([])
  })
})

test('collectors are the active users who collect or administer, in French order', async () => {
  const account = (name: string, roles: string[], status = 'ACTIVE') =>
    insertAccount(db, { name, roles, status })
  const ids = [
    await account('Élodie', ['collector', 'admin']),
    await account('Zoé', ['admin']),
    await account('Eugène', ['collector']),
  ]
  await account('Inactif', ['collector'], 'SUSPENDED')
  await account('Gérant', ['manager', 'agent', 'super admin'])
  const { data } = prices.collectors.response.parse((await agent.get('/api/prices/collectors')).body)
  expect(data.filter(({ name }) => !name.startsWith('Compte'))).toEqual([
    { id: ids[0], name: 'Élodie' },
    { id: ids[2], name: 'Eugène' },
    { id: ids[1], name: 'Zoé' },
  ])
})

test('imported prices can be read and edited', async () => {
  const id = await insertPrice(db, { product_id: productId, market_id: marketId })
  await db.updateTable('price').set({ flag: 'aggregate', lane: 15 }).where('id', '=', id).execute()
  expect((await collector.put(`/api/prices/${id}`, { priceValue: 42 })).body).toMatchObject({
    flag: 'aggregate',
  })
  const row = await db.selectFrom('price').select('lane').where('id', '=', id).executeTakeFirst()
  expect(row).toEqual({ lane: 15 })
})
