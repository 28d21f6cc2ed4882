// FlexPay's card page, as public integrations show it: the payer is sent there, pays or not, and is redirected back.

import { z } from 'zod'
import {
  definiteRefusals,
  readTransaction,
  referenceOf,
  referenceTaken,
  textOrNumber,
} from '#features/payments/flexpay/flexpay.rules.ts'
import type {
  Initiated,
  News,
  Order,
  Provider,
  StatusQuestion,
} from '#features/payments/mobile-money.rules.ts'

export type CardOrder = Omit<Order, 'phone' | 'operator'>

/** A provider with a page that accepts cards. */
export type CardPages = Provider<CardOrder> & {
  currencies: readonly Order['currency'][]
  /** Returns whether we issued the address that a payer returned by for this deposit. */
  isReturn(depositId: string, key: string): boolean
}

/** Results by the last part of a return address; they come from the payer's browser and prove nothing. */
export const cardReturns = {
  valide: null,
  annule: 'cancelled',
  refuse: 'declined',
  accueil: null,
} as const satisfies Record<string, 'cancelled' | 'declined' | null>
export type Return = keyof typeof cardReturns

/** How long (ms) a page is followed; a payment made on it later still counts. */
export const pageLastsMs = 30 * 60_000
/** Longest time (ms) to open a page. */
export const openingMs = 2 * 60_000

/** Returns the body of `POST /pay`. */
export function pageBody(
  { depositId, amount, currency }: CardOrder,
  account: { merchant: string; token: string },
  addresses: { callback: string; back: (issue: Return) => string },
) {
  return {
    authorization: `Bearer ${account.token}`,
    merchant: account.merchant,
    reference: referenceOf(depositId),
    amount,
    currency,
    description: 'Abonnement Ntalo',
    callback_url: addresses.callback,
    approve_url: addresses.back('valide'),
    cancel_url: addresses.back('annule'),
    decline_url: addresses.back('refuse'),
    home_url: addresses.back('accueil'),
  }
}

const opened = z.object({
  code: textOrNumber,
  orderNumber: textOrNumber.pipe(z.string().min(1).max(200)).nullish(),
  url: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .nullish()
    .catch(null),
  message: z.string().nullish().catch(null),
})

/** Interprets the response to `POST /pay`. */
export function readOpened(status: number, body: unknown): Initiated {
  if (definiteRefusals.has(status)) return { kind: 'rejected', code: 'REFUSED' }
  const answer = status < 300 ? opened.safeParse(body).data : undefined
  if (answer?.code === '0' && answer.orderNumber && answer.url)
    return { kind: 'accepted', reference: answer.orderNumber, pageUrl: answer.url }
  if (answer?.code === '1' && !answer.orderNumber && !referenceTaken.test(answer.message ?? ''))
    return { kind: 'rejected', code: 'CARD_UNOPENED' }
  return { kind: 'unknown', reason: `${status} ${answer?.code ?? ''}`.trim() }
}

/**
 * Interprets the response to `GET /check` for a card payment. « Not paid » makes it fail only if it can no longer be
 * paid as far as we know: its page was never opened, its payer declared having left it, or it was open for too long.
 */
export function readCardChecked(
  status: number,
  body: unknown,
  asked: { depositId: string } & Pick<StatusQuestion, 'reference' | 'ageMs' | 'page'>,
): News {
  const said = readTransaction(status, body, { depositId: asked.depositId, orderNumber: asked.reference })
  if (said.kind !== 'not paid') return said
  const { isKnown = false, leftAs = null } = asked.page ?? {}
  if (!isKnown) return { kind: 'failed', code: 'CARD_UNOPENED' }
  if (leftAs !== null)
    return { kind: 'failed', code: leftAs === 'cancelled' ? 'CARD_CANCELLED' : 'CARD_DECLINED' }
  return asked.ageMs < pageLastsMs ? { ...said, kind: 'open' } : { kind: 'failed', code: 'CARD_EXPIRED' }
}

/** A card payment needs no phone number: only checks that the page accepts the currency of the amount due. */
export function readCard(
  { currency }: { currency: 'CDF' | 'USD' },
  { currencies }: Pick<CardPages, 'currencies'>,
): { phone: null; operator: null } | { field: 'currency'; message: string } {
  if (currencies.includes(currency)) return { phone: null, operator: null }
  return { field: 'currency', message: `La carte ne paie pas en ${currency}. Choisissez une autre devise.` }
}
