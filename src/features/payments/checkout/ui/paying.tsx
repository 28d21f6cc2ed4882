import { useQueryClient } from '@tanstack/react-query'
import { Smartphone } from 'lucide-react'
import { useState } from 'react'
import { me } from '#features/auth/auth.contract.ts'
import { AskForLink } from '#features/auth/ui/ask-for-link.tsx'
import { waysToPay } from '#features/payments/checkout/checkout.contract.ts'
import { PayerForm } from '#features/payments/checkout/ui/payer-form.tsx'
import { PaymentProgress } from '#features/payments/checkout/ui/payment-progress.tsx'
import { ownPayments } from '#features/payments/payments.contract.ts'
import type { Plan } from '#features/plans/plans.contract.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type PayingProps = {
  plan: Plan
  /** Id of the payment that the payer returns from the card page with. */
  returning?: number | null
  /** Whether to ask for the confirmation at once, with the last number. */
  isRenewal?: boolean
  onPaid: () => void
  onChangePlan: () => void
}

/** Pays a plan by mobile money or card, then follows the payment. A pending payment is resumed. */
export function Paying({ plan, returning = null, isRenewal = false, onPaid, onChangePlan }: PayingProps) {
  const ways = useAnswer(waysToPay, {}, { staleTimeMs: 5 * 60_000 })
  const account = useAnswer(me, {}, { pauseMs: (loaded) => loaded?.user.email_verified === false && 5_000 })
  const waiting = useAnswer(ownPayments, { query: { status: 'PENDING', limit: 5 } })
  const [followed, setFollowed] = useState<number | null>(returning)
  // A payer who has just chosen the card is redirected to its page; one who returns, or resumes a payment, decides.
  const [begun, setBegun] = useState<number | null>(null)
  const [isRetrying, setRetrying] = useState(false)
  const client = useQueryClient()
  const open = waiting.data?.payments.find(({ planId, deposit }) => planId === plan.id && deposit)
  const id = followed ?? (isRetrying ? undefined : open?.id)
  if (!ways.data || !waiting.data) {
    // Once both are loaded the form stays even if a later request fails, because its idempotency key identifies a
    // payment that may already exist.
    const failed = [ways, waiting].find(({ data, isError }) => isError && !data)
    if (failed) return <LoadFailure title="Le paiement n’est pas joignable" answer={failed} compact />
    return <Skeleton className="h-40 w-full" />
  }
  if (ways.data.mobileMoney.length === 0 && !ways.data.card && id === undefined)
    return <NotOpen onChangePlan={onChangePlan} />
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
          goesToPage={id === begun}
          onPaid={onPaid}
          onRetry={() => {
            setFollowed(null)
            setRetrying(true)
          }}
          onChangePlan={onChangePlan}
        />
      ) : account.data?.user.email_verified === false ? (
        <AddressFirst email={account.data.user.email} onChangePlan={onChangePlan} />
      ) : (
        <PayerForm
          plan={plan}
          ways={ways.data}
          isRenewal={isRenewal && !isRetrying}
          onPayment={(made) => {
            setFollowed(made)
            setBegun(made)
          }}
          // Reloads everything: the payment may exist in spite of the failure, or its amount may have changed.
          onFailure={() => void client.invalidateQueries()}
          onChangePlan={onChangePlan}
        />
      )}
    </div>
  )
}

/** Shown instead of a form that would be refused; replaced by it once the address is confirmed. */
function AddressFirst({ email, onChangePlan }: { email: string; onChangePlan: () => void }) {
  return (
    <div className="space-y-4">
      <p className="rounded-md bg-amber-soft px-4 py-3 text-amber">
        {'Confirmez votre adresse e-mail avant de payer\u00a0: ouvrez le lien que nous avons envoyé à '}
        <strong className="font-medium wrap-anywhere">{email}</strong>. Cette page le remarque d’elle-même.
      </p>
      <div className="flex flex-wrap gap-3 *:max-sm:flex-1">
        <AskForLink email={email} />
        <Button onClick={onChangePlan}>Changer de plan</Button>
      </div>
    </div>
  )
}

/** Payments are not available yet; a user who wants to pay can say so. */
function NotOpen({ onChangePlan }: { onChangePlan: () => void }) {
  return (
    <EmptyState
      compact
      icon={Smartphone}
      title="Le paiement par mobile money n’est pas encore ouvert"
      action={
        <>
          <a href="/contact?sujet=Paiement%20d%E2%80%99un%20abonnement" className={buttonClass('primary')}>
            Nous écrire
          </a>
          <Button onClick={onChangePlan}>Changer de plan</Button>
        </>
      }
    >
      Notre équipe enregistre les paiements en espèces.
    </EmptyState>
  )
}
