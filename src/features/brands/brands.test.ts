import { brands } from '#features/brands/brands.contract.ts'
import { insertProduct } from '../../../tests/support/catalogue.ts'
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
