import type { PriceSummary, Trend } from '#features/prices/summary/summary.contract.ts'
import { formatCount, formatDate, formatNumber, formatPercent } from '#web/format.ts'
import { Counters } from '#web/ui/counters.tsx'
import { InfoPopover } from '#web/ui/info-popover.tsx'

const trends: Record<Trend, string> = { up: 'Hausse', down: 'Baisse', stable: 'Stable' }

type MarketFiguresProps = {
  summary: PriceSummary | undefined
  /** How many people collected in the period. */
  collectors: number | undefined
  /** How many products were ever seen. */
  products: number | undefined
  periodName: string
  refetching: boolean
}

/** How much a market is followed, and where its prices go. */
export function MarketFigures(props: MarketFiguresProps) {
  const { summary, collectors, products, periodName, refetching } = props
  const inflation = summary?.inflation ?? null
  return (
    <Counters
      label="Chiffres du marché"
      loading={!summary}
      refetching={refetching}
      items={[
        {
          key: 'prices',
          label: 'Prix relevés',
          value: formatNumber(summary?.totalPrices),
          basis: summary?.lastCollectedAt
            ? `Dernier relevé\u00a0: ${formatDate(summary.lastCollectedAt)}`
            : periodName,
        },
        {
          key: 'inflation',
          label: 'Inflation',
          value: inflation === null ? 'Insuffisant' : <Inflation percent={inflation * 100} />,
          basis:
            summary &&
            `${trends[summary.priceTrend]}, ${formatCount(summary.matchedSeries, 'série suivie', 'séries suivies')}`,
          info: (
            <InfoPopover label="Inflation estimée">
              Variation des prix des mêmes produits dans ce marché entre le premier et le dernier tiers de la
              période, en moyenne géométrique.
            </InfoPopover>
          ),
        },
        {
          key: 'products',
          label: 'Produits suivis',
          value: formatNumber(products),
          basis: 'Depuis le premier relevé',
        },
        { key: 'collectors', label: 'Collecteurs', value: formatNumber(collectors), basis: periodName },
      ]}
    />
  )
}

function Inflation({ percent }: { percent: number }) {
  const colour = Math.abs(percent) < 0.05 ? '' : percent > 0 ? 'text-red' : 'text-green'
  return <span className={colour}>{formatPercent(percent)}</span>
}
