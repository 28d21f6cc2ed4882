import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { paymentMethods } from '#features/payments/payments.contract.ts'
import { departureReasons, type Revenue, revenueQuery, revenues } from '#features/revenue/revenue.contract.ts'
import { ages, conversionOf, daysOf, definitions } from '#features/revenue/revenue.rules.ts'
import { People, SumTable } from '#features/revenue/ui/revenue-tables.tsx'
import { ExportMenu } from '#web/export-menu.tsx'
import { formatDateTime, formatMoney, formatNumber, formatTenths, NOT_AVAILABLE } from '#web/format.ts'
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

const inWords = new Intl.DateTimeFormat('fr-FR', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Returns the last 24 months, the current one first. */
function monthsUpTo(now: Date) {
  return Array.from({ length: 24 }, (_, before) => {
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - before, 1))
    return { value: first.toISOString().slice(0, 7), label: inWords.format(first) }
  })
}

const linkClass = 'text-river hover:underline'
/** The list of current subscriptions, which every reader of this page may read. */
const activeOnes = { to: '/subscriptions', search: { status: 'ACTIVE' } as never }

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
  const { months, waiting, recurring, trials, active, added, lost, byPlan, byMethod } = revenue
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
  const money = (
    sums: readonly { currency: string; amount: number; search: Record<string, string>; to: string }[],
  ) =>
    sums.length === 0
      ? formatNumber(0)
      : sums.map(({ currency, amount, search, to }) => (
          <span key={currency} className="w-full">
            {leading(to, search, formatMoney(amount, currency))}
          </span>
        ))
  const info = (label: string, definition: string) => <InfoPopover label={label}>{definition}</InfoPopover>
  const invoices = (kind: string, currency: string, more: Record<string, string> = {}) => ({
    ...{ to: '/factures', search: { ...days, kind, currency, ...more } },
  })
  return (
    <>
      <Counters
        label="Argent du mois"
        refetching={isRefetching}
        items={[
          {
            key: 'received',
            label: 'Reçu',
            value: money(
              ofMonth.map(({ currency, received }) => ({
                ...{ currency, amount: received },
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
                  ...{ currency, amount: refunded },
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
                    <Link key={currency} {...activeOnes} className={`w-full ${linkClass}`}>
                      {formatMoney(amount, currency)}
                    </Link>
                  )),
            info: info('Revenu mensuel récurrent', definitions.recurring),
          },
          {
            key: 'trials',
            label: 'Conversion des essais',
            value:
              conversion === null ? NOT_AVAILABLE : linkBelow('essais', `${formatTenths(conversion)}\u00a0%`),
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
            value: (
              <Link {...activeOnes} className={linkClass}>
                {formatNumber(active)}
              </Link>
            ),
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
        ]}
      />
      <SumTable
        title="En attente"
        definition={definitions.waiting}
        nothing="Aucun paiement n’est en attente."
        head="Âge"
        rows={waiting.map(({ age, oldestAt, ...sum }) => ({
          ...sum,
          name: `${ages[age]}, depuis le ${formatDateTime(oldestAt)}`,
          search: { status: 'PENDING', currency: sum.currency },
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
            ...{ ...sum, name: plan ?? 'Sans plan' },
            ...invoices('invoice', sum.currency, plan ? { plan } : {}),
          }))}
          lead={leading}
        />
        <SumTable
          title="Par moyen"
          definition={definitions.byMethod}
          nothing="Rien n’a été reçu ce mois-là."
          head="Moyen"
          rows={byMethod.map(({ paymentMethod, ...sum }) => ({
            ...{ ...sum, name: paymentMethods[paymentMethod] },
            ...invoices('invoice', sum.currency, { paymentMethod }),
          }))}
          lead={leading}
        />
        <People id="nouveaux" title="Nouveaux abonnés" definition={definitions.added} rows={added.rows} />
        <People
          id="perdus"
          title="Abonnés perdus"
          definition={definitions.lost}
          rows={lost.rows.map(({ why, reason, ...row }) => ({
            ...row,
            why: reason ? `${departureReasons[why]}\u00a0: ${reason}` : departureReasons[why],
          }))}
        />
        <People id="essais" title="Essais finis" definition={definitions.trials} rows={trials.rows} />
      </div>
      <SumTable
        title="Mois par mois"
        definition={definitions.received}
        nothing="Rien n’a été reçu depuis un an."
        head="Mois"
        rows={months.map(({ month, currency, received, receivedCount }) => ({
          ...{
            name: inWords.format(new Date(month)),
            currency,
            count: receivedCount,
            amount: received,
            to: '/factures',
          },
          search: { ...daysOf(month), kind: 'invoice', currency },
        }))}
        lead={leading}
      />
    </>
  )
}
