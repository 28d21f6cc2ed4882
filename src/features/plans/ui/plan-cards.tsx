import type { ReactNode } from 'react'
import { type Plan, plans } from '#features/plans/plans.contract.ts'
import { periodName, seatsComprised, smsComprised } from '#features/plans/plans.rules.ts'
import { formatMoney } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Shows `5,00 $US / mois`, or « Gratuit ». */
export function PlanPrice({ plan }: { plan: Plan }) {
  return planPriceText(plan)
}

/** Returns `5,00 $US / mois`, or « Gratuit ». */
export function planPriceText(plan: Plan): string {
  if (plan.price === 0) return 'Gratuit'
  return `${formatMoney(plan.price, plan.currency)}\u00a0/\u00a0${periodName(plan)}`
}

type PlanCardsProps = {
  onSelect: (plan: Plan) => void
  /** Starts the free trial; absent when it is no longer available. */
  onTrial?: (() => void) | undefined
  busy?: boolean
}

/** The plans on sale, each with its price. */
export function PlanCards({ onSelect, onTrial, busy }: PlanCardsProps) {
  const answer = useAnswer(plans.list, { query: { isActive: true, limit: 100 } })
  if (answer.isError && !answer.data)
    return <LoadFailure title="Erreur lors du chargement des plans" answer={answer} compact />
  // A free plan is the trial, which has its own card while available, and cannot be bought afterwards.
  const offered = answer.data?.plans.filter(({ price }) => price > 0)
  if (offered?.length === 0 && !onTrial) {
    return (
      <EmptyState title="Aucun plan trouvé" compact>
        Aucun plan n’est proposé pour le moment.
      </EmptyState>
    )
  }
  return (
    <ul
      aria-label="Plans"
      aria-busy={answer.isPending}
      className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,16rem),1fr))] gap-4"
    >
      {onTrial && (
        <Offer
          name="Gratuit"
          price="Essai 14 jours"
          description="Toutes les données pendant 14 jours, sans moyen de paiement."
          busy={busy}
          onSelect={onTrial}
        />
      )}
      {offered?.map((plan) => (
        <Offer
          key={plan.id}
          name={plan.name}
          price={<PlanPrice plan={plan} />}
          description={plan.description}
          comprised={[seatsComprised(plan), smsComprised(plan)]}
          busy={busy}
          onSelect={() => onSelect(plan)}
        />
      )) ?? (
        <li className="rounded-md border border-line p-4">
          <Skeleton className="h-24 w-full" />
        </li>
      )}
    </ul>
  )
}

type OfferProps = {
  name: string
  price: ReactNode
  description: string | null
  /** Texts of the quantities that the plan includes; null entries are not shown. */
  comprised?: readonly (string | null)[]
  busy?: boolean | undefined
  onSelect: () => void
}

function Offer({ name, price, description, comprised = [], busy, onSelect }: OfferProps) {
  return (
    <li className="flex flex-col gap-2 rounded-md border border-line bg-surface p-4">
      <h3 className="text-base font-semibold wrap-anywhere">{name}</h3>
      <p className="text-lg font-semibold tracking-tight">{price}</p>
      {description && <p className="text-ink-soft wrap-anywhere">{description}</p>}
      {comprised.filter(Boolean).map((words) => (
        <p key={words} className="text-ink-soft">
          {words}
        </p>
      ))}
      <Button
        variant="primary"
        className="mt-auto"
        busy={busy ?? false}
        aria-label={`Sélectionner le plan ${name}`}
        onClick={onSelect}
      >
        Sélectionner
      </Button>
    </li>
  )
}
