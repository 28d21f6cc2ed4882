import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { FieldWork } from '#features/collection/work/work.contract.ts'
import { insertMarket, insertPrice, insertProduct } from '../../../../tests/support/catalogue.ts'
import { testServer } from '../../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const [paul, marie] = [await server.as('agent'), await server.as('agent')]
const manager = await server.as('manager')

type Client = typeof paul
const workOf = async (who: Client) => Object((await who.get('/api/collection/work')).body).data as FieldWork[]

test('the work of an agent is counted by visits, beside what others found in the same market', async () => {
  const marketId = await insertMarket(db)
  const goods = [
    await insertProduct(db),
    await insertProduct(db),
    await insertProduct(db),
    await insertProduct(db),
  ]
  for (const product_id of goods)
    await insertPrice(db, { product_id, market_id: marketId, day: '2026-01-10' })
  const began = Date.now() - 3_600_000
  const visit = (who: Client, kinds: string[]) =>
    who.post('/api/collection/batches', {
      deviceId: '3',
      entries: kinds.map((kind, n) => ({
        ...{
          id: randomUUID(),
          marketId,
          productId: goods[n],
          kind,
          priceValue: kind === 'typed' ? 1000 + n : null,
        },
        ...{
          reason: kind === 'absent' ? 'rupture' : null,
          deviceAt: new Date(began + n * 120_000).toISOString(),
        },
      })),
    })
  await visit(paul, ['unchanged', 'unchanged', 'unchanged', 'absent'])
  await visit(marie, ['unchanged', 'typed', 'typed', 'typed'])
  const [own, ...others] = await workOf(paul)
  expect(others).toEqual([])
  expect(own).toMatchObject({
    ...{ visits: 1, markets: 1, goodsPerVisit: 4, minutesPerVisit: 6, returnedShare: 0 },
    ...{
      unchangedShare: 1,
      othersUnchangedShare: 0.25,
      lastVisitOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    },
  })
  const all = await workOf(manager)
  expect(all.map(({ unchangedShare }) => unchangedShare).sort()).toEqual([0.25, 1])
})

test('who has no visit yet has no shares', async () => {
  const [own] = await workOf(await server.as('agent'))
  expect(own).toMatchObject({
    visits: 0,
    goodsPerVisit: null,
    returnedShare: null,
    unchangedShare: null,
    lastVisitOn: null,
  })
})
