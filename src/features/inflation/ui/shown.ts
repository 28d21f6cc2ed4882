import { weekMark } from '#features/figures/summary/summary.rules.ts'
import type { Inflation } from '#features/inflation/inflation.contract.ts'
import { weeksBack } from '#features/inflation/inflation.rules.ts'
import type { Measure } from '#features/inflation/published/published.contract.ts'
import { listOf, rowsOfFigures, type Selected } from '#features/prices/listed.rules.ts'
import { isStale, ratesText } from '#features/prices/ui/price-movement.tsx'
import { today } from '#features/prices/ui/price-selection.ts'
import { addDays } from '#shared/days.ts'
import { formatCount, formatDate, formatNumber } from '#web/format.ts'

/** The props of each part of the page; `inflation` is undefined while it loads. */
export type InflationShown = {
  inflation: Inflation | undefined
  refetching: boolean
  /** The filters of the prices, without days. */
  chosen: Selected
}

/** The French name of each measure where space is short. */
export const shortNames: Readonly<Record<Measure, string>> = {
  weekly: 'Semaine',
  cumulative: 'Cumul',
  annualised: 'Annualisée',
  yearly: 'Sur un an',
}

/** Whether figures are shown as weak: their basis is thin, or their last price is more than a month old. */
export function isWeak(inflation: Inflation | undefined): boolean {
  return inflation !== undefined && (inflation.basis.isThin || inflation.basis.isStale)
}

/** Whether some types have no weight: the figures then describe only the others. */
export function isPartlyWeighted(weights: Inflation['weights']): boolean {
  return weights !== null && weights.typesWithout > 0
}

/** Describes the basis of the figures in one line. */
export function basisLine({ basis, weights, excluded }: Inflation): string {
  const { series, knownSeries, products, prices, silentMarkets, firstDay } = basis
  const converted = { currency: 'USD' as const, count: basis.converted ?? 0 }
  return [
    `${formatCount(series, 'série suivie', 'séries suivies')} sur ${formatNumber(knownSeries)}`,
    formatCount(products, 'produit', 'produits'),
    prices !== null && `${formatCount(prices, 'relevé', 'relevés')} depuis le ${formatDate(firstDay)}`,
    silentMarkets > 0 &&
      `${formatCount(silentMarkets, 'marché', 'marchés')} sans relevé depuis plus de 14\u00a0jours`,
    ratesText({
      totalPrices: prices ?? 0,
      currencyDistribution: [converted],
      atOldRate: basis.atOldRate ?? 0,
      excluded,
    }),
    basis.isStale &&
      `${isStale(basis.lastDay) ? 'dernier relevé' : 'dernière semaine calculée'} de plus de 30\u00a0jours`,
    weights
      ? `${isPartlyWeighted(weights) ? 'pondéré en partie' : 'pondéré'} par ${formatCount(weights.types, 'type de produit', 'types de produit')}, au ${formatDate(weights.day)} (${weights.source})`
      : 'non pondéré',
    weights &&
      weights.unweighted > 0 &&
      `${formatCount(weights.unweighted, 'série sans poids laissée', 'séries sans poids laissées')} de côté`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** Returns the address of the list of prices of some weeks, from the first Monday to the last Sunday. */
export function weeksListed(chosen: Selected, { from, to }: { from: string; to: string }): string {
  return listOf(rowsOfFigures({ ...chosen, startDate: from, endDate: addDays(to, 6) }))
}

/** Returns the address of the list of prices of a week, back to the week that a measure compares it with. */
export function measureListed(chosen: Selected, measure: Measure, week: string): string {
  return weeksListed(chosen, { from: addDays(week, -7 * weeksBack(measure, week)), to: week })
}

/** Returns for example « semaine du 16 nov. 2026 par rapport à celle du 9 nov. 2026 ». */
export function comparedWeeks({ from, to }: { from: string; to: string }): string {
  return `semaine du ${formatDate(to)}${weekMark(to, today())} par rapport à celle du ${formatDate(from)}`
}
