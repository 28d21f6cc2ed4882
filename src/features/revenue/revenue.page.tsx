import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { paymentMethods } from '#features/payments/payments.contract.ts'
import { departureReasons, type Revenue, revenueQuery, revenues } from '#features/revenue/revenue.contract.ts'
import {
  ages,
  conversionOf,
  daysOf,
  daysOfAge,
  daysWaited,
  definitions,
} from '#features/revenue/revenue.rules.ts'
import { MonthTable, monthText, People, SumTable } from '#features/revenue/ui/revenue-tables.tsx'
import { dayInKinshasa } from '#shared/days.ts'
import { ExportMenu } from '#web/export-menu.tsx'
import {
  formatCount,
  formatDateTime,
  formatMoney,
  formatNumber,
  formatTenths,
  notAvailable,
} from '#web/format.ts'
import { usePageState } from '#web/list-state.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { useMay } from '#web/session.ts'
import { Counters } from '#web/ui/counters.tsx'
import { InfoPopover } from '#web/ui/info-popover.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { PageSkeleton } from '#web/ui/skeleton.tsx'

/** Received and pending payments and subscribers, month by month; each figure links to its rows. */
export function RevenuePage() {
  const { query, set } = usePageState(revenueQuery)
  const answer = useAnswer(revenues.read, { query }, { keepsPrevious: true })
  const { data } = answer
  return (
    <>
      <PageHeader
        title="Recettes"
        description="Ce qui a été reçu, ce qui est attendu, et qui s’abonne, devise par devise."
        actions={<ExportMenu endpoint={revenues.exportAll} query={query} />}
      />
      <div className="max-w-60">
        <SelectField
          label="Mois"
          options={monthsUpTo(new Date())}
          value={query.month ?? data?.month ?? ''}
          onChange={(event) => set({ month: event.currentTarget.value })}
        />
      </div>
      {answer.error && !data && (
        <LoadFailure title="Erreur lors du chargement des recettes" answer={answer} />
      )}
      {answer.isPending && <PageSkeleton />}
      {data && <Figures revenue={data} isRefetching={answer.isPlaceholderData} />}
    </>
  )
}

/** Returns the last 24 months, the current one first. */
function monthsUpTo(now: Date) {
  return Array.from({ length: 24 }, (_, before) => {
    const [year = 0, month = 1] = dayInKinshasa(now).split('-').map(Number)
    const value = new Date(Date.UTC(year, month - 1 - before, 1)).toISOString().slice(0, 7)
    return { value, label: monthText(value) }
  })
}

const linkClass = 'text-river hover:underline'
/** A figure that links to its rows further down on this page. */
function linkBelow(id: string, figure: string): ReactNode {
  return (
    <a href={`#${id}`} className={linkClass}>
      {figure}
    </a>
  )
}

function countBelow(id: string, count: number): ReactNode {
  return count === 0 ? formatNumber(count) : linkBelow(id, formatNumber(count))
}

function Figures({ revenue, isRefetching }: { revenue: Revenue; isRefetching: boolean }) {
  const manages = useMay()('payments.manage')
  const { months, waiting, recurring, trials, active, running, added, lost, byPlan, byMethod } = revenue
  const today = dayInKinshasa(new Date())
  const longestOf = (oldestAt: string) => {
    const days = daysWaited(oldestAt, today)
    return days === 0 ? 'depuis aujourd’hui' : `le plus ancien depuis ${formatCount(days, 'jour', 'jours')}`
  }
  const [oldest] = waiting
  const days = daysOf(revenue.month)
  const ofMonth = months.filter(({ month }) => month === revenue.month)
  const conversion = conversionOf(trials)
  // Only users who manage payments may list them.
  const leading = (to: string, search: Record<string, string>, text: ReactNode) =>
    manages ? (
      <Link to={to} search={search} className={linkClass}>
        {text}
      </Link>
    ) : (
      text
    )
  /** A sum of the month, with its rows for users who may read them, and its breakdown for the others. */
  const leadingOrBelow = (to: string, search: Record<string, string>, text: string) =>
    manages ? leading(to, search, text) : linkBelow('mois', text)
  const money = (
    sums: readonly { currency: string; amount: number; search: Record<string, string>; to: string }[],
  ) =>
    sums.length === 0
      ? formatNumber(0)
      : sums.map(({ currency, amount, search, to }) => (
          <span key={currency} className="w-full">
            {leadingOrBelow(to, search, formatMoney(amount, currency))}
          </span>
        ))
  const info = (label: string, definition: string) => <InfoPopover label={label}>{definition}</InfoPopover>
  const invoices = (kind: string, currency: string, more: Record<string, string> = {}) => ({
    to: '/factures',
    search: { ...days, kind, currency, ...more },
  })
  return (
    <>
      {!manages && (
        <p className="text-ink-soft">
          Le détail de ces montants, paiement par paiement et facture par facture, est réservé aux
          administrateurs. Vous lisez ici leurs sommes, leurs définitions et la liste des abonnés.
        </p>
      )}
      <Counters
        label="Argent du mois"
        refetching={isRefetching}
        items={[
          {
            key: 'received',
            label: 'Reçu',
            value: money(
              ofMonth.map(({ currency, received }) => ({
                currency,
                amount: received,
                ...invoices('invoice', currency),
              })),
            ),
            info: info('Reçu', definitions.received),
          },
          {
            key: 'refunded',
            label: 'Remboursé',
            value: money(
              ofMonth
                .filter(({ refundedCount }) => refundedCount > 0)
                .map(({ currency, refunded }) => ({
                  currency,
                  amount: refunded,
                  ...invoices('credit_note', currency),
                })),
            ),
            info: info('Remboursé', definitions.refunded),
          },
          {
            key: 'recurring',
            label: 'Revenu mensuel récurrent',
            value:
              recurring.length === 0
                ? formatNumber(0)
                : recurring.map(({ currency, amount }) => (
                    <span key={currency} className="w-full">
                      {linkBelow('actifs', formatMoney(amount, currency))}
                    </span>
                  )),
            info: info('Revenu mensuel récurrent', definitions.recurring),
          },
          {
            key: 'trials',
            label: 'Conversion des essais',
            value:
              conversion === null ? notAvailable : linkBelow('essais', `${formatTenths(conversion)}\u00a0%`),
            basis: `${formatNumber(trials.converted)} sur ${formatNumber(trials.ended)} finis`,
            info: info('Conversion des essais', definitions.trials),
          },
        ]}
      />
      <Counters
        label="Abonnés"
        refetching={isRefetching}
        items={[
          {
            key: 'active',
            label: 'Abonnés actifs',
            value: countBelow('actifs', active),
            basis: `au ${formatDateTime(revenue.until)}`,
            info: info('Abonnés actifs', definitions.active),
          },
          {
            key: 'added',
            label: 'Nouveaux',
            value: countBelow('nouveaux', added.count),
            info: info('Nouveaux', definitions.added),
          },
          {
            key: 'lost',
            label: 'Perdus',
            value: countBelow('perdus', lost.count),
            info: info('Perdus', definitions.lost),
          },
          {
            key: 'waiting',
            label: 'Paiements en attente',
            value: countBelow(
              'attente',
              waiting.reduce((sum, { count }) => sum + count, 0),
            ),
            basis: oldest && longestOf(oldest.oldestAt),
            info: info('Paiements en attente', definitions.waiting),
          },
        ]}
      />
      <SumTable
        id="attente"
        title="En attente"
        definition={definitions.waiting}
        nothing="Aucun paiement n’est en attente."
        head="Depuis"
        rows={waiting.map(({ age, oldestAt, ...sum }) => ({
          ...sum,
          name: age === 'day' ? ages.day : `${ages[age]}, ${longestOf(oldestAt)}`,
          search: { status: 'PENDING', currency: sum.currency, sort: 'created_at', ...daysOfAge(age, today) },
          to: '/payments',
        }))}
        lead={leading}
      />
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <SumTable
          title="Par plan"
          definition={definitions.byPlan}
          nothing="Rien n’a été reçu ce mois-là."
          head="Plan"
          rows={byPlan.map(({ plan, ...sum }) => ({
            ...sum,
            name: plan ?? 'Sans plan',
            ...(plan ? invoices('invoice', sum.currency, { plan }) : { to: null, search: {} }),
          }))}
          lead={leading}
        />
        <SumTable
          title="Par moyen"
          definition={definitions.byMethod}
          nothing="Rien n’a été reçu ce mois-là."
          head="Moyen"
          rows={byMethod.map(({ paymentMethod, ...sum }) => ({
            ...sum,
            name: paymentMethods[paymentMethod],
            ...invoices('invoice', sum.currency, { paymentMethod }),
          }))}
          lead={leading}
        />
        <People
          id="nouveaux"
          title="Nouveaux abonnés"
          definition={definitions.added}
          count={added.count}
          rows={added.rows}
        />
        <People
          id="perdus"
          title="Abonnés perdus"
          definition={definitions.lost}
          count={lost.count}
          rows={lost.rows.map(({ why, reason, ...row }) => ({
            ...row,
            why: reason ? `${departureReasons[why]}\u00a0: ${reason}` : departureReasons[why],
          }))}
        />
        <People
          id="essais"
          title="Essais finis"
          definition={definitions.trials}
          count={trials.ended}
          rows={trials.rows}
        />
      </div>
      <MonthTable months={months} lead={leading} />
      <People
        id="actifs"
        title="Abonnés actifs"
        definition={`${definitions.active} ${definitions.recurring}`}
        count={active}
        rows={running.map(({ amount, currency, ...row }) => ({
          ...row,
          monthly: formatMoney(amount, currency),
        }))}
      />
    </>
  )
}
