import type { Comparison } from '#features/comparison/comparison.contract.ts'
import { gapSentence } from '#features/comparison/comparison.rules.ts'
import { listOf } from '#features/prices/listed.rules.ts'
import { addDays } from '#shared/days.ts'
import { formatCount, formatDate } from '#web/format.ts'
import { Card } from '#web/ui/card.tsx'
import { linkInText } from '#web/ui/charts/link-within.tsx'
import { InfoPopover } from '#web/ui/info-popover.tsx'

type Gap = Comparison['gaps'][number]

/** Shows the unusual gaps between pairs of markets, each in a sentence; nothing where none can be computed. */
export function Gaps({ comparison }: { comparison: Comparison | undefined }) {
  const gaps = comparison?.gaps ?? []
  if (gaps.length === 0) return null
  const unusual = gaps.filter(({ isUnusual }) => isUnusual)
  return (
    <Card
      title="Écarts inhabituels entre marchés"
      actions={
        <InfoPopover label="Écart inhabituel" definition="/methode#comparaison">
          L’écart entre deux marchés pour un même produit, dans la dernière semaine relevée dans les deux.
          D’habitude&nbsp;: la médiane des 52&nbsp;semaines d’avant, dont douze au moins. Il est inhabituel
          quand il s’en éloigne de plus de 10&nbsp;% et de deux fois son écart ordinaire (médiane des écarts
          absolus).
        </InfoPopover>
      }
    >
      {unusual.length === 0 ? (
        <p className="text-ink-soft">
          {`Aucun\u00a0: ${gaps.length === 1 ? 'l’écart entre ces deux marchés est celui' : `les ${gaps.length} écarts entre ces marchés sont ceux`} d’habitude.`}
        </p>
      ) : (
        <ul className="space-y-2">
          {unusual.map((gap) => (
            <li key={`${gap.productId} ${gap.marketId} ${gap.otherId}`}>
              <span className="font-medium">{gapSentence(gap)}</span>
              <span className="block text-xs text-ink-soft">
                {`${gap.product}, ${gap.weight}, semaine du ${formatDate(gap.week)}, d’après ${formatCount(gap.weeks, 'semaine', 'semaines')} d’avant. Relevés\u00a0: `}
                {linkInText(rowsOf(gap, gap.marketId), gap.market)}
                {', '}
                {linkInText(rowsOf(gap, gap.otherId), gap.other)}.
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** Returns the address of the list of prices of a market behind a gap: those of its week and of the year before. */
function rowsOf({ productId, week }: Gap, marketId: number): string {
  return listOf({ productId, marketId, startDate: addDays(week, -7 * 52), endDate: addDays(week, 6) })
}
