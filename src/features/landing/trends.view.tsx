import type { ReactNode } from 'react'
import { isThinBasis } from '#features/figures/summary/summary.rules.ts'
import {
  ChangeText,
  type IndexChange,
  isFaintChange,
  isOld,
  marginText,
  noTrendEnd,
  weeksText,
} from '#features/landing/change-text.view.tsx'
import type { PublicFigures } from '#features/landing/landing.contract.ts'
import { sampleComparison, sampleWeeks } from '#features/landing/samples.rules.ts'
import {
  Definition,
  FigurePanel,
  FiguresTable,
  FoldedOnPhone,
  PublicSection,
  SampleMark,
} from '#features/landing/section.view.tsx'
import { addDays, dayInKinshasa } from '#shared/days.ts'
import { formatCount, formatDate, formatMoney, formatNumber, formatPercent } from '#web/format.ts'
import { BarList } from '#web/ui/charts/bar-list.view.tsx'
import { FluidLine } from '#web/ui/charts/fluid-line.view.tsx'

type TrendsProps = { figures: PublicFigures; isEmpty: boolean }

/** Shows half a year of the national index, a product compared across markets, and three figures from both. */
export function Trends({ figures, isEmpty }: TrendsProps) {
  return (
    <PublicSection
      id="trends"
      tone="surface"
      title="Tendances du Marché"
      lead="L’ensemble des prix suivis, comparé à lui-même semaine après semaine."
    >
      <div className="grid gap-4 lg:grid-cols-[1.35fr_1fr]">
        <HalfYear figures={figures} isEmpty={isEmpty} />
        <SummaryCards figures={figures} isEmpty={isEmpty} />
      </div>
      <div className="md:mt-4">
        <FoldedOnPhone summary={<h3 className="font-semibold md:sr-only">Un produit, marché par marché</h3>}>
          <Comparison figures={figures} isEmpty={isEmpty} />
        </FoldedOnPhone>
      </div>
    </PublicSection>
  )
}

function HalfYear({ figures, isEmpty }: TrendsProps) {
  const { index, lastCollectedAt } = figures
  const weeks = isEmpty ? sampleWeeks(dayInKinshasa(figures.madeAt)) : index.weeks
  const points = weeks.map(({ week, value, isProvisional }) => ({
    date: week,
    value: value - 100,
    isProvisional,
  }))
  const first = weeks[0]
  const change = index.halfYear
  const basis = { change, totalPrices: index.prices, knownSeries: index.knownSeries, isTooLarge: false }
  return (
    <FigurePanel
      title="Évolution des prix sur six mois"
      measure={
        first
          ? `Indice national, écart avec la semaine du ${formatDate(first.week)}, en\u00a0%`
          : 'Indice national'
      }
      isSample={isEmpty}
      definition="/methode#indice"
      isFaint={!isEmpty && (isThinBasis(basis) || isOld(figures))}
      footer={
        isEmpty ? (
          'Courbe inventée, pour montrer ce qui se lira ici.'
        ) : (
          <>
            <p className="max-md:line-clamp-2">
              {`Source\u00a0: Ntalo, ${formatCount(index.prices, 'relevé', 'relevés')} sur un an, ${formatCount(index.matchedSeries, 'série comparée', 'séries comparées')} sur ${formatCount(index.knownSeries, 'connue', 'connues')}${change ? `, ${formatCount(change.products, 'produit', 'produits')}` : ''}. Dernier relevé\u00a0: ${formatDate(lastCollectedAt)}. En pointillé, les huit dernières semaines, provisoires.`}
            </p>
            <FiguresTable
              columns={['Semaine du', 'Indice (base 100)']}
              rows={weeks
                .toReversed()
                .map(({ week, value, isProvisional }) => [
                  formatDate(week),
                  `${formatNumber(value, 1)}${isProvisional ? ' (provisoire)' : ''}`,
                ])}
            />
          </>
        )
      }
    >
      {points.length < 2 ? (
        <p className="text-ink-soft">Il faut au moins deux semaines de relevés pour tracer une évolution.</p>
      ) : (
        <FluidLine
          points={points}
          // One point per week: only a missing week is a gap.
          maxGapDays={7}
          formatValue={(value) => formatPercent(value)}
          formatTick={(value) => `${formatNumber(value)}\u00a0%`}
          className="min-h-40 md:min-h-66"
          area
        />
      )}
    </FigurePanel>
  )
}

function Comparison({ figures, isEmpty }: TrendsProps) {
  const { comparison } = figures
  const rows = isEmpty
    ? sampleComparison.map((each, id) => ({ ...each, id, location: '', isThin: false }))
    : (comparison?.markets ?? [])
  return (
    <FigurePanel
      title={
        comparison
          ? `${comparison.product.name}, ${comparison.product.weight}`
          : 'Un produit, marché par marché'
      }
      measure={
        comparison
          ? `Prix moyen du ${formatDate(comparison.from)} au ${formatDate(comparison.to)}, et des quatre semaines précédentes`
          : 'Prix actuel et prix précédent'
      }
      isSample={isEmpty}
      definition="/methode#hebdomadaire"
      isFaint={!isEmpty && isOld(figures)}
      footer={
        <>
          <p className="flex flex-wrap gap-x-4 gap-y-1">
            <Legend look="bg-chart-1">Prix actuel</Legend>
            <Legend look="bg-line-strong">Prix précédent</Legend>
          </p>
          {comparison && (
            <>
              <p className="mt-2">
                {`Source\u00a0: Ntalo, ${formatCount(rows.length, 'marché', 'marchés')}. Dernier relevé\u00a0: ${formatDate(figures.lastCollectedAt)}.`}
              </p>
              <FiguresTable
                columns={['Marché', 'Prix actuel', 'Prix précédent']}
                rows={comparison.markets.map(({ name, location, current, previous }) => [
                  `${name}, ${location}`,
                  formatMoney(Math.round(current)),
                  formatMoney(Math.round(previous)),
                ])}
              />
            </>
          )}
        </>
      }
    >
      {rows.length === 0 ? (
        <p className="text-ink-soft">
          Aucun produit n’a encore de prix sur huit semaines dans un même marché.
        </p>
      ) : (
        <BarList
          rows={rows.map(({ id, name, location, current, previous, isThin }) => ({
            key: id,
            isFaint: isThin,
            name: location ? `${name}, ${location}` : name,
            bars: [
              { value: current, text: formatMoney(Math.round(current)), label: 'actuel' },
              {
                value: previous,
                text: formatMoney(Math.round(previous)),
                label: 'précédent',
                look: 'quiet' as const,
              },
            ],
          }))}
        />
      )}
    </FigurePanel>
  )
}

function Legend({ look, children }: { look: string; children: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span className={`h-2 w-4 ${look}`} aria-hidden />
      {children}
    </span>
  )
}

function SummaryCards({ figures, isEmpty }: TrendsProps) {
  const { halfYear, quarter } = figures.index
  const { steadiest } = figures
  const last = figures.index.weeks.at(-1)
  const isFaint = isOld(figures)
  return (
    <div className="grid gap-2 max-lg:grid-cols-3 md:gap-4">
      <Card title="Évolution sur six mois" definition="/methode#variation" isSample={isEmpty}>
        {isEmpty ? (
          <Figure>+6,4&nbsp;%</Figure>
        ) : halfYear ? (
          <MovementFigure change={halfYear} figures={figures} />
        ) : (
          <Missing>
            {last
              ? `Aucune valeur pour la semaine du ${formatDate(addDays(last.week, -7 * 26))}.`
              : 'Pas encore de valeur.'}
          </Missing>
        )}
      </Card>
      <Card title="Ville la plus stable" definition="/methode#hebdomadaire" isSample={isEmpty}>
        {isEmpty ? (
          <Figure>Ville A</Figure>
        ) : steadiest ? (
          <>
            <Figure isFaint={isFaint}>{steadiest.location}</Figure>
            <p className="mt-1 text-xs text-ink-soft max-md:hidden">
              {/* It has no margin, so no trend and no arrow. */}
              {`${formatPercent(100 * steadiest.change)} en trois mois, ${formatCount(steadiest.series, 'série', 'séries')} de ${formatCount(steadiest.products, 'produit', 'produits')}`}
            </p>
          </>
        ) : (
          <Missing>Aucune ville n’a encore assez de séries sur trois mois.</Missing>
        )}
      </Card>
      <Card title="Inflation estimée sur trois mois" definition="/methode#inflation" isSample={isEmpty}>
        {isEmpty ? (
          <Figure>+2,3&nbsp;%</Figure>
        ) : quarter && quarter.products >= 3 ? (
          <MovementFigure change={quarter} figures={figures} />
        ) : (
          <Missing>Insuffisant</Missing>
        )}
      </Card>
    </div>
  )
}

function MovementFigure({ change, figures }: { change: IndexChange; figures: PublicFigures }) {
  const { value, trend, series, products } = change
  const isFaint = isFaintChange(change, figures)
  return (
    <>
      <p className={`font-semibold tracking-tight wrap-anywhere md:text-xl ${isFaint ? 'text-grey' : ''}`}>
        {trend === null ? (
          formatPercent(100 * value)
        ) : (
          <ChangeText
            value={value}
            stableWithin={trend === 'stable' ? Number.POSITIVE_INFINITY : 0}
            isFaint={isFaint}
            className="font-semibold"
          />
        )}
        <span className="inline-block text-xs font-normal md:ml-2 md:text-sm text-ink-soft">
          {marginText(change)}
        </span>
      </p>
      <p className="mt-1 text-xs text-ink-soft max-md:hidden">
        {`${weeksText(change, figures)}, ${formatCount(series, 'série', 'séries')}, ${formatCount(products, 'produit', 'produits')}, non pondéré${noTrendEnd(change)}`}
      </p>
    </>
  )
}

type CardProps = { title: string; definition: string; isSample: boolean; children: ReactNode }

function Card({ title, definition, isSample, children }: CardProps) {
  return (
    <div className="flex flex-col rounded-md border border-line bg-paper p-2 md:p-5">
      <h3 className="flex flex-wrap items-center gap-2 text-xs font-medium md:text-sm text-ink-soft">
        {title}
        {isSample && <SampleMark />}
      </h3>
      <div className="mt-1 max-md:mt-auto md:mt-2 md:grow">{children}</div>
      <div className="max-md:hidden md:mt-3">
        <Definition href={definition} of={title} />
      </div>
    </div>
  )
}

function Figure({ isFaint = false, children }: { isFaint?: boolean; children: ReactNode }) {
  return (
    <p className={`font-semibold tracking-tight wrap-anywhere md:text-xl ${isFaint ? 'text-grey' : ''}`}>
      {children}
    </p>
  )
}

function Missing({ children }: { children: string }) {
  return <p className="text-ink-soft max-md:text-xs md:text-base">{children}</p>
}
