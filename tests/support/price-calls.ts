// Shared data of the tests of the prices API: users, a product, two markets in two zones, and a valid price.

import { expect } from 'vitest'
import { type Price, prices } from '#features/prices/prices.contract.ts'
import { insertBrand, insertMarket, insertProduct } from './catalogue.ts'
import type { Answer, testServer } from './server.ts'

export async function priceCalls(server: Awaited<ReturnType<typeof testServer>>) {
  const { db } = server
  const [collector, agent] = [await server.as('collector'), await server.as('agent')]
  const productId = await insertProduct(db, { name: 'Riz', brand_id: await insertBrand(db, 'Simba') })
  const marketId = await insertMarket(db, { name: 'Marché Gambela' })
  const eastern = await insertMarket(db, { name: 'Marché Kenya', time_zone: 'Africa/Lubumbashi' })
  const valid = { productId, marketId, priceValue: 2500.5, collectorName: 'Amina Kabeya' }

  return {
    collector,
    agent,
    productId,
    marketId,
    /** A market whose time zone is one hour ahead of the other's. */
    eastern,
    valid,
    async create(body: object = {}, by = collector): Promise<Price> {
      const answer = await by.post('/api/prices', { ...valid, ...body })
      expect(answer, answer.text).toMatchObject({ status: 201, body: { message: 'Prix créé avec succès' } })
      return priceOf(answer)
    },
    entriesOf: (id: number) =>
      db
        .selectFrom('audit_entry')
        .selectAll()
        .where('entity', '=', 'prices')
        .where('entity_id', '=', id)
        .orderBy('id')
        .execute(),
  }
}

/** Returns the price in a response, checked against the contract. */
export function priceOf(answer: Answer): Price {
  return prices.find.response.parse(answer.body)
}

export function expectRefusal(
  answer: Answer,
  status: number,
  refusal: { field?: string; message?: string } = {},
): void {
  const { field, message } = refusal
  expect(answer.status, answer.text).toBe(status)
  if (field) expect(answer.body).toMatchObject({ errors: [{ field }] })
  if (message) expect(answer.text).toContain(message)
}
