import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PlanCards, PlanPrice } from '#features/plans/ui/plan-cards.tsx'
import { ChangeButtons, ChangeNotice } from '#features/subscriptions/changes/ui/changes.tsx'
import { ownAccess, type Subscription } from '#features/subscriptions/subscriptions.contract.ts'
import { addressFirst, daysToEnd, isOpen, isToCome } from '#features/subscriptions/subscriptions.rules.ts'
import { RenewLink, whyClosed } from '#features/subscriptions/ui/renewing.tsx'
import { SubscriptionBadge } from '#features/subscriptions/ui/subscription-badge.tsx'
import { useTrial } from '#features/subscriptions/ui/trial.ts'
import { formatCount, formatDate } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { buttonClass } from '#web/ui/button-class.ts'
import { Card, Facts } from '#web/ui/card.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type SubscriptionCardProps = {
  /** Shown instead of a subscription to users whose role needs none. */
  whenExempt?: ReactNode
}

function Upcoming({ plan, startDate, endDate }: Subscription) {
  return (
    <span className="block">{`${plan ?? 'Essai gratuit'}, ${formatDate(startDate)} – ${formatDate(endDate)}`}</span>
  )
}

function OrganisationLink() {
  return (
    <Link to="/organisation" className={buttonClass()}>
      Mon organisation
    </Link>
  )
}

/** The user's subscription, its end, and the plans to choose from; the team chooses none. */
export function SubscriptionCard({ whenExempt }: SubscriptionCardProps) {
  const answer = useAnswer(ownAccess, {})
  const navigate = useNavigate()
  const trial = useTrial()
  const { data } = answer
  if (answer.isError && !data) {
    return <LoadFailure title="Erreur lors du chargement de votre abonnement" answer={answer} compact />
  }
  if (!data)
    return (
      <Card title="Mon Abonnement">
        <Skeleton className="h-24 w-full" />
      </Card>
    )
  const { subscription, upcoming, isExempt, remainingDays, mayStartTrial, membership } = data
  const isInForce = subscription && isOpen(subscription) && data.hasAccess
  const last = upcoming.at(-1) ?? subscription
  const next = upcoming[0] ?? subscription
  const isMember = membership?.isComprised && data.hasAccess
  return (
    <>
      {isMember && (
        <Card
          title="Mon organisation"
          description={`Vous lisez sur l’abonnement de ${membership.owner}${membership.plan ? ` («\u202f${membership.plan}\u202f»)` : ''}\u00a0: vous n’avez rien à payer.`}
          actions={<OrganisationLink />}
        />
      )}
      {isInForce && last ? (
        <Card
          title="Mon Abonnement"
          actions={
            <>
              {daysToEnd(data, new Date()) !== null && !last.canceledAt && <RenewLink last={last} />}
              {(subscription.planRef?.seats ?? 1) > 1 && <OrganisationLink />}
              <ChangeButtons last={last} />
            </>
          }
        >
          <ChangeNotice last={last} />
          <Facts
            columns={2}
            items={[
              { label: 'Plan', value: subscription.plan ?? 'Essai gratuit' },
              {
                label: 'Prix',
                value: subscription.planRef ? <PlanPrice plan={subscription.planRef} /> : 'Gratuit',
              },
              {
                label: 'Période',
                value: `${formatDate(subscription.startDate)} – ${formatDate(subscription.endDate)}`,
              },
              { label: 'Statut', value: <SubscriptionBadge status={subscription.status} /> },
              ...(upcoming.length > 0
                ? [{ label: 'Ensuite', value: upcoming.map((next) => <Upcoming key={next.id} {...next} />) }]
                : []),
              { label: 'Jours restants', value: formatCount(remainingDays, 'jour', 'jours') },
            ]}
          />
        </Card>
      ) : isExempt ? (
        whenExempt
      ) : isMember ? null : (
        <Card
          title="Aucun abonnement actif"
          description={
            data.confirmBy && !data.hasAccess
              ? addressFirst
              : remainingDays > 0
                ? `Il vous reste ${formatCount(remainingDays, 'jour', 'jours')} d’essai.`
                : whyClosed(next)
          }
          actions={
            <>
              {next && !isToCome(next, new Date()) && <RenewLink last={next} />}
              <a href="#plans" className={buttonClass(subscription ? undefined : 'primary')}>
                Choisir un plan
              </a>
            </>
          }
        />
      )}
      {!isExempt && (
        <section id="plans" aria-label="Choisir un plan">
          <h2 className="mb-3 text-base font-semibold">
            {isInForce ? 'Changer de plan ou prolonger' : 'Choisir un plan'}
          </h2>
          <PlanCards
            busy={trial.isPending}
            onTrial={mayStartTrial ? trial.start : undefined}
            onSelect={(plan) => void navigate({ to: '/payments', search: { planId: plan.id } })}
          />
        </section>
      )}
    </>
  )
}
