import { describe, expect, test } from 'vitest'
import { ordinarySlots } from '#server/http/overload.ts'
import { insertProduct } from '../../../tests/support/catalogue.ts'
import { expectExactRollups } from '../../../tests/support/exact-rollups.ts'
import { expectRefusal, priceCalls, priceOf } from '../../../tests/support/price-calls.ts'
import { testServer } from '../../../tests/support/server.ts'
import { untilWaiting } from '../../../tests/support/waiting.ts'

const server = await testServer()
const { db } = server
const { collector, valid, eastern, create, entriesOf } = await priceCalls(server)

describe('two users who edit the same price', () => {
  test('the second is refused, by either name of the version', async () => {
    const { id, updatedAt } = await create()
    expect((await collector.put(`/api/prices/${id}`, { priceValue: 5, updatedAt })).status).toBe(200)
    for (const version of [{ updatedAt }, { updated_at: updatedAt }]) {
      const answer = await collector.put(`/api/prices/${id}`, { priceValue: 6, ...version })
      expectRefusal(answer, 409, { message: 'Quelqu’un d’autre a modifié' })
    }
    expect((await collector.get(`/api/prices/${id}`)).body).toMatchObject({ priceValue: 5 })
  })

  test('at once: of twelve with the same version one succeeds; without a version all do, one after the other', async () => {
    const { id, updatedAt } = await create()
    const race = async (version: object) => {
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, i) =>
          collector.put(`/api/prices/${id}`, { priceValue: i + 1, ...version }),
        ),
      )
      return answers.map(({ status }) => status).sort()
    }
    expect(await race({ updatedAt })).toEqual([200, ...Array<number>(11).fill(409)])
    expect(await race({})).toEqual(Array(12).fill(200))
    expect(await entriesOf(id)).toHaveLength(14)
  })
})

test('a price is refused for a product that is deleted at the same moment', async () => {
  const doomed = await insertProduct(db)
  const { answer } = await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('product').where('id', '=', doomed).execute()
    const answer = collector.post('/api/prices', { ...valid, productId: doomed })
    await untilWaiting(db, 1)
    return { answer }
  })
  expectRefusal(await answer, 400, { field: 'productId', message: 'Ce produit n’existe pas.' })
})

test('of many new prices at once, only the invalid ones are refused, and each has its author', async () => {
  const agent = await server.as('agent')
  const sent = Array.from({ length: 40 }, (_, i) => {
    const wrong = [
      { productId: 999_999 },
      { marketId: 999_999 },
      { collectedAt: '2999-01-01' },
      { productId: 999_999, marketId: 999_999 },
    ][i % 8]
    return {
      i,
      wrong,
      writer: i % 2 === 0 ? collector : agent,
      price: { ...valid, priceValue: 5000 + i, ...wrong },
    }
  })
  const answers = await Promise.all(
    sent.map(async (each) => ({ ...each, answer: await each.writer.post('/api/prices', each.price) })),
  )
  for (const { i, wrong, writer, answer } of answers) {
    if (wrong) {
      const field = 'marketId' in wrong ? 'marketId' : 'productId' in wrong ? 'productId' : 'collectedAt'
      expectRefusal(answer, 400, { field })
      continue
    }
    const { id } = priceOf(answer)
    expect(answer).toMatchObject({ status: 201, body: { priceValue: 5000 + i, canEdit: true } })
    expect(await entriesOf(id)).toMatchObject([
      {
        action: 'create',
        user_id: writer.userId,
        after: { id, priceValue: 5000 + i, writtenBy: writer.userId },
      },
    ])
  }
  await expectExactRollups(db)
})

test('many users who write the same days at once all succeed, and every rollup is exact', async () => {
  const days = ['2026-03-01', '2026-03-02', '2026-03-03']
  const dayOf = (n: number) => days[n % days.length]
  const numbers = Array.from({ length: 48 }, (_, n) => n)
  const created = await asManyAsAreLetIn(numbers, (n) => create({ collectedAt: dayOf(n), priceValue: n + 1 }))
  const answers = await asManyAsAreLetIn(created, ({ id }, n) => {
    if (n % 4 === 0) return collector.delete(`/api/prices/${id}`)
    if (n % 4 === 1)
      return collector.put(`/api/prices/${id}`, { collectedAt: dayOf(n + 1), marketId: eastern })
    if (n % 4 === 2) return collector.put(`/api/prices/${id}`, { currency: 'USD', priceValue: n })
    return collector.post('/api/prices', { ...valid, collectedAt: dayOf(n) })
  })
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]))
  await expectExactRollups(db)
})

test('a price sent again with its key, because its response was lost, is written once', async () => {
  const send = (key: string, more: object) =>
    collector.send('/api/prices', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ ...valid, collectorName: 'Une seule fois', ...more }),
    })
  const answers = await Promise.all(Array.from({ length: ordinarySlots }, () => send('lost', {})))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
  const [id = 0, ...others] = new Set(answers.map((answer) => priceOf(answer).id))
  expect(others).toEqual([])
  expect(await entriesOf(id)).toHaveLength(1)
  expect((await send('lost', { priceValue: 9 })).status).toBe(422)

  // A refusal is not stored: a corrected request passes with the same key.
  expect((await send('mended', { productId: 999_999 })).status).toBe(400)
  expect((await send('mended', {})).status).toBe(201)
  const { body } = await collector.get('/api/prices?collectorName=Une%20seule%20fois')
  expect(body).toMatchObject({ pagination: { total: 2 } })
})

/** Runs the work for each, as many at once as the server admits without a queue. */
async function asManyAsAreLetIn<T, R>(
  all: readonly T[],
  work: (each: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const left = [...all.entries()]
  const workers = Array.from({ length: ordinarySlots }, async () => {
    for (let next = left.shift(); next; next = left.shift()) results[next[0]] = await work(next[1], next[0])
  })
  await Promise.all(workers)
  return results
}
