import type { MobileMoney } from '#features/payments/mobile-money.rules.ts'
import {
  depositBody,
  readCallback,
  readInitiated,
  readKeys,
  readMethods,
  readStatus,
} from '#features/payments/pawapay/pawapay.rules.ts'
import { requestJson, tryRequestJson } from '#server/http-client.ts'
import { type KeyFinder, verifySignature } from '#server/http-signature.ts'
import type { Log } from '#server/log.ts'
import { hourMs } from '#shared/days.ts'

const usualTimeoutMs = 10_000
const methodsForMs = 5 * 60_000
const keysForMs = hourMs
/** Minimum interval between two requests for keys because of an unknown key id. */
const keysAtMostEveryMs = 60_000

/** Creates the port to mobile money through pawaPay (docs.pawapay.io/v2). */
export function createPawapay(options: {
  url: string
  token: string
  log: Log
  timeoutMs?: number | undefined
}): MobileMoney {
  const { url, token, log, timeoutMs = usualTimeoutMs } = options
  const headers = { authorization: `Bearer ${token}` }
  const get = (path: string) => requestJson(url + path, { method: 'GET', headers, timeoutMs })
  const methods = cacheFor(methodsForMs, async () => {
    const { status, body } = await get('/v2/active-conf')
    const read = status === 200 ? readMethods(body) : undefined
    if (!read) throw new Error(`pawaPay's configuration cannot be read (${status})`)
    return read
  })
  const keys = cacheFor(keysForMs, async () => {
    const { status, body } = await get('/v2/public-key/http')
    if (status !== 200) throw new Error(`pawaPay's keys cannot be read (${status})`)
    return readKeys(body)
  })
  let mayAskForKeysAt = 0
  const findKey: KeyFinder = async (id) => {
    const key = (await keys.get()).get(id)
    if (key) return key
    // The provider may have changed its keys. Anyone can send an unknown key id, so requests are limited.
    if (Date.now() < mayAskForKeysAt) throw new Error('their keys were asked for a moment ago')
    mayAskForKeysAt = Date.now() + keysAtMostEveryMs
    return (await keys.renew()).get(id)
  }

  return {
    name: 'pawapay',
    callbackPath: '/webhooks/pawapay',

    listMethods: methods.get,

    async initiate(order) {
      const body = depositBody(order)
      const answer = await tryRequestJson(`${url}/v2/deposits`, { method: 'POST', headers, body, timeoutMs })
      if ('reason' in answer) return { kind: answer.isUnsent ? 'unsent' : 'unknown', reason: answer.reason }
      const result = readInitiated(answer.status, answer.body, order.depositId)
      if (result.kind === 'rejected' && result.code === 'REFUSED') {
        log.error({ status: answer.status, deposit: order.depositId }, 'pawaPay refuses our requests')
      }
      return result
    },

    async getStatus(depositId) {
      const path = `/v2/deposits/${depositId}`
      const answer = await tryRequestJson(url + path, { method: 'GET', headers, timeoutMs })
      return 'reason' in answer
        ? { kind: 'unknown', reason: answer.reason }
        : readStatus(answer.status, answer.body, depositId)
    },

    async parseCallback(request) {
      const said = readCallback(new TextDecoder().decode(request.body))
      if (!said) return { kind: 'unreadable' }
      if (!('signature' in request.headers) && !('signature-input' in request.headers)) {
        return { kind: 'hint', depositId: said.depositId }
      }
      const isProved = await verifySignature(request, findKey)
      if (isProved === 'unknown') return { kind: 'hint', depositId: said.depositId }
      return isProved ? { kind: 'proved', ...said } : { kind: 'forged' }
    },
  }
}

/** Caches a response for `forMs`, and longer while it cannot be renewed. */
function cacheFor<T>(forMs: number, ask: () => Promise<T>) {
  let cached: { value: T; until: number } | undefined
  const renew = async () => {
    const value = await ask()
    cached = { value, until: Date.now() + forMs }
    return value
  }
  return {
    renew,
    async get(): Promise<T> {
      if (cached && cached.until > Date.now()) return cached.value
      try {
        return await renew()
      } catch (error) {
        if (cached) return cached.value
        throw error
      }
    },
  }
}
