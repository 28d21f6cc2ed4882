import type { PriceSummary } from '#features/figures/summary/summary.contract.ts'
import type { typeWeights } from '#features/inflation/weights/weights.contract.ts'
import { listOf, type Selected } from '#features/prices/listed.rules.ts'
import { FigureData } from '#features/prices/ui/figure-data.tsx'
import {
  basisText,
  comparedText,
  MovementDefinition,
  movementLabel,
  PriceMovement,
} from '#features/prices/ui/price-movement.tsx'
import { resourceAddresses } from '#shared/addresses.ts'
import { capitalise, formatCount, formatDate } from '#web/format.ts'
import { useAnswer } from '#web/query.ts'
import { Card } from '#web/ui/card.tsx'
import { linkInText } from '#web/ui/charts/link-within.tsx'

/** Shows the change of prices prominently, with its basis. */
export function InflationCard({ summary, rows }: { summary: PriceSummary; rows: Selected }) {
  const { totalPrices, lastCollectedAt } = summary
  return (
    <Card
      title={
        <span className="inline-flex items-center gap-1">
          {movementLabel(summary)}
          <MovementDefinition />
        </span>
      }
      description={<Weighing />}
      footer={totalPrices > 0 && <FigureData rows={rows} />}
    >
      <p className="text-xl tracking-tight">
        <PriceMovement summary={summary} />
      </p>
      <p className="mt-3 text-xs text-ink-soft">
        {`${capitalise(comparedText(summary))}. `}
        {totalPrices > 0 && `${basisText(summary)}. `}
        {totalPrices > 0 && linkInText(listOf(rows), formatCount(totalPrices, 'relevé', 'relevés'))}
        {lastCollectedAt && `, le dernier le ${formatDate(lastCollectedAt)}.`}
      </p>
    </Card>
  )
}

/** Says that every series has the same weight here even if weights exist, with a link to the page that uses them. */
function Weighing() {
  const { data } = useAnswer<typeof typeWeights.list>(resourceAddresses('type-weights').list, {
    query: { limit: 1 },
  })
  if (!data?.pagination.total) return 'Non pondérée'
  return (
    <>
      Non pondérée&#8239;; les pondérations saisies s’appliquent sur la page{' '}
      {linkInText('/statistiques/inflation', 'Inflation')}
    </>
  )
}
