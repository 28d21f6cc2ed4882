import { Link } from '@tanstack/react-router'
import { type ReactNode, use } from 'react'
import type { DashboardFigures } from '#features/dashboard/dashboard.contract.ts'
import { isStale } from '#features/prices/ui/price-movement.tsx'
import { formatDate, formatMoney, formatRelativeTime } from '#web/format.ts'
import { Card } from '#web/ui/card.tsx'
import { ChartWordsContext } from '#web/ui/charts/chart-words.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { InfoPopover } from '#web/ui/info-popover.tsx'

type RealTimePricesProps = {
  prices: DashboardFigures['latest']
  rows: Record<string, string | number | undefined>
  /** The state of the live connection to the feed. */
  status: ReactNode
  isFresh: (id: number) => boolean
  className: string
}

/** Shows the last prices of the selection, updated live. */
export function RealTimePrices({ prices, rows, status, isFresh, className }: RealTimePricesProps) {
  const words = use(ChartWordsContext)
  return (
    <Card
      className={className}
      title={
        <span className="inline-flex items-center gap-1">
          Prix en temps réel
          <InfoPopover label="Prix en temps réel" definition="/methode#releve">
            Les derniers relevés de la sélection, le plus récent d’abord, chacun dans sa devise. Ceux que l’on
            saisit ailleurs arrivent d’eux-mêmes.
          </InfoPopover>
        </span>
      }
      actions={
        <Link
          to="/prices"
          search={rows}
          className="-my-2.5 inline-flex min-h-11 items-center text-river hover:underline"
        >
          Tous les prix
        </Link>
      }
      padded={false}
      footer={status}
    >
      {prices.length === 0 ? (
        <EmptyState compact title="Aucun prix collecté récemment">
          {`Les prix relevés apparaîtront ici d’eux-mêmes. ${words.nothing.sentence}`}
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line border-t border-line">
          {prices.map(({ id, product, market, priceValue, currency, collectedAt, collectorName }) => (
            <li
              key={id}
              className={`flex items-center gap-4 px-4 py-2.5 sm:px-5 ${isFresh(id) ? 'bg-river-soft' : ''}`}
            >
              <div className="min-w-0 flex-1">
                <Link
                  to="/products/detail/$id"
                  params={{ id: String(product.id) }}
                  className="block font-medium wrap-anywhere hover:text-river hover:underline"
                >
                  {product.name}
                </Link>
                <p className="text-xs text-ink-soft">
                  {`${product.weight} · ${market.name}, ${market.location} · ${collectorName}`}
                </p>
              </div>
              <div className="shrink-0 text-right">
                <p
                  className={`font-semibold whitespace-nowrap tabular-nums ${isStale(collectedAt) ? 'text-ink-soft' : ''}`}
                >
                  {formatMoney(priceValue, currency)}
                </p>
                <p className="text-xs text-ink-soft">
                  <time dateTime={collectedAt} title={formatDate(collectedAt)}>
                    {formatRelativeTime(collectedAt)}
                  </time>
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
