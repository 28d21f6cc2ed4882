import { Readable } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import { importPrices } from '#features/imports/prices/imports.jobs.ts'
import { rateImporter } from '#features/imports/rates/imports.jobs.ts'
import { notify } from '#server/db/notify.ts'
import { openDatabase } from '#server/db/pool.ts'
import { feedMessage } from '#server/feed.ts'
import { insertMarket, insertPrice, insertProduct } from '../../../../tests/support/catalogue.ts'
import { startFaultProxy } from '../../../../tests/support/fault-proxy.ts'
import { follow } from '../../../../tests/support/follow.ts'
import { type Client, client, listenOn, openSession, testServer } from '../../../../tests/support/server.ts'

const server = await testServer()
const { db, url } = server
const live = `${url}/api/prices/live`
const collector = await server.as('collector')
const productId = await insertProduct(db)
const marketId = await insertMarket(db)

async function addPrice(by: Client = collector): Promise<number> {
  const price = { productId, marketId, priceValue: 1500, collectorName: 'Amina' }
  const { status, body } = await by.post('/api/prices', price)
  expect(status).toBe(201)
  return Object(body).id
}

const added = (...ids: number[]) => ({
  prices: ids.map((id) => ({ id, productId, marketId, deed: 'added' })),
})
const change = (data: object) => ({ event: 'change', id: expect.any(String), data })

/** Starts a second process on the same database. */
async function anotherProcess() {
  const other = await listenOn({ db, connection: server.connection })
  const token = await openSession(db, Number(collector.userId))
  return { ...other, live: `${other.url}/api/prices/live`, collector: client(other.url, token, null) }
}

describe('a follower of prices', () => {
  test('is notified of prices that another user adds, corrects and deletes', async () => {
    const reader = await follow(live, await server.as('manager'))
    expect(reader.headers.get('content-type')).toBe('text/event-stream')
    expect(reader.headers.get('content-encoding')).toBeNull()
    expect(await reader.next()).toMatchObject({
      event: 'ready',
      data: { quietForMs: expect.any(Number) },
    })
    const id = await addPrice()
    expect(await reader.next()).toEqual(change(added(id)))

    const elsewhere = await insertMarket(db)
    await collector.put(`/api/prices/${id}`, { marketId: elsewhere })
    const moved = [marketId, elsewhere].map((place) => ({ id, productId, marketId: place, deed: 'changed' }))
    expect(await reader.next()).toEqual(change({ prices: moved }))

    await collector.delete(`/api/prices/${id}`)
    const removed = { id, productId, marketId: elsewhere, deed: 'removed' }
    expect(await reader.next()).toEqual(change({ prices: [removed] }))
  })

  test('is notified once of the prices that a merge of products moves', async () => {
    const admin = await server.as('admin')
    const [merged, intoId] = [await insertProduct(db), await insertProduct(db)]
    await insertPrice(db, { product_id: merged, market_id: marketId, day: '2026-01-05' })
    const reader = await follow(live, await server.as('manager'))
    await reader.next()
    expect((await admin.post(`/api/products/${merged}/merge`, { intoId })).status).toBe(200)
    expect(await reader.next()).toEqual(change({ prices: null }))
    const id = await addPrice()
    expect(await reader.next()).toEqual(change(added(id)))
  })

  test('is notified of a rate that is entered, corrected or deleted, and once of a file of them', async () => {
    const admin = await server.as('admin')
    const reader = await follow(live, await server.as('manager'))
    await reader.next()
    const moved = change({ prices: null })
    const { body } = await admin.post('/api/exchange-rates', { day: '2026-01-05', cdfPerUsd: 2000 })
    expect(await reader.next()).toEqual(moved)
    await admin.put(`/api/exchange-rates/${Object(body).id}`, { cdfPerUsd: 2100 })
    expect(await reader.next()).toEqual(moved)
    await admin.delete(`/api/exchange-rates/${Object(body).id}`)
    expect(await reader.next()).toEqual(moved)
    const file = Readable.from([
      Buffer.from('Jour;Taux\n2026-01-05;2000\n2026-01-06;2010\n2026-01-07;2020\n'),
    ])
    await rateImporter.read(server.pool, file, {})
    expect(await reader.next()).toEqual(moved)
    const id = await addPrice()
    expect(await reader.next()).toEqual(change(added(id)))
  })

  test('is not notified of a refused write', async () => {
    const reader = await follow(live, collector)
    await reader.next()
    const { status } = await collector.post('/api/prices', { productId, marketId, priceValue: -1 })
    expect(status).toBe(400)
    const id = await addPrice()
    expect(await reader.next()).toEqual(change(added(id)))
  })

  test('is notified of an import by another program, whatever its size, but not of a dry run', async () => {
    const reader = await follow(live, collector)
    await reader.next()
    const file = (amount: number) =>
      new Blob([
        'date,admin1,admin2,market,latitude,longitude,category,commodity,unit,priceflag,pricetype,currency,price,usdprice\n',
        `2026-01-15,Kinshasa,Kinshasa,Gambela,-4.3,15.3,cereals,Rice,KG,actual,Retail,CDF,${amount},1\n`,
      ]).stream()
    const { added: tried } = await importPrices(server.pool, file(1000), { isDryRun: true })
    const { added: written } = await importPrices(server.pool, file(2000))
    expect([tried, written]).toEqual([1, 1])
    expect(await reader.next()).toEqual(change({ prices: null }))
    const id = await addPrice()
    expect(await reader.next()).toEqual(change(added(id)))
  })

  test('is notified of writes at another process, under the same ids', async () => {
    const other = await anotherProcess()
    const here = await follow(live, collector)
    const there = await follow(other.live, other.collector)
    expect([(await here.next()).event, (await there.next()).event]).toEqual(['ready', 'ready'])
    const id = await addPrice(other.collector)
    const received = await here.next()
    expect(received).toEqual(change(added(id)))
    expect(await there.next()).toEqual(received)
  })

  test('is notified of each of sixteen prices written together', async () => {
    const reader = await follow(live, collector)
    await reader.next()
    const ids = await Promise.all(Array.from({ length: 16 }, () => addPrice()))
    const heard: number[] = []
    while (heard.length < ids.length) {
      const { data } = await reader.next()
      heard.push(...Object(data).prices.map((price: { id: number }) => price.id))
    }
    expect(heard.sort()).toEqual(ids.sort())
  })
})

describe('after a cut', () => {
  test('the next connection gets the missed events, here or at another process', async () => {
    const other = await anotherProcess()
    const reader = await follow(live, collector)
    await reader.next()
    await addPrice()
    const { id: lastId } = await reader.next()
    reader.leave()
    const missed = [await addPrice(), await addPrice()]

    for (const [address, who] of [
      [live, collector],
      [other.live, other.collector],
    ] as const) {
      const again = await follow(address, who, lastId)
      expect(await again.next()).toMatchObject({ event: 'ready', id: lastId })
      const heard: unknown[] = []
      while (heard.length < 2) heard.push(...Object((await again.next()).data).prices)
      expect(heard).toEqual(added(...missed).prices)
    }
  })

  test('a process that was not running then asks to start again', async () => {
    const reader = await follow(live, collector)
    const { id: lastId } = await reader.next()
    await addPrice()
    const other = await anotherProcess()
    const again = await follow(other.live, other.collector, lastId)
    const resync = await again.next()
    expect(resync).toMatchObject({ event: 'resync' })
    // From here on the event is in the feed.
    again.leave()
    expect(await (await follow(other.live, other.collector, resync.id)).next()).toMatchObject({
      event: 'ready',
      id: resync.id,
    })
  })

  test('an id that is too old, or no id at all, asks to start again', async () => {
    const reader = await follow(live, collector)
    const { id: lastId } = await reader.next()
    for (let count = 0; count < 501; count++) await notify(db, 'price_changed', feedMessage(added(count)))
    await addPrice()
    await expect
      .poll(async () => {
        const again = await follow(live, collector, lastId)
        const { event } = await again.next()
        again.leave()
        return event
      })
      .toBe('resync')
    expect(await (await follow(live, collector, 'inconnu')).next()).toMatchObject({ event: 'resync' })
  })

  test('of the database, every reader gets its event, then `resync`', async () => {
    const proxy = await startFaultProxy(server.connection)
    const proxied = await openDatabase({ connection: proxy.connection })
    onTestFinished(async () => {
      await proxied.close()
      await proxy.close()
    })
    const cut = await listenOn({ db: proxied.db, connection: proxy.connection })
    const reader = await follow(
      `${cut.url}/api/prices/live`,
      client(cut.url, await openSession(db, Number(collector.userId)), null),
    )
    expect(await reader.next()).toMatchObject({ event: 'ready' })
    // The listener may not have been connected yet when it reported ready.
    await expect.poll(() => proxy.openCount()).toBeGreaterThan(1)
    await proxy.inject({ kind: 'reset' })
    await expect.poll(async () => (await reader.next()).event).toBe('cut')
    await addPrice()
    await proxy.inject(null)
    await expect.poll(async () => (await reader.next()).event).toBe('resync')
    const id = await addPrice()
    await expect.poll(async () => (await reader.next()).data).toEqual(added(id))
  })
})

describe('a stream ends', () => {
  test('when its session is revoked, and no other stream does', async () => {
    const leaver = await server.as('collector')
    const [ended, kept] = [await follow(live, leaver), await follow(live, collector)]
    await ended.next()
    await kept.next()
    await leaver.post('/api/auth/logout')
    expect(await ended.end()).toEqual([])
    expect((await follow(live, leaver)).status).toBe(401)
    const id = await addPrice()
    expect(await kept.next()).toEqual(change(added(id)))
  })

  test('when the right to read is taken away elsewhere', async () => {
    const subscriber = await server.as('manager')
    const reader = await follow(live, subscriber)
    await reader.next()
    await db.deleteFrom('user_role').where('user_id', '=', Number(subscriber.userId)).execute()
    expect(await reader.end()).toEqual([])
    expect((await follow(live, subscriber)).status).toBe(402)
  })

  test('at once when the server stops', async () => {
    const other = await anotherProcess()
    const reader = await follow(other.live, other.collector)
    await reader.next()
    // A stream delays a shutdown by up to a minute, unless it is ended.
    await other.http.close()
    expect(await reader.end()).toEqual([])
  })
})

test('one user holds eight streams at most, and learns when to try again', async () => {
  const eager = await server.as('manager')
  const open = await Promise.all(Array.from({ length: 8 }, () => follow(live, eager)))
  const refused = await follow(live, eager)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  open[0]?.leave()
  await expect.poll(async () => (await follow(live, eager)).status).toBe(200)
})

test('readers use no turns of requests', async () => {
  const readers = await Promise.all(
    (await Promise.all(Array.from({ length: 10 }, () => server.as('manager')))).flatMap((who) =>
      Array.from({ length: 4 }, () => follow(live, who)),
    ),
  )
  expect(readers.map(({ status }) => status)).toEqual(Array(40).fill(200))
  expect((await collector.get('/api/prices')).status).toBe(200)
})
