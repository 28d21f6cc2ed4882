// FlexPay's mobile money API, as public integrations show it (its own documentation comes with a merchant's contract):
// pure functions that build requests and read responses.

import { z } from 'zod'
import {
  type Initiated,
  type News,
  type Order,
  operators,
  type PayingMethod,
} from '#features/payments/mobile-money.rules.ts'
import { parseJson } from '#shared/parse-json.ts'

/**
 * Until this age, status 1 may also mean that the payer has not answered yet; after it, a repeated status 1 is a
 * failure.
 */
const undecidedMs = 5 * 60_000

/** Returns the reference of a deposit for FlexPay: 24 letters and digits, unique. */
export const referenceOf = (depositId: string): string => depositId.replaceAll('-', '').slice(0, 24)

/** Returns the body of `POST /paymentService`; type 1 is mobile money. */
export function paymentBody(order: Order, merchant: string, callbackUrl: string | undefined) {
  const { depositId, phone, amount, currency } = order
  return { merchant, type: '1', phone, reference: referenceOf(depositId), amount, currency, callbackUrl }
}

/** Codes, statuses and amounts are sent as text or as numbers. */
export const textOrNumber = z.union([z.string(), z.number()]).transform(String)
const orderNumber = textOrNumber.pipe(z.string().min(1).max(200))
const initiated = z.object({
  code: textOrNumber,
  orderNumber: orderNumber.nullish(),
  message: z.string().nullish().catch(null),
})
/** Error message for a reference used before: its order may be paid. */
export const referenceTaken = /already (been )?processed|d[ée]j[àa] (été )?trait/i
/** Our request or our token is wrong: nothing was taken, and a retry would fail as well. */
export const definiteRefusals: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 422])

/** Interprets the response to `POST /paymentService`. */
export function readOrdered(status: number, body: unknown): Initiated {
  if (definiteRefusals.has(status)) return { kind: 'rejected', code: 'REFUSED' }
  const answer = status < 300 ? initiated.safeParse(body).data : undefined
  if (answer?.code === '0' && answer.orderNumber) return { kind: 'accepted', reference: answer.orderNumber }
  if (answer?.code === '1' && !answer.orderNumber && !referenceTaken.test(answer.message ?? ''))
    return { kind: 'rejected', code: 'UNSPECIFIED_FAILURE' }
  return { kind: 'unknown', reason: `${status} ${answer?.code ?? ''}`.trim() }
}

const checked = z.object({
  code: textOrNumber,
  transaction: z
    .object({
      reference: z.string(),
      orderNumber: orderNumber.nullish(),
      amount: textOrNumber,
      currency: z.string(),
      status: textOrNumber,
    })
    .nullish(),
})

/**
 * Interprets the response to `GET /check/{orderNumber}`. Only status 0 means paid; 1 means failed or not yet paid; 2 is
 * ambiguous, so it decides nothing.
 * @param asked.orderNumber null when asked by our own reference
 */
export function readTransaction(
  status: number,
  body: unknown,
  asked: { depositId: string; orderNumber: string | null },
): News | { kind: 'not paid'; reference?: string } {
  const answer = status === 200 ? checked.safeParse(body).data : undefined
  if (!answer) return { kind: 'unknown', reason: `${status}` }
  const { code, transaction } = answer
  if (!transaction) return code === '1' ? { kind: 'not found' } : { kind: 'unknown', reason: `code ${code}` }
  const named = transaction.orderNumber ?? null
  const isOther = named && asked.orderNumber && named !== asked.orderNumber
  if (isOther || transaction.reference.toLowerCase() !== referenceOf(asked.depositId))
    return { kind: 'mismatch' }
  if (transaction.status === '0') {
    const { amount, currency } = transaction
    return { kind: 'completed', amount, currency, reference: asked.orderNumber ?? named }
  }
  return { kind: transaction.status === '1' ? 'not paid' : 'open', ...(named && { reference: named }) }
}

/** Same as `readTransaction` for mobile money: « not paid » is a failure after a while; it must be repeated. */
export function readChecked(
  status: number,
  body: unknown,
  asked: { depositId: string; orderNumber: string; ageMs: number },
): News {
  const said = readTransaction(status, body, asked)
  if (said.kind !== 'not paid') return said
  if (asked.ageMs < undecidedMs) return { ...said, kind: 'open' }
  return { kind: 'failed', code: 'UNSPECIFIED_FAILURE' }
}

const callback = z.object({ orderNumber })

/**
 * Returns the order number in a callback; undefined when it has none. Callbacks are unsigned, so nothing else is read.
 */
export function readOrderNumber(body: string): string | undefined {
  return callback.safeParse(parseJson(body)).data?.orderNumber
}

/** FlexPay publishes no limits; amounts beyond them are refused by the operator. */
export const methods: PayingMethod[] = operators.flatMap((operator) => [
  { operator, currency: 'CDF', minAmount: '100', maxAmount: '10000000', decimals: 0, isOpen: true },
  { operator, currency: 'USD', minAmount: '1', maxAmount: '5000', decimals: 2, isOpen: true },
])
