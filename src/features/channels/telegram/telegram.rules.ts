import { z } from 'zod'
import {
  type Answered,
  type Handover,
  type ProviderNews,
  usualHandover,
} from '#features/channels/couriers.rules.ts'

const sent = z.object({ ok: z.literal(true), result: z.object({ message_id: z.int() }) })
const refused = z.object({
  ok: z.literal(false),
  description: z.string().default(''),
  parameters: z.object({ retry_after: z.number().optional() }).optional(),
})

/** Reads the response to `sendMessage`. */
export function readTelegramAnswer(answer: Answered): Handover {
  if ('reason' in answer) return usualHandover(answer)
  const taken = sent.safeParse(answer.body).data
  if (taken) return { kind: 'sent', reference: String(taken.result.message_id) }
  const { description = '', parameters } = refused.safeParse(answer.body).data ?? {}
  const reason = `${answer.status} ${description}`.trim()
  if (answer.status === 429) return { kind: 'later', afterS: parameters?.retry_after ?? 30, reason }
  // The reader blocked or deleted the chat, or never began one.
  const isGone = answer.status === 403 || (answer.status === 400 && /chat not found|user/i.test(description))
  return isGone ? { kind: 'refused', because: 'address', reason } : usualHandover(answer)
}

const chat = z.object({ id: z.int(), type: z.string() })
const update = z.object({
  update_id: z.int(),
  message: z.object({ chat, text: z.string().optional() }).optional(),
  my_chat_member: z.object({ chat, new_chat_member: z.object({ status: z.string() }) }).optional(),
})

/** Reads the events of an update; groups and messages without text are ignored. */
export function readUpdate(body: unknown): ProviderNews[] {
  const read = update.safeParse(body).data
  if (!read) return []
  const { update_id, message, my_chat_member: member } = read
  if (member?.chat.type === 'private' && member.new_chat_member.status === 'kicked') {
    return [{ kind: 'left', address: String(member.chat.id) }]
  }
  if (message?.chat.type !== 'private' || message.text === undefined) return []
  return [
    {
      kind: 'text',
      cause: `telegram:${update_id}`,
      address: String(message.chat.id),
      text: message.text.slice(0, 500),
    },
  ]
}
