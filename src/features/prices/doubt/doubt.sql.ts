import { sql } from 'kysely'
import { type AskedPrice, readCheckedSeries } from '#features/prices/check/check.sql.ts'
import {
  type DoubtReason,
  doubtOfSeries,
  mergeDoubts,
  type PriceDoubt,
} from '#features/prices/doubt/doubt.rules.ts'
import type { Db } from '#server/db/pool.ts'
import type { Currency } from '#shared/fields.ts'

/** Returns the doubts about prices, in their order: those passed in, merged with those that the series raises. */
export async function readDoubts(
  db: Db,
  prices: readonly (AskedPrice & { doubt?: PriceDoubt | null })[],
): Promise<(PriceDoubt | null)[]> {
  const readings = new Map((await readCheckedSeries(db, prices)).map((reading) => [reading.place, reading]))
  return prices.map(({ doubt }, place) => {
    const reading = readings.get(place)
    return mergeDoubts([reading ? doubtOfSeries(reading) : null, doubt])
  })
}

/** Puts a price into the review queue; a price that is already in it keeps its review. */
export async function openReview(tx: Db, priceId: number, { reasons, evidence }: PriceDoubt): Promise<void> {
  await sql`
    insert into price_review (price_id, product_id, market_id, observed_on, agent_id, reasons, evidence, price_value, currency)
    select id, product_id, market_id, observed_on, written_by, ${reasons}::text[], ${JSON.stringify(evidence)}::jsonb,
           price_value, currency
      from price where id = ${priceId}
    on conflict (price_id) where state in ('waiting', 'returned') do nothing`.execute(tx)
}

export type OpenReview = {
  id: number
  priceId: number
  agentId: number | null
  state: 'waiting' | 'returned'
  doubt: PriceDoubt
}

/** Returns the open review of a price, locked until the transaction ends. */
export async function lockOpenReview(tx: Db, priceId: number): Promise<OpenReview | undefined> {
  const { rows } = await sql<OpenReview>`
    select id, price_id as "priceId", agent_id as "agentId", state,
           json_build_object('reasons', reasons, 'evidence', evidence) as doubt
      from price_review
     where price_id = ${priceId}::bigint and state in ('waiting', 'returned') for update`.execute(tx)
  return rows[0]
}

type Closing = {
  state: 'confirmed' | 'accepted' | 'corrected' | 'rejected'
  /** Null where the review was closed without a decision. */
  decidedBy: number | null
  comment?: string | null | undefined
  corrected?: { priceValue: number; currency: Currency } | undefined
}

/** Closes a review, which the caller has locked (`lockOpenReview`); a comment is kept where none is given. */
export async function closePriceReview(tx: Db, id: number, closing: Closing): Promise<void> {
  const { state, decidedBy, comment, corrected } = closing
  await sql`
    update price_review
       set state = ${state}, decided_by = ${decidedBy}, decided_at = now(),
           comment = coalesce(${comment ?? null}::text, comment),
           new_value = ${corrected?.priceValue ?? null}::numeric, new_currency = ${corrected?.currency ?? null}::text
     where id = ${id}`.execute(tx)
}

/** Returns a price to its agent with a comment, or records that the agent maintains it. */
export async function passReview(
  tx: Db,
  id: number,
  to: { state: 'returned'; comment: string; dueOn: string } | { state: 'waiting'; isMaintained: true },
): Promise<void> {
  await (to.state === 'returned'
    ? sql`update price_review set state = 'returned', comment = ${to.comment}, due_on = ${to.dueOn}::date, returned_at = now(), is_maintained = false
           where id = ${id}`
    : sql`update price_review set state = 'waiting', is_maintained = true where id = ${id}`
  ).execute(tx)
}

type Edited = {
  id: number
  productId: number
  marketId: number
  priceValue: number
  currency: Currency
  collectorName: string
  observedOn: string
}

/** Doubts about how a price was collected, which another amount does not answer. */
const aboutTheVisit: readonly DoubtReason[] = ['absent', 'far', 'fast']

/**
 * Judges an edited price again: closes its open review, and opens another one if the price is still doubtful. Doubts about
 * the visit stay unless the editor may decide on them.
 */
export async function reviewEdited(
  tx: Db,
  before: Edited,
  after: Edited,
  editor: { userId: number; mayDecide: boolean },
): Promise<void> {
  const said = ({ productId, marketId, priceValue, currency, observedOn }: Edited) =>
    JSON.stringify([productId, marketId, priceValue, currency, observedOn])
  if (said(before) === said(after)) return
  const open = await lockOpenReview(tx, after.id)
  if (open)
    await closePriceReview(tx, open.id, { state: 'corrected', decidedBy: editor.userId, corrected: after })
  const reasons = open?.doubt.reasons.filter((reason) => aboutTheVisit.includes(reason)) ?? []
  const doubtOfVisit =
    open && reasons.length > 0 && !editor.mayDecide ? { reasons, evidence: open.doubt.evidence } : null
  const edited = { ...after, when: after.observedOn, exceptId: after.id, doubt: doubtOfVisit }
  const [doubt] = await readDoubts(tx, [edited])
  if (doubt) await openReview(tx, after.id, doubt)
}
