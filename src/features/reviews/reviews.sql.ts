import { sql } from 'kysely'
import { marketNamed } from '#features/markets/markets.sql.ts'
import { type DoubtEvidence, type DoubtReason, doubtReasons } from '#features/prices/doubt/doubt.rules.ts'
import { productNamed } from '#features/products/products.sql.ts'
import {
  type Review,
  type ReviewDecision,
  reviewLog,
  type reviews,
} from '#features/reviews/reviews.contract.ts'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'
import { defineRows } from '#server/db/rows.ts'
import { isSinceDay, isUntilDay, isValue, offsetOf } from '#server/db/selection.ts'
import type { QueryOf } from '#shared/contract.ts'

/** A review with the data of its sentences. */
export type ReviewRow = Omit<Review, 'reasons' | 'usual' | 'likely'> & {
  reasons: DoubtReason[]
  evidence: DoubtEvidence
  twinName: string | null
  absentName: string | null
}

// Same formula as `gapOf`.
const gap = sql`abs(ln(nullif((evidence ->> 'cdf')::float8, 0) / nullif(coalesce(
  (evidence ->> 'usual')::float8,
  case evidence -> 'last' ->> 'currency' when 'CDF' then (evidence -> 'last' ->> 'value')::float8 end), 0)))`
const firstReason = sql`array_position(${sql.lit(`{${doubtReasons.join(',')}}`)}::text[], review.reasons[1])`
const named = (id: string) => sql`
  (select json_build_object('id', id, 'name', name) from app_user where app_user.id = ${sql.ref(id)})`

/** Returns the queue, or the review of one price: by reason, waiting before returned, the largest gap first. */
export async function listReviews(
  db: Db,
  { reason, ...query }: QueryOf<typeof reviews.list>,
): Promise<{ rows: ReviewRow[]; total: number; confirmed: number }> {
  const { rows } = await sql<{ rows: ReviewRow[]; total: number; confirmed: number }>`
    with queue as materialized (
      select review.*, price.price_value as value_now, price.currency as currency_now, price.collector_name,
             price.updated_at as version,
             row_number() over (order by review.state = 'returned', ${firstReason}, ${gap} desc nulls last, review.id) as place
        from price_review review join price on price.id = review.price_id
       where review.state in ('waiting', 'returned') and ${reason ? sql`${reason} = any(review.reasons)` : sql`true`}),
    page as (select * from queue order by place limit ${query.limit} offset ${offsetOf(query)})
    select (select count(*) from queue) as total,
           (select count(*) from price_review where state = 'confirmed' and decided_at > now() - interval '7 days') as confirmed,
           coalesce(json_agg(json_build_object(
             'priceId', page.price_id, 'reasons', page.reasons, 'evidence', page.evidence, 'state', page.state,
             'product', ${productNamed}, 'market', ${marketNamed}, 'priceValue', page.value_now, 'currency', page.currency_now,
             'observedOn', page.observed_on, 'collectorName', page.collector_name, 'agent', ${named('page.agent_id')},
             'comment', page.comment, 'dueOn', page.due_on, 'isMaintained', page.is_maintained,
             'createdAt', ${isoInstant('page.created_at')}, 'updatedAt', ${isoInstant('page.version')},
             'twinName', (select collector_name from price where id = (page.evidence ->> 'twinId')::bigint),
             'absentName', (select name from app_user join collection_entry entry on entry.user_id = app_user.id
                             where entry.id = (page.evidence ->> 'absentId')::bigint)) order by place), '[]') as rows
      from page join product on product.id = page.product_id join market on market.id = page.market_id`.execute(
    db,
  )
  return rows[0] ?? { rows: [], total: 0, confirmed: 0 }
}

/** Returns whether a price was ever in review, since a price already decided gets another error than an unknown one. */
export async function wasReviewed(db: Db, priceId: number): Promise<boolean> {
  const { rows } = await sql<{ isIt: boolean }>`
    select exists (select from price_review where price_id = ${priceId}::bigint) as "isIt"`.execute(db)
  return rows[0]?.isIt === true
}

/** The cleaning log: the decisions about doubtful prices. */
export const decisionRows = defineRows(reviewLog, {
  table: 'price_review',
  columns: [
    'price_review.price_id as priceId',
    sql<DoubtReason[]>`price_review.reasons`.as('reasons'),
    sql<ReviewDecision['state']>`price_review.state`.as('state'),
    sql<ReviewDecision['product']>`${productNamed}`.as('product'),
    sql<ReviewDecision['market']>`${marketNamed}`.as('market'),
    'price_review.observed_on as observedOn',
    sql<number>`price_review.price_value`.as('priceValue'),
    sql<ReviewDecision['currency']>`price_review.currency`.as('currency'),
    sql<number | null>`price_review.new_value`.as('newValue'),
    sql<ReviewDecision['newCurrency']>`price_review.new_currency`.as('newCurrency'),
    'price_review.comment',
    sql<ReviewDecision['agent']>`${named('price_review.agent_id')}`.as('agent'),
    sql<ReviewDecision['decidedBy']>`${named('price_review.decided_by')}`.as('decidedBy'),
    sql<string>`price_review.decided_at`.as('decidedAt'),
  ],
  sorts: { decidedAt: sql`price_review.decided_at` },
  defaultSort: '-decidedAt',
  from: (db: Db) =>
    db
      .selectFrom('price_review')
      .innerJoin('product', 'product.id', 'price_review.product_id')
      .innerJoin('market', 'market.id', 'price_review.market_id')
      .where('price_review.decided_at', 'is not', null)
      .where('price_review.state', 'not in', ['waiting', 'returned']),
  filters: {
    state: isValue('price_review.state'),
    startDate: isSinceDay('price_review.decided_at'),
    endDate: isUntilDay('price_review.decided_at'),
  },
})
