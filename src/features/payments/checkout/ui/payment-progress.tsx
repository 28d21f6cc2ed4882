import { CircleAlert, CircleCheck, Hourglass, type LucideIcon, Smartphone } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { operatorNames, unbroken } from '#features/payments/mobile-money.rules.ts'
import { type Payment, payments } from '#features/payments/payments.contract.ts'
import { formatMoney } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type PaymentProgressProps = { id: number; onPaid: () => void; onRetry: () => void; onChangePlan: () => void }

const isWaiting = (payment: Payment | undefined) => payment === undefined || payment.status === 'PENDING'
/** After this, whoever waits is told that he need not. */
const patienceMs = 3 * 60_000

/** What becomes of a payment, as it happens, until it is paid or has failed. */
export function PaymentProgress({ id, onPaid, onRetry, onChangePlan }: PaymentProgressProps) {
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
  if (!data) {
    if (answer.isError)
      return <LoadFailure title="Erreur lors du chargement du paiement" answer={answer} compact />
    return <Skeleton className="h-40 w-full" />
  }
  return (
    <div role="status" className="space-y-4">
      <State payment={data} />
      {!isPaid && (
        <div className="flex flex-wrap justify-center gap-3">
          {data.status === 'FAILED' && (
            <Button variant="primary" onClick={onRetry}>
              Réessayer
            </Button>
          )}
          {isLate(data) && <Button onClick={onRetry}>Payer autrement</Button>}
          <Button onClick={onChangePlan}>Changer de plan</Button>
        </div>
      )}
    </div>
  )
}

function isLate({ status, deposit, created_at }: Payment): boolean {
  const isOld = Date.now() - Date.parse(created_at) > patienceMs
  return status === 'PENDING' && (isOld || deposit?.state === 'unverified' || deposit?.state === 'review')
}

function State({ payment }: { payment: Payment }) {
  const { status, deposit, amount, currency } = payment
  const operator = deposit ? unbroken(operatorNames[deposit.operator]) : ''
  const sum = formatMoney(amount, currency)
  if (status === 'PAID') {
    return (
      <Message icon={CircleCheck} tone="text-green" title="Paiement confirmé">
        {sum} reçus par {operator}. Votre abonnement est actif.
      </Message>
    )
  }
  if (status === 'FAILED' || status === 'REFUNDED') {
    return (
      <Message icon={CircleAlert} tone="text-red" title="Le paiement n’a pas abouti">
        {deposit?.failure?.message ?? 'Réessayez, ou essayez un autre numéro.'}
      </Message>
    )
  }
  if (isLate(payment)) {
    return (
      <Message icon={Hourglass} tone="text-amber" title="Toujours en attente">
        {deposit?.failure?.message ??
          `${operator} n’a pas encore répondu. Vous pouvez fermer cette page\u00a0: si le paiement de ${sum} aboutit, votre abonnement s’ouvre de lui-même.`}
      </Message>
    )
  }
  const isSent = deposit?.state === 'pending'
  return (
    <Message
      icon={Smartphone}
      tone="text-river"
      title={isSent ? 'Validez sur votre téléphone' : `Envoi de la demande à ${operator}…`}
    >
      {isSent
        ? `${operator} demande votre code PIN au +${deposit?.phone} pour ${sum}.`
        : 'Gardez votre téléphone à portée de main.'}
      <div className="mt-4">
        <ProgressBar label="Paiement en cours" share={null} />
      </div>
    </Message>
  )
}

type MessageProps = { icon: LucideIcon; tone: string; title: string; children: ReactNode }

function Message({ icon: Icon, tone, title, children }: MessageProps) {
  return (
    <div className="flex flex-col items-center px-2 py-4 text-center">
      <Icon className={`size-10 ${tone}`} aria-hidden />
      <p className="mt-3 text-lg font-semibold">{title}</p>
      <div className="mt-1 w-full max-w-prose text-ink-soft">{children}</div>
    </div>
  )
}
