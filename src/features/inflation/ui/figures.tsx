import { asOfText, noTrendText } from '#features/figures/summary/summary.rules.ts'
import type { Inflation } from '#features/inflation/inflation.contract.ts'
import { weeksBack } from '#features/inflation/inflation.rules.ts'
import { type Measure, measureNames, measures } from '#features/inflation/published/published.contract.ts'
import {
  comparedWeeks,
  type InflationShown,
  isWeak,
  shortNames,
  weeksListed,
} from '#features/inflation/ui/shown.ts'
import { intervalText, trends } from '#features/prices/ui/price-movement.tsx'
import { addDays } from '#shared/days.ts'
import { capitalise, formatDate, formatDateTime, formatPercent, notAvailable } from '#web/format.ts'
import { linkWithin } from '#web/ui/charts/link-within.tsx'
import { Counters } from '#web/ui/counters.tsx'
import { InfoPopover } from '#web/ui/info-popover.tsx'

const definitions: Record<Measure, string> = {
  weekly: 'L’indice de la semaine comparé à celui de la semaine d’avant.',
  cumulative: 'L’indice de la semaine comparé à celui de la dernière semaine de l’année précédente.',
  annualised:
    'Ce que donnerait le cumul sur toute l’année au même rythme\u00a0: (1 + cumul) à la puissance 52/n, moins 1, où n est le numéro de la semaine. Le même calcul que celui de l’INS et de la BCC.',
  yearly: 'L’indice de la semaine comparé à celui de la même semaine un an plus tôt, 52\u00a0semaines avant.',
}

/** Shows the four measures of the last week. */
export function InflationFigures({ inflation, refetching, chosen }: InflationShown) {
  const number = inflation?.weeks.find(({ week }) => week === inflation.week)?.number
  return (
    <Counters
      label="Inflation de la dernière semaine"
      loading={inflation === undefined}
      refetching={refetching}
      items={measures.map((measure) => ({
        key: measure,
        label: shortNames[measure],
        value: <Figure inflation={inflation} measure={measure} chosen={chosen} />,
        basis: basisOf(inflation, measure, number),
        info: (
          <InfoPopover label={measureNames[measure]} definition="/methode#inflation">
            {definitions[measure]} La marge (±), ou l’intervalle, couvre 95&nbsp;% des cas et tient compte du
            nombre de produits. Les huit dernières semaines sont provisoires.
          </InfoPopover>
        ),
      }))}
    />
  )
}

type FigureProps = Pick<InflationShown, 'inflation' | 'chosen'> & { measure: Measure }

function Figure({ inflation, measure, chosen }: FigureProps) {
  const change = inflation?.changes[measure]
  if (!change) return <span className="text-ink-soft">{notAvailable}</span>
  const { value, margin, trend } = change
  const percent = Math.round(value * 1000) / 10
  const shownTrend = trend && trends[trend]
  const colour = isWeak(inflation) || !shownTrend ? 'text-ink-soft' : shownTrend.colour
  return (
    <>
      <span className={colour}>{linkWithin(weeksListed(chosen, change), formatPercent(percent))}</span>
      {margin !== null && (
        <span className="text-sm font-normal tracking-normal text-ink-soft">
          {intervalText({ value, margin })}
        </span>
      )}
      {shownTrend && (
        <span className={`inline-flex items-center gap-0.5 text-sm font-normal tracking-normal ${colour}`}>
          <shownTrend.icon className="size-3.5 shrink-0" aria-hidden />
          {shownTrend.word}
        </span>
      )}
    </>
  )
}

function basisOf(inflation: Inflation | undefined, measure: Measure, number: number | undefined): string {
  const change = inflation?.changes[measure]
  if (!change) {
    const week = inflation?.week
    if (!week) return 'Aucune semaine n’a d’indice'
    return `Pas d’indice la semaine du ${formatDate(addDays(week, -7 * weeksBack(measure, week)))}`
  }
  if (measure === 'annualised') return `Semaine ${number} de l’année, du ${formatDate(change.to)}`
  return [
    capitalise(comparedWeeks(change)),
    asOfText(inflation?.asOf, formatDateTime),
    noTrendText(change, change.trend, false),
  ]
    .filter(Boolean)
    .join('\u202f; ')
}
