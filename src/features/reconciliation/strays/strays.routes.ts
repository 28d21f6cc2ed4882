import { lockDeposit } from '#features/payments/deposits/deposits.sql.ts'
import { payments } from '#features/payments/payments.contract.ts'
import { changePayment } from '#features/payments/payments.routes.ts'
import { paymentRows } from '#features/payments/payments.sql.ts'
import { type Stray, strayNoun, strays } from '#features/reconciliation/strays/strays.contract.ts'
import {
  findAttachable,
  findStray,
  insertStray,
  listStraysNamed,
  listStraysToRefund,
  mayBePaidByStray,
  setStrayRefunded,
} from '#features/reconciliation/strays/strays.sql.ts'
import { lockSubscriber } from '#features/subscriptions/access.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, invalidField } from '#server/errors.ts'
import type { Api, Call } from '#server/http/endpoint.ts'
import { authorOf, changeRow, getRow, missing } from '#server/writes.ts'
import type { BodyOf } from '#shared/contract.ts'
import { readPhone } from '#shared/phone.ts'

const entity = {
  name: 'strays',
  noun: strayNoun,
  table: 'stray_receipt',
  versioned: 'updatedAt',
  constraints: {},
  find: findStray,
}

/** Registers the routes of decisions about money that a provider received without a payment of ours. */
export function strayRoutes(api: Api, db: Db, clock: () => Date): void {
  api.on(strays.list, async () => {
    const { rows, total } = await listStraysToRefund(db)
    return { data: rows, total }
  })

  api.on(strays.settle, async (call) => {
    const { paymentId = null, phone, note = null, ...given } = call.body
    const row = { ...given, reference: given.reference.toLowerCase() }
    if (paymentId === null && note === null)
      throw invalidField('note', 'Dites ce que vous savez de cet argent.')
    return inTransaction(db, async (tx) => {
      const state: Stray['state'] = paymentId === null ? 'to_refund' : 'attached'
      if (paymentId !== null) await lockPaid(tx, paymentId)
      const decision = { ...row, state, paymentId, note: paymentId === null ? note : null }
      const again = await findSame(tx, decision)
      if (again) return { ...again, message: messages[state] }
      if (paymentId !== null) await pay(tx, call, { ...row, paymentId, phone: phone ?? null })
      const id = await insertStray(tx, decision)
      // A concurrent request has decided.
      if (id === undefined)
        return { ...((await findSame(tx, decision)) ?? refuseTaken()), message: messages[state] }
      const after = await getRow(tx, entity, id)
      await insertAudit(tx, authorOf(call), { action: 'create', entity: entity.name, entityId: id, after })
      return { ...after, message: messages[state] }
    })
  })

  api.on(strays.refund, async (call) => {
    const { after } = await changeRow(db, entity, call, async (tx, before) => {
      if (!(await setStrayRefunded(tx, before.id, call.body.note)))
        throw new AppError('conflict', decided(before))
    })
    return { ...after, message: messages.refunded }
  })

  /** Marks the locked payment as paid by a receipt, and opens its subscription. */
  async function pay(
    tx: Db,
    call: Pick<Call<typeof strays.settle>, 'actor' | 'request'>,
    given: Pick<BodyOf<typeof strays.settle>, 'amount' | 'currency'> & {
      paymentId: number
      phone: string | null
    },
  ): Promise<void> {
    const { paymentId, phone } = given
    const before = (await paymentRows.find(tx, paymentId)) ?? missing(payments.noun)
    const asked = await findAttachable(tx, paymentId)
    const isSame =
      before.amount === given.amount &&
      before.currency === given.currency &&
      phone !== null &&
      asked?.phone === readPhone(phone)
    if (!isSame)
      throw invalidField('paymentId', 'Ce paiement n’a pas le montant, la devise et le numéro de la ligne.')
    if (!(await mayBePaidByStray(tx, paymentId)))
      throw new AppError(
        'conflict',
        'Ce paiement est déjà réglé, ou son abonnement est payé autrement. Notez cet argent à rembourser.',
      )
    await changePayment(tx, before, { status: 'PAID' }, clock())
    const after = await paymentRows.find(tx, paymentId)
    await insertAudit(tx, authorOf(call), {
      action: 'confirm',
      entity: 'payments',
      entityId: paymentId,
      before: { status: before.status },
      after: { status: after?.status, subscriptionId: after?.subscriptionId },
    })
  }
}

const messages: Record<Stray['state'], string> = {
  attached: 'Encaissement rattaché\u00a0: le paiement est payé',
  to_refund: 'Encaissement noté à rembourser',
  refunded: 'Remboursement noté',
}

/** Locks the deposit, payment and user in the order that callbacks use. @throws AppError 400 without a deposit */
async function lockPaid(tx: Db, paymentId: number): Promise<void> {
  const asked = await findAttachable(tx, paymentId)
  if (!asked) throw invalidField('paymentId', 'Aucun opérateur n’a été interrogé pour ce paiement.')
  await lockDeposit(tx, asked.depositId)
  await lockSubscriber(tx, asked.userId)
}

/** Returns the existing decision if it is the same; undefined without one. @throws AppError 409 for another decision */
async function findSame(
  tx: Db,
  {
    provider,
    reference,
    state,
    paymentId,
    amount,
    currency,
  }: Pick<Stray, 'provider' | 'reference' | 'state' | 'paymentId' | 'amount' | 'currency'>,
): Promise<Stray | undefined> {
  const [before] = await listStraysNamed(tx, provider, [reference])
  if (!before) return undefined
  const isSame =
    before.state === state &&
    before.paymentId === paymentId &&
    before.amount === amount &&
    before.currency === currency
  if (!isSame) throw new AppError('conflict', decided(before))
  return before
}

function refuseTaken(): never {
  throw new AppError('conflict', 'Ce paiement est déjà rattaché à un autre encaissement.')
}

/** Returns the message that refuses a second decision about a receipt. */
function decided({ state, paymentId }: Stray): string {
  return {
    attached: `Cet encaissement est déjà rattaché au paiement ${paymentId}.`,
    to_refund: 'Cet encaissement est déjà noté à rembourser.',
    refunded: 'Cet encaissement est déjà remboursé.',
  }[state]
}
