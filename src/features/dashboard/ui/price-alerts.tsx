import { Link } from '@tanstack/react-router'
import { ArrowDownRight, ArrowUpRight } from 'lucide-react'
import { useState } from 'react'
import type { DashboardFigures, getPriceAlerts } from '#features/dashboard/dashboard.contract.ts'
import { ofSeries } from '#features/figures/filters/filters.contract.ts'
import { statisticsAddresses } from '#features/statistics/statistics.addresses.ts'
import type { StatisticsSelection } from '#features/statistics/ui/statistics-selection.ts'
import { addDays } from '#shared/days.ts'
import { formatCount, formatDate, formatMoney, formatNumber, formatPercent } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { InfoPopover } from '#web/ui/info-popover.tsx'

type Alerts = DashboardFigures['alerts']
type PriceAlertsProps = { alerts: Alerts; selection: StatisticsSelection; className: string }

// The maximum page size of the API.
const mostListed = 200

/** Shows the unusual series, each with a sentence that explains why. */
export function PriceAlerts({ alerts: { data, total }, selection, className }: PriceAlertsProps) {
  const [isWhole, setWhole] = useState(false)
  const all = useAnswer<typeof getPriceAlerts>(
    statisticsAddresses.alerts,
    { query: { ...ofSeries(selection.query), limit: mostListed } },
    { enabled: isWhole, keepsPrevious: true },
  )
  const shown = (isWhole && all.data?.data) || data
  return (
    <Card
      className={className}
      title={
        <span className="inline-flex items-center gap-1">
          Alertes de prix
          <InfoPopover label="Alertes de prix" definition="/methode#alertes">
            Un produit dans un marché, dont la moyenne des 30 derniers jours dépasse d’au moins 25&nbsp;%
            celle des 12 périodes de 30 jours d’avant (6 au moins), et encore 20&nbsp;% une fois retirée la
            hausse de l’ensemble des prix&#8239;; ou dont le dernier prix est plus de 3 fois, ou moins du
            tiers, de la médiane des 90 jours d’avant (5 relevés au moins). Rien n’est dit après 30 jours sans
            relevé. Seuls les filtres de produits et de marchés y changent quelque chose.
          </InfoPopover>
        </span>
      }
      padded={false}
      footer={
        total > data.length && (
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <span>{`${formatCount(total, 'alerte', 'alertes')} en tout, les plus fortes d’abord.`}</span>
            <button
              type="button"
              aria-busy={(isWhole && all.isPending) || undefined}
              aria-expanded={isWhole}
              onClick={() => setWhole(!isWhole)}
              className="-my-2.5 min-h-11 text-river hover:underline"
            >
              {isWhole ? 'N’en voir que trois' : 'Toutes les alertes'}
            </button>
            {isWhole && all.error && !all.data && (
              <LoadFailure compact title="Erreur lors du chargement des alertes" answer={all} />
            )}
          </div>
        )
      }
    >
      {data.length === 0 ? (
        <EmptyState compact title="Aucune alerte de prix">
          Aucun prix ne s’écarte fortement de son niveau habituel.
        </EmptyState>
      ) : (
        <ul className="max-h-160 divide-y divide-line overflow-y-auto border-t border-line">
          {shown.map((alert) => (
            <Alert key={`${alert.product.id} ${alert.market.id}`} alert={alert} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Alert({ alert }: { alert: Alerts['data'][number] }) {
  const { kind, product, market, change, lastCollectedOn } = alert
  // The last window and the twelve before it, or the 90 days before the last price.
  const startDate = addDays(lastCollectedOn, kind === 'dearer' ? -390 : -90)
  const Icon = change > 0 ? ArrowUpRight : ArrowDownRight
  return (
    <li className="flex gap-3 px-4 py-2.5 sm:px-5">
      <Icon className={`mt-0.5 size-5 shrink-0 ${change > 0 ? 'text-red' : 'text-green'}`} aria-hidden />
      <div className="min-w-0 wrap-anywhere">
        <Link
          to="/prices"
          search={{ productId: product.id, marketId: market.id, startDate, endDate: lastCollectedOn }}
          className="font-medium hover:text-river hover:underline"
        >
          {`${product.name}, ${market.name} (${market.location})`}
        </Link>
        <p>{sentenceOf(alert)}</p>
        <p className="text-xs text-ink-soft">{`${product.weight} · ${product.format} · dernier relevé le ${formatDate(lastCollectedOn)}`}</p>
      </div>
    </li>
  )
}

/**
 * Returns for example « 3 900 FC en moyenne sur 30 jours, 34 % de plus que sur les 12 mois d’avant (2 910 FC) ;
 * ensemble des prix : +9 % ».
 */
function sentenceOf({ kind, price, usual, change, overall }: Alerts['data'][number]): string {
  const francs = (value: number) => formatMoney(Math.round(value))
  const percent = (value: number) => `${formatNumber(Math.abs(100 * value), 0)}\u00a0%`
  if (kind === 'dearer') {
    const others =
      overall === null ? '' : `\u202f; ensemble\u00a0des\u00a0prix\u00a0: ${formatPercent(100 * overall)}`
    return `${francs(price)} en moyenne sur 30 jours, ${percent(change)} de plus que sur les 12 mois d’avant (${francs(usual)})${others}`
  }
  return change > 0
    ? `Dernier prix\u00a0: ${francs(price)}, ${formatNumber(1 + change, 1)} fois la médiane des 90 jours d’avant (${francs(usual)})`
    : `Dernier prix\u00a0: ${francs(price)}, ${percent(change)} sous la médiane des 90 jours d’avant (${francs(usual)})`
}
