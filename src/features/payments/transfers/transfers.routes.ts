import { getBillingDetails } from '#features/invoices/invoices.sql.ts'
import { payments } from '#features/payments/payments.contract.ts'
import { changePayment } from '#features/payments/payments.routes.ts'
import { paymentRows } from '#features/payments/payments.sql.ts'
import { sendReceipt } from '#features/payments/receipts/receipts.jobs.ts'
import { getSettled, openPaid } from '#features/payments/settling.sql.ts'
import { mostWaiting, transferNoun, transfers } from '#features/payments/transfers/transfers.contract.ts'
import { drawnProForma } from '#features/payments/transfers/transfers.rules.ts'
import {
  countDeletable,
  detachPayment,
  findSameReceived,
  findTransfer,
  getTerms,
  insertCancellation,
  insertReceived,
  insertTransfer,
  insertWholePayment,
  listReceipts,
  listTransfers,
} from '#features/payments/transfers/transfers.sql.ts'
import { planRows } from '#features/plans/plans.sql.ts'
import { getSubscriber } from '#features/subscriptions/access.sql.ts'
import { isAccountClosed } from '#features/users/closing/closing.sql.ts'
import { lockRow } from '#server/db/lock-row.ts'
import type { Db } from '#server/db/pool.ts'
import { countReferences } from '#server/db/selection.ts'
import { AppError, conflictingField, invalidField } from '#server/errors.ts'
import { type Actor, may } from '#server/http/actor.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { drawReport } from '#server/report/report.ts'
import { changeRow, createRow, deleteUnlessUsed, missing } from '#server/writes.ts'
import { paginate } from '#shared/contract.ts'
import { dayInKinshasa } from '#shared/days.ts'

const entity = {
  name: 'transfers',
  noun: transferNoun,
  table: 'transfer_order',
  versioned: 'createdAt',
  find: (from: Db, id: number) => findTransfer(from, id),
  constraints: {
    transfer_receipt_once: { field: 'bankReference', message: 'Ce virement est déjà enregistré.' },
  },
}

/** @param viewsBundle the build of the views, which draw the logo on a PDF */
export function transferRoutes(api: Api, db: Db, viewsBundle: string, clock: () => Date): void {
  const ownerOf = (actor: Actor) => (may(actor, 'payments.manage') ? null : actor.userId)

  api.on(transfers.list, async ({ query, actor }) => {
    const { rows, total } = await listTransfers(db, ownerOf(signedIn(actor)), query)
    return { data: rows, pagination: paginate(query, total) }
  })

  api.on(transfers.create, async (call) => {
    const { userId } = signedIn(call.actor)
    const made = await createRow(db, entity, call, async (tx) => {
      const { isEmailVerified } = await getSubscriber(tx, userId, clock(), true)
      if (!isEmailVerified) throw new AppError('forbidden', 'Confirmez votre adresse e-mail avant de payer.')
      const plan = await planRows.find(tx, call.body.planId)
      if (!plan?.isActive || plan.price === 0)
        throw invalidField('planId', 'Ce plan ne se paie pas par virement.')
      if ((await countDeletable(tx, userId)) >= mostWaiting) {
        throw new AppError(
          'conflict',
          `${mostWaiting}\u00a0virements sont déjà attendus de vous. Supprimez dans «\u202fVirements\u202f» une facture pro forma que vous ne paierez pas.`,
        )
      }
      return insertTransfer(tx, userId, plan, clock())
    })
    return { ...made, message: 'Facture pro forma prête' }
  })

  api.on(transfers.pdf, async ({ params, actor, reply }) => {
    const found = (await findTransfer(db, params.id, ownerOf(signedIn(actor)))) ?? missing(transferNoun)
    reply.headers({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="pro-forma-${found.reference}.pdf"`,
    })
    const billing = { ...(await getTerms(db)), buyer: await getBillingDetails(db, found.userId) }
    const drawn = drawnProForma(found, billing)
    return (async function* () {
      yield await drawReport(drawn, viewsBundle)
    })()
  })

  api.on(transfers.record, async (call) => {
    if (call.body.receivedOn > dayInKinshasa(clock()))
      throw invalidField('receivedOn', 'Ce jour n’est pas encore venu. Écrivez celui du relevé de la banque.')
    const { after } = await changeRow(db, entity, call, async (tx, before) => {
      if (await isAccountClosed(tx, before.userId))
        throw new AppError(
          'conflict',
          'Le compte de ce client est fermé\u00a0: rien ne peut plus s’ouvrir. Rendez cet argent à qui l’a envoyé.',
        )
      const other = await findSameReceived(tx, before.id, call.body)
      if (other) {
        const message = `Ce virement est déjà enregistré pour ${other}, avec le même jour et le même montant. Si la banque en a reçu deux, distinguez leurs références, par exemple avec «\u202f-2\u202f» à la fin.`
        throw conflictingField('bankReference', message)
      }
      await insertReceived(tx, before.id, call.body)
      const now = (await findTransfer(tx, before.id)) ?? missing(transferNoun)
      if (now.paymentId !== null || now.remaining > 0) return
      const paymentId = await insertWholePayment(tx, before.id)
      const opened = await openPaid(tx, await getSettled(tx, paymentId), clock())
      if (opened !== null) await sendReceipt(tx, paymentId, clock())
    })
    return { ...after, message: 'Virement enregistré' }
  })

  api.on(transfers.remove, async (call) => {
    const userId = ownerOf(signedIn(call.actor))
    const among = { ...entity, find: (from: Db, id: number) => findTransfer(from, id, userId) }
    await deleteUnlessUsed(db, among, call, {
      uses: async (tx, id) => [
        {
          count: await countReferences(tx, 'transfer_receipt', 'order_id', id),
          one: 'virement enregistré',
          many: 'virements enregistrés',
        },
      ],
    })
    return { message: 'Facture pro forma supprimée' }
  })

  api.on(transfers.receipts, async ({ params }) => {
    const { id } = (await findTransfer(db, params.id)) ?? missing(transferNoun)
    return { data: await listReceipts(db, id) }
  })

  api.on(transfers.cancel, async (call) => {
    const { after, done: isRefunded } = await changeRow(db, entity, call, async (tx, before) => {
      const at = clock()
      if (!(await insertCancellation(tx, { orderId: before.id, ...call.body }, at)))
        throw new AppError('conflict', 'Ce virement n’est pas enregistré ici, ou il est déjà annulé.')
      const now = (await findTransfer(tx, before.id)) ?? missing(transferNoun)
      if (now.paymentId === null || now.remaining === 0) return false
      await lockRow(tx, 'payment', now.paymentId)
      const payment = (await paymentRows.find(tx, now.paymentId)) ?? missing(payments.noun)
      await detachPayment(tx, before.id)
      if (payment.status === 'PAID')
        await changePayment(tx, payment, { status: 'REFUNDED', refundReason: call.body.reason }, at)
      return true
    })
    const message = isRefunded
      ? 'Virement annulé\u202f; le paiement est remboursé, avec son avoir'
      : 'Virement annulé'
    return { ...after, message }
  })
}
