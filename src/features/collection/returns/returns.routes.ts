import { returns } from '#features/collection/returns/returns.contract.ts'
import { listReturns } from '#features/collection/returns/returns.sql.ts'
import { likelyPrice } from '#features/prices/doubt/doubt.rules.ts'
import {
  closePriceReview,
  lockOpenReview,
  passReview,
  reviewEdited,
} from '#features/prices/doubt/doubt.sql.ts'
import type { PriceChange } from '#features/prices/live/live.contract.ts'
import { priceWritten } from '#features/prices/live/live.rules.ts'
import { findPrice, updatePrice } from '#features/prices/prices.sql.ts'
import { type Author, insertAudit } from '#server/audit.sql.ts'
import { deleteRow } from '#server/db/delete-row.ts'
import { lockRow } from '#server/db/lock-row.ts'
import type { Db } from '#server/db/pool.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import type { Currency } from '#shared/fields.ts'

export function returnRoutes(api: Api, db: Db): void {
  api.on(returns, async ({ actor }) => {
    const rows = await listReturns(db, signedIn(actor).userId)
    return {
      data: rows.map(({ evidence, ...row }) => ({ ...row, likely: likelyPrice(row.priceValue, evidence) })),
    }
  })
}

type Answer = {
  priceId: number
  userId: number
  author: Author
  /** Null where the agent does not remember. */
  price: { priceValue: number; currency: Currency } | null
}

/**
 * Applies an agent's answer about a returned price: the same amount maintains it, another corrects it, none deletes it.
 * Does nothing if the price was decided in the meantime.
 * @returns whether it was applied, and the change if the price changed
 */
export async function answerReturn(
  tx: Db,
  { priceId, userId, author, price }: Answer,
): Promise<{ isTaken: boolean; change?: PriceChange }> {
  await lockRow(tx, 'price', priceId)
  const before = await findPrice(tx, priceId)
  const open = await lockOpenReview(tx, priceId)
  if (!before || open?.state !== 'returned' || open.agentId !== userId) return { isTaken: false }
  const about = { entity: 'reviews', entityId: priceId, before }
  if (!price) {
    await closePriceReview(tx, open.id, { state: 'rejected', decidedBy: userId })
    await deleteRow(tx, 'price', priceId)
    await insertAudit(tx, author, { ...about, action: 'delete', after: { ...before, state: 'rejected' } })
    return { isTaken: true, change: priceWritten('removed', before) }
  }
  if (price.priceValue === before.priceValue && price.currency === before.currency) {
    await passReview(tx, open.id, { state: 'waiting', isMaintained: true })
    await insertAudit(tx, author, { ...about, action: 'update', after: { ...before, isMaintained: true } })
    return { isTaken: true }
  }
  await updatePrice(tx, priceId, price, { ...before, isFuture: false })
  const after = (await findPrice(tx, priceId)) ?? before
  // The reviewer asked for this correction.
  await reviewEdited(tx, before, after, { userId, mayDecide: true })
  await insertAudit(tx, author, { ...about, action: 'update', after: { ...after, state: 'corrected' } })
  return { isTaken: true, change: priceWritten('changed', before, after) }
}
