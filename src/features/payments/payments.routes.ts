import type { FastifyReply } from 'fastify'
import { findCrediting } from '#features/payments/checkout/upgrade.sql.ts'
import { closeReview } from '#features/payments/deposits/deposits.sql.ts'
import {
  ownPayments,
  ownStatement,
  type Payment,
  paymentSummary,
  payments,
  setPaymentStatus,
} from '#features/payments/payments.contract.ts'
import { mayFollow } from '#features/payments/payments.rules.ts'
import {
  insertPayment,
  movePayment,
  type PaymentFields,
  paymentRows,
  sumPayments,
  updatePayment,
} from '#features/payments/payments.sql.ts'
import { sendReceipt } from '#features/payments/receipts/receipts.jobs.ts'
import { drawnStatement } from '#features/payments/receipts/statement.rules.ts'
import { getSettled, openPaid } from '#features/payments/settling.sql.ts'
import { isOfTransfer } from '#features/payments/transfers/transfers.sql.ts'
import { cancelSubscriptionPaidBy } from '#features/subscriptions/periods.sql.ts'
import { crudRoutes } from '#server/crud-routes.ts'
import { deleteRow } from '#server/db/delete-row.ts'
import type { Db } from '#server/db/pool.ts'
import { AppError, invalidField } from '#server/errors.ts'
import type { Exports } from '#server/exports.ts'
import { may } from '#server/http/actor.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { drawReport } from '#server/report/report.ts'
import { changeRow, missing } from '#server/writes.ts'
import { type BodyOf, paginate } from '#shared/contract.ts'
import { dayInKinshasa } from '#shared/days.ts'
import { succeeded } from '#shared/resource.ts'

type Given = Partial<BodyOf<typeof payments.create>>
type Changes = PaymentFields & { subscriptionId?: number | null | undefined }

/** Maximum number of payments of a PDF, which is more than any subscriber pays in a year. */
const mostOnStatement = 500

/**
 * Registers the routes of payments.
 * @param dependencies.bundle the build of the views, which draw the logo on a PDF
 * @param dependencies.clock current time
 */
export function paymentRoutes(
  api: Api,
  db: Db,
  { exports, bundle, clock }: { exports: Exports; bundle: string; clock: () => Date },
): void {
  async function drawStatement(
    reply: FastifyReply,
    { userId, year, days }: { userId: number; year: string; days: { startDate: string; endDate: string } },
  ) {
    const of = { page: 1, limit: mostOnStatement, sort: 'created_at' as const, ...days, userId }
    const { rows, total } = await paymentRows.list(db, of)
    if (total > mostOnStatement) {
      throw new AppError(
        'conflict',
        `Un PDF contient au plus ${mostOnStatement}\u00a0paiements, vous en avez ${total}\u00a0: téléchargez le relevé en CSV.`,
      )
    }
    reply.headers({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="releve-${year}.pdf"`,
    })
    const drawn = drawnStatement(rows, { year, madeAt: clock() })
    // A generator, so that the response begins before the PDF is drawn, within its time limit.
    return (async function* () {
      yield await drawReport(drawn, bundle)
    })()
  }

  crudRoutes(api, db, exports, payments, {
    ...paymentRows,
    find: (from, id, actor) =>
      paymentRows.findMatching(
        from,
        id,
        actor && !may(actor, 'payments.manage') ? { userId: actor.userId } : {},
      ),
    async insert(tx, given) {
      const { subscriptionId, ...fields } = fieldsOf(given)
      if (!subscriptionId) throw invalidField('subscriptionId', 'Choisissez un abonnement')
      if (fields.status === 'REFUNDED')
        throw invalidField('status', 'Ce qui n’est pas payé ne se rembourse pas.')
      const id = await insertPayment(tx, { ...fields, amount: given.amount, subscriptionId })
      if (id === undefined) throw noSubscription()
      if (fields.status === 'PAID') await open(tx, id, clock())
      return id
    },
    async update(tx, id, given) {
      const before = (await paymentRows.find(tx, id)) ?? missing(payments.noun)
      await changePayment(tx, before, { ...fieldsOf(given), refundReason: given.refundReason }, clock())
    },
    async remove(tx, id) {
      const payment = (await paymentRows.find(tx, id)) ?? missing(payments.noun)
      refuseDelete(payment)
      await deleteRow(tx, 'payment', id)
    },
    constraints: {},
  })

  const entity = { ...payments, table: 'payment', find: paymentRows.find, constraints: {} }
  api.on(setPaymentStatus, async (call) => {
    const { status, reason: refundReason } = call.body
    const { after } = await changeRow(db, entity, call, (tx, before) =>
      changePayment(tx, before, { status, refundReason }, clock()),
    )
    return { ...after, message: succeeded(payments.noun, 'mis à jour') }
  })

  api.on(ownPayments, async ({ query, actor }) => {
    const { rows, total } = await paymentRows.list(db, { ...query, userId: signedIn(actor).userId })
    return { payments: rows, pagination: paginate(query, total) }
  })

  api.on(ownStatement, async (call) => {
    const { year = dayInKinshasa(clock()).slice(0, 4), fileFormat } = call.query
    const days = { startDate: `${year}-01-01`, endDate: `${year}-12-31` }
    const { userId } = signedIn(call.actor)
    if (fileFormat === 'pdf') return drawStatement(call.reply, { userId, year, days })
    const asked = { ...call, query: { ...call.query, fileFormat } }
    return exports.list(asked, payments, (from) =>
      paymentRows.selectAll(from, { ...days, userId, sort: 'created_at' }),
    )
  })

  api.on(paymentSummary, async ({ query }) => {
    const groups = await sumPayments(db, query)
    const inDollars = ({ count, usd }: (typeof groups)[number]) => ({ count, amount: usd })
    const of = (by: (typeof groups)[number]['by']) => groups.filter((group) => group.by === by)
    const [all] = of('all')
    return {
      totalCount: all?.count ?? 0,
      totalAmount: of('status').find(({ status }) => status === 'PAID')?.usd ?? 0,
      currency: 'USD' as const,
      byStatus: of('status').map((group) => ({ status: group.status, ...inDollars(group) })),
      byMethod: of('method').map((group) => ({ method: group.method, ...inDollars(group) })),
      byCurrency: of('currency').map((group) => ({ ...group, amountUsd: group.usd })),
      byStatusAndCurrency: of('status and currency'),
      daily: of('day').map((group) => ({ date: group.day, ...inDollars(group) })),
      withoutRate: all?.withoutRate ?? 0,
    }
  })
}

/** Updates a payment locked by the transaction, with the effects of its status. */
export async function changePayment(tx: Db, before: Payment, given: Changes, at: Date): Promise<void> {
  const { subscriptionId, ...fields } = given
  const { status = before.status } = fields
  refuseChange(before, given)
  const crediting = status === 'REFUNDED' ? await findCrediting(tx, before.id) : undefined
  if (crediting !== undefined) {
    throw new AppError(
      'conflict',
      `Les jours restants de ce paiement sont crédités au paiement ${crediting}\u00a0: remboursez d’abord celui-ci.`,
    )
  }
  if (status === 'REFUNDED' && (await isOfTransfer(tx, before.id))) {
    throw new AppError(
      'conflict',
      'Ce paiement vient d’un virement\u00a0: annulez le virement à la page «\u202fVirements\u202f», le paiement est alors remboursé.',
    )
  }
  const isMoved = subscriptionId && subscriptionId !== before.subscriptionId
  if (isMoved && !(await movePayment(tx, before.id, subscriptionId))) throw noSubscription()
  const refundReason = (given.status === 'REFUNDED' && given.refundReason) || undefined
  await updatePayment(tx, before.id, { ...fields, refundReason })
  const isReviewed = before.deposit?.state === 'review'
  if (isReviewed && given.status === 'FAILED') await closeReview(tx, before.id, 'FAILED')
  if (before.deposit && given.status === 'PAID' && (isReviewed || before.status !== 'PAID'))
    await closeReview(tx, before.id, 'PAID')
  if (status === before.status) return
  if (status === 'PAID') await open(tx, before.id, at)
  if (status === 'REFUNDED') await cancelSubscriptionPaidBy(tx, before, at)
}

/** Opens the subscription of a payment, and sends its receipt. */
async function open(tx: Db, id: number, at: Date): Promise<void> {
  const opened = await openPaid(tx, await getSettled(tx, id), at)
  if (opened !== null) await sendReceipt(tx, id, at)
}

function refuseChange(before: Payment, given: Changes): void {
  const { status } = given
  if (status && !mayFollow(before.status, status)) {
    throw new AppError(
      'conflict',
      before.status === 'PAID'
        ? 'Un paiement payé peut seulement être remboursé.'
        : before.status === 'REFUNDED'
          ? 'Un paiement remboursé ne change plus.'
          : 'Seul un paiement payé peut être remboursé.',
    )
  }
  const isSettled = before.status === 'PAID' || before.status === 'REFUNDED'
  if (!isSettled && !before.deposit) return
  const fixed = ['amount', 'currency', 'paymentMethod', 'subscriptionId'] as const
  const isOther =
    before.deposit && given.transactionRef !== undefined && given.transactionRef !== before.transactionRef
  const changed =
    fixed.find((name) => given[name] != null && given[name] !== before[name]) ?? (isOther && 'transactionRef')
  if (changed) {
    const message =
      changed === 'transactionRef'
        ? 'La référence d’un paiement qui passe par un opérateur ne change pas.'
        : isSettled
          ? 'Ce qui est payé garde son montant, son moyen et son abonnement.'
          : 'L’opérateur suit ce paiement\u00a0: son montant, son moyen et son abonnement ne changent plus.'
    throw new AppError('conflict', message, { fields: [{ field: changed, message }] })
  }
}

function refuseDelete({ status, deposit }: Payment): void {
  if (status === 'PAID' || status === 'REFUNDED') {
    throw new AppError('in_use', 'Suppression impossible\u00a0: 1 paiement facturé reste dans les comptes.')
  }
  if (deposit) {
    throw new AppError(
      'in_use',
      'Suppression impossible\u00a0: l’opérateur a reçu cette demande de paiement.',
    )
  }
}

const noSubscription = () => invalidField('subscriptionId', 'Cet abonnement n’existe pas.')

/** Of two spellings, the one of our responses takes precedence. */
function fieldsOf(given: Given): Changes {
  const first = <T>(own: T | undefined, other: T | undefined) => (own === undefined ? other : own)
  return {
    subscriptionId: first(given.subscriptionId, given.subscription_id),
    amount: given.amount,
    currency: given.currency,
    status: given.status,
    paymentMethod: first(given.paymentMethod, given.payment_method),
    transactionRef: first(given.transactionRef, given.transaction_ref),
    authorizationCode: first(given.authorizationCode, given.authorization_code),
  }
}
