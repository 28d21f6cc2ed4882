import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import type { DashboardFigures } from '#features/statistics/dashboard/dashboard.contract.ts'
import { formatCount, formatNumber, formatRelativeTime } from '#web/format.ts'
import { Card, Facts } from '#web/ui/card.tsx'

type OwnWorkProps = { own: NonNullable<DashboardFigures['own']>; periodText: string }

/** What whoever collects has done himself. */
export function OwnWork({ own, periodText }: OwnWorkProps) {
  return (
    <Card title="Votre collecte">
      <Facts
        items={[
          { label: 'Aujourd’hui', value: formatCount(own.today, 'relevé', 'relevés') },
          { label: periodText, value: formatCount(own.inPeriod, 'relevé', 'relevés') },
          {
            label: 'Votre dernier relevé',
            value: own.lastCollectedAt ? formatRelativeTime(own.lastCollectedAt) : 'Aucun encore',
          },
        ]}
      />
    </Card>
  )
}

/** What waits for whoever administers: nothing is shown where nothing waits. */
export function Waiting({ waiting }: { waiting: DashboardFigures['waiting'] }) {
  const { silentAgents, pendingPayments, endingSubscriptions } = waiting
  const items = [
    { to: '/agents', count: silentAgents, one: 'agent silencieux', many: 'agents silencieux' },
    { to: '/payments', count: pendingPayments, one: 'paiement en attente', many: 'paiements en attente' },
    {
      to: '/subscriptions',
      count: endingSubscriptions,
      one: 'abonnement se termine sous 7\u00a0jours',
      many: 'abonnements se terminent sous 7\u00a0jours',
    },
  ].filter(({ count }) => count)
  if (items.length === 0) return null
  return (
    <section aria-label="À traiter">
      <ul className="flex flex-wrap gap-3">
        {items.map(({ to, count, one, many }) => (
          <li key={to} className="min-w-0 grow basis-56">
            <Link
              to={to}
              className="flex min-h-11 items-center gap-2 rounded-md border border-line bg-amber-soft px-4 py-2 hover:underline"
            >
              <span className="min-w-0 flex-1">
                <b className="font-semibold">{formatNumber(count)}</b>
                {` ${(count ?? 0) > 1 ? many : one}`}
              </span>
              <ChevronRight className="size-4 shrink-0 text-ink-soft" aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
