import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import {
  type CardPages,
  pageBody,
  type Return,
  readCardChecked,
  readOpened,
} from '#features/payments/card/card.rules.ts'
import { readOrderNumber, referenceOf } from '#features/payments/flexpay/flexpay.rules.ts'
import { askJson } from '#server/http-client.ts'
import type { Log } from '#server/log.ts'

const usualTimeoutMs = 10_000

/**
 * Creates the port to FlexPay's card page. A returning payer or a callback only triggers a status check; if the
 * response that opened the page was lost, the check uses our own reference.
 * @param options.pageUrl address that creates pages
 * @param options.url address of the status check
 * @param options.ownUrl base address of our server; null before it listens
 */
export function createCardPages(options: {
  pageUrl: string
  url: string
  merchant: string
  token: string
  ownUrl: () => string | null
  log: Log
  timeoutMs?: number
}): CardPages {
  const { pageUrl, url, merchant, token, ownUrl, log, timeoutMs = usualTimeoutMs } = options

  /**
   * Secret part of an address, which cannot be guessed from the deposit's id. The payer sees one of the two addresses,
   * only FlexPay the other.
   */
  const keyOf = (use: 'callback' | 'return', depositId: string) =>
    createHmac('sha256', token).update(`card ${use} ${depositId}`).digest('base64url').slice(0, 32)
  const isKey = (use: 'callback' | 'return', depositId: string, key: string) => {
    const expected = Buffer.from(keyOf(use, depositId))
    const given = Buffer.from(key)
    return given.length === expected.length && timingSafeEqual(given, expected)
  }

  return {
    name: 'flexpay-card',
    callbackPath: '/webhooks/flexpay-card/:depositId/:key',
    currencies: ['USD', 'CDF'],

    async initiate(order) {
      const { depositId } = order
      const here = ownUrl()
      if (here === null) return { kind: 'unsent', reason: 'we do not listen yet' }
      const back = (issue: Return) =>
        `${here}/retour-carte/${depositId}/${keyOf('return', depositId)}/${issue}`
      const callback = `${here}/webhooks/flexpay-card/${depositId}/${keyOf('callback', depositId)}`
      const body = pageBody(order, { merchant, token }, { callback, back })
      const answer = await askJson(pageUrl, { method: 'POST', body, timeoutMs })
      if ('reason' in answer) return { kind: answer.isUnsent ? 'unsent' : 'unknown', reason: answer.reason }
      const result = readOpened(answer.status, answer.body)
      if (result.kind === 'rejected' && result.code === 'REFUSED')
        log.error(
          { status: answer.status, deposit: depositId },
          'FlexPay refuses our requests for its card page',
        )
      return result
    },

    async getStatus(depositId, asked) {
      const path = `/check/${encodeURIComponent(asked.reference ?? referenceOf(depositId))}`
      const headers = { authorization: `Bearer ${token}` }
      const answer = await askJson(url + path, { method: 'GET', headers, timeoutMs })
      return 'reason' in answer
        ? { kind: 'unknown', reason: answer.reason }
        : readCardChecked(answer.status, answer.body, { depositId, ...asked })
    },

    async parseCallback(request) {
      const [id, key = ''] = new URL(request.url).pathname.split('/').slice(-2)
      const depositId = z.uuid().safeParse(id).data
      if (!depositId) return { kind: 'unreadable' }
      if (!isKey('callback', depositId, key)) return { kind: 'forged' }
      return { kind: 'hint', depositId, reference: readOrderNumber(new TextDecoder().decode(request.body)) }
    },

    isReturn: (depositId, key) => isKey('return', depositId, key),
  }
}
