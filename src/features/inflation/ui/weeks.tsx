import { useState } from 'react'
import type { Inflation } from '#features/inflation/inflation.contract.ts'
import { type Measure, measureNames, measures } from '#features/inflation/published/published.contract.ts'
import {
  type InflationShown,
  isWeak,
  measureListed,
  shortNames,
  weeksListed,
} from '#features/inflation/ui/shown.ts'
import type { Selected } from '#features/prices/listed.rules.ts'
import { formatDate, formatPercent, notAvailable } from '#web/format.ts'
import { Button } from '#web/ui/button.tsx'
import { linkWithin } from '#web/ui/charts/link-within.tsx'
import type { Column } from '#web/ui/columns.ts'
import { narrowScreen, useMediaQuery } from '#web/ui/media-query.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { Table } from '#web/ui/table.tsx'

type Week = Inflation['weeks'][number]

const firstShown = 13

const columnsFor = (
  chosen: Selected,
  provisional: ReadonlySet<string>,
  shown: readonly Measure[],
): readonly Column<Week>[] => [
  {
    key: 'week',
    header: 'Semaine',
    cell: ({ week, number }) => (
      <>
        <span className="whitespace-nowrap">
          {linkWithin(weeksListed(chosen, { from: week, to: week }), `${number}, du ${formatDate(week)}`)}
        </span>
        {provisional.has(week) && <span className="block text-xs text-ink-soft">provisoire</span>}
      </>
    ),
  },
  ...shown.map((measure) => ({
    key: measure,
    // Its full name would push the last column off a tablet.
    header: measure === 'cumulative' ? shortNames.cumulative : measureNames[measure],
    align: 'end' as const,
    cell: (row: Week) => (
      <span className="whitespace-nowrap">
        {row[measure] === null
          ? notAvailable
          : linkWithin(measureListed(chosen, measure, row.week), formatPercent(row[measure] * 100))}
      </span>
    ),
  })),
]

/** Shows the four measures of each week, the latest first; on a phone only one, to limit the length of the list. */
export function Weeks({ inflation, refetching, chosen }: InflationShown) {
  const [isWhole, setWhole] = useState(false)
  const [measure, setMeasure] = useState<Measure>('weekly')
  const isNarrow = useMediaQuery(narrowScreen)
  const weeks = (inflation?.weeks ?? []).toReversed()
  const provisional = new Set(
    inflation?.index.flatMap(({ week, isProvisional }) => (isProvisional ? [week] : [])),
  )
  const rows = isWhole ? weeks : weeks.slice(0, firstShown)
  return (
    <section aria-labelledby="inflation-weeks" className="space-y-3">
      <div>
        <h2 id="inflation-weeks" className="text-base font-semibold">
          Semaine par semaine
        </h2>
        <p className="mt-0.5 max-w-prose text-ink-soft">
          Le numéro est celui de la semaine dans l’année. Ce qui remonte plus loin que la courbe est mesuré
          sur l’année que la semaine termine, quand cette année a des relevés.
        </p>
      </div>
      {isNarrow && (
        <SelectField
          label="Variation"
          value={measure}
          onChange={({ currentTarget }) =>
            setMeasure(measures.find((each) => each === currentTarget.value) ?? measure)
          }
          options={measures.map((value) => ({ value, label: measureNames[value] }))}
        />
      )}
      <div className={isWeak(inflation) ? 'text-ink-soft' : ''}>
        <Table
          caption="Inflation semaine par semaine"
          columns={columnsFor(chosen, provisional, isNarrow ? [measure] : measures)}
          cards="not all"
          rows={rows}
          rowKey={({ week }) => week}
          loading={inflation === undefined}
          skeletonRows={firstShown}
          refetching={refetching}
        />
      </div>
      {rows.length < weeks.length && (
        <Button onClick={() => setWhole(true)}>{`Afficher les ${weeks.length} semaines`}</Button>
      )}
    </section>
  )
}
