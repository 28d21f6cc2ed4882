// Writers that send prices over HTTP without pause while servers are killed, and a comparison with what was stored.

import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'
import { insertMarket, insertProduct } from './catalogue.ts'
import { expectExactRollups } from './exact-rollups.ts'
import { insertAccount, openSession } from './server.ts'

type Subject = { productId: number; marketId: number }
type Acknowledged = ReadonlyMap<string, { id: number; priceValue: number }>

export type DeskReport = {
  acknowledged: number
  /** Prices acknowledged but missing or different in the database. */
  lost: number
  /** Prices written twice. */
  doubled: number
  /** Prices without their audit entry, or audit entries without their price. */
  halves: number
}

const longestAbsenceMs = 60_000

/** Inserts a collector with a session, and the rows that a price refers to. */
export async function prepareDesk(db: Db): Promise<{ token: string; price: Subject }> {
  const userId = await insertAccount(db, { roles: ['collector'] })
  const token = await openSession(db, userId)
  return { token, price: { productId: await insertProduct(db), marketId: await insertMarket(db) } }
}

/**
 * Starts writers that never pause, and records the answers they got.
 *
 * @param urls servers of the same database: a writer whose price was not acknowledged turns to the next
 * @param hasKeys retries a price that was not acknowledged with its Idempotency-Key until it is; otherwise drops it
 */
export function openDesk({
  urls,
  token,
  price,
  hasKeys = false,
}: {
  urls: readonly string[]
  token: string
  price: Subject
  hasKeys?: boolean
}) {
  const acknowledged = new Map<string, { id: number; priceValue: number }>()
  const refused = { unavailable: 0, broken: 0 }
  let isOpen = true
  let lastAt = 0

  /** @returns the id, or null when it is unknown whether the price was written */
  async function post(url: string, key: string, body: object): Promise<number | null> {
    try {
      const answer = await fetch(`${url}/api/prices`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...(hasKeys && { 'idempotency-key': key }),
        },
        body: JSON.stringify(body),
      })
      const text = await answer.text()
      if (answer.status === 201) return Number(JSON.parse(text).id)
      if (answer.status !== 503) throw new Unexpected(`${answer.status} ${text}`)
      refused.unavailable += 1
    } catch (error) {
      if (error instanceof Unexpected) throw error
      // The connection broke, or no server listens.
      refused.broken += 1
    }
    return null
  }

  return {
    acknowledged,
    /** Counts of attempts without an acknowledgement: answered 503, or not at all. */
    refused,
    async write(writer: number): Promise<void> {
      let turn = writer
      for (let index = 1; isOpen; index++) {
        const source = `${writer}-${index}`
        const priceValue = (writer * 1_000_000 + index) / 100
        const body = { ...price, priceValue, source, collectorName: 'Amina', collectedAt: '2026-01-15' }
        for (let isKnown = false; !isKnown && isOpen; ) {
          const startedAt = performance.now()
          const id = await post(urls[turn % urls.length] ?? '', source, body)
          isKnown = id !== null || !hasKeys
          if (id === null) {
            turn += 1
            await sleep(20)
          } else {
            acknowledged.set(source, { id, priceValue })
            lastAt = Math.max(lastAt, startedAt)
          }
        }
      }
    },
    close() {
      isOpen = false
    },
    /** Returns the time (`performance.now`) at which a price sent after `since` is acknowledged. */
    async nextAcknowledged(since: number): Promise<number> {
      while (lastAt <= since) {
        if (performance.now() - since > longestAbsenceMs) throw new Error('the service does not come back')
        await sleep(5)
      }
      return performance.now()
    },
  }
}

class Unexpected extends Error {}

/**
 * Compares the database with the prices that were acknowledged.
 *
 * @throws Error when a rollup differs from the sum of its prices
 */
export async function compareWithDesk(db: Db, acknowledged: Acknowledged): Promise<DeskReport> {
  const rows = await db.selectFrom('price').select(['id', 'source', 'price_value']).execute()
  const bySource = new Map(rows.map((row) => [row.source, row]))
  const lost = [...acknowledged].filter(([source, { id, priceValue }]) => {
    const row = bySource.get(source)
    return row?.id !== id || Number(row.price_value) !== priceValue
  })
  const halves = await sql<{ n: number }>`
    select count(*) as n from price
      full join (select entity_id as id from audit_entry where entity = 'prices' and action = 'create') entry using (id)
     where price.product_id is null or not exists (
       select from audit_entry where entity = 'prices' and action = 'create' and entity_id = id)`.execute(db)
  await expectExactRollups(db)
  return {
    acknowledged: acknowledged.size,
    lost: lost.length,
    doubled: rows.length - bySource.size,
    halves: halves.rows[0]?.n ?? 0,
  }
}
