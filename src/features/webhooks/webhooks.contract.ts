import { z } from 'zod'
import {
  formerSecretHours,
  mostEndpoints,
  mostSendsPerHour,
  storedDays,
  webhookEventNames,
} from '#features/webhooks/webhooks.rules.ts'
import { acknowledgement, defineEndpoint } from '#shared/contract.ts'
import { idParams, instant, reference, text, version } from '#shared/fields.ts'
import { parseUrl } from '#shared/parse-url.ts'

const event = z.enum(webhookEventNames, `Un événement est l’un de\u00a0: ${webhookEventNames.join(', ')}`)

const webhook = z
  .object({
    id: z.int(),
    url: z.string(),
    events: z.array(event),
    isActive: z.boolean(),
    /**
     * Why the endpoint is disabled: by its owner, because the address answered 410, or because it failed for five days.
     */
    disabledBecause: z.enum(['owner', 'gone', 'failing']).nullable(),
    disabledAt: instant.nullable(),
    failingSince: instant.nullable(),
    /** When a message was last delivered. */
    lastDoneAt: instant.nullable(),
    /** Number of messages that wait for an attempt. */
    waiting: z.int(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Webhook' })
export type Webhook = z.infer<typeof webhook>

const delivery = z
  .object({
    id: z.int(),
    /** Value of the header `webhook-id`. */
    messageId: z.string(),
    event: z.string(),
    state: z.enum(['waiting', 'done', 'given up', 'refused', 'held']),
    attempts: z.int(),
    createdAt: instant,
    /** Time of the next attempt; null when there is none. */
    dueAt: instant.nullable(),
    attemptedAt: instant.nullable(),
    durationMs: z.int().nullable(),
    status: z.int().nullable(),
    /** Why there was no response. */
    failure: z.string().nullable(),
    /** Body of the request; blank when its owner may not read prices now, and it is about prices. */
    request: z.string(),
    /** Beginning of the response body. */
    answer: z.string().nullable(),
  })
  .meta({ id: 'WebhookDelivery' })
export type WebhookDelivery = z.infer<typeof delivery>

const input = {
  url: text(500).refine((value) => parseUrl(value) !== null, 'Une adresse https:// est attendue'),
  events: z
    .array(event, 'Choisissez au moins un événement')
    .min(1, 'Choisissez au moins un événement')
    .max(20)
    .transform((events) => [...new Set(events)]),
}
const shown = webhook.extend({ message: z.string() })
const withSecret = shown.extend({
  /** `whsec_…`, shown only once. */
  secret: z.string(),
})

/** A user's own endpoints: addresses that events are sent to. API keys cannot manage them. */
export const webhooks = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/webhooks',
    right: 'session',
    summary: 'Ses propres webhooks',
    description: 'Les adresses qui sont averties, avec leur état. Une clé ne peut pas les lire.',
    response: z.object({ data: z.array(webhook) }),
  }),
  create: defineEndpoint({
    method: 'POST',
    path: '/api/webhooks',
    right: 'session',
    summary: 'Créer un webhook',
    description: `${mostEndpoints} au plus. \`secret\` n’est donné que cette fois\u202f; les messages sont signés selon Standard Webhooks.`,
    body: z.object(input).meta({ id: 'WebhookBody' }),
    status: 201,
    response: withSecret.meta({ id: 'NewWebhook' }),
  }),
  update: defineEndpoint({
    method: 'PUT',
    path: '/api/webhooks/{id}',
    right: 'session',
    summary: 'Modifier, désactiver ou réactiver un de ses webhooks',
    description:
      'Les champs absents ne changent pas. Les messages continuent d’être notés tant qu’il est désactivé.',
    params: idParams,
    body: z
      .object({ ...input, isActive: z.boolean() })
      .partial()
      .extend({ updatedAt: version })
      .meta({ id: 'WebhookChange' }),
    response: shown,
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: '/api/webhooks/{id}',
    right: 'session',
    summary: 'Supprimer un de ses webhooks',
    description: 'Rien n’est plus envoyé, et ses messages sont effacés.',
    params: idParams,
    response: acknowledgement,
  }),
  renewSecret: defineEndpoint({
    method: 'POST',
    path: '/api/webhooks/{id}/secret',
    right: 'session',
    summary: 'Changer le secret d’un de ses webhooks',
    description: `L’ancien signe aussi pendant ${formerSecretHours} heures.`,
    params: idParams,
    response: withSecret.meta({ id: 'RenewedWebhook' }),
  }),
  test: defineEndpoint({
    method: 'POST',
    path: '/api/webhooks/{id}/test',
    right: 'session',
    summary: 'Envoyer un essai',
    description: `Le message \`webhook.test\`. ${mostSendsPerHour} essais et renvois par heure au plus.`,
    params: idParams,
    response: acknowledgement,
  }),
  deliveries: defineEndpoint({
    method: 'GET',
    path: '/api/webhooks/{id}/deliveries',
    right: 'session',
    summary: 'Les 50 derniers messages d’un de ses webhooks, du plus récent au plus ancien',
    description:
      'Chacun avec ce qui est envoyé et le début de ce qui a été répondu. `request` est vide pour les prix que le compte n’a pas accès à lire.',
    params: idParams,
    response: z.object({ data: z.array(delivery) }),
  }),
  replay: defineEndpoint({
    method: 'POST',
    path: '/api/webhooks/{id}/replay',
    right: 'session',
    summary: 'Rejouer un message, ou tous ceux qui ne sont pas arrivés',
    description: `Les messages se gardent ${storedDays} jours. Sans \`deliveryId\`\u00a0: tous ceux qui ont été abandonnés, refusés ou retenus. ${mostSendsPerHour} essais et renvois par heure au plus.`,
    params: idParams,
    body: z.object({ deliveryId: reference().nullish() }).meta({ id: 'WebhookReplay' }),
    response: acknowledgement,
  }),
}
