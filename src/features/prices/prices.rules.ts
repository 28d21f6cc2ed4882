import type { Permission } from '#shared/permissions.ts'

/** How long an agent may correct what he entered himself. */
const correctionPeriodMs = 48 * 3_600_000

/** Whether somebody may edit a price now: whoever writes prices any of them, whoever only collects his own fresh ones. */
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
