import { expect, test } from 'vitest'
import { brands } from '#features/brands/brands.contract.ts'
import { insertBrand, insertProduct } from '../../../tests/support/catalogue.ts'
import { testCrud } from '../../../tests/support/crud.ts'
import { testServer } from '../../../tests/support/server.ts'

const server = await testServer()

testCrud(server, brands, {
  valid: (name) => ({ name, country: 'RD Congo' }),
  required: ['name', 'country'],
  invalid: [
    ['name', { name: 'é'.repeat(201) }],
    ['country', { country: 'x'.repeat(201) }],
  ],
  changes: (name) => ({ name, country: 'Zambie' }),
  use: (id) => insertProduct(server.db, { brand_id: id }),
  inUse: /: 1 produit en dépend\.$/,
})

test('two brands are merged with their products, in one entry of the journal', async () => {
  const { db } = server
  const clerk = await server.as('collector')
  const [target, twin] = [await insertBrand(db, 'Simba'), await insertBrand(db, 'Bière Simba')]
  const productId = await insertProduct(db, { brand_id: twin })
  const answer = await clerk.post(`/api/brands/${twin}/merge`, { intoId: target })
  expect(answer).toMatchObject({ status: 200, body: { id: target, message: 'Marque fusionnée avec succès' } })
  expect((await clerk.get(`/api/products/${productId}`)).body).toMatchObject({ brand: { id: target } })
  expect((await clerk.get(`/api/brands/${twin}`)).status).toBe(404)
  const entries = db.selectFrom('audit_entry').selectAll().where('action', '=', 'merge')
  expect(await entries.execute()).toMatchObject([{ entity: 'brands', entity_id: twin }])
  expect((await clerk.post(`/api/brands/${target}/merge`, { intoId: target })).status).toBe(400)
})
