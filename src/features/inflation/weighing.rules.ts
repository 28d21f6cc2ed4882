import type { PanelSeries } from '#features/figures/price-index/measure.rules.ts'
import type { Weigh } from '#features/figures/price-index/price-index.rules.ts'
import type { Fit } from '#features/figures/price-index/time-product-dummy.rules.ts'
import type { Inflation } from '#features/inflation/inflation.contract.ts'
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

/**
 * Describes the weights in use, null where all series have equal weights; and the weights that cover too little to be
 * used.
 *
 * @param series all series of the year; those that the fit does not hold have no weight
 * @param inForce the weight of each type on the last day of the year
 */
export function describeWeights(
  fit: Fit,
  series: readonly PanelSeries[],
  typeOf: (product: number) => number,
  inForce: ReadonlyMap<number, TypeWeight>,
): Pick<Inflation, 'weights' | 'unusedWeights'> {
  const typesIn = (some: readonly { product: number }[]) =>
    new Set(some.map(({ product }) => typeOf(product)))
  const weighed = <Some extends { product: number }>(some: readonly Some[]) =>
    some.filter(({ product }) => (inForce.get(typeOf(product))?.weight ?? 0) > 0)
  if (fit.series.every(({ weight }) => weight === undefined)) {
    const covered = weighed(fit.series)
    const types = typesIn(covered).size
    const typesWithout = typesIn(fit.series).size - types
    // Weights of a single type: no type is left out.
    if (types === 0 || typesWithout === 0) return { weights: null, unusedWeights: null }
    return {
      weights: null,
      unusedWeights: { types, typesWithout, share: covered.length / fit.series.length },
    }
  }
  const used = [...typesIn(fit.series)].flatMap((type) => inForce.get(type) ?? [])
  const latest = used.reduce((best, each) => (each.day > best.day ? each : best))
  const weights = {
    day: latest.day,
    source: [...new Set(used.map(({ source }) => source))].join('\u202f; '),
    types: used.length,
    typesWithout: [...typesIn(series)].filter((type) => !inForce.has(type)).length,
    unweighted: series.length - weighed(series).length,
  }
  return { weights, unusedWeights: null }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
