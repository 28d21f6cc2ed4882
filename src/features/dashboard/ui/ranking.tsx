import { Link } from '@tanstack/react-router'
import { type ReactNode, use } from 'react'
import type { DashboardChanges } from '#features/dashboard/dashboard.contract.ts'
import { ChangeTag } from '#features/prices/ui/price-movement.tsx'
import { formatCount, formatDate } from '#web/format.ts'
import { Card } from '#web/ui/card.tsx'
import { ChartWordsContext } from '#web/ui/charts/chart-words.ts'
import { countChangeText } from '#web/ui/count-change.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { InfoPopover } from '#web/ui/info-popover.tsx'

type Place = {
  key: string | number
  name: string
  /** Distinguishes it from others with the same name. */
  detail?: string
  /** The day of its last price. */
  last: string | null
  count: number
  /** Difference from the previous period of the same length. */
  difference?: number | null
  /** The change of its price; absent if it has none. */
  price?: DashboardChanges['products'][number]
  /** Whether it is grey because its last price is old. */
  isFaint?: boolean
  to: string
  search?: Record<string, string | number | undefined>
}

type RankingProps = {
  title: string
  definition: ReactNode
  /** The text of the empty state. */
  nothing: string
  places: readonly Place[]
}

/** Shows a ranking by number of prices: each place links to its rows, and its bar is relative to the first place. */
export function Ranking({ title, definition, nothing, places }: RankingProps) {
  const words = use(ChartWordsContext)
  const most = Math.max(1, ...places.map(({ count }) => count))
  return (
    <Card
      title={
        <span className="inline-flex items-center gap-1">
          {title}
          <InfoPopover label={title} definition="/methode#plateforme">
            {definition}
          </InfoPopover>
        </span>
      }
      padded={false}
      className="xl:col-span-2"
    >
      {places.length === 0 ? (
        <EmptyState compact title={nothing}>
          {words.nothing.sentence}
        </EmptyState>
      ) : (
        <ol className="divide-y divide-line border-t border-line">
          {places.map(({ key, name, detail, last, count, difference, price, isFaint, to, search }) => (
            <li key={key} className="@container px-4 py-2.5 sm:px-5">
              <div className="flex items-baseline gap-4">
                <Link
                  to={to}
                  search={search}
                  title={name}
                  className="min-w-0 flex-1 truncate font-medium hover:text-river hover:underline"
                >
                  {name}
                </Link>
                <span className={`shrink-0 whitespace-nowrap tabular-nums ${isFaint ? 'text-ink-soft' : ''}`}>
                  {formatCount(count, 'relevé', 'relevés')}
                </span>
              </div>
              <div className="flex flex-wrap items-center justify-between gap-x-1.5 text-xs text-ink-soft">
                <span className="min-w-0 truncate">
                  {detail && `${detail} · `}
                  {/* In a narrow container, only the day is shown. */}
                  <span
                    className={detail ? '@max-md:sr-only' : ''}
                  >{`${detail ? 'd' : 'D'}ernier relevé le `}</span>
                  {formatDate(last)}
                </span>
                {price?.change && (
                  <span className="tabular-nums">
                    <ChangeTag change={price.change} trend={price.trend} isFaint={isFaint ?? false} />
                  </span>
                )}
                {typeof difference === 'number' && (
                  <span>{countChangeText(difference, ['relevé', 'relevés'], 'la période précédente')}</span>
                )}
              </div>
              <meter
                className="sr-only"
                min={0}
                max={most}
                value={count}
                aria-label={`${name}\u00a0: part du premier`}
              />
              <span className="mt-1.5 block h-1 rounded-full bg-sunken" aria-hidden>
                <span
                  className={`block h-1 rounded-full ${isFaint ? 'bg-line-strong' : 'bg-chart-1'}`}
                  style={{ width: `${(100 * count) / most}%` }}
                />
              </span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}
