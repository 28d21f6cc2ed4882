import { type Permission, permissions } from '#shared/permissions.ts'

const powers: ReadonlySet<string> = new Set(permissions)

/** Who holds it is a super administrator. */
export const superAdminPower = 'superadmins.manage' satisfies Permission

/**
 * What of `wanted` somebody does not have himself, and therefore may neither give nor take over. A permission that no
 * code asks about opens nothing: anybody may give it.
 */
export function beyond(own: readonly string[], wanted: readonly string[]): string[] {
  return wanted.filter((permission) => powers.has(permission) && !own.includes(permission))
}
