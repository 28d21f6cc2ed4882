import { percentInterval } from '#features/figures/price-index/price-index.rules.ts'
import type { SharedChange, SharedFigures } from '#features/shares/shares.rules.ts'
import {
  formatCount,
  formatDate,
  formatDateTime,
  formatInterval,
  formatMoney,
  formatPercent,
} from '#web/format.ts'
import { FluidLine } from '#web/ui/charts/fluid-line.view.tsx'

export type SharedProps = { figures: SharedFigures; isFrozen: boolean; token: string }

const words = { up: 'hausse', down: 'baisse', stable: 'stable' } as const

/** Returns for example « Riz local, 1 kg à Virunga, Goma ». */
export function subjectOf({ product, market }: SharedFigures): string {
  return `${product.name}, ${product.weight} à ${market.name}, ${market.location}`
}

/** Returns for example « 3 600 FC le 6 nov. 2026 ». */
export function lastText({ last }: SharedFigures): string {
  return last ? `${formatMoney(last.price, last.currency)} le ${formatDate(last.day)}` : 'jamais relevé'
}

/**
 * Shows one series: the last price and its age, its changes, its chart over a year, and the prices of other markets.
 */
export function SharedPrice({ figures, isFrozen }: Pick<SharedProps, 'figures' | 'isFrozen'>) {
  const { last, month, year, points, count, elsewhere, madeAt } = figures
  return (
    <>
      <p className="mt-4 text-[length:1.75rem] leading-8.5 font-semibold tracking-tight whitespace-nowrap">
        {last ? formatMoney(last.price, last.currency) : 'Aucun prix'}
      </p>
      {last && <p className="text-ink-soft">{`relevé le ${formatDate(last.day)}`}</p>}
      <dl className="mt-4 flex flex-wrap gap-x-8 gap-y-2">
        <Moved label="En 30 jours" {...month} />
        <Moved label="En un an" {...year} />
        {elsewhere && (
          <div>
            <dt className="text-sm text-ink-soft">
              {`Dans ${formatCount(elsewhere.markets, 'autre marché', 'autres marchés')}`}
            </dt>
            <dd className="font-medium">
              {elsewhere.lowest === elsewhere.highest
                ? formatMoney(elsewhere.lowest)
                : `${formatMoney(elsewhere.lowest)} à ${formatMoney(elsewhere.highest)}`}
            </dd>
          </div>
        )}
      </dl>
      {points.length > 1 && (
        <figure className="mt-4">
          <figcaption className="text-sm text-ink-soft">
            Moyenne de chaque jour, en francs, sur un an
          </figcaption>
          <FluidLine
            points={points}
            maxGapDays={14}
            formatValue={(value) => formatMoney(Math.round(value))}
            className="min-h-48"
          />
        </figure>
      )}
      <p className="mt-4 text-sm text-ink-soft">
        {`Source\u00a0: Ntalo, ${formatCount(count, 'relevé', 'relevés')} en un an. `}
        {isFrozen ? `Chiffres figés le ${formatDateTime(madeAt)}.` : `Chiffres du ${formatDateTime(madeAt)}.`}
      </p>
    </>
  )
}

function Moved({ label, change, trend }: SharedChange & { label: string }) {
  return (
    <div>
      <dt className="text-sm text-ink-soft">{label}</dt>
      <dd className="font-medium">
        {change
          ? [
              formatPercent(100 * change.value),
              change.margin !== null &&
                `(${formatInterval(100 * change.value, percentInterval({ value: change.value, margin: change.margin }))})`,
              trend && words[trend],
            ]
              .filter(Boolean)
              .join(' ')
          : 'trop peu de relevés'}
      </dd>
    </div>
  )
}
