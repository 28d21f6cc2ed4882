/** Whether this is `npm run test:long`, which runs some files of `npm test` at length. */
export const isAtLength = process.env.NTALO_LONG === '1'

/** How many of something a test tries: few in `npm test`, many at length. */
export function tries(few: number, many: number): number {
  return isAtLength ? many : few
}
