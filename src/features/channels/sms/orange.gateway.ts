import { z } from 'zod'
import { type Courier, type Handover, unsentAfterS } from '#features/channels/couriers.rules.ts'
import { readOrangeAnswer, readReceipt } from '#features/channels/sms/orange.rules.ts'
import { tryRequestJson } from '#server/http-client.ts'
import { isSameSecret } from '#server/session/tokens.ts'
import { parseJson } from '#shared/parse-json.ts'

const usualTimeoutMs = 10_000
/** Address that stands for every sender of the country. */
const country = 'tel:+2430000'
/** How long (s) before its expiry a token is renewed. */
const earlyS = 60

const granted = z.object({ access_token: z.string(), expires_in: z.coerce.number() })
type Token = { value: string; until: number }

/**
 * Creates the SMS courier of Orange (developer.orange.com/apis/sms). Its receipts are unsigned, so their path is a
 * secret.
 */
export function createOrange(options: {
  url: string
  clientId: string
  clientSecret: string
  /** Sender's name shown to the reader; Orange's fixed number when null. */
  senderName: string | null
  /** Last part of the receipts' path, as registered at Orange; null without receipts. */
  receiptSecret: string | null
  timeoutMs?: number | undefined
}): Courier {
  const { url, clientId, clientSecret, senderName, receiptSecret, timeoutMs = usualTimeoutMs } = options
  let token: Token | undefined

  async function renewed(): Promise<Token | Handover> {
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    const answer = await tryRequestJson(`${url}/oauth/v3/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      form: { grant_type: 'client_credentials' },
      timeoutMs,
    })
    const read = 'status' in answer && answer.status === 200 ? granted.safeParse(answer.body).data : undefined
    if (!read) {
      // Without a token no SMS was sent, so trying again sends none twice.
      const isRefusal = 'status' in answer && answer.status < 500 && answer.status !== 429
      const reason = `no token: ${'status' in answer ? answer.status : answer.reason}`
      return isRefusal
        ? { kind: 'refused', because: 'service', reason }
        : { kind: 'later', afterS: unsentAfterS, reason }
    }
    token = { value: read.access_token, until: Date.now() + (read.expires_in - earlyS) * 1_000 }
    return token
  }

  function post(address: string, message: string, { value }: Token) {
    const outboundSMSMessageRequest = {
      address: `tel:+${address}`,
      senderAddress: country,
      ...(senderName && { senderName }),
      outboundSMSTextMessage: { message },
    }
    return tryRequestJson(`${url}/smsmessaging/v1/outbound/${encodeURIComponent(country)}/requests`, {
      method: 'POST',
      headers: { authorization: `Bearer ${value}` },
      body: { outboundSMSMessageRequest },
      timeoutMs,
    })
  }

  return {
    name: 'orange',
    channel: 'sms',
    async send({ address, text }) {
      let held = token && token.until > Date.now() ? token : await renewed()
      if ('kind' in held) return held
      let answer = await post(address, text, held)
      // A token may expire early; a 401 means that nothing was sent.
      if ('status' in answer && answer.status === 401) {
        held = await renewed()
        if ('kind' in held) return held
        answer = await post(address, text, held)
      }
      return readOrangeAnswer(answer)
    },
    ...(receiptSecret && {
      news: {
        path: '/webhooks/orange/:secret',
        read: ({ url: at, body }) =>
          isSameSecret(new URL(at).pathname.split('/').at(-1) ?? '', receiptSecret)
            ? readReceipt(parseJson(new TextDecoder().decode(body)))
            : null,
      },
    }),
  }
}
