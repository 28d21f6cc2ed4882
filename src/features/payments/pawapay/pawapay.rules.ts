// pawaPay's Merchant API v2, as documented: pure functions that build requests and read responses.

import { z } from 'zod'
import type { Initiated, News, Operator, Order, PayingMethod } from '#features/payments/mobile-money.rules.ts'
import { parseJson } from '#shared/parse-json.ts'

const country = 'COD'

/** pawaPay's names of the operators. */
const providerOf: Record<Operator, string> = {
  MPESA: 'VODACOM_MPESA_COD',
  AIRTEL: 'AIRTEL_COD',
  ORANGE: 'ORANGE_COD',
}

/** Returns the body of `POST /v2/deposits`. */
export function depositBody(order: Order) {
  return {
    depositId: order.depositId,
    amount: order.amount,
    currency: order.currency,
    payer: {
      type: 'MMO',
      accountDetails: { phoneNumber: order.phone, provider: providerOf[order.operator] },
    },
    clientReferenceId: order.reference,
    // 4 to 22 letters, digits and spaces.
    customerMessage: 'Abonnement Ntalo',
  }
}

const failureReason = z.object({ failureCode: z.string() })
const initiated = z.object({
  depositId: z.string().nullish(),
  status: z.string(),
  failureReason: failureReason.nullish(),
})
const ofAnother = { kind: 'unknown', reason: 'that answer is about another deposit' } as const

/** Interprets the response to `POST /v2/deposits` for a deposit. */
export function readInitiated(status: number, body: unknown, depositId: string): Initiated {
  const answer = initiated.safeParse(body).data
  if (answer?.depositId && !isSameId(answer.depositId, depositId)) return ofAnother
  const code = answer?.failureReason?.failureCode
  if (status === 200 && (answer?.status === 'ACCEPTED' || answer?.status === 'DUPLICATE_IGNORED'))
    return { kind: 'accepted' }
  if (status === 200 && answer?.status === 'REJECTED')
    return { kind: 'rejected', code: code ?? 'UNSPECIFIED_FAILURE' }
  // Our request or our token is wrong: nothing was taken, and a retry would fail as well.
  if ([400, 401, 403].includes(status)) return { kind: 'rejected', code: 'REFUSED' }
  return { kind: 'unknown', reason: `${status} ${code ?? answer?.status ?? ''}`.trim() }
}

const data = z.object({
  depositId: z.string(),
  clientReferenceId: z.string().nullish(),
  status: z.string(),
  amount: z.union([z.string(), z.number()]).transform(String),
  currency: z.string(),
  providerTransactionId: z.string().nullish(),
  failureReason: failureReason.nullish(),
})
const found = z.object({ status: z.literal('FOUND'), data })
const notFound = z.object({ status: z.literal('NOT_FOUND') })

/** Interprets the response to `GET /v2/deposits/{id}`. */
export function readStatus(status: number, body: unknown, depositId: string): News {
  if (status === 200) {
    const answer = found.safeParse(body).data
    if (answer) return isSameId(answer.data.depositId, depositId) ? readData(answer.data) : ofAnother
    if (notFound.safeParse(body).success) return { kind: 'not found' }
  }
  return { kind: 'unknown', reason: `${status}` }
}

const isSameId = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

function readData(deposit: z.infer<typeof data>): News {
  const { clientReferenceId: order } = deposit
  return { ...readEnd(deposit), ...(order && { order }) }
}

function readEnd(deposit: z.infer<typeof data>): News {
  if (deposit.status === 'COMPLETED') {
    const { amount, currency, providerTransactionId } = deposit
    return { kind: 'completed', amount, currency, reference: providerTransactionId ?? null }
  }
  if (deposit.status === 'FAILED')
    return { kind: 'failed', code: deposit.failureReason?.failureCode ?? 'UNSPECIFIED_FAILURE' }
  // ACCEPTED, PROCESSING, IN_RECONCILIATION, SUBMITTED, or any future status.
  return { kind: 'open' }
}

const callback = data.extend({ depositId: z.uuid() })

/** Reads a callback without checking its sender; undefined when it cannot be read. */
export function readCallback(body: string): { depositId: string; news: News } | undefined {
  const said = callback.safeParse(parseJson(body))
  return said.data && { depositId: said.data.depositId, news: readData(said.data) }
}

const deposits = z.object({
  minAmount: z.string(),
  maxAmount: z.string(),
  decimalsInAmount: z.string(),
  status: z.string().optional(),
})
const configuration = z.object({
  countries: z.array(
    z.object({
      country: z.string(),
      providers: z.array(
        z.object({
          provider: z.string(),
          currencies: z.array(
            z.object({ currency: z.string(), operationTypes: z.object({ DEPOSIT: deposits.optional() }) }),
          ),
        }),
      ),
    }),
  ),
})

/** Returns the payment methods in the response to `GET /v2/active-conf`; undefined when it cannot be read. */
export function readMethods(body: unknown): PayingMethod[] | undefined {
  const conf = configuration.safeParse(body).data
  const here = conf?.countries.find((each) => each.country === country)
  return here?.providers.flatMap(({ provider, currencies }) => {
    const operator = (Object.keys(providerOf) as Operator[]).find((name) => providerOf[name] === provider)
    return currencies.flatMap(({ currency, operationTypes: { DEPOSIT: deposit } }): PayingMethod[] => {
      if (!operator || !deposit || (currency !== 'CDF' && currency !== 'USD')) return []
      return [
        {
          operator,
          currency,
          minAmount: deposit.minAmount,
          maxAmount: deposit.maxAmount,
          decimals: deposit.decimalsInAmount === 'NONE' ? 0 : 2,
          isOpen: deposit.status !== 'CLOSED',
        },
      ]
    })
  })
}

/** Returns the public keys in the response to `GET /v2/public-key/http`, by id. */
export function readKeys(body: unknown): Map<string, string> {
  const keys = z.array(z.object({ id: z.string(), key: z.string() })).safeParse(body).data ?? []
  return new Map(keys.map(({ id, key }) => [id, key]))
}
