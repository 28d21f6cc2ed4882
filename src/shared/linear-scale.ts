/** Maps one range of numbers onto another; an empty source range maps to the middle. */
export type LinearScale = (value: number) => number

type Range = readonly [from: number, to: number]

export function linearScale([low, high]: Range, [from, to]: Range): LinearScale {
  const slope = high === low ? 0 : (to - from) / (high - low)
  const start = high === low ? (from + to) / 2 : from
  return (value) => start + (value - low) * slope
}

/**
 * Round numbers, about `count` steps of 1, 2 or 5 times a power of ten, from at or below `low` to at or above `high`.
 *
 * @returns ascending, at least two
 */
export function niceTicks([low, high]: Range, count: number): number[] {
  const step = niceStep((high - low) / count || 1)
  const [first, last] = [Math.floor(low / step + slack), Math.ceil(high / step - slack)]
  const ticks: number[] = []
  // Divides by the inverse of a step below 1, which is a whole number, to get 0.3 rather than 3 × 0.1.
  const inverse = Math.round(1 / step)
  for (let index = first; index <= Math.max(last, first + 1); index++) {
    ticks.push(step < 1 ? index / inverse : index * step)
  }
  return ticks
}

// Tolerance, so that a floating-point rounding error does not add a tick.
const slack = 1e-9

/** Returns the step (1, 2 or 5 times a power of ten) nearest to the wanted one, on a logarithmic scale. */
export function niceStep(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(wanted))
  const error = wanted / power
  const factor = error >= Math.sqrt(50) ? 10 : error >= Math.sqrt(10) ? 5 : error >= Math.sqrt(2) ? 2 : 1
  return factor * power
}
