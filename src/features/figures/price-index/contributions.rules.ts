import { type Fit, residualIn, weightOfMean } from '#features/figures/price-index/time-product-dummy.rules.ts'

/** What a group of series adds to a change of the index. */
export type Contribution = {
  group: number
  series: number
  /** Its part of the weights, a fraction. */
  share: number
  /** Its part of the change, in natural logarithms: those of all groups add up to the change. */
  log: number
}

/** A fitted series between two weeks. */
export type MovedSeries = {
  product: number
  weight: number
  weightOfMean: number
  /** What the fit leaves of its mean in each of the two weeks; null where it has none. */
  before: number | null
  after: number | null
}

/** All series of a fit between two weeks. */
export function movedBetween({ series }: Fit, [from, to]: readonly [number, number]): MovedSeries[] {
  return series.map((each) => ({
    product: each.product,
    weight: each.weight ?? 1,
    weightOfMean: weightOfMean(each),
    before: residualIn(each, from),
    after: residualIn(each, to),
  }))
}

/**
 * What each group of series adds to ln I between two weeks: its share of the series times the change, and what its means are
 * above the index in the later week less the same of the earlier, each series as it counts in the fit. In every week these
 * deviations add up to nothing, hence the contributions to the change.
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
  const sumOf = (count: (each: MovedSeries) => number) => series.reduce((sum, each) => sum + count(each), 0)
  const whole = sumOf(({ weight }) => weight)
  const quotedBefore = sumOf(({ before, weightOfMean }) => (before === null ? 0 : weightOfMean))
  const quotedAfter = sumOf(({ after, weightOfMean }) => (after === null ? 0 : weightOfMean))
  for (const { product, weight, weightOfMean, before, after } of series) {
    const group = groupOf(product)
    const share = weight / whole
    const deviation =
      (after === null ? 0 : (weightOfMean * after) / quotedAfter) -
      (before === null ? 0 : (weightOfMean * before) / quotedBefore)
    const own = groups.get(group) ?? { group, series: 0, share: 0, log: 0 }
    groups.set(group, {
      group,
      series: own.series + 1,
      share: own.share + share,
      log: own.log + share * change + deviation,
    })
  }
  return [...groups.values()].sort((a, b) => Math.abs(b.log) - Math.abs(a.log) || a.group - b.group)
}
