import { use } from 'react'
import type { Trend } from '#features/figures/summary/summary.contract.ts'
import { listOf, type Selected } from '#features/prices/listed.rules.ts'
import { FigureData } from '#features/prices/ui/figure-data.tsx'
import {
  basisText,
  comparedText,
  isFaint,
  isMovementFaint,
  type Moved,
  MovementDefinition,
  movementLabel,
  PriceMovement,
  ratesText,
} from '#features/prices/ui/price-movement.tsx'
import { capitalise, formatCount, formatDate, formatMoney } from '#web/format.ts'
import { Card, Facts } from '#web/ui/card.tsx'
import { ChartWordsContext } from '#web/ui/charts/chart-words.ts'
import { linkInText } from '#web/ui/charts/link-within.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { InfoPopover } from '#web/ui/info-popover.tsx'

type AnalysisCardProps = {
  analysis: Moved
  periodText: string
  /** The filters of its prices. */
  rows: Selected
  /** Whether the change is shown prominently above the prices, for pages without a separate card for it. */
  isLed?: boolean
  className?: string
}

const words: Record<Trend, string> = {
  up: 'Tendance à la hausse',
  down: 'Tendance à la baisse',
  stable: 'Tendance stable',
}
const colours: Record<Trend, string> = {
  up: 'bg-red-soft text-red',
  down: 'bg-green-soft text-green',
  stable: 'bg-grey-soft text-grey',
}

/** Shows the average, minimum, maximum and trend of prices; their basis is below, grey if it is thin or old. */
export function AnalysisCard(props: AnalysisCardProps) {
  const { analysis, periodText, rows, isLed, className } = props
  const { totalPrices, excluded, priceTrend, lastCollectedAt } = analysis
  const isGrey = isMovementFaint(analysis)
  const rates = ratesText(analysis)
  const { nothing } = use(ChartWordsContext)
  return (
    <Card
      className={className}
      title={
        <span className="inline-flex items-center gap-1">
          Analyse des prix
          <InfoPopover label="Analyse des prix" definition="/methode#moyennes">
            La moyenne, le plus bas et le plus haut des prix de la sélection, en francs, au taux de leur jour
            pour ceux en dollars. La tendance est celle de l’inflation estimée ou de la variation, quand elle
            dépasse sa marge.
          </InfoPopover>
        </span>
      }
      description={periodText}
      footer={totalPrices > 0 && <FigureData rows={rows} />}
      actions={
        priceTrend && (
          <span
            className={`rounded-full px-2.5 py-1 text-xs font-medium ${isGrey ? 'bg-grey-soft text-grey' : colours[priceTrend]}`}
          >
            {words[priceTrend]}
          </span>
        )
      }
    >
      {totalPrices === 0 ? (
        <EmptyState compact title="Aucune donnée de prix disponible">
          {excluded > 0
            ? `${formatCount(excluded, 'prix', 'prix')} en dollars, sans taux de change connu à leur date.`
            : nothing.sentence}
        </EmptyState>
      ) : (
        <>
          {isLed && (
            <div className="mb-2">
              <p className="text-ink-soft">{movementLabel(analysis)}</p>
              <p className="inline-flex items-center gap-1 text-xl tracking-tight">
                <PriceMovement summary={analysis} />
                <MovementDefinition />
              </p>
            </div>
          )}
          <Prices analysis={analysis} isLed={isLed} />
          <p className="mt-3 text-xs text-ink-soft">
            {isLed && `${capitalise(comparedText(analysis))}. `}
            {isLed && !analysis.isEstimate && `${basisText(analysis)}. `}
            {linkInText(
              listOf(rows),
              `${analysis.isEstimate ? 'Environ ' : ''}${formatCount(totalPrices, 'relevé', 'relevés')}`,
            )}
            {lastCollectedAt && `, le dernier le ${formatDate(lastCollectedAt)}. En francs, au taux du jour`}
            {!isLed && rates && `\u202f; ${rates}`}.
          </p>
        </>
      )}
    </Card>
  )
}

/** Shows the three prices: as lines below the change, or large and side by side where they come first. */
function Prices({ analysis, isLed }: Pick<AnalysisCardProps, 'analysis' | 'isLed'>) {
  const { averagePrice, minPrice, maxPrice } = analysis
  const items = [
    { label: 'Prix moyen', price: averagePrice },
    { label: 'Prix minimum', price: minPrice },
    { label: 'Prix maximum', price: maxPrice },
  ].map(({ label, price }) => ({ label, value: <Amount value={price} faint={isFaint(analysis)} /> }))
  if (isLed) return <Facts items={items} />
  return (
    <dl className="grid gap-x-4 gap-y-3 sm:grid-cols-3">
      {items.map(({ label, value }) => (
        <div key={label}>
          <dt className="text-ink-soft">{label}</dt>
          <dd className="text-xl font-semibold tracking-tight">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

// The centimes of an average, or of converted dollars, are not significant.
function Amount({ value, faint }: { value: number | null; faint: boolean }) {
  return (
    <span className={`tabular-nums ${faint ? 'text-ink-soft' : ''}`}>
      {formatMoney(value && Math.round(value))}
    </span>
  )
}
