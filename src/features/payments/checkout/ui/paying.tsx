import { useState } from 'react'
import { waysToPay } from '#features/payments/checkout/checkout.contract.ts'
import { PayerForm } from '#features/payments/checkout/ui/payer-form.tsx'
import { PaymentProgress } from '#features/payments/checkout/ui/payment-progress.tsx'
import { ownPayments } from '#features/payments/payments.contract.ts'
import type { Plan } from '#features/plans/plans.contract.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type PayingProps = { plan: Plan; onPaid: () => void; onChangePlan: () => void }

/** Pays a plan by mobile money: whom to ask, then what becomes of it. A payment that waits is found again. */
export function Paying({ plan, onPaid, onChangePlan }: PayingProps) {
  const ways = useAnswer(waysToPay, {}, { staleTimeMs: 5 * 60_000 })
  const waiting = useAnswer(ownPayments, { query: { status: 'PENDING', limit: 5 } })
  const [followed, setFollowed] = useState<number | null>(null)
  const [isRetrying, setRetrying] = useState(false)
  const open = waiting.data?.payments.find(({ planId, deposit }) => planId === plan.id && deposit)
  const id = followed ?? (isRetrying ? undefined : open?.id)
  if (!ways.data || !waiting.data) {
    // Once both are known a form stays, whatever fails later: its key says what was perhaps asked already.
    const failed = [ways, waiting].find(({ data, isError }) => isError && !data)
    if (failed) return <LoadFailure title="Le paiement n’est pas joignable" answer={failed} compact />
    return <Skeleton className="h-40 w-full" />
  }
  return (
    <div className="space-y-4">
      {ways.data.isSimulated && (
        <p className="flex flex-wrap items-center gap-2 text-ink-soft">
          <Badge tone="amber">Mode démonstration</Badge>
          {'Personne n’est débité\u00a0: essayez le 081\u00a0345\u00a067\u00a089.'}
        </p>
      )}
      {id !== undefined ? (
        <PaymentProgress
          id={id}
          onPaid={onPaid}
          onRetry={() => {
            setFollowed(null)
            setRetrying(true)
          }}
          onChangePlan={onChangePlan}
        />
      ) : (
        <PayerForm
          plan={plan}
          ways={ways.data}
          onPayment={setFollowed}
          // It may have been taken, or wait since before: then it is followed.
          onFailure={() => void waiting.refetch()}
          onChangePlan={onChangePlan}
        />
      )}
    </div>
  )
}
