import { daysCompared } from '#features/prices/price-index/price-index.rules.ts'
import type { Period } from '#features/prices/rollups/rollups.rules.ts'
import { addDays, lengthInDays } from '#features/prices/rollups/rollups.rules.ts'
import type { PriceSummary, Trend } from '#features/prices/summary/summary.contract.ts'

/**
 * The last days of a period, and as many that end as many days earlier as the period lasts; of a period that starts where
 * prices start, its first days.
 *
 * @returns null where the two would overlap
 */
export function windowsOf(period: Period, isOpen: boolean): { before: Period; after: Period } | null {
  const days = lengthInDays(period)
  const width = daysCompared(days)
  const ending = (end: string): Period => ({ start: addDays(end, 1 - width), end })
  const before = ending(isOpen ? addDays(period.start, width - 1) : addDays(period.end, -days))
  const after = ending(period.end)
  return before.end < after.start ? { before, after } : null
}

/** Why no trend is told of a change, and perhaps no margin, to be said beside it; nothing where one is. */
export function untoldText(
  change: Pick<NonNullable<PriceSummary['change']>, 'margin' | 'from' | 'to' | 'products'> | null,
  trend: Trend | null,
  isOneSeries: boolean,
): string | null {
  if (change === null || trend !== null) return null
  if (change.margin !== null)
    return 'tendance non établie\u00a0: trop peu de produits relevés dans l’une des deux semaines'
  if (isOneSeries) return 'ni marge ni tendance\u00a0: un seul relevé d’un côté'
  return change.products === 1 || isOfOneProductInAWeek(change)
    ? 'ni marge ni tendance\u00a0: un seul produit relevé dans l’une des deux semaines'
    : 'ni marge ni tendance\u00a0: sur plus d’un an, elles manquent d’une grande sélection, et d’une semaine à un seul produit'
}

/** Why a summary has no change. */
export function noChangeText({
  index,
  knownSeries,
  pricedDays,
  isTooLarge,
}: Pick<PriceSummary, 'index' | 'knownSeries' | 'pricedDays' | 'isTooLarge'>): string {
  if (isTooLarge)
    return 'trop de séries pour un indice à la demande\u00a0: choisissez une catégorie ou un marché'
  if (pricedDays === 1) return 'tous les relevés sont d’un seul jour\u00a0: une variation en demande deux'
  return knownSeries > 1 && index.length > 1
    ? 'rien ne relie la dernière semaine à celle d’une période plus tôt'
    : 'trop peu de relevés pour mesurer une variation'
}

/** Whether one of the two weeks of a change of a year at most has a single product, which then is all that it tells of. */
export function isOfOneProductInAWeek({
  margin,
  from,
  to,
}: Pick<NonNullable<PriceSummary['change']>, 'margin' | 'from' | 'to'>): boolean {
  return margin === null && from >= addDays(to, -366)
}

/** « (incomplète) », behind a week that has not ended: what is collected in the days left of it still moves its change. */
export function weekMark(monday: string, today: string): string {
  return addDays(monday, 6) < today ? '' : ' (incomplète)'
}

/**
 * The week that an index begins with where older prices are cut off from it, as by more than a year without any; null where
 * none are.
 */
export function cutOffAt({ index, dailyPrices }: Pick<PriceSummary, 'index' | 'dailyPrices'>): string | null {
  const [first, oldest] = [index[0]?.week, dailyPrices[0]?.date]
  return first !== undefined && oldest !== undefined && oldest < addDays(first, -365) ? first : null
}

type Basis = Pick<NonNullable<PriceSummary['change']>, 'series' | 'products' | 'isThin'>

/**
 * Whether the amounts and the curve of a selection rest on too little: on fewer than 5 series or 3 products; of one product
 * on fewer than 5 series; of one series on fewer than 3 prices.
 */
export function isThinBasis({
  change,
  totalPrices,
  knownSeries,
  isTooLarge,
}: Pick<PriceSummary, 'totalPrices' | 'knownSeries' | 'isTooLarge'> & { change: Basis | null }): boolean {
  if (totalPrices < 3) return true
  if (change && change.products === 1 && change.series > 1) return change.series < 5
  return change ? change.isThin : knownSeries > 1 && knownSeries < 5 && !isTooLarge
}

/** The average of each day as charts draw it: thin where it rests on fewer prices than a third of the usual number. */
export function averagesOf(days: PriceSummary['dailyPrices']) {
  // Numbers alone are sorted without asking which of two comes first.
  const counts = new Uint32Array(days.map(({ count }) => count)).sort()
  const usual = counts[counts.length >> 1] ?? 0
  return days.map(({ date, averagePrice, count }) => ({
    date,
    value: averagePrice,
    count,
    thin: count < usual / 3,
  }))
}
