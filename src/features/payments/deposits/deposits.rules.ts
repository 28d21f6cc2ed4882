import type { Initiated, News } from '#features/payments/mobile-money.rules.ts'
import type { PaymentStatus } from '#features/payments/payments.contract.ts'
import { dayMs } from '#shared/days.ts'

export type DepositState = 'created' | 'pending' | 'succeeded' | 'failed' | 'unverified' | 'review'

export type DepositFacts = {
  state: DepositState
  failureCode: string | null
  /** Decimal texts as the database writes them. */
  amount: string
  currency: string
  paymentStatus: PaymentStatus
  /** Its owner has closed his account: nothing can be opened for him. */
  isClosed?: boolean
  /** The unused days that it was asked for with were credited to another payment, or paid back. */
  isCreditGone?: boolean
  /** Another payment of the same plan, which was open beside it, has been paid. */
  isPaidTwice?: boolean
}

export type Decision = {
  state: DepositState
  failureCode: string | null
  /** What becomes of the payment; absent when nothing does. `PAID` opens its subscription. */
  payment?: 'PAID' | 'FAILED'
}

/** The reference of a payment for the provider. */
export const orderReferenceOf = (paymentId: number): string => `NTALO-${paymentId}`

/** What the provider says of a deposit, unless it names another order of ours or of somebody else. */
export function aboutOrder(news: News | Initiated, paymentId: number): News | Initiated {
  const isOther = 'order' in news && news.order !== undefined && news.order !== orderReferenceOf(paymentId)
  return isOther ? { kind: 'unknown', reason: 'that answer is about another payment' } : news
}

/** How long somebody who started a payment expects to be asked for his code. */
const patienceMs = 2 * 60_000
/** After this, what the provider does not know of was never sent. */
export const sendingWindowMs = 15 * 60_000
/** After this, nobody expects an answer any more, though a late one still counts. */
const answerWindowMs = dayMs
const lastLookMs = 30 * dayMs

/** Whether a deposit that may not have been sent is to be sent (again): its id makes the provider take it once. */
export function isToBeSent(state: DepositState, ageMs: number): boolean {
  return state === 'created' && ageMs < patienceMs
}

/** How long (ms) to wait before asking about an open deposit again; null never. */
export function pauseAfter(ageMs: number): number | null {
  if (ageMs < 5 * 60_000) return 4_000
  if (ageMs < sendingWindowMs) return 30_000
  if (ageMs < answerWindowMs) return 5 * 60_000
  return ageMs < lastLookMs ? 6 * 3_600_000 : null
}

/**
 * What an answer or a message of the provider makes of a deposit and its payment. What the provider said last of all stays,
 * money that came is never denied, and what contradicts itself waits for somebody.
 */
export function decide(before: DepositFacts, news: News | Initiated, ageMs: number): Decision {
  const same: Decision = { state: before.state, failureCode: before.failureCode }
  const isOpen = before.state === 'created' || before.state === 'pending' || before.state === 'unverified'
  switch (news.kind) {
    case 'completed':
      return afterMoney(before, news)
    case 'failed':
    case 'rejected':
      if (!isOpen) return same
      return { state: 'failed', failureCode: news.code, ...(before.paymentStatus === 'PENDING' && failed) }
    case 'not found':
      if (!isOpen || ageMs < sendingWindowMs) return same
      return { state: 'failed', failureCode: 'NOT_SENT', ...(before.paymentStatus === 'PENDING' && failed) }
    case 'unsent':
      if (!isOpen || ageMs < patienceMs) return same
      return { state: 'failed', failureCode: 'NOT_SENT', ...(before.paymentStatus === 'PENDING' && failed) }
    case 'mismatch':
      return isOpen ? { state: 'review', failureCode: 'REFERENCE_MISMATCH' } : same
    case 'accepted':
    case 'open':
      return isOpen ? { ...same, state: ageMs < answerWindowMs ? 'pending' : 'unverified' } : same
    case 'unknown':
      return isOpen && ageMs >= answerWindowMs ? { ...same, state: 'unverified' } : same
  }
}

const cardFailures = ['CARD_UNOPENED', 'CARD_CANCELLED', 'CARD_DECLINED', 'CARD_EXPIRED']
/** Failures that the provider has not confirmed as final: money received after one of them still pays this payment. */
export const givenUp: ReadonlySet<string> = new Set(['NOT_SENT', ...cardFailures])

/** Whether a deposit is asked about again: one that is open, and a page for cards that was given up and may still be paid. */
export function isLookedAt({ state, failureCode }: Decision): boolean {
  const isOpen = state === 'pending' || state === 'unverified' || state === 'created'
  return isOpen || (state === 'failed' && cardFailures.includes(failureCode ?? ''))
}

/** Money that comes from a provider that had refused it, after which another was asked: paid twice, or for nothing. */
export function afterOtherMoney({ state, failureCode }: DepositFacts): Decision {
  return state === 'succeeded' ? { state, failureCode } : { state: 'review', failureCode: 'CONTRADICTION' }
}

/** Whether somebody of our team must look at what was just decided, or mend what it shows. */
export function isForTeam({ state, failureCode }: Decision): boolean {
  return state === 'review' || state === 'unverified' || (state === 'failed' && failureCode === 'REFUSED')
}

const failed = { payment: 'FAILED' as const }

function afterMoney(before: DepositFacts, news: Extract<News, { kind: 'completed' }>): Decision {
  const { state, failureCode, paymentStatus } = before
  // Our team has looked at what contradicts itself: the same said again is no news.
  const isDecided = state === 'failed' && failureCode === 'DECIDED'
  if (state === 'succeeded' || state === 'review' || isDecided) return { state, failureCode }
  const isSame = news.currency === before.currency && plainAmount(news.amount) === plainAmount(before.amount)
  if (!isSame) return { state: 'review', failureCode: 'AMOUNT_MISMATCH' }
  // Of what the provider itself said to have failed it cannot have the money; of what we gave up it can.
  if (state === 'failed' && !givenUp.has(failureCode ?? ''))
    return { state: 'review', failureCode: 'CONTRADICTION' }
  if (before.isClosed) return { state: 'review', failureCode: 'ACCOUNT_CLOSED' }
  const isSettled = paymentStatus === 'PAID' || paymentStatus === 'REFUNDED'
  if (before.isCreditGone && !isSettled) return { state: 'review', failureCode: 'CREDIT_GONE' }
  if (before.isPaidTwice && !isSettled) return { state: 'review', failureCode: 'PAID_TWICE' }
  return { state: 'succeeded', failureCode: null, ...(!isSettled && { payment: 'PAID' as const }) }
}

/** A decimal text without useless zeros, so that « 5.00 » and « 5 » are the same; no number is made of it. */
export function plainAmount(amount: string): string {
  const [, whole = '', decimals = ''] = /^0*(\d+)(?:\.(\d*?)0*)?$/.exec(amount.trim()) ?? []
  return decimals ? `${whole}.${decimals}` : whole
}
