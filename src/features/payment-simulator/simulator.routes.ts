import Fastify, { type FastifyInstance } from 'fastify'
import { z } from 'zod'
import { createCaller } from '#features/payment-simulator/callbacks.jobs.ts'
import {
  activeConfiguration,
  type Scenario,
  scenarioOf,
} from '#features/payment-simulator/simulator.rules.ts'

type Deposit = {
  depositId: string
  amount: string
  currency: string
  phoneNumber: string
  provider: string
  created: string
  status: 'ACCEPTED' | 'COMPLETED' | 'FAILED' | 'SUBMITTED'
  failureCode?: string
  /** Time until which its status check says that it does not exist. */
  hiddenUntil: number
  /** Statuses of the responses to its callbacks. */
  answers: number[]
  scenario: Scenario
}

const body = z.object({
  depositId: z.uuid(),
  amount: z.string().regex(/^(0|[1-9]\d{0,17})(\.\d{0,3}[1-9])?$/),
  currency: z.string(),
  payer: z.object({
    type: z.literal('MMO'),
    accountDetails: z.object({ phoneNumber: z.string().regex(/^\d{9,15}$/), provider: z.string() }),
  }),
  clientReferenceId: z.string().optional(),
  customerMessage: z.string().regex(/^[A-Za-z0-9 ]{4,22}$/),
})

export type Simulator = {
  http: FastifyInstance
  /** Sets the callback address; no callbacks are sent before. */
  tell(callbackUrl: string): void
  /** Returns every accepted deposit, as recorded by the provider. */
  books(): { depositId: string; amount: string; currency: string; status: string; answers: number[] }[]
}

/**
 * Simulates pawaPay's Merchant API v2 as documented, without money: the payer's number decides the result of a deposit
 * (`simulator.rules.ts`).
 * @param endsAfterMs how long the payer takes
 * @param pace factor of longer delays, so that tests need not wait
 */
export function createSimulator({
  token,
  endsAfterMs,
  pace = 1,
}: {
  token: string
  endsAfterMs: number
  pace?: number
}): Simulator {
  const deposits = new Map<string, Deposit>()
  const caller = createCaller()
  const timers = new Set<NodeJS.Timeout>()
  let callbackUrl: string | undefined
  let isClosed = false

  const http = Fastify({ logger: false, forceCloseConnections: true })
  const after = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        timers.delete(timer)
        resolve()
      }, ms)
      timers.add(timer)
    })
  http.addHook('onClose', async () => {
    isClosed = true
    for (const timer of timers) clearTimeout(timer)
  })

  http.addHook('onRequest', async (request, reply) => {
    if (!request.url.startsWith('/v2/') || request.headers.authorization === `Bearer ${token}`) return
    return reply.status(401).send(failure('NO_AUTHENTICATION', 'The token is missing or wrong.'))
  })

  http.post('/v2/deposits', async (request, reply) => {
    const read = body.safeParse(request.body)
    if (!read.success) return reply.status(400).send(failure('INVALID_INPUT', read.error.message))
    const { depositId, amount, currency, payer } = read.data
    const created = new Date().toISOString()
    if (deposits.has(depositId)) return { depositId, status: 'DUPLICATE_IGNORED', created }
    const { phoneNumber, provider } = payer.accountDetails
    const scenario = scenarioOf(phoneNumber)
    const code =
      scenario.initially?.kind === 'rejected' ? scenario.initially.code : limitOf(provider, currency, amount)
    if (code) {
      const failureReason = { failureCode: code, failureMessage: code }
      return { depositId, status: 'REJECTED', created, failureReason }
    }
    if (scenario.initially?.kind === 'error') return reply.status(500).send(failure('UNKNOWN_ERROR', ''))
    const deposit: Deposit = {
      depositId,
      amount,
      currency,
      phoneNumber,
      provider,
      created,
      status: 'ACCEPTED',
      hiddenUntil: Date.now() + (scenario.isHiddenForMs ?? 0) * pace,
      answers: [],
      scenario,
    }
    deposits.set(depositId, deposit)
    if (scenario.isToldFirst) {
      end(deposit)
      await call(deposit)
    } else {
      void finish(deposit)
    }
    if (scenario.answersLaterMs) await after(scenario.answersLaterMs * pace)
    if (scenario.initially) return reply.status(500).send(failure('UNKNOWN_ERROR', ''))
    return { depositId, status: 'ACCEPTED', created }
  })

  http.get<{ Params: { id: string } }>('/v2/deposits/:id', async ({ params }) => {
    const deposit = deposits.get(params.id)
    return deposit && deposit.hiddenUntil <= Date.now()
      ? { status: 'FOUND', data: shown(deposit) }
      : { status: 'NOT_FOUND' }
  })

  http.post<{ Params: { id: string } }>('/v2/deposits/resend-callback/:id', async ({ params }) => {
    const deposit = deposits.get(params.id)
    const isOver = deposit?.status === 'COMPLETED' || deposit?.status === 'FAILED'
    if (!deposit || !isOver) {
      const failureCode = deposit ? 'INVALID_STATE' : 'NOT_FOUND'
      return { depositId: params.id, status: 'REJECTED', failureReason: { failureCode } }
    }
    void call(deposit)
    return { depositId: params.id, status: 'ACCEPTED' }
  })

  http.get('/v2/active-conf', async () => activeConfiguration)

  http.get('/v2/public-key/http', async () => caller.keys)

  async function finish(deposit: Deposit): Promise<void> {
    const { scenario } = deposit
    await after(endsAfterMs + (scenario.endsLaterMs ?? 0) * pace)
    end(deposit)
    if (!scenario.outcome && !scenario.isForged) return
    await after((scenario.calledLaterMs ?? 0) * pace)
    for (let sent = 0; sent < (scenario.callbacks ?? 1); sent++) await call(deposit)
  }

  function end(deposit: Deposit): void {
    const { outcome } = deposit.scenario
    deposit.status = outcome?.kind ?? 'SUBMITTED'
    if (outcome?.kind === 'FAILED') deposit.failureCode = outcome.code
  }

  /** Sends the callback; a client that misses it must poll. */
  async function call(deposit: Deposit): Promise<void> {
    if (!callbackUrl || isClosed) return
    const { scenario } = deposit
    const said = { ...shown(deposit), ...(scenario.isForged && { status: 'COMPLETED' }) }
    const status = await caller.call(callbackUrl, said, scenario.signature)
    if (status !== null) deposit.answers.push(status)
  }

  return {
    http,
    tell(url) {
      callbackUrl = url
    },
    books: () =>
      [...deposits.values()].map(({ depositId, amount, currency, status, answers }) => ({
        depositId,
        amount,
        currency,
        status,
        answers,
      })),
  }
}

function shown(deposit: Deposit) {
  const { depositId, status, amount, currency, phoneNumber, provider, created, failureCode, scenario } =
    deposit
  return {
    depositId,
    status: status === 'ACCEPTED' ? (scenario.waitsAs ?? status) : status,
    amount: scenario.hasNumbers ? Number(amount) : amount,
    currency,
    ...scenario.claims,
    country: 'COD',
    payer: { type: 'MMO', accountDetails: { phoneNumber, provider } },
    created,
    ...(status === 'COMPLETED' && { providerTransactionId: `SIM-${depositId.slice(0, 8)}` }),
    ...(failureCode && { failureReason: { failureCode, failureMessage: failureCode } }),
  }
}

function limitOf(provider: string, currency: string, amount: string): string | undefined {
  const providers = activeConfiguration.countries.flatMap((each) => each.providers)
  const way = providers
    .find((each) => each.provider === provider)
    ?.currencies.find((each) => each.currency === currency)
  if (!way) return 'INVALID_PROVIDER'
  const { minAmount, maxAmount, decimalsInAmount } = way.operationTypes.DEPOSIT
  if (Number(amount) < Number(minAmount) || Number(amount) > Number(maxAmount)) return 'AMOUNT_OUT_OF_BOUNDS'
  return decimalsInAmount === 'NONE' && amount.includes('.') ? 'INVALID_AMOUNT' : undefined
}

const failure = (failureCode: string, failureMessage: string) => ({
  failureReason: { failureCode, failureMessage },
})
