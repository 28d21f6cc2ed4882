import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { AskForLink } from '#features/auth/ui/ask-for-link.tsx'
import { isGateExempt, isGateShut } from '#features/gate/gate.rules.ts'
import { Paying } from '#features/payments/checkout/ui/paying.tsx'
import { type Plan, plans } from '#features/plans/plans.contract.ts'
import { PlanCards, PlanPrice } from '#features/plans/ui/plan-cards.tsx'
import { ownAccess, type Subscription } from '#features/subscriptions/subscriptions.contract.ts'
import { isToCome } from '#features/subscriptions/subscriptions.rules.ts'
import { RenewLink, whyClosed } from '#features/subscriptions/ui/renewing.tsx'
import { isTrialAccepted, useTrial } from '#features/subscriptions/ui/trial.ts'
import { paidReads } from '#shared/permissions.ts'
import { ApiError } from '#web/api.ts'
import { useAnswer } from '#web/query.ts'
import { isFirstSignIn, signOut, useUser } from '#web/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

const planKey = 'ntalo.gate-plan'
const payingKey = 'ntalo.gate-paying'

/** Covers the pages of a user without access until they have chosen and paid. */
export function SubscriptionGate() {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const { data } = useAnswer(
    ownAccess,
    {},
    {
      staleTimeMs: 0,
      // The link may be opened in another tab, or on a phone.
      pauseMs: (access) => (access?.hasAccess ? 60_000 : access?.confirmBy ? 5_000 : false),
    },
  )
  useAskedWhenRefused()
  const { permissions } = useUser()
  const isFirst = isFirstSignIn()
  const isTrialTaken = isTrialAccepted()
  if (!data || isGateExempt(path)) return null
  const access = {
    ...data,
    hasSubscription: data.subscription !== null || data.membership !== null,
    readsData: [...paidReads].some((permission) => permissions.includes(permission)),
  }
  if (!isGateShut(access, { isFirst, isTrialTaken })) return null
  // The settings, where the address can be corrected, stay open.
  if (data.confirmBy && !data.hasAccess) return path === '/settings' ? null : <AddressFirst />
  const [last = data.subscription] = data.upcoming
  return <Steps isFirst={isFirst} mayStartTrial={isFirst && data.mayStartTrial} last={last} />
}

// Refetches the access when a request is refused, so that the gate appears at once and not at the next poll.
function useAskedWhenRefused(): void {
  const client = useQueryClient()
  useEffect(
    () =>
      client.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return
        const error: unknown = event.action.error
        if (error instanceof ApiError && error.status === 402)
          void client.invalidateQueries({ queryKey: [ownAccess.path] })
      }),
    [client],
  )
}

/** The trial period without a confirmed address is over; the gate opens once the address is confirmed. */
function AddressFirst() {
  const { email } = useUser()
  return (
    <Modal
      title="Confirmez votre adresse e-mail"
      footer={
        <>
          <Button onClick={() => void signOut()}>Se déconnecter</Button>
          <AskForLink email={email} />
        </>
      }
    >
      <p>
        {'Pour continuer à lire les prix, ouvrez le lien que nous avons envoyé à '}
        <strong className="font-medium wrap-anywhere">{email}</strong>. Cette page le remarque d’elle-même.
      </p>
      <p>
        {'Cette adresse n’est pas la bonne\u202f? '}
        <a href="/settings" className="text-river underline">
          Changez-la dans vos paramètres
        </a>
        .
      </p>
    </Modal>
  )
}

type StepsProps = {
  isFirst: boolean
  mayStartTrial: boolean
  /** The next period of the user, otherwise the last. */
  last: Subscription | null
}

function Steps({ isFirst, mayStartTrial, last }: StepsProps) {
  const [planId, setPlanId] = useState(() => Number(sessionStorage.getItem(planKey)) || null)
  const [isPaying, setPaying] = useState(() => sessionStorage.getItem(payingKey) !== null)
  const chosen = useAnswer(plans.find, { params: { id: planId ?? 0 } }, { enabled: planId !== null })
  const trial = useTrial()

  const choose = (plan: Plan | null) => {
    setPlanId(plan?.id ?? null)
    setPaying(false)
    sessionStorage.removeItem(payingKey)
    if (plan) sessionStorage.setItem(planKey, String(plan.id))
    else sessionStorage.removeItem(planKey)
  }
  const pay = () => {
    sessionStorage.setItem(payingKey, '1')
    setPaying(true)
  }
  const finish = () => {
    choose(null)
    location.reload()
  }
  const leave = <Button onClick={() => void signOut()}>Se déconnecter</Button>
  const plan = planId === null || chosen.isError ? null : chosen.data

  if (!plan) {
    return (
      <Modal
        title="Choisissez votre plan"
        description={
          isFirst
            ? 'Bienvenue\u202f! Sélectionnez un plan pour commencer. Le plan gratuit offre 14 jours d’essai.'
            : whyClosed(last)
        }
        footer={
          <>
            {leave}
            {last && last.status !== 'PAUSED' && !isToCome(last, new Date()) && <RenewLink last={last} />}
          </>
        }
      >
        <PlanCards
          onSelect={choose}
          onTrial={mayStartTrial ? trial.start : undefined}
          busy={trial.isPending}
        />
      </Modal>
    )
  }
  if (!isPaying) {
    return (
      <Modal
        key="finish"
        title="Finaliser votre abonnement"
        footer={
          <>
            {leave}
            <Button onClick={() => choose(null)}>Changer de plan</Button>
            <Button variant="primary" onClick={pay} data-autofocus>
              Payer maintenant
            </Button>
          </>
        }
      >
        <div className="rounded-md border border-line p-4">
          <h3 className="text-base font-semibold">{plan.name}</h3>
          <p className="text-lg font-semibold tracking-tight">
            <PlanPrice plan={plan} />
          </p>
          {plan.description && <p className="mt-1 text-ink-soft">{plan.description}</p>}
        </div>
      </Modal>
    )
  }
  return (
    <Modal
      key="pay"
      title="Paiement de l’abonnement"
      description={
        <>
          {`${plan.name}\u00a0: `}
          <PlanPrice plan={plan} />
        </>
      }
      footer={leave}
    >
      <Paying plan={plan} onPaid={finish} onChangePlan={() => choose(null)} />
    </Modal>
  )
}

type ModalProps = {
  title: string
  description?: ReactNode
  footer: ReactNode
  children: ReactNode
}

/** A dialog that must be answered: no close button, no Escape, no click outside. */
function Modal(props: ModalProps) {
  return <Dialog open size="lg" dismissible={false} onClose={() => {}} {...props} />
}
