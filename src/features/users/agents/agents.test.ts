import { expect, test } from 'vitest'
import { type Agent, agents } from '#features/users/agents/agents.contract.ts'
import { dayInKinshasa, dayMs } from '#shared/days.ts'
import { adminRights } from '../../../../tests/support/accounts.ts'
import { insertMarket, insertPrice } from '../../../../tests/support/catalogue.ts'
import { testCrud } from '../../../../tests/support/crud.ts'
import { insertAccount, testServer } from '../../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const market = await insertMarket(db)

let people = 0
function newEmail(): string {
  people += 1
  return `agent-${people}@exemple.cd`
}

testCrud(server, agents, {
  rights: adminRights,
  unique: null,
  unseen: ['password'],
  valid: (name) => ({
    name,
    email: newEmail(),
    password: 'assez long pour passer',
    location: 'Goma',
  }),
  required: ['name', 'email'],
  invalid: [
    ['email', { email: '@' }],
    ['marketIds', { marketIds: [2_000_000_000] }],
  ],
  changes: (name) => ({ name, email: newEmail(), status: 'SUSPENDED', location: null, marketIds: [market] }),
})

/** Inserts a price written by a user, collected that many days ago. */
async function pricedBy(written_by: number, market_id: number, daysAgo: number): Promise<number> {
  const at = new Date(Date.now() - daysAgo * dayMs)
  const day = dayInKinshasa(at)
  const id = await insertPrice(db, { market_id, at: at.toISOString(), day })
  await db.updateTable('price').set({ written_by }).where('id', '=', id).execute()
  return id
}

test('an agent whose account is younger than a week is not silent yet', async () => {
  const admin = await server.as('admin')
  const id = await insertAccount(db, { roles: ['agent'], name: 'Yves Nouveau', ageDays: 0 })
  expect((await admin.get(`/api/agents/${id}`)).body).toMatchObject({ id, isSilent: false })
  await db
    .updateTable('app_user')
    .set({ created_at: new Date(Date.now() - 8 * dayMs) })
    .where('id', '=', id)
    .execute()
  expect((await admin.get(`/api/agents/${id}`)).body).toMatchObject({ id, isSilent: true })
})

test('agents are those with either of the two roles, with what each collected lately', async () => {
  const admin = await server.as('admin')
  await admin.post('/api/roles', { name: 'Agent recenseur' })
  const busy = await insertAccount(db, { roles: ['agent'], name: 'Zoé Active' })
  const silent = await insertAccount(db, { roles: ['Agent recenseur'], name: 'Zoé Silencieuse' })
  const gone = await insertAccount(db, { roles: ['agent'], name: 'Zoé Partie', status: 'INACTIVE' })
  await insertAccount(db, { roles: ['collector'], name: 'Zoé Collectrice' })
  const elsewhere = await insertMarket(db)
  for (const [days, market_id] of [
    [1, market],
    [6, elsewhere],
    [20, market],
    [40, market],
  ] as const) {
    await pricedBy(busy, market_id, days)
  }
  const corrected = await pricedBy(silent, market, 10)
  expect((await admin.put(`/api/prices/${corrected}`, { priceValue: 4321 })).status).toBe(200)

  const list = await admin.get('/api/agents?search=zoe&sort=name')
  const rows = (list.body as { data: Agent[] }).data
  expect(rows).toMatchObject([
    {
      id: busy,
      collected7: 2,
      collected30: 3,
      marketsCovered: 2,
      correctedShare: 0,
      isSilent: false,
      lastPrice: { collectedAt: expect.stringMatching(/Z$/), market: expect.any(String) },
    },
    { id: gone, collected30: 0, correctedShare: null, lastPrice: null, isSilent: false },
    {
      id: silent,
      collected7: 0,
      collected30: 1,
      correctedShare: 1,
      isSilent: true,
      lastPrice: { priceValue: 4321 },
    },
  ])
  expect((await admin.get('/api/agents/figures?search=zoe')).body).toEqual({
    agents: 3,
    active: 2,
    inactive: 1,
    silent: 1,
  })
})

test('agents are sorted by the last activity shown: the last price or the last change of the account', async () => {
  const admin = await server.as('admin')
  const names = ['Xena avec un ancien prix', 'Xena sans prix', 'Xena avec un prix récent']
  const [early, , late] = [
    await insertAccount(db, { roles: ['agent'], name: names[0] }),
    await insertAccount(db, { roles: ['agent'], name: names[1] }),
    await insertAccount(db, { roles: ['agent'], name: names[2] }),
  ]
  await pricedBy(early, market, 10)
  // Later than every change of an account.
  await pricedBy(late, market, -1)
  const sorted = async (sort: string) => {
    const { body } = await admin.get(`/api/agents?search=xena&sort=${sort}`)
    return (body as { data: Agent[] }).data.map(({ name }) => name)
  }
  expect(await sorted('lastPrice')).toEqual(names)
  expect(await sorted('-lastPrice')).toEqual(names.toReversed())
})

test('the correction rate of an agent counts each corrected price of the last 30 days once', async () => {
  const admin = await server.as('admin')
  const id = await insertAccount(db, { roles: ['agent'], name: 'Yvonne Exacte' })
  const [twice, same, note, own, old] = [
    await pricedBy(id, market, 3),
    await pricedBy(id, market, 3),
    await pricedBy(id, market, 3),
    await pricedBy(id, market, 0),
    await pricedBy(id, market, 31),
  ]
  const agent = await server.clientOf(id)
  for (const [client, price, change] of [
    [admin, twice, { priceValue: 11 }],
    [admin, twice, { priceValue: 12 }],
    [admin, same, { priceValue: 1000 }],
    [admin, note, { source: 'Vérifié au téléphone' }],
    [agent, own, { priceValue: 13 }],
    [admin, old, { priceValue: 14 }],
  ] as const) {
    expect((await client.put(`/api/prices/${price}`, change)).status).toBe(200)
  }
  expect((await admin.get(`/api/agents/${id}`)).body).toMatchObject({ collected30: 4, correctedShare: 0.5 })
})

test('a created agent is one, and another user cannot be reached as an agent', async () => {
  const admin = await server.as('admin')
  const { body } = await admin.post('/api/agents', {
    name: 'Nouvelle',
    email: newEmail(),
    password: 'assez long pour passer',
    marketIds: [market],
  })
  const { id } = body as Agent
  expect((await admin.get(`/api/users/${id}`)).body).toMatchObject({
    user_roles: [{ role: { name: 'agent' } }],
  })
  expect(body).toMatchObject({ markets: [{ id: market }], marketIds: [market] })
  const collector = await insertAccount(db, { roles: ['collector'] })
  expect((await admin.put(`/api/agents/${collector}`, { name: 'X' })).status).toBe(404)
  expect((await admin.delete(`/api/agents/${collector}`)).status).toBe(404)
})

test('prices of an agent survive the deletion of the account, without an author', async () => {
  const admin = await server.as('admin')
  const id = await insertAccount(db, { roles: ['agent'] })
  const price = await pricedBy(id, market, 1)
  expect((await admin.delete(`/api/agents/${id}`)).status).toBe(200)
  const { written_by } = await db
    .selectFrom('price')
    .select('written_by')
    .where('id', '=', price)
    .executeTakeFirstOrThrow()
  expect(written_by).toBeNull()
})
