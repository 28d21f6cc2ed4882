import type { PaymentStatus } from '#features/payments/payments.contract.ts'

/** Whether a payment may go from one status to another: what was paid can only be refunded, and then nothing follows. */
export function mayFollow(before: PaymentStatus, after: PaymentStatus): boolean {
  if (before === after) return true
  if (before === 'REFUNDED') return false
  if (before === 'PAID') return after === 'REFUNDED'
  return after !== 'REFUNDED'
}
