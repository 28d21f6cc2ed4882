import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import {
  type CardPages,
  pageBody,
  type Return,
  readCardChecked,
  readOpened,
} from '#features/payments/card/card.rules.ts'
import {
  methods,
  paymentBody,
  readChecked,
  readOrdered,
  readOrderNumber,
  referenceOf,
} from '#features/payments/flexpay/flexpay.rules.ts'
import type {
  Callback,
  CallbackRequest,
  Initiated,
  MobileMoney,
  News,
} from '#features/payments/mobile-money.rules.ts'
import { tryRequestJson } from '#server/http-client.ts'
import type { Log } from '#server/log.ts'

const usualTimeoutMs = 10_000

type FlexpayOptions = {
  /** Base address of its API, which answers status checks. */
  url: string
  merchant: string
  token: string
  /** Base address of our server; null before it listens. */
  ownUrl: () => string | null
  log: Log
  timeoutMs?: number
}

/**
 * Creates the port to mobile money through FlexPay. FlexPay identifies a deposit by its own order number: until we know
 * it, from the response or a callback, the status cannot be checked, and the deposit is not sent again.
 */
export function createFlexpay(options: FlexpayOptions): MobileMoney {
  const { url, merchant, ownUrl } = options
  const client = createClient(options)
  /** Deposits whose last answered check said that they failed; the next one decides. */
  const doubted = new Set<string>()
  return {
    name: 'flexpay',
    callbackPath: '/webhooks/flexpay/:depositId/:key',

    listMethods: async () => methods,

    async initiate(order) {
      const { depositId } = order
      const here = ownUrl()
      const callbackUrl = here
        ? `${here}/webhooks/flexpay/${depositId}/${client.keyOf(depositId)}`
        : undefined
      return client.send(depositId, {
        address: `${url}/paymentService`,
        headers: client.headers,
        body: paymentBody(order, merchant, callbackUrl),
        read: readOrdered,
      })
    },

    async getStatus(depositId, { reference, ageMs }) {
      if (reference === null) return { kind: 'unknown', reason: 'its order number is not known yet' }
      const news = await client.check(reference, (status, body) =>
        readChecked(status, body, { depositId, orderNumber: reference, ageMs }),
      )
      const isRepeated = news.kind !== 'unknown' && doubted.delete(depositId)
      if (news.kind !== 'failed' || isRepeated) return news
      doubted.add(depositId)
      return { kind: 'open' }
    },

    parseCallback: async (request) => client.hintOf(request, (depositId) => depositId),
  }
}

/**
 * Creates the port to FlexPay's card page. A returning payer or a callback only triggers a status check; if the
 * response that opened the page was lost, the check uses our own reference.
 * @param options.pageUrl address that creates pages
 */
export function createCardPages(options: FlexpayOptions & { pageUrl: string }): CardPages {
  const { pageUrl, merchant, token, ownUrl } = options
  const client = createClient(options)
  /** What the secret part of an address is made from: the payer sees one of the two, only FlexPay the other. */
  const secretOf = (use: 'callback' | 'return', depositId: string) => `card ${use} ${depositId}`
  return {
    name: 'flexpay-card',
    callbackPath: '/webhooks/flexpay-card/:depositId/:key',
    currencies: ['USD', 'CDF'],

    async initiate(order) {
      const { depositId } = order
      const here = ownUrl()
      if (here === null) return { kind: 'unsent', reason: 'we do not listen yet' }
      const keyOf = (use: 'callback' | 'return') => client.keyOf(secretOf(use, depositId))
      const back = (issue: Return) => `${here}/retour-carte/${depositId}/${keyOf('return')}/${issue}`
      const callback = `${here}/webhooks/flexpay-card/${depositId}/${keyOf('callback')}`
      return client.send(depositId, {
        address: pageUrl,
        body: pageBody(order, { merchant, token }, { callback, back }),
        read: readOpened,
      })
    },

    getStatus: (depositId, asked) =>
      client.check(asked.reference ?? referenceOf(depositId), (status, body) =>
        readCardChecked(status, body, { depositId, ...asked }),
      ),

    parseCallback: async (request) => client.hintOf(request, (depositId) => secretOf('callback', depositId)),

    isReturn: (depositId, key) => client.isKey(secretOf('return', depositId), key),
  }
}

type Sent = {
  address: string
  headers?: Record<string, string>
  body: object
  read: (status: number, body: unknown) => Initiated
}

/** Returns what both ports share: requests to FlexPay, and the secret parts of the addresses it calls. */
function createClient({ url, token, log, timeoutMs = usualTimeoutMs }: FlexpayOptions) {
  const headers = { authorization: `Bearer ${token}` }

  /** Returns the last part of an address, which cannot be guessed from the deposit's id. */
  const keyOf = (secret: string) =>
    createHmac('sha256', token).update(secret).digest('base64url').slice(0, 32)
  const isKey = (secret: string, key: string) => {
    const [expected, given] = [Buffer.from(keyOf(secret)), Buffer.from(key)]
    return given.length === expected.length && timingSafeEqual(given, expected)
  }

  return {
    headers,
    keyOf,
    isKey,

    async send(depositId: string, { address, read, ...request }: Sent): Promise<Initiated> {
      const answer = await tryRequestJson(address, { method: 'POST', ...request, timeoutMs })
      if ('reason' in answer) return { kind: answer.isUnsent ? 'unsent' : 'unknown', reason: answer.reason }
      const result = read(answer.status, answer.body)
      if (result.kind === 'rejected' && result.code === 'REFUSED')
        log.error({ status: answer.status, deposit: depositId, address }, 'FlexPay refuses our requests')
      return result
    },

    async check(reference: string, read: (status: number, body: unknown) => News): Promise<News> {
      const path = `/check/${encodeURIComponent(reference)}`
      const answer = await tryRequestJson(url + path, { method: 'GET', headers, timeoutMs })
      return 'reason' in answer
        ? { kind: 'unknown', reason: answer.reason }
        : read(answer.status, answer.body)
    },

    /** Reads a callback as a hint to check the deposit named in its address. */
    hintOf(request: CallbackRequest, secretOf: (depositId: string) => string): Callback {
      const [id, key = ''] = new URL(request.url).pathname.split('/').slice(-2)
      const depositId = z.uuid().safeParse(id).data
      if (!depositId) return { kind: 'unreadable' }
      if (!isKey(secretOf(depositId), key)) return { kind: 'forged' }
      return { kind: 'hint', depositId, reference: readOrderNumber(new TextDecoder().decode(request.body)) }
    },
  }
}
