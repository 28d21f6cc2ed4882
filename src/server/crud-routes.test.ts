import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { insertBrand } from '../../tests/support/catalogue.ts'
import { testServer } from '../../tests/support/server.ts'

const server = await testServer()

test('a row with a reference that is not counted is not deleted, and the refusal is no server error', async () => {
  const id = await insertBrand(server.db)
  await sql`create table keepsake (brand_id integer references brand)`.execute(server.db)
  await sql`insert into keepsake values (${id})`.execute(server.db)
  const collector = await server.as('collector')
  expect(await collector.delete(`/api/brands/${id}`)).toMatchObject({
    status: 409,
    body: { message: 'Suppression impossible\u00a0: d’autres données en dépendent.' },
  })
  expect((await collector.get(`/api/brands/${id}`)).status).toBe(200)
})
