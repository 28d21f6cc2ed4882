import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import {
  methods,
  paymentBody,
  readChecked,
  readOrdered,
  readOrderNumber,
} from '#features/payments/flexpay/flexpay.rules.ts'
import type { MobileMoney } from '#features/payments/mobile-money.rules.ts'
import { askJson } from '#server/http-client.ts'
import type { Log } from '#server/log.ts'

const usualTimeoutMs = 10_000

/** Returns the last part of a deposit's callback address, which cannot be guessed from the deposit's id. */
function keyOf(depositId: string, token: string): string {
  return createHmac('sha256', token).update(depositId).digest('base64url').slice(0, 32)
}

/**
 * Creates the port to mobile money through FlexPay. FlexPay identifies a deposit by its own order number: until we know
 * it, from the response or a callback, the status cannot be checked, and the deposit is not sent again.
 * @param options.ownUrl base address of our server; null before it listens
 */
export function createFlexpay(options: {
  url: string
  merchant: string
  token: string
  ownUrl: () => string | null
  log: Log
  timeoutMs?: number
}): MobileMoney {
  const { url, merchant, token, ownUrl, log, timeoutMs = usualTimeoutMs } = options
  const headers = { authorization: `Bearer ${token}` }

  return {
    name: 'flexpay',
    callbackPath: '/webhooks/flexpay/:depositId/:key',

    listMethods: async () => methods,

    async initiate(order) {
      const { depositId } = order
      const callbackUrl = ownUrl()
        ? `${ownUrl()}/webhooks/flexpay/${depositId}/${keyOf(depositId, token)}`
        : undefined
      const body = paymentBody(order, merchant, callbackUrl)
      const answer = await askJson(`${url}/paymentService`, { method: 'POST', headers, body, timeoutMs })
      if ('reason' in answer) return { kind: answer.isUnsent ? 'unsent' : 'unknown', reason: answer.reason }
      const result = readOrdered(answer.status, answer.body)
      if (result.kind === 'rejected' && result.code === 'REFUSED') {
        log.error({ status: answer.status, deposit: depositId }, 'FlexPay refuses our requests')
      }
      return result
    },

    async getStatus(depositId, { reference, ageMs, attempts }) {
      if (reference === null) return { kind: 'unknown', reason: 'its order number is not known yet' }
      const path = `/check/${encodeURIComponent(reference)}`
      const answer = await askJson(url + path, { method: 'GET', headers, timeoutMs })
      return 'reason' in answer
        ? { kind: 'unknown', reason: answer.reason }
        : readChecked(answer.status, answer.body, { depositId, orderNumber: reference, ageMs, attempts })
    },

    async parseCallback(request) {
      const [id, key = ''] = new URL(request.url).pathname.split('/').slice(-2)
      const depositId = z.uuid().safeParse(id).data
      if (!depositId) return { kind: 'unreadable' }
      const expected = keyOf(depositId, token)
      const isOurs =
        key.length === expected.length && timingSafeEqual(Buffer.from(key), Buffer.from(expected))
      if (!isOurs) return { kind: 'forged' }
      return { kind: 'hint', depositId, reference: readOrderNumber(new TextDecoder().decode(request.body)) }
    },
  }
}
