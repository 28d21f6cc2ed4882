import { hourMs } from '#shared/days.ts'
import type { Permission } from '#shared/permissions.ts'

/** Oldest accepted day of a price; an earlier one is a typing error, or an error of the file. */
export const oldestPriceDay = '1990-01-01'

/** How long an agent may correct their own entries. */
const correctionPeriodMs = 48 * hourMs

/**
 * Returns whether a user may edit a price now: any price with `prices.write`, their own recent ones with
 * `prices.collect`.
 */
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
