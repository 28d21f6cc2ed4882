import { planRows } from '#features/plans/plans.sql.ts'
import { getSubscriber, listSubscribers } from '#features/subscriptions/access.sql.ts'
import { getOwnSide } from '#features/subscriptions/seats/seats.sql.ts'
import {
  ownAccess,
  subscribers,
  subscriptions,
  subscriptionsOfUser,
} from '#features/subscriptions/subscriptions.contract.ts'
import { dataAccess, isToCome, trialEnd, trialRefusal } from '#features/subscriptions/subscriptions.rules.ts'
import {
  countUsesOfSubscription,
  insertSubscription,
  listSubscriptionsOfUser,
  type NewSubscription,
  subscriptionRows,
  updateSubscription,
} from '#features/subscriptions/subscriptions.sql.ts'
import { isAccountClosed } from '#features/users/closing/closing.sql.ts'
import { crudRoutes } from '#server/crud-routes.ts'
import type { Db } from '#server/db/pool.ts'
import { AppError, invalidField } from '#server/errors.ts'
import type { Exports } from '#server/exports.ts'
import { type Actor, may } from '#server/http/actor.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { missing } from '#server/writes.ts'
import { type BodyOf, paginate } from '#shared/contract.ts'
import { dayInKinshasa, instantOf } from '#shared/days.ts'

type Given = BodyOf<typeof subscriptions.create>

/** Maximum number of a user's own subscriptions shown: the one in force and the latest. */
const mostShown = 10

/**
 * Registers the routes of subscriptions.
 * @param clock current time
 */
export function subscriptionRoutes(api: Api, db: Db, exports: Exports, clock: () => Date): void {
  crudRoutes(api, db, exports, subscriptions, {
    ...subscriptionRows,
    find: (from, id, actor) =>
      subscriptionRows.findMatching(
        from,
        id,
        actor && !may(actor, 'subscriptions.read') ? { userId: actor.userId } : {},
      ),
    async insert(tx, given, actor) {
      if (!may(actor, 'subscriptions.write')) {
        return insertSubscription(tx, await ownTrial(tx, given, actor, clock()))
      }
      const subscription = complete(given)
      if (await isAccountClosed(tx, subscription.userId)) {
        throw invalidField('userId', 'Ce compte est fermé.')
      }
      return insertSubscription(tx, subscription)
    },
    async update(tx, id, changes) {
      const held = (await subscriptionRows.find(tx, id)) ?? missing(subscriptions.noun)
      if (held.status === 'PAUSED') {
        throw new AppError('conflict', 'Cet abonnement est en pause\u00a0: reprenez-le avant de le modifier.')
      }
      await updateSubscription(tx, id, {
        ...changes,
        // A form sends back the displayed status, which may be computed from dates.
        status: changes.status === held.status ? undefined : changes.status,
        startDate: changed(changes.startDate, held.startDate),
        endDate: changed(changes.endDate, held.endDate),
      })
    },
    uses: countUsesOfSubscription,
    constraints: {
      subscription_user_fkey: { field: 'userId', message: 'Cet utilisateur n’existe pas.' },
      subscription_plan_fkey: { field: 'planId', message: 'Ce plan n’existe pas.' },
      subscription_dates_ordered: { field: 'endDate', message: 'La fin doit venir après le début.' },
    },
  })

  api.on(subscriptionsOfUser, async ({ params, query, actor }) => {
    const isOwn = params.userId === signedIn(actor).userId
    if (!isOwn && !may(actor, 'subscriptions.read')) {
      throw new AppError('forbidden', 'Vous ne pouvez consulter que vos propres abonnements.')
    }
    const { rows, total } = await listSubscriptionsOfUser(db, params.userId, query, clock())
    return { data: rows, pagination: paginate(query, total) }
  })

  api.on(subscribers, async ({ query }) => ({ data: await listSubscribers(db, query) }))

  api.on(ownAccess, async ({ actor }) => {
    const { userId } = signedIn(actor)
    const at = clock()
    const subscriber = await getSubscriber(db, userId, at)
    const { rows } = await listSubscriptionsOfUser(db, userId, { page: 1, limit: mostShown }, at)
    const { membership } = await getOwnSide(db, userId, at)
    const [subscription = null, ...others] = rows
    return {
      ...dataAccess(subscriber, at),
      isExempt: may(actor, 'access.exempt'),
      mayStartTrial: trialRefusal(subscriber, at) === null,
      subscription,
      membership,
      upcoming: others.filter((other) => isToCome(other, at)).reverse(),
    }
  })
}

/** Returns the subscription if the team gave all required fields. */
function complete({ userId, planId, startDate, endDate, status = 'TRIAL' }: Given): NewSubscription {
  const lacking = [
    !userId && { field: 'userId', message: 'Choisissez un utilisateur' },
    !planId && { field: 'planId', message: 'Choisissez un plan' },
    !startDate && { field: 'startDate', message: 'Ce champ est obligatoire' },
    !endDate && { field: 'endDate', message: 'Ce champ est obligatoire' },
  ].filter((each) => each !== false)
  if (!userId || !planId || !startDate || !endDate) {
    throw new AppError('invalid', 'Utilisateur, plan, début et fin sont obligatoires.', { fields: lacking })
  }
  return { userId, planId, status, startDate: instantOf(startDate), endDate: instantOf(endDate) }
}

/** Returns a user's own trial, the only subscription that users may open without paying. */
async function ownTrial(tx: Db, given: Given, actor: Actor, at: Date): Promise<NewSubscription> {
  const { userId } = actor
  if (given.userId && given.userId !== userId) {
    throw new AppError('forbidden', 'Vous ne pouvez pas abonner quelqu’un d’autre.')
  }
  if (given.status !== undefined && given.status !== 'TRIAL') {
    throw new AppError('forbidden', 'Un abonnement devient actif par son paiement.')
  }
  const plan = given.planId ? await planRows.find(tx, given.planId) : undefined
  if (given.planId && (!plan?.isActive || plan.price > 0)) {
    throw invalidField('planId', 'L’essai est gratuit\u00a0: ce plan se prend en le payant.')
  }
  const subscriber = await getSubscriber(tx, userId, at, true)
  const refusal = trialRefusal(subscriber, at)
  if (refusal) throw new AppError('conflict', refusal)
  return {
    userId,
    planId: plan?.id ?? null,
    status: 'TRIAL',
    startDate: at.toISOString(),
    endDate: trialEnd(at).toISOString(),
  }
}

// A form sends back the displayed day of a stored instant: an unchanged day must not change the instant, or paid hours
// would be lost.
function changed(given: string | undefined, held: string): string | undefined {
  return given === undefined || given === dayInKinshasa(held) ? undefined : instantOf(given)
}
