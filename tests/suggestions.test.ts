import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { insertBrand, insertType } from './support/catalogue.ts'
import { testServer } from './support/server.ts'

const server = await testServer()
const collector = await server.as('collector')
const { db } = server

const texts = async (path: string, search = '') =>
  Object((await collector.get(`${path}?search=${encodeURIComponent(search)}`)).body).data

test('origins and formats are listed once each, however they are written, in French order', async () => {
  expect(await texts('/api/products/origins')).toEqual([])
  const [typeId, brandId] = [await insertType(db), await insertBrand(db)]
  const send = (code: string, origin: string, format: string) =>
    collector.post('/api/products', { code, name: code, typeId, brandId, weight: '1kg', origin, format })
  await send('A', 'Zambie', 'Sac')
  await send('B', 'Égypte', 'Sachet')
  await send('C', 'EGYPTE', 'sac')
  await send('D', 'Kenya', 'Bidon')
  expect(await texts('/api/products/origins')).toEqual(['Égypte', 'Kenya', 'Zambie'])
  expect(await texts('/api/products/origins', 'egy')).toEqual(['Égypte'])
  expect(await texts('/api/products/formats')).toEqual(['Bidon', 'Sac', 'Sachet'])
  expect(await texts('/api/products/formats', 'SAC')).toEqual(['Sac', 'Sachet'])
  await db.deleteFrom('product').execute()
  await db.deleteFrom('brand').execute()
})

test('among 250 of each, every one is found by typing, the last ones too', async () => {
  const type_id = await insertType(db)
  const numbers = Array.from({ length: 250 }, (_, n) => String(n + 1).padStart(3, '0'))
  await db
    .insertInto('brand')
    .values(numbers.map((n) => ({ name: `Marque ${n}`, country: `Pays ${n}` })))
    .execute()
  await db
    .insertInto('market')
    .values(numbers.map((n) => ({ name: `Marché ${n}`, location: `Ville ${n}` })))
    .execute()
  await db
    .insertInto('product')
    .values(
      numbers.map((n) => ({
        code: `P${n}`,
        name: `Produit ${n}`,
        type_id,
        weight: '1kg',
        origin: `Origine ${n}`,
        format: `Format ${n}`,
      })),
    )
    .execute()
  await db
    .insertInto('app_user')
    .values(numbers.map((n) => ({ name: `Agent ${n}`, email: `agent${n}@exemple.cd`, status: 'ACTIVE' })))
    .execute()
  await sql`insert into user_role (user_id, role_id)
    select app_user.id, role.id from app_user, role
     where role.name = 'collector' and email like 'agent%@exemple.cd'`.execute(db)

  for (const [path, word] of [
    ['/api/brands/countries', 'Pays'],
    ['/api/markets/locations', 'Ville'],
    ['/api/products/origins', 'Origine'],
    ['/api/products/formats', 'Format'],
  ] as const) {
    expect(await texts(path), path).toHaveLength(200)
    expect(await texts(path, '250'), path).toEqual([`${word} 250`])
    expect(await texts(path, `24 ${word.toLowerCase()}`), path).toHaveLength(13)
    expect(await texts(path, 'nulle part'), path).toEqual([])
  }
  const collectors: { id: number }[] = await texts('/api/prices/collectors')
  expect(collectors).toHaveLength(200)
  expect(collectors[0]?.id).toBe(collector.userId)
  expect(await texts('/api/prices/collectors', 'agent 249')).toMatchObject([{ name: 'Agent 249' }])
  for (const [name, listed] of [
    ['brands', 'brands'],
    ['markets', 'data'],
    ['products', 'products'],
  ] as const) {
    const { body } = await collector.get(`/api/${name}?search=250&limit=30&sort=name`)
    expect(Object(body)[listed], name).toHaveLength(1)
  }
})
