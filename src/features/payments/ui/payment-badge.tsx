import { type Payment, type PaymentStatus, paymentStatuses } from '#features/payments/payments.contract.ts'
import { isToVerify } from '#features/payments/payments.rules.ts'
import { Badge, type Tone } from '#web/ui/badge.tsx'

const tones: Record<PaymentStatus, Tone> = {
  PENDING: 'amber',
  PAID: 'green',
  FAILED: 'red',
  REFUNDED: 'blue',
}

/** The status of a payment in French, or « À vérifier » if the team must review it. */
export function PaymentBadge({ payment }: { payment: Payment }) {
  if (isToVerify(payment)) return <Badge tone="red">À vérifier</Badge>
  return <Badge tone={tones[payment.status]}>{paymentStatuses[payment.status]}</Badge>
}
