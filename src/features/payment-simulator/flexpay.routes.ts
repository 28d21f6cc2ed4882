import Fastify, { type FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type Scenario, scenarioOf, shownOrder } from '#features/payment-simulator/simulator.rules.ts'
import { requestJson } from '#server/http-client.ts'

type FlexpayOrder = {
  orderNumber: string
  reference: string
  amount: string
  currency: string
  phone: string
  callbackUrl: string | undefined
  /** Status in the check's format: 0 paid, 1 failed or not yet paid, 2 unclear. */
  status: '0' | '1' | '2'
  createdAt: Date
  /** Statuses of the responses to its callbacks. */
  answers: number[]
  scenario: Scenario
}

const body = z.object({
  merchant: z.string(),
  type: z.literal('1'),
  phone: z.string().regex(/^243\d{9}$/),
  reference: z.string().min(1).max(25),
  amount: z.string().regex(/^\d{1,18}(\.\d{1,2})?$/),
  currency: z.enum(['CDF', 'USD']),
  callbackUrl: z.url().optional(),
})

const callbackTimeoutMs = 5_000

export type FlexpaySimulator = {
  http: FastifyInstance
  /** Returns every accepted order, as recorded by the provider. */
  books(): { reference: string; orderNumber: string; status: string; answers: number[] }[]
}

/**
 * Simulates FlexPay's API without money: the payer's number decides the result of an order (`simulator.rules.ts`).
 * @param endsAfterMs how long the payer takes
 * @param pace factor of longer delays, so that tests need not wait
 */
export function createFlexpaySimulator({
  token,
  merchant,
  endsAfterMs,
  pace = 1,
}: {
  token: string
  merchant: string
  endsAfterMs: number
  pace?: number
}): FlexpaySimulator {
  const orders = new Map<string, FlexpayOrder>()
  const stopping = new AbortController()
  const http = Fastify({ logger: false, forceCloseConnections: true })
  http.addHook('onClose', async () => stopping.abort())
  http.addHook('onRequest', async (request, reply) => {
    if (request.headers.authorization === `Bearer ${token}`) return
    return reply.status(401).send({ code: '1', message: 'Unauthorized' })
  })

  http.post('/paymentService', async (request, reply) => {
    const read = body.safeParse(request.body)
    if (!read.success || read.data.merchant !== merchant)
      return reply.status(400).send({ code: '1', message: 'Bad request' })
    const { reference, amount, currency, phone, callbackUrl } = read.data
    const scenario = scenarioOf(phone)
    const codeAs = (code: number) => (scenario.hasNumbers ? code : String(code))
    const refused = (message: string) => ({ code: codeAs(1), message, orderNumber: null })
    const isReused = [...orders.values()].some((each) => each.reference === reference)
    if (isReused) return refused('This transaction has already been processed')
    if (scenario.initially?.kind === 'rejected') return refused('Service indisponible')
    if (scenario.initially?.kind === 'error') return reply.status(500).send({ message: 'Error' })
    const orderNumber = `SIM${orders.size + 1}N${Date.now()}`
    const order: FlexpayOrder = {
      orderNumber,
      reference,
      amount,
      currency,
      phone,
      callbackUrl,
      scenario,
      status: '1',
      createdAt: new Date(),
      answers: [],
    }
    orders.set(orderNumber, order)
    if (scenario.isToldFirst) {
      end(order)
      await call(order)
    } else {
      void finish(order)
    }
    if (scenario.answersLaterMs) await after(scenario.answersLaterMs * pace)
    if (scenario.initially?.kind === 'already processed')
      return refused('This transaction has already been processed')
    if (scenario.initially) return reply.status(500).send({ message: 'Error' })
    return {
      code: codeAs(0),
      message: 'Transaction envoyée avec succès. Veuillez valider le push message',
      orderNumber,
    }
  })

  http.get<{ Params: { orderNumber: string } }>('/check/:orderNumber', async ({ params }) => {
    const order = orders.get(params.orderNumber)
    if (!order) return { code: '1', message: 'Aucune transaction trouvée', transaction: null }
    const code = order.scenario.hasNumbers ? 0 : '0'
    return { code, message: 'Transaction trouvée', transaction: shownOrder(order, 'mpesa') }
  })

  async function after(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      stopping.signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
    })
  }

  async function finish(order: FlexpayOrder): Promise<void> {
    const { scenario } = order
    await after(endsAfterMs + (scenario.endsLaterMs ?? 0) * pace)
    end(order)
    if (!scenario.outcome && !scenario.isForged) return
    await after((scenario.calledLaterMs ?? 0) * pace)
    for (let sent = 0; sent < (scenario.callbacks ?? 1); sent++) await call(order)
  }

  function end(order: FlexpayOrder): void {
    if (order.scenario.outcome?.kind === 'COMPLETED') order.status = '0'
    else if (order.scenario.isUnclear) order.status = '2'
  }

  /** Sends the unsigned callback; a client that misses it must poll. */
  async function call(order: FlexpayOrder): Promise<void> {
    const { callbackUrl, scenario, answers } = order
    if (!callbackUrl || stopping.signal.aborted) return
    const { status: code, createdAt, ...said } = shownOrder(order, 'mpesa')
    const callback = { ...said, createdAt, code: scenario.isForged ? '0' : code, phone: order.phone }
    try {
      const { status } = await requestJson(callbackUrl, {
        method: 'POST',
        body: callback,
        timeoutMs: callbackTimeoutMs,
      })
      answers.push(status)
    } catch {
      // Nothing listens there.
    }
  }

  return {
    http,
    books: () =>
      [...orders.values()].map(({ reference, orderNumber, status, answers }) => ({
        reference,
        orderNumber,
        status,
        answers,
      })),
  }
}
