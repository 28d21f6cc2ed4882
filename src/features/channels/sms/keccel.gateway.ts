import { z } from 'zod'
import {
  type Answered,
  type Courier,
  type Handover,
  usualHandover,
} from '#features/channels/couriers.rules.ts'
import { tryRequestJson } from '#server/http-client.ts'

const usualTimeoutMs = 10_000
const answered = z.object({
  status: z.string(),
  messageID: z.coerce.string().nullish(),
  description: z.string().nullish(),
})

const told = z.object({ status: z.string() })
const receipts = new Map<string, 'delivered' | 'failed'>([
  ['DELIVERED', 'delivered'],
  ['FAILED', 'failed'],
])

/** Creates the SMS courier of Keccel, whose receipts must be polled. */
export function createKeccel(options: {
  url: string
  token: string
  from: string
  timeoutMs?: number | undefined
}): Courier {
  const { url, token, from, timeoutMs = usualTimeoutMs } = options
  return {
    name: 'keccel',
    channel: 'sms',
    async send({ address, text }) {
      const body = { token, from, to: address, message: text }
      return readKeccelAnswer(
        await tryRequestJson(`${url}/sms/v2/message.asp`, { method: 'POST', body, timeoutMs }),
      )
    },
    async askReceipt(reference) {
      const body = { token, messageid: reference }
      const answer = await tryRequestJson(`${url}/sms/v2/delivery.asp`, { method: 'GET', body, timeoutMs })
      const said = 'status' in answer && answer.status === 200 ? told.safeParse(answer.body).data : undefined
      return receipts.get(said?.status.toUpperCase() ?? '') ?? null
    },
  }
}

function readKeccelAnswer(answer: Answered): Handover {
  if ('reason' in answer || answer.status !== 200) return usualHandover(answer)
  const { status, messageID, description } = answered.safeParse(answer.body).data ?? {}
  if (status === 'SENT') return { kind: 'sent', reference: messageID ?? null }
  const reason = `${status ?? 'no status'} ${description ?? ''}`.trim()
  if (status !== 'REJECTED') return { kind: 'unknown', reason }
  const isOfAddress = /number|destination|recipient|msisdn/i.test(description ?? '')
  return { kind: 'refused', because: isOfAddress ? 'address' : 'service', reason }
}
