import { describe, expect, test } from 'vitest'
import { productColumns } from '#features/products/products.contract.ts'
import { insertPrice } from '../../../tests/support/catalogue.ts'
import { countAll } from '../../../tests/support/importer.ts'
import { move, sendFile, settled } from '../../../tests/support/imports.ts'
import { testServer } from '../../../tests/support/server.ts'

const { db, as } = await testServer({ hasJobs: true })
const admin = await as('admin')

describe('an import of products', () => {
  const titles = productColumns.map(({ title }) => title)
  const line = (code: string) =>
    [code, `Produit ${code}`, 'Céréales', 'Riz', 'Lion', 'Inde', '1 kg', 'Sac', 'Inde', '1000', 'CDF'].join(
      ';',
    )
  const content = [titles.join(';'), line('RIZ-1'), line('RIZ-2'), ''].join('\n')

  test('is checked, confirmed and undone like one of prices', async () => {
    const before = await countAll(db)
    const { body } = await sendFile(admin, content, { kind: 'products', name: 'produits.csv' })
    const { id, report } = await settled(admin, Object(body).id)
    expect(report).toMatchObject({ read: 2, added: 2, rejected: 0, created: { products: 2, types: 1 } })
    expect((await countAll(db)).product).toBe(before.product)
    await move(admin, id, 'confirm')
    expect((await countAll(db)).product).toBe(2)
    expect(await move(admin, id, 'undo')).toMatchObject({ kind: 'products', state: 'undone' })
    expect(await countAll(db)).toMatchObject({ ...before, audit_entry: expect.anything() })
    const undoings = db.selectFrom('audit_entry').selectAll().where('action', '=', 'undo import')
    const entry = await undoings.executeTakeFirst()
    expect(entry).toMatchObject({ entity: 'products', after: { catalogue: { product: 2 } } })
  })

  test('is not undone once one of its products is used', async () => {
    const { body } = await sendFile(admin, content, { kind: 'products' })
    const { id } = await settled(admin, Object(body).id)
    await move(admin, id, 'confirm')
    const product = await db.selectFrom('product').select('id').executeTakeFirstOrThrow()
    await insertPrice(db, { product_id: product.id })
    const answer = await admin.post(`/api/imports/${id}/undo`)
    expect(answer).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/^1\u00a0produit de cet import/) },
    })
  })
})
