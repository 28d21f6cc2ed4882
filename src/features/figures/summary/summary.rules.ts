import {
  daysCompared,
  fewestProducts,
  fewestSeries,
  movementOfSeries,
} from '#features/figures/price-index/price-index.rules.ts'
import type { PriceSummary, Trend } from '#features/figures/summary/summary.contract.ts'
import { addDays, lengthInDays, type Period } from '#shared/days.ts'

/**
 * Returns the two windows of days that a period compares: its last days, and as many days ending one period length
 * earlier; or its first days, if the period starts with the first price.
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

/**
 * Computes the change of one series between two windows, with the last day of each.
 *
 * @param before natural logarithms of the prices of the earlier window
 * @returns null when either window is empty
 */
export function changeOfLogs(
  before: readonly number[],
  after: readonly number[],
  windows: { before: Period; after: Period },
) {
  const movement = movementOfSeries(before, after)
  const isThin = before.length < 3 || after.length < 3
  return movement && { ...movement, from: windows.before.end, to: windows.after.end, isThin }
}

/**
 * Returns « calculé le 26 nov. 2026, 14:32, avant les derniers relevés » for figures that lack the last writes; an
 * empty string otherwise.
 */
export function asOfText(asOf: string | null | undefined, format: (instant: string) => string): string {
  return asOf ? `calculé le ${format(asOf)}, avant les derniers relevés` : ''
}

/**
 * Returns the sentence shown beside a change without a trend, and perhaps without a margin, to explain why; an empty
 * string where there is a trend.
 */
export function noTrendText(
  change: Pick<NonNullable<PriceSummary['change']>, 'value' | 'margin' | 'from' | 'to' | 'products'> | null,
  trend: Trend | null,
  isOneSeries: boolean,
): string | null {
  if (change === null || trend !== null) return null
  const { value, margin, products } = change
  if (margin !== null)
    return Math.abs(Math.log1p(value)) <= margin
      ? 'tendance trop incertaine\u00a0: la marge dépasse 5\u00a0points'
      : 'tendance non établie\u00a0: trop peu de produits relevés dans l’une des deux semaines'
  if (isOneSeries) return 'ni marge ni tendance\u00a0: un seul relevé d’un côté, ou des relevés tous égaux'
  if (!isWithinAYear(change)) return 'ni marge ni tendance\u00a0: la variation porte sur plus d’un an'
  const one = products === 1 ? 'un seul marché relevé' : 'un seul produit relevé'
  return `ni marge ni tendance\u00a0: ${one} dans l’une des deux semaines, ou des prix qui ont tous varié de même`
}

/** Whether the change of a selection, or the selection if it has none, is of fewer than three products. */
export function isOfFewProducts({ change, pricedProducts }: Pick<PriceSummary, 'change' | 'pricedProducts'>) {
  const products = change ? change.products : pricedProducts
  return products > 0 && products < fewestProducts
}

/** Returns the reason why a summary has no change. */
export function noChangeText(
  {
    pricedDays,
    isTooLarge,
    isEstimate,
    unmeasured,
    unlinked,
  }: Pick<PriceSummary, 'pricedDays' | 'isTooLarge' | 'isEstimate' | 'unmeasured' | 'unlinked'>,
  write: Writing,
): string {
  if (isEstimate)
    return 'trop de relevés à lire pour ces filtres\u00a0: choisissez un produit, un marché ou des dates plus courtes'
  if (isTooLarge)
    return 'trop de séries pour un indice à la demande\u00a0: choisissez une catégorie ou un marché'
  if (pricedDays === 1) return 'tous les relevés sont d’un seul jour\u00a0: une variation en demande deux'
  if (unmeasured) return unmeasuredText(unmeasured, write)
  return unlinked
    ? `rien ne relie la semaine du ${write.day(unlinked.to)} à celle du ${write.day(unlinked.from)}`
    : 'trop peu de relevés pour mesurer une variation'
}

/** Formatters of a day, an amount in CDF and a change in percent. */
type Writing = {
  day: (day: string) => string
  amount: (cdf: number) => string
  percent: (change: number) => string
}

/**
 * Returns for example « aucun relevé depuis le 6 nov. 2026 : rien ne dit ce que le prix est devenu ; dernier prix : 58
 * 000 FC ».
 */
function unmeasuredText(
  { lacks, before, lastDay, lastPrice, change }: NonNullable<PriceSummary['unmeasured']>,
  { day, amount, percent }: Writing,
): string {
  const reason =
    lacks === 'end'
      ? `aucun relevé depuis le ${day(lastDay)}\u00a0: rien ne dit ce que le prix est devenu`
      : before
        ? `aucun relevé du ${day(before.startDate)} au ${day(before.endDate)}\u00a0: rien à quoi comparer le dernier prix`
        : 'période trop courte\u00a0: une variation compare ses sept derniers jours à sept autres, plus tôt'
  const latest = `dernier prix\u00a0: ${amount(lastPrice)}${lacks === 'end' ? '' : `, le ${day(lastDay)}`}`
  const until =
    change && `${percent(100 * change.value)} jusqu’au ${day(change.to)} par rapport au ${day(change.from)}`
  return [reason, latest, until].filter(Boolean).join('\u202f; ')
}

type Compared = Pick<NonNullable<PriceSummary['change']>, 'margin' | 'from' | 'to'>

/** Whether a change over at most a year has no margin: one of its weeks rests on a single product or market. */
export function isWithoutMargin(change: Compared): boolean {
  return change.margin === null && isWithinAYear(change)
}

function isWithinAYear({ from, to }: Compared): boolean {
  return from >= addDays(to, -366)
}

/** Returns « (incomplète) » for a week that has not ended, whose change may still move; an empty string otherwise. */
export function weekMark(monday: string, today: string): string {
  return addDays(monday, 6) < today ? '' : ' (incomplète)'
}

/**
 * Returns the first week of the index if older prices are cut off from it, as by a gap of more than a year; null where
 * none are.
 */
export function cutOffAt({ index, dailyPrices }: Pick<PriceSummary, 'index' | 'dailyPrices'>): string | null {
  const [first, oldest] = [index[0]?.week, dailyPrices[0]?.date]
  return first !== undefined && oldest !== undefined && oldest < addDays(first, -365) ? first : null
}

type Basis = Pick<NonNullable<PriceSummary['change']>, 'series' | 'products' | 'isThin'>

/**
 * Whether the amounts and the curve of a selection rest on too little: fewer than 5 series or 3 products; for one
 * product fewer than 5 series; for one series fewer than 3 prices.
 */
export function isThinBasis({
  change,
  totalPrices,
  knownSeries,
  isTooLarge,
}: Pick<PriceSummary, 'totalPrices' | 'knownSeries' | 'isTooLarge'> & { change: Basis | null }): boolean {
  if (totalPrices < 3) return true
  if (change && change.products === 1 && change.series > 1) return change.series < fewestSeries
  return change ? change.isThin : knownSeries > 1 && knownSeries < fewestSeries && !isTooLarge
}

/** Whether the change and the trend of a selection rest on too little: its amounts do, or fewer than 3 products. */
export function isThinMovement(summary: Parameters<typeof isThinBasis>[0]): boolean {
  return isThinBasis(summary) || summary.change?.isThin === true
}

/** Returns the average of each day for charts: faint where it has fewer prices than a third of the median day. */
export function averagesOf(days: PriceSummary['dailyPrices']) {
  // A typed array sorts numerically without a comparator.
  const counts = new Uint32Array(days.map(({ count }) => count)).sort()
  const usual = counts[counts.length >> 1] ?? 0
  return days.map(({ date, averagePrice, count }) => ({
    date,
    value: averagePrice,
    count,
    isFaint: count < usual / 3,
  }))
}
