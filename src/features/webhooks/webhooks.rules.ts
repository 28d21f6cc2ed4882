import { dayMs, hourMs } from '#shared/days.ts'
import type { Permission } from '#shared/permissions.ts'

/**
 * The events of webhooks: a label, and the right that the owner needs at the time of sending; none for events of their
 * own account.
 */
export const webhookEvents = {
  'price.created': { label: 'Prix ajoutés', right: 'prices.read' },
  'price.revised': { label: 'Prix modifiés', right: 'prices.read' },
  'price.deleted': { label: 'Prix supprimés', right: 'prices.read' },
  'alert.fired': { label: 'Vos alertes de prix', right: 'prices.read' },
  'edition.published': { label: 'Édition mensuelle publiée', right: 'prices.read' },
  'subscription.created': { label: 'Votre abonnement\u00a0: créé', right: null },
  'subscription.updated': { label: 'Votre abonnement\u00a0: modifié ou payé', right: null },
  'subscription.ended': { label: 'Votre abonnement\u00a0: terminé', right: null },
} as const satisfies Record<string, { label: string; right: Permission | null }>

/** Returns the right that the owner of an endpoint needs to read a message of an event; null for none. */
export function rightOfEvent(event: string): Permission | null {
  return Object.hasOwn(webhookEvents, event) ? webhookEvents[event as WebhookEvent].right : null
}

export type WebhookEvent = keyof typeof webhookEvents
export const webhookEventNames = Object.keys(webhookEvents) as [WebhookEvent, ...WebhookEvent[]]

/** Event that tests an endpoint at its owner's request, whichever events it has chosen. */
export const testEvent = 'webhook.test'

/** Maximum number of endpoints of an account. */
export const mostEndpoints = 10
/** Maximum number of requests of an account per hour to test an endpoint or to replay its messages. */
export const mostSendsPerHour = 20
/** Maximum number of prices in a message, so that it stays below the 20 kB that Standard Webhooks recommends. */
export const pricesPerMessage = 40
/** How long messages are stored and can be replayed. */
export const storedDays = 30
/** How long a replaced secret still signs messages. */
export const formerSecretHours = 24
/** How long an endpoint may fail without a success before it is disabled. */
const patienceMs = 5 * dayMs

const minuteMs = 60_000
/**
 * Pauses between the ten attempts, 75 hours and 35 minutes in all, as proposed by the Standard Webhooks specification.
 */
const pausesMs = [
  5_000,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
]

/**
 * Returns how long (ms) to wait after a failed attempt; null after the last.
 * @param attempts number of attempts so far
 * @param chance from 0 to 1: adds up to a tenth, so that messages that failed together are not retried together
 */
export function pauseAfterAttempt(attempts: number, chance: number): number | null {
  const pause = pausesMs[attempts - 1]
  return pause === undefined ? null : Math.round(pause * (1 + chance / 10))
}

/** Returns why to disable an endpoint after a response; null to keep it. */
export function reasonToDisable(
  status: number | null,
  failingSince: string | null,
  at: Date,
): 'gone' | 'failing' | null {
  if (status === 410) return 'gone'
  return failingSince !== null && at.getTime() - Date.parse(failingSince) >= patienceMs ? 'failing' : null
}
