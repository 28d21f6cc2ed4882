import type { ReactNode } from 'react'
import type { PriceSummary } from '#features/figures/summary/summary.contract.ts'
import { addressOfPrices, listOf, rowsOfFigures, type Selected } from '#features/prices/listed.rules.ts'
import { DoubtfulPrices } from '#features/prices/ui/doubtful-prices.tsx'
import { indexPeriod, useEvolution } from '#features/prices/ui/evolution.tsx'
import { FigureData } from '#features/prices/ui/figure-data.tsx'
import {
  basisText,
  comparedText,
  isFaint,
  MovementDefinition,
  movementLabel,
  PriceMovement,
} from '#features/prices/ui/price-movement.tsx'
import { axisEnd } from '#features/prices/ui/price-selection.ts'
import { ShareAndCite } from '#features/shares/ui/share-and-cite.tsx'
import { capitalise } from '#web/format.ts'
import { LineChart } from '#web/ui/charts/line-chart.tsx'

type PriceEvolutionProps = {
  summary: PriceSummary | undefined
  /** « Farine de manioc, Marché central » */
  subject: string
  periodText: string
  /** Filters of the prices that « Les données de ce chiffre » exports. */
  query: Selected
  refetching: boolean
  /** False where the page itself has sharing and citation. */
  isShared?: boolean
  /** Days without a price beyond which the curve is interrupted. */
  maxGapDays?: number
  /** Controls beside the title: the period, or a product. */
  actions?: ReactNode
  error?: ReactNode
  empty?: ReactNode
}

// Created once, so that React skips it when an answer arrives.
const definition = <MovementDefinition />

/**
 * The evolution of prices: the index of several products or the average of one, the change over the period, and its
 * basis.
 */
export function PriceEvolution(props: PriceEvolutionProps) {
  const {
    summary,
    subject,
    periodText,
    query,
    refetching,
    isShared = true,
    maxGapDays,
    actions,
    error,
    empty,
  } = props
  const { isIndex, chooser, line } = useEvolution(summary, maxGapDays)
  // Until the summary is loaded, assume the view that is usual for several products: the index.
  const isOfMany = summary ? isIndex : query.productId === undefined
  return (
    <LineChart
      title={isOfMany ? 'Évolution de l’indice des prix' : 'Évolution du prix moyen'}
      {...line}
      until={axisEnd(query)}
      subtitle={`${subject}, ${isIndex ? indexPeriod(periodText, summary) : periodText}`}
      isFaint={summary && isFaint(summary)}
      source={{
        count: summary?.totalPrices,
        last: summary?.lastCollectedAt,
        href: listOf(rowsOfFigures(query)),
      }}
      loading={summary === undefined}
      refetching={refetching}
      error={error}
      empty={empty}
      actions={
        <>
          {chooser}
          {actions}
        </>
      }
      note={
        summary && (
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <div className="min-w-0 flex-1 basis-64">
              <div className="flex flex-wrap items-center gap-x-1.5">
                <span className="inline-flex items-center gap-x-1 text-ink-soft">
                  {movementLabel(summary)}
                  {definition}
                </span>
                <PriceMovement summary={summary} />
              </div>
              <p className="text-xs text-ink-soft">
                {summary.totalPrices > 0 && `${capitalise(comparedText(summary))}. ${basisText(summary)}.`}
              </p>
            </div>
            {summary.totalPrices > 0 && (
              <div className="flex flex-wrap items-center">
                {isShared && (
                  <ShareAndCite
                    title={`${isOfMany ? 'Indice des prix' : 'Prix moyen'}, ${subject}, ${periodText}`}
                    address={addressOfPrices(query, axisEnd({}))}
                  />
                )}
                <FigureData rows={query} />
              </div>
            )}
            <DoubtfulPrices query={query} />
          </div>
        )
      }
    />
  )
}
