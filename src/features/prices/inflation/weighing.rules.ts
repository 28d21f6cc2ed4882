import type { Weigh } from '#features/prices/price-index/price-index.rules.ts'
import { addDays } from '#features/prices/rollups/rollups.rules.ts'

/** What a type of product weighs from a day on. */
export type TypeWeight = { type: number; day: string; weight: number; source: string }

/** The weight of each type in force on a day: the last entered for a day up to it. */
export function weightsOn(entered: readonly TypeWeight[], day: string): Map<number, TypeWeight> {
  const earliestFirst = entered.filter((each) => each.day <= day).sort((a, b) => (a.day < b.day ? -1 : 1))
  return new Map(earliestFirst.map((each) => [each.type, each]))
}

/**
 * Weighs the series of each window with the weights in force at the end of its last week. The weight of a type is shared
 * equally among its series, so that collecting more of it does not make it count for more; types without a weight are left
 * out. Where no type of the window has one, all series count the same.
 *
 * @param start the Monday of the first week of the panel
 */
export function weighByType(
  entered: readonly TypeWeight[],
  start: string,
  typeOf: (product: number) => number,
): Weigh {
  return (series, week) => {
    const inForce = weightsOn(entered, addDays(start, 7 * week + 6))
    const repeated = series.filter(({ weeks }) => weeks.length >= 2)
    const counts = Map.groupBy(repeated, ({ product }) => typeOf(product))
    const weighed = repeated.flatMap((each) => {
      const type = typeOf(each.product)
      const weight = (inForce.get(type)?.weight ?? 0) / (counts.get(type)?.length ?? 1)
      return weight > 0 ? [{ ...each, weight }] : []
    })
    return weighed.length > 0 ? weighed : series
  }
}
