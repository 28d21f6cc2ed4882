import { createHmac, randomBytes } from 'node:crypto'

/** A secret that signs messages. */
export const newWebhookSecret = (): Buffer => randomBytes(24)

/** As its owner is shown it, by the specification Standard Webhooks. */
export const shownSecret = (secret: Buffer): string => `whsec_${secret.toString('base64')}`

/**
 * The headers of a message by the specification Standard Webhooks (version 1): HMAC-SHA-256 of `id.timestamp.body`.
 *
 * @param secrets two while one replaces the other: the receiver accepts either
 * @param at when it is sent
 */
export function signedHeaders(
  { id, body }: { id: string; body: string },
  secrets: readonly Buffer[],
  at: Date,
): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000)
  const signatures = secrets.map((secret) =>
    createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64'),
  )
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.map((each) => `v1,${each}`).join(' '),
  }
}
