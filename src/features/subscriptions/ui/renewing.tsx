import { Link } from '@tanstack/react-router'
import { renewalPlan } from '#features/subscriptions/changes/changes.rules.ts'
import type { Subscription } from '#features/subscriptions/subscriptions.contract.ts'
import { isToCome } from '#features/subscriptions/subscriptions.rules.ts'
import { formatDate } from '#web/format.ts'
import { buttonClass } from '#web/ui/button-class.ts'

/** Returns why a user has no access, and what to do. @param last their next or last period; null for the trial */
export function whyClosed(last: Subscription | null): string {
  if (!last || !isToCome(last, new Date()))
    return `${whatEnded(last)} Veuillez choisir un plan pour continuer.`
  const what = last.plan === null ? 'Votre essai gratuit' : `Votre abonnement «\u202f${last.plan}\u202f»`
  return `${what} commence le ${formatDate(last.startDate)}. Un plan payé maintenant commencerait après lui.`
}

function whatEnded(last: Subscription | null): string {
  if (last?.status === 'PAUSED')
    return `Votre abonnement «\u202f${last.plan}\u202f» est en pause depuis le ${formatDate(last.pausedAt ?? last.updatedAt)}\u00a0: ses jours reprennent à la fin de la pause.`
  return last?.planRef && last.planRef.price > 0
    ? `Votre abonnement «\u202f${last.planRef.name}\u202f» est terminé.`
    : 'Votre période d’essai est terminée.'
}

/** Links to the payment of one more period, with all fields filled in. */
export function RenewLink({ last }: { last: Subscription }) {
  const planId = renewalPlan(last)
  if (planId === null) return null
  return (
    <Link to="/payments" search={{ planId, renouveler: 1 }} className={buttonClass('primary')}>
      Renouveler
    </Link>
  )
}
