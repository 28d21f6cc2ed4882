import { expect, test } from 'vitest'
import { markets } from '#features/markets/markets.contract.ts'
import { insertAbsence, insertMarket, insertPrice } from '../../../tests/support/catalogue.ts'
import { testCrud } from '../../../tests/support/crud.ts'
import { testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const collector = await server.as('collector')

testCrud(server, markets, {
  valid: (name) => ({
    name,
    location: 'Kinshasa',
    province: 'Kinshasa',
    latitude: -4.325,
    longitude: 15.3222,
    timeZone: 'Africa/Kinshasa',
  }),
  required: ['name', 'location'],
  invalid: [
    ['name', { name: 'é'.repeat(201) }],
    ['location', { location: 'x'.repeat(201) }],
    ['province', { province: 'x'.repeat(101) }],
    ['latitude', { latitude: 90.1 }],
    ['latitude', { latitude: '4,325 S' }],
    ['longitude', { longitude: -180.1 }],
    ['longitude', { longitude: null }],
    ['longitude', { latitude: null }],
    ['timeZone', { timeZone: 'Europe/Paris' }],
  ],
  changes: (name) => ({
    name,
    location: 'Kintambo',
    province: null,
    latitude: -4.33,
    longitude: 15.27,
    timeZone: 'Africa/Lubumbashi',
  }),
  use: (id) => insertPrice(server.db, { market_id: id }),
  inUse: /: 1 prix en dépend\.$/,
})

async function create(body: Record<string, unknown>) {
  const answer = await collector.post('/api/markets', { location: 'Ailleurs', ...body })
  expect(answer.status).toBe(201)
  return answer.body as { id: number; timeZone: string }
}

test('without a time zone a market takes its province’s', async () => {
  expect(await create({ name: 'Goma', province: 'Nord-Kivu' })).toMatchObject({
    timeZone: 'Africa/Lubumbashi',
    latitude: null,
    longitude: null,
  })
  expect(await create({ name: 'Matadi', province: 'Kongo-Central', timeZone: null })).toMatchObject({
    timeZone: 'Africa/Kinshasa',
  })
  expect(await create({ name: 'Sans province' })).toMatchObject({
    province: null,
    timeZone: 'Africa/Kinshasa',
  })
})

test.each([
  ['a comma', '-4,325', '15,3222'],
  ['a point', '-4.325', ' 15.3222 '],
])('coordinates typed with %s are read as they were written', async (how, latitude, longitude) => {
  expect(await create({ name: `Situé avec ${how}`, latitude, longitude })).toMatchObject({
    latitude: -4.325,
    longitude: 15.3222,
  })
})

test('the time zone stays when the province changes, unless it is sent as null', async () => {
  const { id } = await create({ name: 'Déplacé', province: 'Kinshasa' })
  const put = async (changes: object) => (await collector.put(`/api/markets/${id}`, changes)).body
  expect(await put({ province: 'Ituri' })).toMatchObject({ timeZone: 'Africa/Kinshasa' })
  expect(await put({ timeZone: null })).toMatchObject({ timeZone: 'Africa/Lubumbashi' })
  expect(await put({ timeZone: null, province: 'Mongala' })).toMatchObject({ timeZone: 'Africa/Kinshasa' })
})

test('correcting a time zone does not change the local days of prices; those at the edge of a day have the local time of the market', async () => {
  const { id } = await create({ name: 'Minuit', province: 'Kinshasa' })
  const insert = (at: string, day: string) => insertPrice(server.db, { market_id: id, at, day })
  const evening = await insert('2026-01-15T22:30:00Z', '2026-01-15')
  const noon = await insert('2026-01-15T11:00:00Z', '2026-01-15')
  const seen = async () => {
    const rows = await server.db
      .selectFrom('price')
      .select(['id', 'observed_on', 'collected_at'])
      .where('market_id', '=', id)
      .execute()
    return new Map(rows.map((row) => [row.id, [row.observed_on, new Date(row.collected_at).toISOString()]]))
  }
  await collector.put(`/api/markets/${id}`, { province: 'Haut-Katanga', timeZone: null })
  expect(await seen()).toEqual(
    new Map([
      [evening, ['2026-01-15', '2026-01-15T21:30:00.000Z']],
      [noon, ['2026-01-15', '2026-01-15T11:00:00.000Z']],
    ]),
  )
  const night = await insert('2026-01-15T22:15:00Z', '2026-01-16')
  await collector.put(`/api/markets/${id}`, { timeZone: 'Africa/Kinshasa' })
  expect((await seen()).get(night)).toEqual(['2026-01-16', '2026-01-15T23:15:00.000Z'])
})

test('a market counts its prices of every day and currency', async () => {
  const market_id = await insertMarket(server.db, { name: 'Compté' })
  await insertPrice(server.db, { market_id })
  await insertPrice(server.db, { market_id })
  await insertPrice(server.db, { market_id, day: '2026-01-16', currency: 'USD', price_value: 2 })
  expect((await collector.get(`/api/markets/${market_id}`)).body).toMatchObject({ _count: { prices: 3 } })
  const busiest = await collector.get('/api/markets?sort=-prices&limit=1')
  expect(busiest.body).toMatchObject({ data: [{ id: market_id }] })
  expect((await collector.delete(`/api/markets/${market_id}`)).body).toMatchObject({
    message: 'Suppression impossible\u00a0: 3 prix en dépendent.',
  })
})

test('a market where agents reported, or are to go, is not deleted', async () => {
  const market_id = await insertMarket(server.db)
  await insertAbsence(server.db, { market_id })
  await insertAbsence(server.db, { market_id })
  const refused = async () => (await collector.delete(`/api/markets/${market_id}`)).body
  expect(await refused()).toMatchObject({
    message: 'Suppression impossible\u00a0: 2 relevés de terrain en dépendent.',
  })
  await insertPrice(server.db, { market_id })
  const { userId } = await server.as('agent')
  await server.db
    .insertInto('planned_visit')
    .values({ market_id, user_id: userId ?? 0, weekday: 1 })
    .execute()
  expect(await refused()).toMatchObject({
    message: 'Suppression impossible\u00a0: 1 prix, 2 relevés de terrain et 1 visite prévue en dépendent.',
  })
})

test('search covers name and location; the location filter takes the whole location, ignoring case and accents', async () => {
  await create({ name: 'Marché Kenya', location: 'Mbuji-Mayi' })
  await create({ name: 'Mbuji', location: 'Mbújì-Mayi centre' })
  const names = async (query: string) =>
    ((await collector.get(`/api/markets?${query}`)).body as { data: { name: string }[] }).data.map(
      ({ name }) => name,
    )
  expect(await names('search=mbuji-mayi')).toEqual(['Marché Kenya', 'Mbuji'])
  expect(await names(`location=${encodeURIComponent('MBUJÍ-mayi')}`)).toEqual(['Marché Kenya'])
})

test('two markets may share a name in two places, not in one', async () => {
  await create({ name: 'Marché central', location: 'Kisangani' })
  await create({ name: 'Marché central', location: 'Bukavu' })
  const answer = await collector.post('/api/markets', { name: 'marche CENTRAL', location: 'Kisangàni' })
  expect(answer).toMatchObject({ status: 409, body: { errors: [{ field: 'name' }] } })
})

test('the figures of markets follow the filters; a place counts once however it is written', async () => {
  const first = await create({ name: 'Figure A', location: 'Likasi' })
  const second = await create({ name: 'Figure B', location: 'LIKASI' })
  await create({ name: 'Figure C', location: 'Kolwezi' })
  for (const { id } of [first, first, second]) await insertPrice(server.db, { market_id: id })
  const figures = async (query: string) => (await collector.get(`/api/markets/figures?${query}`)).body
  expect(await figures('search=figure')).toEqual({ markets: 3, prices: 3, locations: 2 })
  expect(await figures('search=figure&location=likasi')).toEqual({ markets: 2, prices: 3, locations: 1 })
  expect(await figures('search=rien')).toEqual({ markets: 0, prices: 0, locations: 0 })
})

test('markets are sorted by name, and those of one name by town, in both directions', async () => {
  for (const [name, location] of [
    ['Namesake', 'Goma'],
    ['Namesake', 'Bukavu'],
    ['Namesake', 'Uvira'],
  ]) {
    await server.db
      .insertInto('market')
      .values({ name: String(name), location: String(location) })
      .execute()
  }
  const towns = async (sort: string) => {
    const { body } = await (await server.as('admin')).get(`/api/markets?search=namesake&sort=${sort}`)
    return Object(body).data.map(({ location }: { location: string }) => location)
  }
  expect(await towns('name')).toEqual(['Bukavu', 'Goma', 'Uvira'])
  expect(await towns('-name')).toEqual(['Uvira', 'Goma', 'Bukavu'])
})
