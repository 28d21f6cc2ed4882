import { CircleAlert, CircleCheck, CreditCard, Hourglass, type LucideIcon, Smartphone } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { leaveCardPage } from '#features/payments/card/card.contract.ts'
import { isByCard, type Progress, progressOf } from '#features/payments/checkout/progress.rules.ts'
import { type Payment, payments } from '#features/payments/payments.contract.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { statementOf, useAction, useAnswer } from '#web/query.ts'
import { serverTimeAt } from '#web/server-time.ts'
import { Button } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { ErrorNote } from '#web/ui/error-state.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type PaymentProgressProps = {
  id: number
  /** Whether to redirect the payer to the card page once it is open. */
  goesToPage: boolean
  onPaid: () => void
  onRetry: () => void
  onChangePlan: () => void
}

const isWaiting = (payment: Payment | undefined) => payment === undefined || payment.status === 'PENDING'

/** The progress of a payment until it is paid or has failed. */
export function PaymentProgress({ id, goesToPage, onPaid, onRetry, onChangePlan }: PaymentProgressProps) {
  const answer = useAnswer(
    payments.find,
    { params: { id } },
    { staleTimeMs: 0, pauseMs: (data) => isWaiting(data) && 2_000 },
  )
  const { data } = answer
  const isPaid = data?.status === 'PAID'
  const tell = useEffectEvent(onPaid)
  useEffect(() => {
    if (!isPaid) return
    const timer = setTimeout(() => tell(), 1_500)
    return () => clearTimeout(timer)
  }, [isPaid])
  const pageUrl = data?.deposit?.pageUrl ?? null
  useEffect(() => {
    if (goesToPage && pageUrl) location.assign(pageUrl)
  }, [goesToPage, pageUrl])
  const leave = useAction(leaveCardPage)
  if (!data) {
    if (answer.isError)
      return <LoadFailure title="Erreur lors du chargement du paiement" answer={answer} compact />
    return <Skeleton className="h-40 w-full" />
  }
  // The time of the last answer changes with each, when nothing else does: the payment becomes late at one of them.
  const progress = progressOf(data, serverTimeAt(answer.dataUpdatedAt) - Date.parse(data.created_at))
  return (
    <div role="status" className="space-y-4">
      <Message {...progress} isByCard={isByCard(data)} />
      {leave.error && <ErrorNote>{statementOf(leave.error)}</ErrorNote>}
      {!isPaid && (
        <div className="flex flex-wrap justify-center gap-3">
          {progress.stage === 'failed' && (
            <Button variant="primary" onClick={onRetry}>
              Réessayer
            </Button>
          )}
          {progress.stage === 'late' && <Button onClick={onRetry}>Payer autrement</Button>}
          {progress.stage === 'page' && pageUrl ? (
            <>
              <a href={pageUrl} className={buttonClass('primary')}>
                Ouvrir la page de paiement
              </a>
              <Button busy={leave.isPending} onClick={() => leave.mutate({ params: { id } })}>
                Abandonner
              </Button>
            </>
          ) : (
            <Button onClick={onChangePlan}>Changer de plan</Button>
          )}
        </div>
      )}
    </div>
  )
}

const signs: Record<Progress['stage'], { icon: LucideIcon; tone: string }> = {
  paid: { icon: CircleCheck, tone: 'text-green' },
  failed: { icon: CircleAlert, tone: 'text-red' },
  late: { icon: Hourglass, tone: 'text-amber' },
  asked: { icon: Smartphone, tone: 'text-river' },
  page: { icon: CreditCard, tone: 'text-river' },
  sending: { icon: Smartphone, tone: 'text-river' },
}

function Message({ stage, title, text, isByCard }: Progress & { isByCard: boolean }) {
  const { icon, tone } = signs[stage]
  const Icon = isByCard && stage === 'sending' ? CreditCard : icon
  return (
    <div className="flex flex-col items-center px-2 py-4 text-center">
      <Icon className={`size-10 ${tone}`} aria-hidden />
      <p className="mt-3 text-lg font-semibold">{title}</p>
      <p className="mt-1 w-full max-w-prose text-ink-soft">{text}</p>
      {(stage === 'asked' || stage === 'sending') && (
        <div className="mt-4 w-full max-w-prose">
          <ProgressBar label="Paiement en cours" share={null} />
        </div>
      )}
    </div>
  )
}
