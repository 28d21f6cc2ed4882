import type { ComparedSeriesKey } from '#features/prices/series/series.rules.ts'
import { today } from '#features/prices/ui/price-selection.ts'
import { useSummary } from '#features/prices/ui/summary.ts'
import { addDays } from '#shared/days.ts'
import { Button } from '#web/ui/button.tsx'

const products = 3
const markets = 4

/**
 * Suggests the products most often quoted lately, each in the markets with most prices, to draw in one click. Empty
 * without prices.
 */
export function Suggestions({ onChoose }: { onChoose: (series: ComparedSeriesKey[]) => void }) {
  const { data } = useSummary({ startDate: addDays(today(), -89), endDate: today() })
  const places = data?.marketDistribution.slice(0, markets) ?? []
  if (!data || places.length < 2) return null
  return (
    <div className="space-y-3">
      <p className="text-ink-soft">{`Ou commencez par l’un de ceux-ci, dans les ${places.length} marchés les plus visités\u00a0:`}</p>
      <div className="flex flex-wrap justify-center gap-2">
        {data.productDistribution.slice(0, products).map(({ id, name, weight }) => (
          <Button
            key={id}
            onClick={() => onChoose(places.map((place) => ({ productId: id, marketId: place.id })))}
          >
            {`${name}, ${weight}`}
          </Button>
        ))}
      </div>
    </div>
  )
}
