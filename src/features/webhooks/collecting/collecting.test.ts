import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { linkJournal } from '#features/journal/journal.jobs.ts'
import { openReview } from '#features/prices/doubt/doubt.sql.ts'
import { collectMessages } from '#features/webhooks/collecting/collecting.jobs.ts'
import { pricesPerMessage } from '#features/webhooks/webhooks.rules.ts'
import { insertEndpoint } from '#features/webhooks/webhooks.sql.ts'
import { newWebhookSecret } from '#server/webhooks/signature.ts'
import { insertMarket, insertProduct } from '../../../../tests/support/catalogue.ts'
import { insertAccount, testServer } from '../../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const author = await server.as('admin')
const [productId, marketId] = [await insertProduct(db), await insertMarket(db)]
type Body = { type: string; data: Record<string, unknown> & { prices: Record<string, unknown>[] } }

async function newEndpoint(userId: number | null, events: string[]) {
  const owner = userId ?? (await insertAccount(db, { roles: ['collector'] }))
  const given = { userId: owner, url: 'https://exemple.cd/ntalo', events, secret: newWebhookSecret() }
  return insertEndpoint(db, given)
}
async function messagesOf(endpointId: number): Promise<Body[]> {
  const { rows } = await sql<{ body: string }>`
    select body from webhook_delivery join webhook_message m on m.id = message_id
     where endpoint_id = ${endpointId} order by webhook_delivery.id`.execute(db)
  return rows.map(({ body }) => JSON.parse(body))
}
const price = (priceValue: number) => ({ productId, marketId, priceValue, collectorName: 'Amina Kasongo' })
const collect = (at = new Date()) => collectMessages(db, at)

test('events before an endpoint existed are not sent afterwards', async () => {
  await author.post('/api/prices', price(900))
  // As the journal's job does continuously.
  await linkJournal(db)
  await collect()
  const id = await newEndpoint(null, ['price.created'])
  await collect()
  expect(await messagesOf(id)).toEqual([])
})

test('prices written, revised and deleted are sent in messages of several, without their collectors', async () => {
  const all = await newEndpoint(null, ['price.created', 'price.revised', 'price.deleted'])
  const deletions = await newEndpoint(null, ['price.deleted'])
  const ids: number[] = []
  for (const value of [1000, 1100, 1200]) {
    const { body } = await author.post('/api/prices', price(value))
    ids.push(Object(body).id)
  }
  await author.put(`/api/prices/${ids[0]}`, { priceValue: 1500 })
  await author.delete(`/api/prices/${ids[1]}`)
  await collect()
  await collect()
  const messages = await messagesOf(all)
  expect(messages.map(({ type, data }) => [type, data.count, data.isPartial])).toEqual([
    ['price.created', 3, false],
    ['price.revised', 1, false],
    ['price.deleted', 1, false],
  ])
  expect(messages[0]!.data.prices.map(({ id }) => id)).toEqual(ids)
  expect(messages[1]!.data.prices).toMatchObject([
    {
      id: ids[0],
      priceValue: 1500,
      currency: 'CDF',
      former: { priceValue: 1000 },
      product: { id: productId },
    },
  ])
  expect(messages[2]!.data.prices).toMatchObject([{ id: ids[1], market: { id: marketId } }])
  expect(JSON.stringify(messages)).not.toContain('Amina')
  expect((await messagesOf(deletions)).map(({ type }) => type)).toEqual(['price.deleted'])
})

test('a price corrected in review is sent as revised, a rejected one as deleted', async () => {
  const id = await newEndpoint(null, ['price.revised', 'price.deleted'])
  const [kept, corrected, rejected] = [await doubtful(), await doubtful(), await doubtful()]
  await author.post(`/api/reviews/${kept}`, { decision: 'accept' })
  await author.post(`/api/reviews/${corrected}`, { decision: 'correct', priceValue: 1010 })
  await author.post(`/api/reviews/${rejected}`, { decision: 'reject', reason: 'Faute de frappe' })
  await collect()
  const [revised, deleted, ...others] = await messagesOf(id)
  expect(others).toEqual([])
  expect(revised).toMatchObject({
    type: 'price.revised',
    data: { prices: [{ id: corrected, priceValue: 1010, former: { priceValue: 95_000 } }] },
  })
  expect(deleted).toMatchObject({
    type: 'price.deleted',
    data: { prices: [{ id: rejected, priceValue: 95_000 }] },
  })
})

async function doubtful(): Promise<number> {
  const { body } = await author.post('/api/prices', price(95_000))
  const priceId: number = Object(body).id
  await openReview(db, priceId, { reasons: ['outlier'], evidence: {} })
  return priceId
}

test('many prices are sent in several messages of limited size', async () => {
  const id = await newEndpoint(null, ['price.created'])
  await sql`
    insert into audit_entry (action, entity, entity_id, after)
    select 'create', 'prices', n, '{"priceValue": 1, "product": {}, "market": {}}'
      from generate_series(1, ${pricesPerMessage * 2 + 1}::int) n`.execute(db)
  await collect()
  const counts = (await messagesOf(id)).map(({ data }) => data.count)
  expect(counts).toEqual([pricesPerMessage, pricesPerMessage, 1])
})

test('an import is one message with its count and its first prices', async () => {
  const id = await newEndpoint(null, ['price.created', 'price.deleted'])
  const { rows } = await sql<{ id: number }>`
    with file as (
      insert into import (kind, file_name, file_bytes) values ('prices', 'a.csv', 1) returning id),
    written as (
      insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on, import_id)
      select ${productId}, ${marketId}, 100 + n, 'x', '2026-01-05', '2026-01-05', file.id
        from file, generate_series(1, ${pricesPerMessage + 50}::int) n returning id)
    select file.id, min(written.id) as first, max(written.id) as last from file, written group by file.id`.execute(
    db,
  )
  const importId = rows[0]!.id
  await sql`
    update import set first_price_id = p.first, last_price_id = p.last
      from (select min(id) as first, max(id) as last from price where import_id = ${importId}) p
     where import.id = ${importId}`.execute(db)
  const counts = JSON.stringify({ importId, addedPrices: pricesPerMessage + 50, revisedPrices: 0 })
  await sql`insert into audit_entry (action, entity, after) values ('import', 'prices', ${counts})`.execute(
    db,
  )
  await collect()
  const [added] = await messagesOf(id)
  expect(added!.data).toMatchObject({ count: pricesPerMessage + 50, isPartial: true, importId })
  expect(added!.data.prices).toHaveLength(pricesPerMessage)
  expect(JSON.stringify(added).length).toBeLessThan(20_000)
  expect(added!.data.prices[0]).toMatchObject({
    priceValue: 101,
    productId,
    marketId,
    observedOn: '2026-01-05',
  })
})

test('merged products send the prices that moved', async () => {
  const id = await newEndpoint(null, ['price.revised'])
  const twin = await insertProduct(db)
  const { body } = await author.post('/api/prices', { ...price(700), productId: twin })
  await author.post(`/api/products/${twin}/merge`, { intoId: productId })
  await collect()
  expect(await messagesOf(id)).toMatchObject([
    {
      type: 'price.revised',
      data: { count: 1, isPartial: false, importId: null, prices: [{ id: Object(body).id, productId }] },
    },
  ])
})

test('events of a subscription are sent only to its owner: created, changed, ended', async () => {
  const events = ['subscription.created', 'subscription.updated', 'subscription.ended']
  const userId = await insertAccount(db, { roles: ['user'] })
  const own = await newEndpoint(userId, events)
  const other = await newEndpoint(null, events)
  const { rows } = await sql<{ id: number }>`
    insert into plan (name, price, currency, billing_period) values ('Mensuel', 5, 'USD', 'MONTHLY') returning id`.execute(
    db,
  )
  const [startDate, endDate] = [0, 30].map((days) => new Date(Date.now() + days * 86_400_000).toISOString())
  const subscription = { userId, planId: rows[0]!.id, startDate, endDate, status: 'ACTIVE' }
  const { body, status } = await author.post('/api/subscriptions', subscription)
  expect(status).toBe(201)
  await author.put(`/api/subscriptions/${Object(body).id}`, {
    endDate: new Date(Date.now() + 86_400_000).toISOString(),
  })
  await collect()
  await collect(new Date(Date.now() + 2 * 86_400_000))
  await collect(new Date(Date.now() + 3 * 86_400_000))
  const messages = await messagesOf(own)
  expect(messages.map(({ type }) => type)).toEqual(events)
  expect(messages[0]!.data).toMatchObject({ id: Object(body).id, plan: 'Mensuel' })
  expect(await messagesOf(other)).toEqual([])
})
