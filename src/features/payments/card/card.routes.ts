import { z } from 'zod'
import { leaveCardPage } from '#features/payments/card/card.contract.ts'
import { type CardPages, cardReturns, type Return } from '#features/payments/card/card.rules.ts'
import { findCardPayment } from '#features/payments/card/card.sql.ts'
import { hastenFollowing } from '#features/payments/deposits/deposits.jobs.ts'
import { leavePage } from '#features/payments/deposits/deposits.sql.ts'
import { payments } from '#features/payments/payments.contract.ts'
import { paymentRows } from '#features/payments/payments.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError } from '#server/errors.ts'
import { may } from '#server/http/actor.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import type { FormPage, PageAnswer, PageVisit } from '#server/http/pages.ts'
import { authorOf, missing } from '#server/writes.ts'

/** Lets a subscriber, or the team for him, say that he pays no more on the page that he opened. */
export function cardRoutes(api: Api, db: Db, { clock }: { clock: () => Date }): void {
  api.on(leaveCardPage, async (call) => {
    const { id } = call.params
    const actor = signedIn(call.actor)
    const owner = may(actor, 'payments.manage') ? {} : { userId: actor.userId }
    await inTransaction(db, async (tx) => {
      const before = (await paymentRows.findAmong(tx, id, owner)) ?? missing(payments.noun)
      const isLeft =
        before.status === 'PENDING' &&
        before.transactionRef !== null &&
        (await leavePage(tx, before.transactionRef, 'cancelled', clock()))
      if (!isLeft) throw new AppError('conflict', 'Ce paiement n’attend plus sur une page de carte.')
      await hastenFollowing(tx)
      await insertAudit(tx, authorOf(call), { action: 'leave', entity: 'payments', entityId: id })
    })
    return { message: 'Page abandonnée\u00a0: nous vérifions que rien n’a été débité.' }
  })
}

/**
 * Where the page for cards sends its payer back to. The last word of the address is his browser's, so that it only makes us
 * ask the provider, and the key before it says that we gave the address out.
 */
export function cardReturnPage(
  db: Db,
  {
    card,
    clock,
    framed,
  }: { card: CardPages | null | undefined; clock: () => Date; framed: () => Promise<object> },
): FormPage {
  const receive = async ({ request }: PageVisit): Promise<PageAnswer> => {
    const { depositId, key, issue } = Object(request.params) as Record<string, string>
    const id = z.uuid().safeParse(depositId).data
    const isOurs =
      id !== undefined && card?.isReturn(id, key ?? '') && Object.hasOwn(cardReturns, issue ?? '')
    const payment = isOurs ? await findCardPayment(db, id) : undefined
    if (!id || !payment)
      return { view: 'not-found', status: 404, props: { ...(await framed()), previousUrl: null } }
    await inTransaction(db, async (tx) => {
      await leavePage(tx, id, cardReturns[issue as Return], clock())
      await hastenFollowing(tx)
    })
    return { goTo: `/payments?planId=${payment.planId ?? ''}&paiement=${payment.id}` }
  }
  return {
    path: '/retour-carte/:depositId/:key/:issue',
    show: receive,
    take: (_fields, visit) => receive(visit),
  }
}
