import { planRows } from '#features/plans/plans.sql.ts'
import { lockSubscriber } from '#features/subscriptions/access.sql.ts'
import { heldSubscription, subscriptionPause } from '#features/subscriptions/changes/changes.contract.ts'
import { readReason } from '#features/subscriptions/changes/changes.rules.ts'
import {
  findLastHeld,
  writeCancellation,
  writeNextPlan,
} from '#features/subscriptions/changes/changes.sql.ts'
import { isBeingReplaced, pausePeriods, resumePeriods } from '#features/subscriptions/changes/pauses.sql.ts'
import { lossInWords } from '#features/subscriptions/seats/seats.rules.ts'
import { listSeats } from '#features/subscriptions/seats/seats.sql.ts'
import { subscriptions } from '#features/subscriptions/subscriptions.contract.ts'
import { subscriptionRows } from '#features/subscriptions/subscriptions.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, invalidField } from '#server/errors.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { authorOf, getRow } from '#server/writes.ts'

type OwnCall = Parameters<typeof authorOf>[0]

/** Registers the routes that change subscriptions, for subscribers and for the team. @param clock current time */
export function changeRoutes(api: Api, db: Db, clock: () => Date): void {
  /**
   * Changes a user's subscriptions, and writes one of the periods before and after to the audit: the last one unless
   * named.
   */
  const changeHeld = (
    call: OwnCall,
    change: (tx: Db, userId: number, at: Date) => Promise<void>,
    named?: { id: number; userId: number },
  ) =>
    inTransaction(db, async (tx) => {
      const userId = named?.userId ?? signedIn(call.actor).userId
      const at = clock()
      await lockSubscriber(tx, userId)
      const id = named?.id ?? (await findLastHeld(tx, userId, at))
      if (id === undefined) throw new AppError('conflict', 'Vous n’avez pas d’abonnement en cours.')
      const read = () => getRow(tx, { find: subscriptionRows.find, noun: subscriptions.noun }, id)
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
    let loss: string | null = null
    const after = await changeHeld(call, async (tx, userId, at) => {
      const plan = planId === null ? null : await planRows.find(tx, planId)
      if (plan !== null && !(plan?.isActive && plan.price > 0)) {
        throw invalidField('planId', 'Ce plan n’est pas proposé.')
      }
      await writeNextPlan(tx, userId, planId, at)
      const members = plan ? await listSeats(tx, userId, at) : []
      loss = plan && lossInWords(members, { plan: plan.name, seats: plan.seats })
    })
    return { ...after, message: ['Plan suivant enregistré', loss].filter(Boolean).join('. ') }
  })

  api.on(subscriptionPause.begin, async (call) => {
    const named = await getRow(db, { find: subscriptionRows.find, noun: subscriptions.noun }, call.params.id)
    const pause = async (tx: Db, userId: number, at: Date) => {
      if (await isBeingReplaced(tx, userId)) {
        throw new AppError(
          'conflict',
          'Un changement de plan attend son paiement\u00a0: attendez qu’il soit réglé.',
        )
      }
      if ((await pausePeriods(tx, userId, call.body.reason, at)) === 0) {
        throw new AppError('conflict', 'Cet utilisateur n’a pas d’abonnement actif à mettre en pause.')
      }
    }
    return { ...(await changeHeld(call, pause, named)), message: 'Abonnement mis en pause' }
  })

  api.on(subscriptionPause.end, async (call) => {
    const named = await getRow(db, { find: subscriptionRows.find, noun: subscriptions.noun }, call.params.id)
    const resume = async (tx: Db, userId: number, at: Date) => {
      if ((await resumePeriods(tx, userId, at)) === 0) {
        throw new AppError('conflict', 'Cet abonnement n’est pas en pause.')
      }
    }
    return { ...(await changeHeld(call, resume, named)), message: 'Abonnement repris' }
  })
}
