import type { Fit } from '#features/prices/price-index/time-product-dummy.rules.ts'

/** What a group of series adds to a change of the index. */
export type Contribution = {
  group: number
  series: number
  /** Its part of the weights, a fraction. */
  share: number
  /** Its part of the change, in natural logarithms: those of all groups add up to the change. */
  log: number
}

/**
 * What each group of series adds to ln I between two weeks: its share of the weights times the mean change of its fitted
 * series, where a series without a price in a week is taken to move as the index does.
 *
 * @param change ln I between the two weeks
 * @param groupOf the group of a product
 * @returns the largest first, by size whatever the sign
 */
export function contributionsOf(
  fit: Fit,
  [from, to]: readonly [number, number],
  change: number,
  groupOf: (product: number) => number,
): Contribution[] {
  const groups = new Map<number, Contribution>()
  const whole = fit.series.reduce((sum, { weight = 1 }) => sum + weight, 0)
  for (const { product, weeks, residuals, weight = 1 } of fit.series) {
    const group = groupOf(product)
    const left = (week: number) => residuals[weeks.indexOf(week)] ?? 0
    const share = weight / whole
    const before = groups.get(group) ?? { group, series: 0, share: 0, log: 0 }
    groups.set(group, {
      group,
      series: before.series + 1,
      share: before.share + share,
      log: before.log + share * (change + left(to) - left(from)),
    })
  }
  return [...groups.values()].sort((a, b) => Math.abs(b.log) - Math.abs(a.log) || a.group - b.group)
}
