import { sql } from 'kysely'
import type { ReturnedPrice } from '#features/collection/returns/returns.contract.ts'
import { marketNamed } from '#features/markets/markets.sql.ts'
import type { DoubtEvidence } from '#features/prices/doubt/doubt.rules.ts'
import { productNamed } from '#features/products/products.sql.ts'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'

type ReturnedRow = Omit<ReturnedPrice, 'likely'> & { evidence: DoubtEvidence }

/** Returns the prices returned to an agent and not answered, the most urgent first, at most 200. */
export async function listReturns(db: Db, userId: number): Promise<ReturnedRow[]> {
  const { rows } = await sql<ReturnedRow>`
    select review.price_id as "priceId", ${productNamed} as product, ${marketNamed} as market,
           price.price_value as "priceValue", price.currency, price.observed_on as day, coalesce(review.comment, '') as comment,
           review.due_on as "dueOn", ${isoInstant('review.returned_at')} as "returnedAt", review.evidence
      from price_review review
      join price on price.id = review.price_id
      join product on product.id = price.product_id
      join market on market.id = price.market_id
     where review.agent_id = ${userId} and review.state = 'returned'
     order by review.due_on, review.id limit 200`.execute(db)
  return rows
}
