import { expect, test } from 'vitest'
import { insertBrand, insertType } from '../../../tests/support/catalogue.ts'
import { testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const collector = await server.as('collector')

test('origins and formats are told once each, however they are written, in French order', async () => {
  const writings = async () => (await collector.get('/api/products/writings')).body
  expect(await writings()).toEqual({ origins: [], formats: [] })

  const [typeId, brandId] = [await insertType(server.db), await insertBrand(server.db)]
  const send = (code: string, origin: string, format: string) =>
    collector.post('/api/products', { code, name: code, typeId, brandId, weight: '1kg', origin, format })
  await send('A', 'Zambie', 'Sac')
  await send('B', 'Égypte', 'Sachet')
  await send('C', 'EGYPTE', 'sac')
  await send('D', 'Kenya', 'Bidon')
  expect(await writings()).toEqual({
    origins: ['Égypte', 'Kenya', 'Zambie'],
    formats: ['Bidon', 'Sac', 'Sachet'],
  })
})
