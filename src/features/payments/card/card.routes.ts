import { z } from 'zod'
import { leaveCardPage } from '#features/payments/card/card.contract.ts'
import { type CardPages, cardReturns, type Return } from '#features/payments/card/card.rules.ts'
import { findCardPayment } from '#features/payments/card/card.sql.ts'
import { pollDepositsNow } from '#features/payments/deposits/deposits.jobs.ts'
import { findDepositId, leavePage } from '#features/payments/deposits/deposits.sql.ts'
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

/** Registers the route by which a subscriber, or the team on their behalf, declares that the card page was left. */
export function cardRoutes(api: Api, db: Db, { clock }: { clock: () => Date }): void {
  api.on(leaveCardPage, async (call) => {
    const { id } = call.params
    const actor = signedIn(call.actor)
    const owner = may(actor, 'payments.manage') ? {} : { userId: actor.userId }
    await inTransaction(db, async (tx) => {
      const before = (await paymentRows.findMatching(tx, id, owner)) ?? missing(payments.noun)
      const depositId = before.status === 'PENDING' ? await findDepositId(tx, id) : undefined
      const isLeft = depositId !== undefined && (await leavePage(tx, depositId, 'cancelled', clock()))
      if (!isLeft) throw new AppError('conflict', 'Ce paiement n’attend plus sur une page de carte.')
      await pollDepositsNow(tx)
      await insertAudit(tx, authorOf(call), { action: 'leave', entity: 'payments', entityId: id })
    })
    return { message: 'Page abandonnée\u00a0: nous vérifions que rien n’a été débité.' }
  })
}

/**
 * Returns the page that the card page redirects its payer to. The last part of the address comes from the payer's
 * browser, so it only triggers a status check; the key before it proves that we issued the address.
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
      await pollDepositsNow(tx)
    })
    if (payment.isByLink)
      return { goTo: payment.linkToken ? `/payer/${payment.linkToken}?paiement=${id}&retour=1` : '/' }
    return { goTo: `/payments?planId=${payment.planId ?? ''}&paiement=${payment.id}` }
  }
  return {
    path: '/retour-carte/:depositId/:key/:issue',
    show: receive,
    take: (_fields, visit) => receive(visit),
  }
}
