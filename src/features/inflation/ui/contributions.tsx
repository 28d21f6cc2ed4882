import { useState } from 'react'
import type { Inflation } from '#features/inflation/inflation.contract.ts'
import { type Measure, measureNames, measures } from '#features/inflation/published/published.contract.ts'
import {
  comparedWeeks,
  type InflationShown,
  isWeak,
  shortNames,
  weeksListed,
} from '#features/inflation/ui/shown.ts'
import type { Selected } from '#features/prices/listed.rules.ts'
import { exchangeRates } from '#features/rates/rates.contract.ts'
import { addDays } from '#shared/days.ts'
import { formatNumber, formatPercent, formatTenths } from '#web/format.ts'
import { useMay } from '#web/session.ts'
import { Card } from '#web/ui/card.tsx'
import { linkInText, linkWithin } from '#web/ui/charts/link-within.tsx'
import type { Column } from '#web/ui/columns.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { InfoPopover } from '#web/ui/info-popover.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Table } from '#web/ui/table.tsx'

type Contribution = Inflation['contributions']['categories'][number]
type ContributionsProps = InflationShown & { measure: Measure; onMeasure: (measure: Measure) => void }

const groups = [
  { value: 'categories', label: 'Par catégorie' },
  { value: 'types', label: 'Par type' },
] as const

/** Shows what makes prices rise: the contribution of each category or type, and that of the dollar. */
export function Contributions({ inflation, refetching, chosen, measure, onMeasure }: ContributionsProps) {
  const [group, setGroup] = useState<(typeof groups)[number]['value']>('categories')
  // The annualised measure shows the contributions of the cumulative change.
  const shown = measure === 'annualised' ? 'cumulative' : measure
  const change = inflation?.changes[shown]
  const rows = inflation?.contributions[group] ?? []
  const rowsOf = (id: number) =>
    change ? weeksListed({ ...chosen, [group === 'categories' ? 'categoryId' : 'typeId']: id }, change) : null
  return (
    <Card
      title={change ? `Ce qui fait ${formatPercent(change.value * 100)}` : 'Ce qui fait bouger les prix'}
      description={change ? `Parts de la variation, ${comparedWeeks(change)}.` : undefined}
      actions={
        <>
          <Segmented
            label="Variation à expliquer"
            value={shown}
            onChange={onMeasure}
            options={measures
              .filter((each) => each !== 'annualised')
              .map((value) => ({ value, label: shortNames[value], name: measureNames[value] }))}
          />
          <Segmented label="Regrouper" value={group} onChange={setGroup} options={groups} />
          <InfoPopover label="Contributions" definition="/methode#contributions">
            La contribution d’un groupe est sa part des séries (ou des poids) multipliée par la variation
            moyenne de ses prix&#8239;; un prix qui manque une semaine est supposé suivre l’indice. Les
            contributions s’additionnent à la variation de l’indice.
          </InfoPopover>
        </>
      }
      footer={
        inflation?.exchange &&
        change && (
          <DollarPart
            exchange={inflation.exchange}
            change={change}
            chosen={chosen}
            isWeak={isWeak(inflation)}
          />
        )
      }
    >
      {inflation === undefined ? (
        <Skeleton className="h-48 w-full" />
      ) : (
        <Table
          caption="Contributions à la variation"
          columns={columnsFor(rows, isWeak(inflation), rowsOf)}
          rows={rows}
          rowKey={({ id }) => id}
          refetching={refetching}
          empty={
            <EmptyState compact title="Aucune contribution à montrer">
              Une des deux semaines comparées n’a pas d’indice.
            </EmptyState>
          }
        />
      )}
    </Card>
  )
}

function columnsFor(
  rows: readonly Contribution[],
  weak: boolean,
  rowsOf: (id: number) => string | null,
): readonly Column<Contribution>[] {
  const points = rows.map((row) => row.points)
  // Bars start at the left edge, unless some contributions are negative.
  const lowest = Math.min(0, ...points)
  const span = Math.max(0, ...points) - lowest || 1
  const soft = weak ? 'text-ink-soft' : ''
  return [
    {
      key: 'name',
      header: 'Groupe',
      cell: ({ id, name }) => {
        const href = rowsOf(id)
        return href ? linkWithin(href, name) : name
      },
    },
    {
      key: 'points',
      header: 'Contribution',
      align: 'end',
      cell: ({ points }) => (
        <span className={`font-medium whitespace-nowrap ${soft}`}>{inPoints(points)}</span>
      ),
    },
    {
      key: 'bar',
      header: 'Part',
      card: 'hidden',
      className: 'w-1/4',
      cell: ({ points }) => (
        <svg viewBox="0 0 100 8" className="block h-2 w-full" preserveAspectRatio="none" aria-hidden="true">
          <rect
            x={(100 * (Math.min(0, points) - lowest)) / span}
            width={(100 * Math.abs(points)) / span}
            height="8"
            className={weak ? 'fill-line-strong' : points > 0 ? 'fill-red' : 'fill-green'}
          />
          <path
            d={`M${(-100 * lowest) / span},0V8`}
            className="stroke-line-strong"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
      ),
    },
    {
      key: 'value',
      header: 'Ses prix',
      align: 'end',
      cell: ({ value }) => <span className={`whitespace-nowrap ${soft}`}>{formatPercent(value * 100)}</span>,
    },
    {
      key: 'share',
      header: 'Poids',
      align: 'end',
      cell: ({ share }) => formatPercent(share * 100, false),
    },
    {
      key: 'series',
      header: 'Séries',
      align: 'end',
      card: 'hidden',
      cell: ({ series }) => formatNumber(series),
    },
  ]
}

/** Formats a contribution in percentage points: `+1,2 pt`. */
function inPoints(points: number): string {
  const rounded = Math.round(points * 1000) / 10
  return `${rounded > 0 ? '+' : ''}${formatTenths(rounded)}\u00a0pt`
}

type DollarPartProps = {
  exchange: NonNullable<Inflation['exchange']>
  change: { from: string; to: string }
  chosen: Selected
  isWeak: boolean
}

function DollarPart({ exchange, change, chosen, isWeak: isFaint }: DollarPartProps) {
  const { francs, dollar, inDollars } = exchange
  const mayReadRates = useMay()(exchangeRates.list.right)
  const percent = (value: number) => formatPercent(value * 100)
  const listed = weeksListed(chosen, change)
  const rates = `/taux?${new URLSearchParams({ startDate: change.from, endDate: addDays(change.to, 6) })}`
  return (
    <span className={`flex flex-wrap items-center gap-x-1.5 ${isFaint ? '' : 'text-ink'}`}>
      <span>
        <strong className="font-semibold">{linkInText(listed, `${percent(francs)} en francs`)}</strong>
        {' = '}
        {mayReadRates ? linkInText(rates, `dollar ${percent(dollar)}`) : `dollar ${percent(dollar)}`}
        {' × '}
        {linkInText(listed, `prix en dollars ${percent(inDollars)}`)}
      </span>
      <InfoPopover label="Part du dollar" definition="/methode#devises">
        La variation en francs est exactement celle du taux du dollar multipliée par celle des prix une fois
        dits en dollars&nbsp;: (1 + francs) = (1 + dollar) × (1 + prix en dollars). C’est un partage, pas une
        cause.
      </InfoPopover>
      <span className="basis-full">
        {linkInText(weeksListed({ ...chosen, currency: 'USD' }, change), 'Relevés faits en dollars')}
      </span>
    </span>
  )
}
