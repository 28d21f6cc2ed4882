import { createHmac } from 'node:crypto'
import type { Courier } from '#features/channels/couriers.rules.ts'
import {
  readWhatsappAnswer,
  readWhatsappNews,
  whatsappBody,
} from '#features/channels/whatsapp/whatsapp.rules.ts'
import { tryRequestJson } from '#server/http-client.ts'
import { isSameSecret } from '#server/session/tokens.ts'
import { parseJson } from '#shared/parse-json.ts'

const usualTimeoutMs = 10_000

/** Creates the courier of WhatsApp's Cloud API (developers.facebook.com/documentation/business-messaging/whatsapp). */
export function createWhatsapp(options: {
  /** Base address with the version of the API. */
  url: string
  token: string
  /** Id of our number in the API, and the number itself, in digits. */
  numberId: string
  number: string
  appSecret: string
  verifyToken: string
  /** Name of the approved utility template, whose body has one parameter. */
  template: string
  timeoutMs?: number | undefined
}): Courier {
  const { url, token, numberId, number, appSecret, verifyToken, template, timeoutMs } = options
  return {
    name: 'whatsapp',
    channel: 'whatsapp',
    async send(message) {
      const answer = await tryRequestJson(`${url}/${numberId}/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: whatsappBody(message, template),
        timeoutMs: timeoutMs ?? usualTimeoutMs,
      })
      return readWhatsappAnswer(answer)
    },
    // No code is needed: a reader who writes this to us has opted in.
    linkFor: (start) =>
      `https://wa.me/${number}?${new URLSearchParams({ text: `Je veux recevoir les alertes de Ntalo. /start ${start}` })}`,
    news: {
      path: '/webhooks/whatsapp',
      read({ headers, body }) {
        const wanted = `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`
        const isTheirs = isSameSecret(String(headers['x-hub-signature-256'] ?? ''), wanted)
        return isTheirs ? readWhatsappNews(parseJson(new TextDecoder().decode(body))) : null
      },
      challenge: (query) =>
        query['hub.mode'] === 'subscribe' && isSameSecret(query['hub.verify_token'] ?? '', verifyToken)
          ? (query['hub.challenge'] ?? null)
          : null,
    },
  }
}
