import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import type { DashboardFigures } from '#features/dashboard/dashboard.contract.ts'
import { isStale } from '#features/prices/ui/price-movement.tsx'
import { today } from '#features/prices/ui/price-selection.ts'
import type { DayRange } from '#shared/fields.ts'
import { capitalise, formatNumber, formatRelativeTime, plural } from '#web/format.ts'
import { useMay } from '#web/session.ts'
import { linkWithin } from '#web/ui/charts/link-within.tsx'
import { Counters } from '#web/ui/counters.tsx'
import { InfoPopover } from '#web/ui/info-popover.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type OwnWorkProps = {
  /** Undefined while it loads. */
  own: NonNullable<DashboardFigures['own']> | undefined
  periodText: string
  days: DayRange
  /** Returns the address of the list of the user's prices on some days; all of them without days. */
  rowsOf: (days: DayRange) => string
}

/** Shows the work of the signed-in collector. */
export function OwnWork({ own, periodText, days, rowsOf }: OwnWorkProps) {
  const info = (label: string) => (
    <InfoPopover label={label} definition="/methode#plateforme">
      Les relevés que vous avez saisis, d’après leur date de relevé. La période les choisit, les autres
      filtres non.
    </InfoPopover>
  )
  // As long as the label beside it: both take two lines on a phone.
  const ofPeriod = `Votre collecte, ${periodText.toLowerCase().replace(' derniers', '')}`
  const { today: ofToday = 0, inPeriod = 0, lastCollectedAt: last = null } = own ?? {}
  return (
    <>
      <Counters
        label="Votre collecte"
        loading={own === undefined}
        items={[
          {
            key: 'today',
            label: 'Votre collecte du jour',
            value: linkWithin(rowsOf({ startDate: today(), endDate: today() }), formatNumber(ofToday)),
            unit: unitOf(ofToday),
            info: info('Votre collecte du jour'),
          },
          {
            key: 'period',
            label: ofPeriod,
            value: linkWithin(rowsOf(days), formatNumber(inPeriod)),
            unit: unitOf(inPeriod),
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
      {/* A separate application, unknown to the router. */}
      <a href="/collecte" className={`${boxClass} border border-line hover:bg-sunken`}>
        <span className="min-w-0 flex-1">Ma tournée, sans réseau</span>
        <ChevronRight className="size-4 shrink-0 text-ink-soft" aria-hidden />
      </a>
    </>
  )
}

const unitOf = (count: number) => plural(count, 'relevé', 'relevés')

/**
 * Shows the open tasks of an administrator, each linked to its rows; also those with a count of zero, so that the
 * layout is stable.
 */
export function Waiting({ waiting }: { waiting: DashboardFigures['waiting'] | undefined }) {
  const may = useMay()
  const items = [
    {
      to: '/agents',
      search: { silent: true },
      right: 'users.manage',
      count: waiting?.silentAgents,
      none: 'Aucun agent silencieux',
      one: 'agent silencieux',
      many: 'agents silencieux',
    },
    {
      to: '/payments',
      search: { status: 'PENDING' },
      right: 'payments.manage',
      count: waiting?.pendingPayments,
      none: 'Aucun paiement en attente',
      one: 'paiement en attente',
      many: 'paiements en attente',
    },
    {
      to: '/subscriptions',
      search: { ending: true },
      right: 'subscriptions.read',
      count: waiting?.endingSubscriptions,
      none: 'Aucun abonnement ne finit sous 7\u00a0jours',
      one: 'abonnement finit sous 7\u00a0jours',
      many: 'abonnements finissent sous 7\u00a0jours',
    },
  ] as const
  const own = items.filter(({ right }) => may(right))
  if (own.length === 0) return null
  return (
    <section aria-label="À traiter" aria-busy={!waiting || undefined} data-comes-first>
      <ul className="flex flex-wrap gap-3">
        {own.map(({ to, search, count, none, one, many }) => (
          <li key={to} className="min-w-0 grow basis-48">
            {!waiting ? (
              <Skeleton className={`${boxClass} pr-10`}>{`0 ${many}`}</Skeleton>
            ) : count ? (
              <Link
                to={to}
                search={search}
                className={`${boxClass} border border-line bg-amber-soft hover:underline`}
              >
                <span className="min-w-0 flex-1">
                  <b className="font-semibold">{formatNumber(count)}</b>
                  {` ${plural(count, one, many)}`}
                </span>
                <ChevronRight className="size-4 shrink-0 text-ink-soft" aria-hidden />
              </Link>
            ) : (
              <p className={`${boxClass} border border-line text-ink-soft`}>{none}</p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const boxClass = 'flex h-full min-h-11 items-center gap-2 rounded-md px-4 py-2'
