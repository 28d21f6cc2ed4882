import { createHmac, randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { pageOfChats } from '#features/channels/simulator/chats.rules.ts'
import { faultOf, type MessageFault } from '#features/channels/simulator/simulator.rules.ts'
import { requestJson } from '#server/http-client.ts'
import { parseJson } from '#shared/parse-json.ts'

/** A message as recorded by a provider. */
export type Booked = { provider: 'telegram' | 'orange' | 'keccel' | 'whatsapp'; to: string; text: string }

export type ChannelSimulator = {
  http: FastifyInstance
  /** Sets the address of our server. */
  tell(ownUrl: string): void
  books(): Booked[]
  /** Sends a text as the owner of a chat. @returns the status of our response */
  write(chat: number, text: string, more?: { updateId?: number; secret?: string }): Promise<number>
  /** Sends an event signed like WhatsApp's. */
  tellWhatsapp(value: object, secret?: string): Promise<number>
}

type Refusal = (why: NonNullable<MessageFault['refused']>) => { status: number; body: object | null }

const timeoutMs = 5_000

/**
 * Simulates Telegram, Orange, Keccel and WhatsApp as documented, without phones: the address of a message decides its
 * result (`simulator.rules.ts`). Its own page shows the sent messages, and sends texts as readers.
 * @param secret the credential that every provider expects from us
 */
export function createChannelSimulator({ secret }: { secret: string }): ChannelSimulator {
  const booked: Booked[] = []
  const refusals = new Map<string, number>()
  let ownUrl: string | undefined
  let telegramSecret = ''
  let updates = 0
  let token = randomUUID()

  const http = Fastify({ logger: false, forceCloseConnections: true })
  http.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(String(text)))),
  )

  const post = async (path: string, body: object, headers: Record<string, string> = {}) =>
    ownUrl ? (await requestJson(ownUrl + path, { method: 'POST', headers, body, timeoutMs })).status : 0

  /** Records a message, unless its address has a fault. */
  async function take(
    reply: FastifyReply,
    message: Booked,
    { refusal, isFirst = true, answer }: { refusal: Refusal; isFirst?: boolean; answer: () => object },
  ) {
    const {
      refused,
      times = Number.POSITIVE_INFINITY,
      isOfFirst = false,
      answer: fault,
    } = faultOf(message.to)
    const count = refusals.get(message.to) ?? 0
    if (refused && count < times && (isFirst || !isOfFirst)) {
      refusals.set(message.to, count + 1)
      if (refused === 'token') token = randomUUID()
      const { status, body } = refusal(refused)
      return reply.status(status).send(body)
    }
    booked.push(message)
    if (fault === 'error') return reply.status(500).send({})
    // No response: the connection stays open until the client closes it.
    if (fault === 'silence') return reply.hijack()
    if (fault === 'nonsense') return reply.status(200).type('text/html').send('<h1>OK</h1>')
    return answer()
  }

  http.post<{ Params: { bot: string }; Body: { chat_id: number; text: string } }>(
    '/bot:bot/sendMessage',
    async ({ params, body }, reply) => {
      const said = (error_code: number, description: string, more: object = {}) => ({
        status: error_code,
        body: { ok: false, error_code, description, ...more },
      })
      if (params.bot !== `1:${secret}`) return reply.status(401).send(said(401, 'Unauthorized').body)
      const message: Booked = { provider: 'telegram', to: String(body.chat_id), text: body.text }
      return take(reply, message, {
        refusal: (why) =>
          ({
            hasty: said(429, 'Too Many Requests: retry after 2', { parameters: { retry_after: 2 } }),
            address: said(403, 'Forbidden: bot was blocked by the user'),
            balance: said(400, 'Bad Request: message is too long'),
            token: said(401, 'Unauthorized'),
          })[why],
        answer: () => ({ ok: true, result: { message_id: booked.length } }),
      })
    },
  )
  http.post<{ Body: { url: string; secret_token: string } }>('/bot:bot/setWebhook', async ({ body }) => {
    ownUrl = new URL(body.url).origin
    telegramSecret = body.secret_token
    return { ok: true, result: true }
  })

  http.post('/oauth/v3/token', async ({ headers }, reply) => {
    const wanted = `Basic ${Buffer.from(`ntalo:${secret}`).toString('base64')}`
    if (headers.authorization !== wanted) return reply.status(401).send({ error: 'invalid_client' })
    return { token_type: 'Bearer', access_token: token, expires_in: '3600' }
  })
  http.post<{
    Body: { outboundSMSMessageRequest: { address: string; outboundSMSTextMessage: { message: string } } }
  }>('/smsmessaging/v1/outbound/:sender/requests', async ({ headers, body }, reply) => {
    const asked = body.outboundSMSMessageRequest
    const said = (status: number, kind: string, messageId: string, text: string) => ({
      status,
      body: { requestError: { [kind]: { messageId, text } } },
    })
    const expired = said(401, 'serviceException', 'SVC0001', 'Expired credentials')
    if (headers.authorization !== `Bearer ${token}`) return reply.status(401).send(expired.body)
    const message: Booked = {
      provider: 'orange',
      to: asked.address.replace('tel:+', ''),
      text: asked.outboundSMSTextMessage.message,
    }
    const reference = randomUUID()
    return take(reply, message, {
      refusal: (why) =>
        ({
          hasty: { status: 429, body: {} },
          address: said(400, 'serviceException', 'SVC0004', 'No valid addresses provided in message part'),
          balance: { status: 403, body: null },
          token: expired,
        })[why],
      answer: () => {
        void tellReceipts(message.to, reference)
        reply.status(201)
        return { outboundSMSMessageRequest: { resourceURL: `${message.to}/requests/${reference}` } }
      },
    })
  })

  async function tellReceipts(to: string, callbackData: string): Promise<void> {
    for (const deliveryStatus of faultOf(to).receipts ?? ['DeliveredToTerminal']) {
      const deliveryInfo = { address: `tel:+${to}`, deliveryStatus }
      const said = { deliveryInfoNotification: { callbackData, deliveryInfo } }
      await post(`/webhooks/orange/${secret}`, said).catch(() => 0)
    }
  }

  http.post<{ Body: { token: string; to: string; message: string } }>(
    '/sms/v2/message.asp',
    async ({ body }, reply) => {
      const rejected = (description: string) => ({ status: 200, body: { status: 'REJECTED', description } })
      if (body.token !== secret) return rejected('Invalid token').body
      return take(
        reply,
        { provider: 'keccel', to: body.to, text: body.message },
        {
          isFirst: false,
          refusal: (why) =>
            ({
              hasty: { status: 429, body: {} },
              address: rejected('Invalid destination number'),
              balance: rejected('Insufficient balance'),
              token: rejected('Invalid token'),
            })[why],
          answer: () => ({ status: 'SENT', messageID: String(booked.length), description: 'Message sent' }),
        },
      )
    },
  )

  http.get('/sms/v2/delivery.asp', async ({ raw }) => {
    // A GET with a body, which Fastify does not parse.
    const body = Object(parseJson(Buffer.concat(await raw.toArray()).toString()))
    if (body.token !== secret) return { status: 'REJECTED', description: 'Invalid token' }
    const to = booked[Number(body.messageid) - 1]?.to
    const [receipt] = to === undefined ? [] : (faultOf(to).receipts ?? ['DeliveredToTerminal'])
    if (receipt === 'DeliveredToTerminal') return { status: 'DELIVERED' }
    return { status: receipt === 'DeliveryImpossible' ? 'FAILED' : 'PENDING' }
  })

  http.post<{
    Body: {
      to?: string
      recipient?: string
      text?: { body: string }
      template?: { components: { parameters: { text: string }[] }[] }
    }
  }>('/:number/messages', async ({ headers, body }, reply) => {
    const said = (status: number, code: number, message: string) => ({
      status,
      body: { error: { code, message } },
    })
    if (headers.authorization !== `Bearer ${secret}`)
      return reply.status(401).send(said(401, 190, 'token').body)
    const text = body.text?.body ?? body.template?.components[0]?.parameters[0]?.text ?? ''
    return take(
      reply,
      { provider: 'whatsapp', to: body.recipient ?? body.to ?? '', text },
      {
        refusal: (why) =>
          ({
            hasty: said(400, 131_056, 'Pair rate limit hit'),
            address: said(400, 131_026, 'Message undeliverable'),
            balance: said(400, 131_042, 'Business eligibility payment issue'),
            token: said(401, 190, 'Access token has expired'),
          })[why],
        answer: () => ({ messages: [{ id: `wamid.${booked.length}` }] }),
      },
    )
  })

  const write: ChannelSimulator['write'] = (chat, text, { updateId = ++updates, secret: given } = {}) =>
    post(
      '/webhooks/telegram',
      { update_id: updateId, message: { chat: { id: chat, type: 'private' }, text } },
      { 'x-telegram-bot-api-secret-token': given ?? telegramSecret },
    )

  // The demonstration page: one Telegram chat, and all phone numbers.
  const ownChat = 1_000
  http.get('/', async (_request, reply) => reply.type('text/html').send(pageOfChats(booked)))
  http.get<{ Querystring: { start?: string } }>('/t.me/:bot', async ({ query }, reply) => {
    await write(ownChat, `/start ${query.start ?? ''}`.trim())
    return reply.redirect('/', 303)
  })
  http.post<{ Body: { text?: string } }>('/', async ({ body }, reply) => {
    if (body.text) await write(ownChat, body.text)
    return reply.redirect('/', 303)
  })

  return {
    http,
    tell(url) {
      ownUrl = url
    },
    books: () => [...booked],
    write,
    tellWhatsapp(value, signedWith = secret) {
      const body = { entry: [{ changes: [{ value }] }] }
      const signature = createHmac('sha256', signedWith).update(JSON.stringify(body)).digest('hex')
      return post('/webhooks/whatsapp', body, { 'x-hub-signature-256': `sha256=${signature}` })
    },
  }
}
