import { type Permission, permissions } from '#shared/permissions.ts'

const powers: ReadonlySet<string> = new Set(permissions)

/** Permission that makes a super administrator. */
export const superAdminPower = 'superadmins.manage' satisfies Permission

/**
 * Returns the permissions in `wanted` that `own` lacks, which its holder may therefore neither grant nor revoke.
 * Permissions that no code checks are ignored: anyone may grant them.
 */
export function beyond(own: readonly string[], wanted: readonly string[]): string[] {
  return wanted.filter((permission) => powers.has(permission) && !own.includes(permission))
}
