import type { Initiated, News } from '#features/payments/mobile-money.rules.ts'
import type { PaymentStatus } from '#features/payments/payments.contract.ts'
import { dayMs, hourMs } from '#shared/days.ts'

export type DepositState = 'created' | 'pending' | 'succeeded' | 'failed' | 'unverified' | 'review'

export type DepositFacts = {
  state: DepositState
  failureCode: string | null
  /** Decimal texts in the database's format. */
  amount: string
  currency: string
  paymentStatus: PaymentStatus
  /** Whether its user has closed the account: no subscription can be opened. */
  isClosed?: boolean
  /** Whether the unused days credited in its price were since credited to another payment, or refunded. */
  isCreditGone?: boolean
  /** Whether another payment of the same plan, open at the same time, was paid. */
  isPaidTwice?: boolean
}

export type Decision = {
  state: DepositState
  failureCode: string | null
  /** New status of the payment; absent when unchanged. `PAID` opens its subscription. */
  payment?: 'PAID' | 'FAILED'
}

/** Returns the reference of a payment for the provider. */
export const orderReferenceOf = (paymentId: number): string => `NTALO-${paymentId}`

/** Returns the provider's report, or `unknown` when it names another order. */
export function aboutOrder(news: News | Initiated, paymentId: number): News | Initiated {
  const isOther = 'order' in news && news.order !== undefined && news.order !== orderReferenceOf(paymentId)
  return isOther ? { kind: 'unknown', reason: 'that answer is about another payment' } : news
}

/** How long a payer who started a payment expects to be asked for their code. */
const patienceMs = 2 * 60_000
/** After this time, a deposit unknown to the provider was never sent. */
export const sendingWindowMs = 15 * 60_000
/** After this time, no answer is expected, though a late one still counts. */
const answerWindowMs = dayMs
const lastLookMs = 30 * dayMs

/**
 * Returns whether to send (again) a deposit that may not have been sent: its id makes the provider accept it only once.
 */
export function isToBeSent(state: DepositState, ageMs: number): boolean {
  return state === 'created' && ageMs < patienceMs
}

/** Returns how long (ms) to wait before the next check of an open deposit; null for no more checks. */
export function pauseAfter(ageMs: number): number | null {
  if (ageMs < 5 * 60_000) return 4_000
  if (ageMs < sendingWindowMs) return 30_000
  if (ageMs < answerWindowMs) return 5 * 60_000
  return ageMs < lastLookMs ? 6 * hourMs : null
}

/**
 * Returns the new state of a deposit and its payment after a report. A final report of the provider stays, money
 * received is never denied, and contradictions wait for the team.
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

/** Returns whether a deposit is checked again: an open one, or a card page that was given up and may still be paid. */
export function isLookedAt({ state, failureCode }: Decision): boolean {
  const isOpen = state === 'pending' || state === 'unverified' || state === 'created'
  return isOpen || (state === 'failed' && cardFailures.includes(failureCode ?? ''))
}

/**
 * Handles money from a provider that had refused the deposit before another was asked: it was paid twice, or for
 * nothing.
 */
export function afterOtherMoney({ state, failureCode }: DepositFacts): Decision {
  return state === 'succeeded' ? { state, failureCode } : { state: 'review', failureCode: 'CONTRADICTION' }
}

/** Returns whether the team must review a decision, or fix the fault that it reveals. */
export function isForTeam({ state, failureCode }: Decision): boolean {
  return state === 'review' || state === 'unverified' || (state === 'failed' && failureCode === 'REFUSED')
}

const failed = { payment: 'FAILED' as const }

function afterMoney(before: DepositFacts, news: Extract<News, { kind: 'completed' }>): Decision {
  const { state, failureCode, paymentStatus } = before
  // The team has decided a contradiction: a repeated report changes nothing.
  const isDecided = state === 'failed' && failureCode === 'DECIDED'
  if (state === 'succeeded' || state === 'review' || isDecided) return { state, failureCode }
  const isSame = news.currency === before.currency && plainAmount(news.amount) === plainAmount(before.amount)
  if (!isSame) return { state: 'review', failureCode: 'AMOUNT_MISMATCH' }
  // A failure reported by the provider contradicts the money; a failure that we assumed does not.
  if (state === 'failed' && !givenUp.has(failureCode ?? ''))
    return { state: 'review', failureCode: 'CONTRADICTION' }
  if (before.isClosed) return { state: 'review', failureCode: 'ACCOUNT_CLOSED' }
  const isSettled = paymentStatus === 'PAID' || paymentStatus === 'REFUNDED'
  if (before.isCreditGone && !isSettled) return { state: 'review', failureCode: 'CREDIT_GONE' }
  if (before.isPaidTwice && !isSettled) return { state: 'review', failureCode: 'PAID_TWICE' }
  return { state: 'succeeded', failureCode: null, ...(!isSettled && { payment: 'PAID' as const }) }
}

/** Removes needless zeros from a decimal text, so that « 5.00 » equals « 5 », without converting it to a number. */
export function plainAmount(amount: string): string {
  const [, whole = '', decimals = ''] = /^0*(\d+)(?:\.(\d*?)0*)?$/.exec(amount.trim()) ?? []
  return decimals ? `${whole}.${decimals}` : whole
}
