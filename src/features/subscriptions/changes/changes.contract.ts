import { z } from 'zod'
import { cancelReasons } from '#features/subscriptions/changes/changes.rules.ts'
import { subscription } from '#features/subscriptions/subscriptions.contract.ts'
import { defineEndpoint } from '#shared/contract.ts'
import { idParams, optionalText, reference, text } from '#shared/fields.ts'
import { optionsOf } from '#shared/options.ts'

const changed = subscription.extend({ message: z.string() })

/** Changes of a subscriber's own subscriptions; none shortens a paid period. */
export const heldSubscription = {
  cancel: defineEndpoint({
    method: 'POST',
    path: '/api/subscriptions/mine/cancel',
    right: 'session',
    summary: 'Ne pas renouveler son abonnement',
    description:
      'L’accès reste ouvert jusqu’au terme de ce qui est payé, et plus rien n’est proposé ensuite. Le motif est un code de la liste, ou en toutes lettres.',
    body: z
      .object({
        reason: text(500),
        note: optionalText(500),
      })
      .meta({ id: 'CancelBody' }),
    response: changed,
  }),
  resume: defineEndpoint({
    method: 'POST',
    path: '/api/subscriptions/mine/resume',
    right: 'session',
    summary: 'Revenir sur sa résiliation',
    description: 'Possible jusqu’au terme\u202f; le renouvellement est proposé de nouveau.',
    response: changed,
  }),
  choosePlan: defineEndpoint({
    method: 'PUT',
    path: '/api/subscriptions/mine/plan',
    right: 'session',
    summary: 'Choisir le plan qui suivra',
    description: 'Il est proposé au renouvellement, et commence au terme de ce qui est payé.',
    body: z
      .object({
        /** Null to keep the current plan. */
        planId: reference('Choisissez un plan').nullable(),
      })
      .meta({ id: 'NextPlanBody' }),
    response: changed,
  }),
}

/** Pauses by the team of a user's subscriptions. */
export const subscriptionPause = {
  begin: defineEndpoint({
    method: 'POST',
    path: '/api/subscriptions/{id}/pause',
    right: 'subscriptions.write',
    summary: 'Mettre un abonnement en pause',
    description: 'L’accès se ferme aussitôt. Les jours payés qui restent reprennent à la fin de la pause.',
    params: idParams,
    body: z.object({ reason: text(500) }).meta({ id: 'PauseBody' }),
    response: changed,
  }),
  end: defineEndpoint({
    method: 'POST',
    path: '/api/subscriptions/{id}/resume',
    right: 'subscriptions.write',
    summary: 'Reprendre un abonnement en pause',
    description: 'Il reprend pour les jours qui restaient, après ce qui a été payé entre-temps.',
    params: idParams,
    response: changed,
  }),
}

export const cancelReasonOptions = optionsOf(cancelReasons)
