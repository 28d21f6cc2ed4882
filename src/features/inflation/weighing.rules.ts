import type { Weigh } from '#features/figures/price-index/price-index.rules.ts'
import { addDays } from '#shared/days.ts'
import { groupBy } from '#shared/group-by.ts'

/** The weight of a type of product from a day on. */
export type TypeWeight = { type: number; day: string; weight: number; source: string }

/** Returns the weight of each type in force on a day: the latest one not after it. */
export function weightsOn(entered: readonly TypeWeight[], day: string): Map<number, TypeWeight> {
  const earliestFirst = entered.filter((each) => each.day <= day).sort((a, b) => (a.day < b.day ? -1 : 1))
  return new Map(earliestFirst.map((each) => [each.type, each]))
}

/**
 * Least share of the series of a window that must have a weight; with less, the figures would leave out most series.
 */
const leastCovered = 0.5

/**
 * Weights the series of each window with the weights in force at the end of its last week. The weight of a type is
 * shared equally among its series, so that collecting more of them does not increase it; types without a weight are
 * left out. Falls back to equal weights where fewer than two types of the window have a weight, or types with less than
 * half of its series do: a single weight is relative to nothing, and few weights leave most series out.
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
    const ofTypes = groupBy(repeated, ({ product }) => typeOf(product))
    const weights = weightsAt(week, new Map([...ofTypes].map(([type, { length }]) => [type, length])))
    if (!weights) return series
    return repeated.flatMap((each) => {
      const weight = weights.get(typeOf(each.product))
      return weight ? [{ ...each, weight }] : []
    })
  }
}

/**
 * Returns a function that gives the weight of each series of a type in the window that ends with a week, given the
 * number of series of each type with at least two weeks in it; null where fewer than two types, or less than half of
 * the series, have a weight.
 *
 * @param start the Monday of the first week of the panel
 */
function weightsOfTypes(entered: readonly TypeWeight[], start: string) {
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
