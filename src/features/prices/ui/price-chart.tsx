import type { PriceSummary } from '#features/prices/summary/summary.contract.ts'
import { type PeriodChoice, type PriceSelection, periods } from '#features/prices/ui/price-selection.ts'
import { useAverages } from '#features/prices/ui/summary.ts'
import { formatCount } from '#web/format.ts'
import { Change } from '#web/ui/change.tsx'
import { LineChart } from '#web/ui/charts/line-chart.tsx'
import { InfoPopover } from '#web/ui/info-popover.tsx'
import { Segmented } from '#web/ui/segmented.tsx'

type PriceChartProps = {
  summary: PriceSummary | undefined
  /** « Farine de manioc, Marché central » */
  subject: string
  selection: PriceSelection
  refetching: boolean
}

/** The average of each day, with the inflation estimated over the period. */
export function PriceChart({ summary, subject, selection, refetching }: PriceChartProps) {
  const { period, setPeriod, periodText } = selection
  return (
    <LineChart
      title="Évolution du prix moyen"
      subtitle={`${subject}, ${periodText}`}
      unit="FC"
      series={useAverages(summary)}
      source={{ last: summary?.lastCollectedAt }}
      loading={summary === undefined}
      refetching={refetching}
      actions={
        <>
          <Inflation summary={summary} />
          <Segmented<PeriodChoice | ''>
            label="Période"
            value={period ?? ''}
            onChange={(next) => next && setPeriod(next)}
            options={periods.map((days) => ({
              value: days,
              label: `${days}j`,
              name: `${days} derniers jours`,
            }))}
          />
        </>
      }
    />
  )
}

function Inflation({ summary }: { summary: PriceSummary | undefined }) {
  const inflation = summary?.inflation ?? null
  return (
    <p className="flex items-center gap-1.5">
      <span className="text-ink-soft">Inflation estimée</span>
      {inflation === null ? (
        <span className="font-medium">{summary ? 'Insuffisant' : '…'}</span>
      ) : (
        <Change percent={inflation * 100} tone="price" />
      )}
      <InfoPopover label="Inflation estimée">
        Variation des mêmes produits dans les mêmes marchés entre le premier et le dernier tiers de la
        période, en moyenne géométrique.
        {summary &&
          ` Elle repose sur ${formatCount(summary.matchedSeries, 'série suivie', 'séries suivies')}.`}
      </InfoPopover>
    </p>
  )
}
