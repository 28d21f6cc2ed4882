import { expect, test } from 'vitest'
import type { PublicFigures } from '#features/landing/landing.contract.ts'
import { findCoveredMarket } from '#features/landing/landing.sql.ts'
import { addDays, dayInKinshasa, dayMs } from '#shared/days.ts'
import { insertMarket, insertPrice, insertProduct } from '../../../tests/support/catalogue.ts'
import { insertPlan } from '../../../tests/support/payments.ts'
import { client, insertAccount, listenOn, testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db } = server

/** Returns the response of a process that has just started. */
async function ask(clock?: () => Date): Promise<PublicFigures> {
  const { url } = await listenOn(server, clock && { clock })
  const { status, body } = await client(url, null, null).get('/api/public/overview')
  expect(status).toBe(200)
  return body as PublicFigures
}

test('an empty platform says so in zeros and empty lists, never in invented figures', async () => {
  const figures = await ask()
  expect(figures.totals).toMatchObject({ prices: 0, products: 0, markets: 0 })
  expect(figures).toMatchObject({
    brands: [],
    categories: [],
    moves: [],
    latest: { cities: [], rows: [] },
    markets: [],
    plans: [],
  })
  expect(figures).toMatchObject({ comparison: null, steadiest: null, lastCollectedAt: null })
  expect(figures.index).toMatchObject({ weeks: [], month: null, quarter: null, halfYear: null })
  expect(figures.subscriptions.map(({ count }) => count)).toEqual([0, 0, 0, 0, 0, 0, 0])
  expect(figures.collected.map(({ count }) => count)).toEqual([0, 0, 0, 0, 0, 0, 0])
})

test('new subscriptions are counted by their day in Kinshasa, an hour before the day of UTC', async () => {
  const user_id = await insertAccount(db, { roles: ['user'] })
  const today = dayInKinshasa(new Date())
  const created = (days: number, time: string) => new Date(`${addDays(today, -days)}T${time}Z`)
  const added = await db
    .insertInto('subscription')
    .values(
      [created(3, '23:30'), created(3, '22:30'), created(2, '00:30')].map((created_at, place) => ({
        user_id,
        created_at,
        status: 'EXPIRED',
        start_date: created(400 - 40 * place, '00:00'),
        end_date: created(390 - 40 * place, '00:00'),
      })),
    )
    .returning('id')
    .execute()
  const counts = Object.fromEntries((await ask()).subscriptions.map(({ date, count }) => [date, count]))
  expect([counts[addDays(today, -3)], counts[addDays(today, -2)], counts[addDays(today, -1)]]).toEqual([
    1, 2, 0,
  ])
  for (const { id } of added) await db.deleteFrom('subscription').where('id', '=', id).execute()
})

test('figures, moves and comparisons come from the prices', async () => {
  const products = [
    await insertProduct(db, { name: 'Riz' }),
    await insertProduct(db),
    await insertProduct(db),
  ]
  const markets = [
    await insertMarket(db, { name: 'Calme', location: 'Boma' }),
    await insertMarket(db, { name: 'Cher', location: 'Goma' }),
    await insertMarket(db, { name: 'Grand', location: 'Goma' }),
  ]
  const mondays = Array.from({ length: 30 }, (_, week) =>
    new Date(Date.UTC(2026, 3, 27) + week * 7 * dayMs).toISOString().slice(0, 10),
  )
  for (const [week, day] of mondays.entries()) {
    for (const [row, product_id] of products.entries()) {
      for (const [place, market_id] of markets.entries()) {
        // Two of the last four weeks are too few for a price.
        if (place === 0 && (week === 26 || week === 27)) continue
        // A rise of ten per cent in the last week for the first product, and a slow rise in Goma.
        const price = 1000 * (week === 29 && row === 0 ? 1.1 : 1) * (place === 0 ? 1 : 1.01 ** week)
        await insertPrice(db, { product_id, market_id, price_value: Math.round(price), day })
      }
    }
  }
  await insertPlan(db, { name: 'Mensuel' })
  await insertPlan(db, { name: 'Retiré', is_active: false })
  const figures = await ask(() => new Date('2026-11-20T12:00:00Z'))

  expect(figures.totals).toMatchObject({ prices: 264, products: 3, markets: 3 })
  expect(figures.plans.map(({ name }) => name)).toEqual(['Mensuel'])
  expect(figures.markets[0]).toMatchObject({ count: 90, lastDay: '2026-11-16' })
  expect(figures.moves[0]).toMatchObject({ product: { name: 'Riz' }, markets: 3 })
  // The latest price of one product of each type, the cities with most quotes first.
  expect(figures.latest.cities).toEqual(['Goma', 'Boma'])
  expect(figures.latest.rows).toHaveLength(3)
  expect(figures.latest.rows[0]?.prices.map((price) => price?.observedOn)).toEqual([
    '2026-11-16',
    '2026-11-16',
  ])
  expect(figures.moves[0]?.change).toBeCloseTo(1.1 * 1.01 ** (2 / 3) - 1, 3)
  // Three series are too few to call a place steady.
  expect(figures.steadiest).toMatchObject({ location: 'Goma', series: 6, products: 3 })
  expect(figures.comparison?.markets.map(({ name, isThin }) => [name, isThin]).sort()).toEqual([
    ['Calme', true],
    ['Cher', false],
    ['Grand', false],
  ])
  expect(figures.comparison).toMatchObject({ from: '2026-10-26', to: '2026-11-16' })
  expect(figures.index.weeks).toHaveLength(27)
  expect(figures.index.weeks[0]?.value).toBeCloseTo(100, 9)
  expect(figures.index.quarter).toMatchObject({ series: 9, products: 3, to: '2026-11-16' })
  expect(figures.index.knownSeries).toBe(9)
})

test('a client with the current answer gets 304, and other clients share it for a minute', async () => {
  const first = await server.visitor.get('/api/public/overview')
  const etag = first.headers.get('etag') ?? ''
  expect(first.headers.get('cache-control')).toBe('public, max-age=60')
  const again = await server.visitor.send('/api/public/overview', { headers: { 'if-none-match': etag } })
  expect([again.status, again.text]).toEqual([304, ''])
  await insertMarket(db)
  const later = await server.visitor.get('/api/public/overview')
  expect(later.body).toEqual(first.body)
})

test('the landing page is compressed once, has an ETag, and allows only its own style', async () => {
  const page = await server.visitor.get('/')
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const again = await server.visitor.send('/', {
    headers: { 'if-none-match': page.headers.get('etag') ?? '' },
  })
  expect([again.status, again.text]).toEqual([304, ''])
  expect(page.headers.get('content-security-policy')).toMatch(/style-src 'self' '/)
})

test('a market beyond those of the map has its public page, and no other number has one', async () => {
  const added = Array.from({ length: 501 }, (_, n) => ({ name: `Zongo ${1000 + n}`, location: 'Zongo' }))
  const rows = await db.insertInto('market').values(added).returning(['id', 'name']).execute()
  const last = rows.find(({ name }) => name === 'Zongo 1500')?.id
  expect((await ask()).markets.map(({ id }) => id)).not.toContain(last)
  const { url } = await listenOn(server)
  const visitor = client(url, null, null)
  expect((await visitor.get(`/marches/${last}`)).status).toBe(200)
  expect(await findCoveredMarket(db, last ?? 0)).toMatchObject({
    name: 'Zongo 1500',
    count: 0,
    lastDay: null,
  })
  for (const id of ['999999999', '9999999999999', 'riz'])
    expect((await visitor.get(`/marches/${id}`)).status).toBe(404)
})
