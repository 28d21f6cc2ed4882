import { z } from 'zod'
import {
  type Answered,
  type Handover,
  type Message,
  type ProviderNews,
  usualHandover,
} from '#features/channels/couriers.rules.ts'

const longestParameter = 900

/**
 * Returns the body that sends a message: free text for a reply, the approved template for everything else. A reader may
 * hide their number; `address` is then the id that WhatsApp gives them (`CD.…`).
 */
export function whatsappBody({ address, text, isAnswer }: Message, template: string) {
  const reader = /^[A-Z]{2}\./.test(address) ? { recipient: address } : { to: address }
  const message = { messaging_product: 'whatsapp', ...reader }
  if (isAnswer) return { ...message, type: 'text', text: { body: text } }
  // A parameter must be a single line.
  const parameter = text.replaceAll(/\s*\n+\s*/g, ' · ').slice(0, longestParameter)
  const body = { type: 'body', parameters: [{ type: 'text', text: parameter }] }
  return {
    ...message,
    type: 'template',
    template: { name: template, language: { code: 'fr' }, components: [body] },
  }
}

const accepted = z.object({ messages: z.array(z.object({ id: z.string() })).min(1) })
const refused = z.object({ error: z.object({ code: z.int(), message: z.string().default('') }) })
const unreachable = [131_026]
const hasty = [130_429, 131_056, 80_007]

export function readWhatsappAnswer(answer: Answered): Handover {
  if ('reason' in answer) return usualHandover(answer)
  const taken = answer.status === 200 ? accepted.safeParse(answer.body).data : undefined
  if (taken) return { kind: 'sent', reference: taken.messages[0]?.id ?? null }
  const error = refused.safeParse(answer.body).data?.error
  if (!error || answer.status >= 500) return usualHandover(answer)
  const reason = `${answer.status} ${error.code} ${error.message}`.trim()
  if (hasty.includes(error.code)) return { kind: 'later', afterS: 60, reason }
  return { kind: 'refused', because: unreachable.includes(error.code) ? 'address' : 'service', reason }
}

const changes = z.object({
  entry: z.array(
    z.object({
      changes: z.array(
        z.object({
          value: z.object({
            messages: z
              .array(
                z.object({
                  id: z.string(),
                  from: z.string().optional(),
                  from_user_id: z.string().optional(),
                  text: z.object({ body: z.string() }).optional(),
                }),
              )
              .optional(),
            statuses: z.array(z.object({ id: z.string(), status: z.string() })).optional(),
          }),
        }),
      ),
    }),
  ),
})
const states: Record<string, 'delivered' | 'failed'> = {
  delivered: 'delivered',
  read: 'delivered',
  failed: 'failed',
}

/** Reads the events of a signed message: texts of readers, and receipts. */
export function readWhatsappNews(body: unknown): ProviderNews[] {
  const read = changes.safeParse(body).data
  const values = read?.entry.flatMap((entry) => entry.changes.map(({ value }) => value)) ?? []
  return values.flatMap(({ messages = [], statuses = [] }): ProviderNews[] => [
    ...messages.flatMap(({ id, from, from_user_id, text }): ProviderNews[] => {
      const address = from_user_id ?? from
      if (!address || !text) return []
      const asked = text.body.slice(0, 500)
      return [{ kind: 'text', cause: `whatsapp:${id}`, address, otherAddress: from, text: asked }]
    }),
    ...statuses.flatMap(({ id, status }): ProviderNews[] => {
      const state = states[status]
      return state ? [{ kind: 'receipt', reference: id, state }] : []
    }),
  ])
}
