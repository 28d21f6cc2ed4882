import { planRows } from '#features/plans/plans.sql.ts'
import { lockSubscriber } from '#features/subscriptions/access.sql.ts'
import { heldSubscription } from '#features/subscriptions/changes/changes.contract.ts'
import { readReason } from '#features/subscriptions/changes/changes.rules.ts'
import {
  findLastHeld,
  writeCancellation,
  writeNextPlan,
} from '#features/subscriptions/changes/changes.sql.ts'
import { subscriptions } from '#features/subscriptions/subscriptions.contract.ts'
import { subscriptionRows } from '#features/subscriptions/subscriptions.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, invalidField } from '#server/errors.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { authorOf, missing } from '#server/writes.ts'

type OwnCall = Parameters<typeof authorOf>[0]

/** What a subscriber changes of his own subscription. @param clock what time it is */
export function changeRoutes(api: Api, db: Db, clock: () => Date): void {
  /** Changes what the caller has, and says in the audit what its last period was and is. */
  const changeHeld = (call: OwnCall, change: (tx: Db, userId: number, at: Date) => Promise<void>) =>
    inTransaction(db, async (tx) => {
      const { userId } = signedIn(call.actor)
      const at = clock()
      await lockSubscriber(tx, userId)
      const id = await findLastHeld(tx, userId, at)
      if (id === undefined) throw new AppError('conflict', 'Vous n’avez pas d’abonnement en cours.')
      const read = async () => (await subscriptionRows.find(tx, id)) ?? missing(subscriptions.noun)
      const before = await read()
      await change(tx, userId, at)
      const after = await read()
      const entry = { action: 'update', entity: 'subscriptions', entityId: id, before, after }
      await insertAudit(tx, authorOf(call), entry)
      return after
    })

  api.on(heldSubscription.cancel, async (call) => {
    const { code, words } = readReason(call.body.reason)
    const given = { reason: code, note: call.body.note ?? words }
    const after = await changeHeld(call, (tx, userId, at) => writeCancellation(tx, userId, given, at))
    return { ...after, message: 'Votre abonnement ne sera pas renouvelé' }
  })

  api.on(heldSubscription.resume, async (call) => {
    const after = await changeHeld(call, (tx, userId, at) => writeCancellation(tx, userId, null, at))
    return { ...after, message: 'Votre résiliation est annulée' }
  })

  api.on(heldSubscription.choosePlan, async (call) => {
    const { planId } = call.body
    const after = await changeHeld(call, async (tx, userId, at) => {
      const plan = planId === null ? null : await planRows.find(tx, planId)
      if (plan !== null && !(plan?.isActive && plan.price > 0)) {
        throw invalidField('planId', 'Ce plan n’est pas proposé.')
      }
      await writeNextPlan(tx, userId, planId, at)
    })
    return { ...after, message: 'Plan suivant enregistré' }
  })
}
