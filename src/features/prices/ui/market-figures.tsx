import type { PriceSummary } from '#features/figures/summary/summary.contract.ts'
import {
  comparedText,
  isStale,
  MovementDefinition,
  movementLabel,
  PriceMovement,
} from '#features/prices/ui/price-movement.tsx'
import { formatCount, formatDate, formatNumber } from '#web/format.ts'
import { linkWithin } from '#web/ui/charts/link-within.tsx'
import { Counters } from '#web/ui/counters.tsx'
import { InfoPopover } from '#web/ui/info-popover.tsx'

type MarketFiguresProps = {
  summary: PriceSummary | undefined
  /** Number of collectors in the period. */
  collectors: number | undefined
  /** Number of products ever priced there. */
  products: number | undefined
  periodName: string
  refetching: boolean
  /** Address of the list of the prices counted. */
  rowsHref: string
}

/** How often a market's prices are collected, and their trend. */
export function MarketFigures(props: MarketFiguresProps) {
  const { summary, collectors, products, periodName, refetching, rowsHref } = props
  return (
    <Counters
      label="Chiffres du marché"
      loading={!summary}
      refetching={refetching}
      items={[
        {
          key: 'prices',
          label: 'Prix relevés',
          value: linkWithin(rowsHref, formatNumber(summary?.totalPrices)),
          isFaint: summary !== undefined && isStale(summary.lastCollectedAt),
          basis: summary?.lastCollectedAt
            ? `${periodName}\u202f; dernier relevé\u00a0: ${formatDate(summary.lastCollectedAt)}`
            : periodName,
          info: (
            <InfoPopover
              label="Prix relevés"
              definition="/methode#plateforme"
            >{`Nombre de prix relevés dans ce marché, ${periodName}.`}</InfoPopover>
          ),
        },
        {
          key: 'inflation',
          label: movementLabel(summary),
          value: summary && linkWithin(rowsHref, <PriceMovement summary={summary} />),
          basis: summary ? movementBasis(summary) : periodName,
          info: <MovementDefinition />,
        },
        {
          key: 'products',
          label: 'Produits suivis',
          value: (
            <a href="#latest-prices" className="hover:underline">
              {formatNumber(products)}
            </a>
          ),
          basis: 'Depuis le premier relevé',
          info: (
            <InfoPopover label="Produits suivis" definition="/methode#plateforme">
              Produits qui ont au moins un prix dans ce marché.
            </InfoPopover>
          ),
        },
        {
          key: 'collectors',
          label: 'Collecteurs',
          value: (
            <a href="#collectors" className="hover:underline">
              {formatNumber(collectors)}
            </a>
          ),
          basis: periodName,
          info: (
            <InfoPopover
              label="Collecteurs"
              definition="/methode#plateforme"
            >{`Personnes qui ont relevé des prix ici, ${periodName}.`}</InfoPopover>
          ),
        },
      ]}
    />
  )
}

function movementBasis(summary: PriceSummary): string {
  return `${formatCount(summary.matchedSeries, 'série suivie', 'séries suivies')}\u202f; ${comparedText(summary)}`
}
