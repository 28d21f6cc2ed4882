import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { isStale } from '#features/prices/ui/price-movement.tsx'
import { today } from '#features/prices/ui/price-selection.ts'
import type { DashboardFigures } from '#features/statistics/dashboard/dashboard.contract.ts'
import type { DayRange } from '#shared/fields.ts'
import { capitalise, formatNumber, formatRelativeTime } from '#web/format.ts'
import { linkWithin } from '#web/ui/charts/link-within.tsx'
import { Counters } from '#web/ui/counters.tsx'
import { InfoPopover } from '#web/ui/info-popover.tsx'

type OwnWorkProps = {
  own: NonNullable<DashboardFigures['own']>
  periodText: string
  days: DayRange
  /** Where what was collected in some days is listed; in all, without any. */
  rowsOf: (days: DayRange) => string
}

/** What whoever collects has done himself. */
export function OwnWork({ own, periodText, days, rowsOf }: OwnWorkProps) {
  const info = (label: string) => (
    <InfoPopover label={label} definition="/methode#plateforme">
      Les relevés que vous avez saisis, d’après leur date de relevé. La période les choisit, les autres
      filtres non.
    </InfoPopover>
  )
  // As long as the label beside it: two lines each on a phone.
  const ofPeriod = `Votre collecte, ${periodText.toLowerCase().replace(' derniers', '')}`
  const last = own.lastCollectedAt
  return (
    <Counters
      label="Votre collecte"
      items={[
        {
          key: 'today',
          label: 'Votre collecte du jour',
          value: linkWithin(rowsOf({ startDate: today(), endDate: today() }), formatNumber(own.today)),
          unit: unitOf(own.today),
          info: info('Votre collecte du jour'),
        },
        {
          key: 'period',
          label: ofPeriod,
          value: linkWithin(rowsOf(days), formatNumber(own.inPeriod)),
          unit: unitOf(own.inPeriod),
          info: info(ofPeriod),
        },
        {
          key: 'last',
          label: 'Votre dernier relevé',
          value: last ? linkWithin(rowsOf({}), capitalise(formatRelativeTime(last))) : 'Aucun encore',
          isFaint: isStale(last),
          info: info('Votre dernier relevé'),
        },
      ]}
    />
  )
}

const unitOf = (count: number) => (count < 2 ? 'relevé' : 'relevés')

/** What waits for whoever administers, each leading to the rows it counts: nothing is shown where nothing waits. */
export function Waiting({ waiting }: { waiting: DashboardFigures['waiting'] }) {
  const { silentAgents, pendingPayments, endingSubscriptions } = waiting
  const items = [
    {
      to: '/agents',
      search: { silent: true },
      count: silentAgents,
      one: 'agent silencieux',
      many: 'agents silencieux',
    },
    {
      to: '/payments',
      search: { status: 'PENDING' },
      count: pendingPayments,
      one: 'paiement en attente',
      many: 'paiements en attente',
    },
    {
      to: '/subscriptions',
      search: { ending: true },
      count: endingSubscriptions,
      one: 'abonnement se termine sous 7\u00a0jours',
      many: 'abonnements se terminent sous 7\u00a0jours',
    },
  ].filter(({ count }) => count)
  if (items.length === 0) return null
  return (
    <section aria-label="À traiter" data-comes-first>
      <ul className="flex flex-wrap gap-3">
        {items.map(({ to, search, count, one, many }) => (
          <li key={to} className="min-w-0 grow basis-56">
            <Link
              to={to}
              search={search}
              className="flex h-full min-h-11 items-center gap-2 rounded-md border border-line bg-amber-soft px-4 py-2 hover:underline"
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
