import { operatorNames } from '#features/payments/mobile-money.rules.ts'
import { type Payment, type PaymentStatus, paymentMethods } from '#features/payments/payments.contract.ts'

/**
 * Returns whether a payment may change from one status to another: a paid one can only be refunded, and a refunded one
 * cannot change.
 */
export function mayFollow(before: PaymentStatus, after: PaymentStatus): boolean {
  if (before === after) return true
  if (before === 'REFUNDED') return false
  if (before === 'PAID') return after === 'REFUNDED'
  return after !== 'REFUNDED'
}

/**
 * Returns whether the team must review it: the provider's reports contradict each other, or there was none for a day.
 */
export function isToVerify({ status, deposit }: Pick<Payment, 'status' | 'deposit'>): boolean {
  if (deposit?.state === 'review') return status === 'PENDING' || status === 'FAILED'
  return deposit?.state === 'unverified' && status === 'PENDING'
}

/** Whether a payment opens no subscription even once it is paid: its account is closed, or its credited days are used. */
export function opensNothing({ deposit }: Pick<Payment, 'deposit'>): boolean {
  return ['ACCOUNT_CLOSED', 'CREDIT_GONE'].includes(deposit?.failure?.code ?? '')
}

/** Returns the name of the mobile money operator of a payment, or of its method when it has none. */
export function paymentMethodName({
  paymentMethod,
  deposit,
}: Pick<Payment, 'paymentMethod' | 'deposit'>): string {
  return deposit?.operator ? operatorNames[deposit.operator] : paymentMethods[paymentMethod]
}
