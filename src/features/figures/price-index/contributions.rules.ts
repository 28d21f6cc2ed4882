import { type Fit, residualIn, weightOfMean } from '#features/figures/price-index/time-product-dummy.rules.ts'

/** The contribution of a group of series to a change of the index. */
export type Contribution = {
  group: number
  series: number
  /** Its share of the weights, a fraction. */
  share: number
  /** Its share of the change, in natural logarithms: those of all groups add up to the change. */
  log: number
}

/** A fitted series between two weeks. */
export type MovedSeries = {
  product: number
  weight: number
  weightOfMean: number
  /** Residual of its mean in each of the two weeks; null where it has none. */
  before: number | null
  after: number | null
}

/** Returns all series of a fit, with their residuals in two weeks. */
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
 * Computes what each group of series contributes to ln I between two weeks: its share of the weights times the change,
 * plus the weighted residuals of its means in the later week minus those in the earlier one. Residuals add up to zero
 * in each week, so the contributions add up to the change.
 *
 * @param change ln I between the two weeks
 * @param groupOf the group of a product
 * @returns the largest absolute contribution first
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
