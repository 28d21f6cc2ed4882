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

/** How far a fitted series moved from one week to another beyond its index: what the fit leaves of the later less that of the earlier. */
export type MovedSeries = { product: number; beyond: number; weight?: number | undefined }

/** All series of a fit between two weeks. Of a week without a price nothing is left: the series is taken to move as the index does. */
export function movedBetween({ series }: Fit, [from, to]: readonly [number, number]): MovedSeries[] {
  return series.map(({ product, weeks, residuals, weight }) => {
    const left = (week: number) => residuals[weeks.indexOf(week)] ?? 0
    return { product, beyond: left(to) - left(from), weight }
  })
}

/**
 * What each group of series adds to ln I between two weeks: its share of the weights times the mean change of its fitted
 * series.
 *
 * @param change ln I between the two weeks
 * @param groupOf the group of a product
 * @returns the largest first, by size whatever the sign
 */
export function contributionsOf(
  series: readonly MovedSeries[],
  change: number,
  groupOf: (product: number) => number,
): Contribution[] {
  const groups = new Map<number, Contribution>()
  const whole = series.reduce((sum, { weight = 1 }) => sum + weight, 0)
  for (const { product, beyond, weight = 1 } of series) {
    const group = groupOf(product)
    const share = weight / whole
    const before = groups.get(group) ?? { group, series: 0, share: 0, log: 0 }
    groups.set(group, {
      group,
      series: before.series + 1,
      share: before.share + share,
      log: before.log + share * (change + beyond),
    })
  }
  return [...groups.values()].sort((a, b) => Math.abs(b.log) - Math.abs(a.log) || a.group - b.group)
}
