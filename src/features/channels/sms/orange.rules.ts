import { z } from 'zod'
import {
  type Answered,
  type Handover,
  type ProviderNews,
  usualHandover,
} from '#features/channels/couriers.rules.ts'

const accepted = z.object({ outboundSMSMessageRequest: z.object({ resourceURL: z.string() }) })
const exception = z.object({ messageId: z.string().optional(), text: z.string().optional() })
const refusal = z.object({
  requestError: z.object({ serviceException: exception.optional(), policyException: exception.optional() }),
})
const receipt = z.object({
  deliveryInfoNotification: z.object({
    callbackData: z.string(),
    deliveryInfo: z.object({ deliveryStatus: z.string() }),
  }),
})
// Intermediate states, and states not reported for another network, are left out.
const states: Record<string, 'delivered' | 'failed'> = {
  DeliveredToTerminal: 'delivered',
  DeliveryImpossible: 'failed',
}

export function readOrangeAnswer(answer: Answered): Handover {
  if ('reason' in answer) return usualHandover(answer)
  if (answer.status === 201) {
    const taken = accepted.safeParse(answer.body).data
    const reference = taken?.outboundSMSMessageRequest.resourceURL.split('/').at(-1)
    return { kind: 'sent', reference: reference ?? null }
  }
  const error = refusal.safeParse(answer.body).data?.requestError
  const { messageId = '', text = '' } = error?.serviceException ?? error?.policyException ?? {}
  const reason = `${answer.status} ${messageId} ${text}`.trim()
  if (answer.status === 400 && /address/i.test(text)) return { kind: 'refused', because: 'address', reason }
  const usual = usualHandover(answer)
  return 'reason' in usual ? { ...usual, reason } : usual
}

export function readReceipt(body: unknown): ProviderNews[] {
  const notification = receipt.safeParse(body).data?.deliveryInfoNotification
  const state = notification && states[notification.deliveryInfo.deliveryStatus]
  return notification && state ? [{ kind: 'receipt', reference: notification.callbackData, state }] : []
}
