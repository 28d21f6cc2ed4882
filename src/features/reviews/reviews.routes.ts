import { insertDue } from '#features/alerts/judging/judging.sql.ts'
import { likelyPrice } from '#features/prices/doubt/doubt.rules.ts'
import { closePriceReview, lockOpenReview, passReview } from '#features/prices/doubt/doubt.sql.ts'
import type { PriceChange } from '#features/prices/live/live.contract.ts'
import { priceWritten } from '#features/prices/live/live.rules.ts'
import { findPrice, type PriceRow, updatePrice } from '#features/prices/prices.sql.ts'
import { reviewLog, reviews } from '#features/reviews/reviews.contract.ts'
import { reasonSentence } from '#features/reviews/reviews.rules.ts'
import { decisionRows, listReviews, type ReviewRow, wasReviewed } from '#features/reviews/reviews.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import { deleteRow } from '#server/db/delete-row.ts'
import { lockRow } from '#server/db/lock-row.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, invalidField, notFound } from '#server/errors.ts'
import type { Exports } from '#server/exports.ts'
import { type Api, type Call, signedIn } from '#server/http/endpoint.ts'
import { authorOf, refuseStale } from '#server/writes.ts'
import { type BodyOf, paginate } from '#shared/contract.ts'
import { addDays } from '#shared/days.ts'

/** Default number of days for an agent's answer. */
const daysToAnswer = 3
const mostDays = 60

const messages = {
  accepted: 'Prix accepté',
  corrected: 'Prix corrigé',
  returned: 'Prix renvoyé à son agent',
  rejected: 'Prix écarté',
} as const
type Outcome = keyof typeof messages

type Options = {
  exports: Exports
  today: () => string
  /** Called with each change once it is committed. */
  tell: (change: PriceChange) => void
}

export function reviewRoutes(api: Api, db: Db, { exports, today, tell }: Options): void {
  api.on(reviews.list, async ({ query }) => {
    const { rows, total, confirmed } = await listReviews(db, query)
    return { data: rows.map(shown), pagination: paginate(query, total), confirmed }
  })

  api.on(reviews.decide, async (call) => {
    const decided = await inTransaction(db, (tx) => decide(tx, call, today()))
    tell(decided.change)
    return { message: messages[decided.state], state: decided.state }
  })

  api.on(reviewLog.list, async ({ query }) => {
    const { rows, total } = await decisionRows.list(db, query)
    return { data: rows, pagination: paginate(query, total) }
  })
  api.on(reviewLog.exportAll, (call) => exports.list(call, reviewLog, decisionRows.selectAll))
}

type Decided = { state: Outcome; change: PriceChange }

async function decide(tx: Db, call: Call<typeof reviews.decide>, today: string): Promise<Decided> {
  const { priceId } = call.params
  // Same order of locks as where a price is edited or deleted, to avoid deadlocks.
  await lockRow(tx, 'price', priceId)
  const price = await findPrice(tx, priceId)
  const open = await lockOpenReview(tx, priceId)
  if (!open || !price) throw (await wasReviewed(tx, priceId)) ? alreadyDecided() : notFound()
  refuseStale(call.body.updatedAt, price.updatedAt)
  const decidedBy = signedIn(call.actor).userId
  const comment = call.body.reason
  switch (call.body.decision) {
    case 'accept':
      await closePriceReview(tx, open.id, { state: 'accepted', decidedBy, comment })
      await insertDue(tx, [priceId], today)
      return audited(tx, call, price, 'accepted')
    case 'correct': {
      const corrected = correctionOf(call.body, price)
      await closePriceReview(tx, open.id, { state: 'corrected', decidedBy, comment, corrected })
      await updatePrice(tx, priceId, corrected, { ...price, isFuture: false })
      return audited(tx, call, price, 'corrected')
    }
    case 'return': {
      if (open.agentId === null)
        throw invalidField(
          'decision',
          'Ce prix n’a pas d’agent à qui le renvoyer\u00a0: corrigez-le ou écartez-le.',
        )
      const dueOn = dueDay(call.body.dueOn, today)
      await passReview(tx, open.id, { state: 'returned', comment: comment ?? '', dueOn })
      return audited(tx, call, price, 'returned')
    }
    case 'reject':
      await closePriceReview(tx, open.id, { state: 'rejected', decidedBy, comment })
      await deleteRow(tx, 'price', priceId)
      return audited(tx, call, price, 'rejected')
  }
}

function correctionOf({ priceValue, currency }: BodyOf<typeof reviews.decide>, price: PriceRow) {
  if (!priceValue) throw invalidField('priceValue', 'Ce champ est obligatoire')
  const corrected = { priceValue, currency: currency ?? price.currency }
  const isSame = priceValue === price.priceValue && corrected.currency === price.currency
  if (isSame)
    throw invalidField('priceValue', 'C’est le prix qu’il a déjà\u00a0: acceptez-le, ou corrigez-le.')
  return corrected
}

function dueDay(asked: string | null | undefined, today: string): string {
  if (!asked) return addDays(today, daysToAnswer)
  if (asked < today || asked > addDays(today, mostDays))
    throw invalidField('dueOn', `Le délai va d’aujourd’hui à ${mostDays}\u00a0jours.`)
  return asked
}

async function audited(
  tx: Db,
  call: Call<typeof reviews.decide>,
  before: PriceRow,
  state: Outcome,
): Promise<Decided> {
  const after = (await findPrice(tx, before.id)) ?? null
  const { reason: comment } = call.body
  const entry = { entity: 'reviews', entityId: before.id, before, after: { ...after, state, comment } }
  await insertAudit(tx, authorOf(call), { ...entry, action: state === 'rejected' ? 'delete' : 'update' })
  return { state, change: priceWritten(state === 'rejected' ? 'removed' : 'changed', before) }
}

function alreadyDecided(): AppError {
  return new AppError(
    'conflict',
    'Ce prix a déjà été vérifié, par quelqu’un d’autre ou par d’autres relevés.',
  )
}

function shown({ evidence, twinName, absentName, reasons, ...review }: ReviewRow) {
  const said = { ...evidence, ...review, twinName, absentName }
  return {
    ...review,
    reasons: reasons.map((code) => ({ code, message: reasonSentence(code, said) })),
    usual: evidence.usual ?? null,
    likely: likelyPrice(review.priceValue, evidence),
  }
}
