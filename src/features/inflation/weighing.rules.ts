import type { Weigh } from '#features/figures/price-index/price-index.rules.ts'
import { addDays } from '#shared/days.ts'

/** What a type of product weighs from a day on. */
export type TypeWeight = { type: number; day: string; weight: number; source: string }

/** The weight of each type in force on a day: the last entered for a day up to it. */
export function weightsOn(entered: readonly TypeWeight[], day: string): Map<number, TypeWeight> {
  const earliestFirst = entered.filter((each) => each.day <= day).sort((a, b) => (a.day < b.day ? -1 : 1))
  return new Map(earliestFirst.map((each) => [each.type, each]))
}

/** The part of the series of a window that must have a weight: of fewer, the figures would be those of what is left out. */
const leastCovered = 0.5

/**
 * Weighs the series of each window with the weights in force at the end of its last week. The weight of a type is shared
 * equally among its series, so that collecting more of it does not make it count for more; types without a weight are left
 * out. A weight alone weighs against nothing, and weights of less than half of the series leave most of them out: where fewer
 * than two types of the window, or types with less than half of its series, have one, all series count the same.
 *
 * @param start the Monday of the first week of the panel
 */
export function weighByType(
  entered: readonly TypeWeight[],
  start: string,
  typeOf: (product: number) => number,
): Weigh {
  const weightsAt = weightsOfTypes(entered, start)
  return (series, week) => {
    const repeated = series.filter(({ weeks }) => weeks.length >= 2)
    const ofTypes = Map.groupBy(repeated, ({ product }) => typeOf(product))
    const weights = weightsAt(week, new Map([...ofTypes].map(([type, { length }]) => [type, length])))
    if (!weights) return series
    return repeated.flatMap((each) => {
      const weight = weights.get(typeOf(each.product))
      return weight ? [{ ...each, weight }] : []
    })
  }
}

/**
 * What each series of a type counts for in the window that ends with a week, given how many series of each type have two
 * weeks of it; null where those that have a weight are fewer than two types, or less than half of the series.
 *
 * @param start the Monday of the first week of the panel
 */
export function weightsOfTypes(entered: readonly TypeWeight[], start: string) {
  return (week: number, repeated: ReadonlyMap<number, number>): Map<number, number> | null => {
    const inForce = weightsOn(entered, addDays(start, 7 * week + 6))
    const weights = [...repeated].flatMap(([type, count]): [number, number][] => {
      const weight = inForce.get(type)?.weight ?? 0
      return weight > 0 && count > 0 ? [[type, weight / count]] : []
    })
    const all = sum([...repeated.values()])
    const covered = sum(weights.map(([type]) => repeated.get(type) ?? 0))
    return weights.length > 1 && covered >= leastCovered * all ? new Map(weights) : null
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
