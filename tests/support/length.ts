/** Whether this is `npm run test:long`, which runs some files of `npm test` with more repetitions. */
export const isAtLength = process.env.NTALO_LONG === '1'

/** Returns the number of repetitions of a test: `few` in `npm test`, `many` at length. */
export function tries(few: number, many: number): number {
  return isAtLength ? many : few
}
