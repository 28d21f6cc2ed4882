import { createHmac, randomBytes } from 'node:crypto'

/** Generates a secret for signing messages. */
export const newWebhookSecret = (): Buffer => randomBytes(24)

/** Formats a secret for its owner, as the Standard Webhooks specification requires. */
export const shownSecret = (secret: Buffer): string => `whsec_${secret.toString('base64')}`

/**
 * Returns the headers of a message (Standard Webhooks, version 1): HMAC-SHA-256 of `id.timestamp.body`.
 *
 * @param secrets one, or two during a rotation: the receiver accepts a signature by either
 * @param at time of sending
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
