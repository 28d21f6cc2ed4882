import { expect, test } from 'vitest'
import { insertMarket, insertPrice, insertProduct } from '../../../../tests/support/catalogue.ts'
import { testServer } from '../../../../tests/support/server.ts'
import { eventually } from '../../../../tests/support/waiting.ts'
import type { MadeReport } from './made.contract.ts'
import { insertReport } from './made.sql.ts'

const server = await testServer({ hasJobs: true })
const { db } = server
const market_id = await insertMarket(db)
await insertPrice(db, { product_id: await insertProduct(db), market_id })
const manager = await server.as('manager')

async function listed(of = manager): Promise<MadeReport[]> {
  const { body } = await of.get('/api/statistics/reports')
  return Object(body).data
}

const finished = (id: number, of = manager) =>
  eventually(`report ${id} is finished`, async () =>
    (await listed(of)).find((each) => each.id === id && each.endedAt !== null),
  )

test('a report is made by a job, listed, and downloaded only by its owner', async () => {
  const asked = await manager.post(`/api/statistics/reports?marketId=${market_id}&period=90d`)
  expect(asked).toMatchObject({ status: 201, body: { state: 'waiting' } })
  const { id } = Object(asked.body)
  expect(await finished(id)).toMatchObject({
    state: 'done',
    ahead: 0,
    filters: { marketId: String(market_id), period: '90d' },
  })
  const file = await manager.get(`/api/statistics/reports/${id}/file`)
  expect(file.headers.get('content-disposition')).toMatch(/filename="statistiques-au-.*\.pdf"$/)
  expect(file.text.slice(0, 5)).toBe('%PDF-')
  const other = await server.as('manager')
  expect(await listed(other)).toEqual([])
  expect((await other.get(`/api/statistics/reports/${id}/file`)).status).toBe(404)
})

test('every filter of a request for a report is used for the report', async () => {
  const query = 'startDate=2026-01-01&endDate=2026-01-31&kind=good&currency=USD&categoryId=3&search=riz'
  const { id } = Object((await manager.post(`/api/statistics/reports?${query}`)).body)
  expect(await finished(id)).toMatchObject({
    state: 'done',
    filters: Object.fromEntries(new URLSearchParams(query)),
  })
})

test('a parameter that is not a filter is ignored, whatever it contains', async () => {
  const asked = await manager.post('/api/statistics/reports?x=%00&kind=good')
  expect(asked.status).toBe(201)
  expect(await finished(Object(asked.body).id)).toMatchObject({ state: 'done', filters: { kind: 'good' } })
})

test('the newest twenty of a user are stored', async () => {
  const userId = manager.userId ?? 0
  const asked = { filters: {}, today: '2026-01-31', origin: 'https://ntalo.example', mayManageUsers: false }
  const ids: number[] = []
  for (let i = 0; i < 22; i++) ids.push(await insertReport(db, userId, { asked, fileName: 'x.pdf' }))
  expect((await listed()).map(({ id }) => id)).toEqual(ids.slice(2).reverse())
})

test('a report that is not ready cannot be downloaded, and a period in reverse is refused', async () => {
  const waiting = await db
    .insertInto('made_report')
    .values({ user_id: manager.userId ?? 0, asked: '{}', file_name: 'x.pdf', state: 'failed' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const file = await manager.get(`/api/statistics/reports/${waiting.id}/file`)
  expect(file.status).toBe(409)
  const reversed = await manager.post('/api/statistics/reports?startDate=2026-02-01&endDate=2026-01-01')
  expect(reversed.status).toBe(400)
})
