import type { Permission } from '#shared/permissions.ts'

/** No price is older; a day before it is a mistake of typing, or of the file. */
export const oldestPriceDay = '1990-01-01'

/** How long an agent may correct what he entered himself. */
const correctionPeriodMs = 48 * 3_600_000

/** Whether somebody may edit a price now: with `prices.write` any price, with `prices.collect` his own fresh ones. */
export function mayEditPrice(
  who: { userId: number; permissions: readonly string[] },
  price: { writtenBy: number | null; createdAt: string },
  now: Date,
): boolean {
  const holds = (permission: Permission) => who.permissions.includes(permission)
  if (holds('prices.write')) return true
  const age = now.getTime() - Date.parse(price.createdAt)
  return holds('prices.collect') && price.writtenBy === who.userId && age <= correctionPeriodMs
}
