import Fastify, { type FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type Scenario, scenarioOf, shownOrder } from '#features/payment-simulator/simulator.rules.ts'
import { requestJson } from '#server/http-client.ts'

type CardOrder = {
  orderNumber: string
  reference: string
  amount: string
  currency: string
  description: string
  /** Addresses that the payer returns to, by action. */
  back: Record<CardAct, string>
  callbackUrl: string
  /** Status in the check's format: 0 paid, 1 failed or not yet paid, 2 unclear. */
  status: '0' | '1' | '2'
  createdAt: Date
  /** Statuses of the responses to its callbacks. */
  answers: number[]
  scenario: Scenario
}

/** Actions of a payer on the page. */
const cardActs = ['pay', 'decline', 'cancel', 'leave'] as const
export type CardAct = (typeof cardActs)[number]

const body = z.object({
  authorization: z.string(),
  merchant: z.string(),
  reference: z.string().min(1).max(25),
  amount: z.string().regex(/^\d{1,18}(\.\d{1,2})?$/),
  currency: z.enum(['CDF', 'USD']),
  description: z.string().min(1),
  callback_url: z.url(),
  approve_url: z.url(),
  cancel_url: z.url(),
  decline_url: z.url(),
  home_url: z.url(),
})
const acted = z.object({ act: z.enum(cardActs), card: z.string().max(40).default('') })

const callbackTimeoutMs = 5_000
/** Path of an order's page on our server. */
export const cardPagePath = '/demonstration/carte'

/**
 * Simulates FlexPay's API for cards, without money. The payer acts through `POST /orders/{orderNumber}`; the last
 * digits of the card decide the result (`simulator.rules.ts`), and `next` decides earlier responses.
 * @param pace factor of longer delays, so that tests need not wait
 */
export function createCardSimulator({
  token,
  merchant,
  pace = 1,
}: {
  token: string
  merchant: string
  pace?: number
}) {
  const orders = new Map<string, CardOrder>()
  const upcoming: Scenario[] = []
  const stopping = new AbortController()
  const http: FastifyInstance = Fastify({ logger: false, forceCloseConnections: true })
  http.addHook('onClose', async () => stopping.abort())

  http.post('/pay', async (request, reply) => {
    const read = body.safeParse(request.body)
    if (read.data && read.data.authorization !== `Bearer ${token}`)
      return reply.status(401).send({ code: '1', message: 'Unauthorized' })
    if (!read.success || read.data.merchant !== merchant)
      return reply.status(400).send({ code: '1', message: 'Bad request' })
    const { reference, amount, currency, description, ...addresses } = read.data
    const scenario = upcoming.shift() ?? {}
    const codeAs = (code: number) => (scenario.hasNumbers ? code : String(code))
    const refused = (message: string) => ({ code: codeAs(1), message, orderNumber: null, url: null })
    if ([...orders.values()].some((each) => each.reference === reference))
      return refused('This transaction has already been processed')
    if (scenario.initially?.kind === 'rejected') return refused('Service indisponible')
    if (scenario.initially?.kind === 'error') return reply.status(500).send({ message: 'Error' })
    const orderNumber = `CARTE${orders.size + 1}N${Date.now()}`
    orders.set(orderNumber, {
      orderNumber,
      reference,
      amount,
      currency,
      description,
      scenario,
      callbackUrl: addresses.callback_url,
      back: {
        pay: addresses.approve_url,
        decline: addresses.decline_url,
        cancel: addresses.cancel_url,
        leave: addresses.home_url,
      },
      status: '1',
      createdAt: new Date(),
      answers: [],
    })
    if (scenario.answersLaterMs) await after(scenario.answersLaterMs * pace)
    if (scenario.initially?.kind === 'already processed')
      return refused('This transaction has already been processed')
    if (scenario.initially) return reply.status(500).send({ message: 'Error' })
    const url = `http://${request.host}${cardPagePath}/${orderNumber}`
    return { code: codeAs(0), message: 'Redirigez le client', orderNumber, url }
  })

  http.get<{ Params: { asked: string } }>('/check/:asked', async ({ params, headers }, reply) => {
    if (headers.authorization !== `Bearer ${token}`)
      return reply.status(401).send({ code: '1', message: 'Unauthorized' })
    const { asked } = params
    const order = orders.get(asked) ?? [...orders.values()].find(({ reference }) => reference === asked)
    if (!order) return { code: '1', message: 'Aucune transaction trouvée', transaction: null }
    const code = order.scenario.hasNumbers ? 0 : '0'
    return { code, message: 'Transaction trouvée', transaction: shownOrder(order, 'card') }
  })

  http.get<{ Params: { orderNumber: string } }>('/orders/:orderNumber', async ({ params }, reply) => {
    const order = orders.get(params.orderNumber)
    if (!order) return reply.status(404).send({ message: 'Unknown' })
    const { amount, currency, description, status } = order
    return { amount, currency, description, isPaid: status === '0' }
  })

  http.post<{ Params: { orderNumber: string } }>('/orders/:orderNumber', async ({ params, body }, reply) => {
    const order = orders.get(params.orderNumber)
    const read = acted.safeParse(body)
    if (!order || !read.success) return reply.status(order ? 400 : 404).send({ message: 'Unknown' })
    return { goTo: await take(order, read.data) }
  })

  /** @returns the address that the payer is sent to */
  async function take(order: CardOrder, { act, card }: z.infer<typeof acted>): Promise<string> {
    if (act === 'pay' && card)
      order.scenario = { ...scenarioOf(card.replaceAll(/\D/g, '')), ...order.scenario }
    const { scenario } = order
    const isDeclined = act === 'decline' || (act === 'pay' && scenario.outcome?.kind === 'FAILED')
    if (act === 'pay' && !isDeclined && !scenario.isForged) {
      if (scenario.isToldFirst) {
        end(order)
        await call(order)
      } else void finish(order)
    } else if (act !== 'leave' && act !== 'cancel') void tell(order)
    return order.back[isDeclined ? 'decline' : act]
  }

  async function after(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      stopping.signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
    })
  }

  async function finish(order: CardOrder): Promise<void> {
    if (order.scenario.endsLaterMs) await after(order.scenario.endsLaterMs * pace)
    end(order)
    await tell(order)
  }

  function end(order: CardOrder): void {
    order.status = order.scenario.isUnclear ? '2' : '0'
  }

  async function tell(order: CardOrder): Promise<void> {
    const { calledLaterMs = 0, callbacks = 1 } = order.scenario
    if (calledLaterMs) await after(calledLaterMs * pace)
    for (let sent = 0; sent < callbacks; sent++) await call(order)
  }

  /** Sends the unsigned callback. */
  async function call(order: CardOrder): Promise<void> {
    if (stopping.signal.aborted) return
    const { status: code, ...said } = shownOrder(order, 'card')
    const callback = { ...said, code: order.scenario.isForged ? '0' : code }
    try {
      const { status } = await requestJson(order.callbackUrl, {
        method: 'POST',
        body: callback,
        timeoutMs: callbackTimeoutMs,
      })
      order.answers.push(status)
    } catch {
      // Nothing listens there.
    }
  }

  return {
    http,
    /** Sets the scenario of the next requested page. */
    next: (scenario: Scenario) => void upcoming.push(scenario),
    /** Returns every accepted order, as recorded by the provider. */
    books: () =>
      [...orders.values()].map(({ reference, orderNumber, status, answers, back, callbackUrl }) => ({
        reference,
        orderNumber,
        status,
        answers,
        back,
        callbackUrl,
      })),
  }
}
