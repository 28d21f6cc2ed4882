import type { Payment, PaymentStatus } from '#features/payments/payments.contract.ts'

/** Whether a payment may go from one status to another: what was paid can only be refunded, and then nothing follows. */
export function mayFollow(before: PaymentStatus, after: PaymentStatus): boolean {
  if (before === after) return true
  if (before === 'REFUNDED') return false
  if (before === 'PAID') return after === 'REFUNDED'
  return after !== 'REFUNDED'
}

/** Whether somebody of our team must look at it: what the provider says does not add up, or it has said nothing for a day. */
export function isToVerify({ status, deposit }: Pick<Payment, 'status' | 'deposit'>): boolean {
  if (deposit?.state === 'review') return status === 'PENDING' || status === 'FAILED'
  return deposit?.state === 'unverified' && status === 'PENDING'
}
