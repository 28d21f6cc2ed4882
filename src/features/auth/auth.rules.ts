import { parseUrl } from '#shared/parse-url.ts'
import type { Permission } from '#shared/permissions.ts'

/**
 * Set and removed with the session cookie, which scripts cannot read: without it there is no session to ask for. It
 * proves nothing.
 */
export const signedInCookie = 'ntalo_signed_in'

/** Returns whether asking the server for a session can succeed. */
export function mayHaveSession(cookies: string): boolean {
  return cookies.split(/;\s*/).includes(`${signedInCookie}=1`)
}

/** Permissions of administrators: in production, a password alone must not give them. */
const administering: ReadonlySet<string> = new Set<Permission>([
  'users.manage',
  'roles.manage',
  'superadmins.manage',
  'journal.read',
  'payments.manage',
])

/** Returns whether these permissions include one of an administrator. */
export function isAdministering(permissions: readonly string[]): boolean {
  return permissions.some((permission) => administering.has(permission))
}

/** Messages for accounts that may not sign in, by status. */
export const statusRefusals: Record<string, string> = {
  PENDING: 'Ce compte n’est pas encore activé\u00a0: un administrateur doit d’abord l’approuver.',
  INACTIVE: 'Ce compte est désactivé. Écrivez-nous pour le rouvrir.',
  SUSPENDED: 'Ce compte est suspendu. Écrivez-nous pour en connaître la raison.',
  BANNED: 'Ce compte est banni. Écrivez-nous si vous pensez que c’est une erreur.',
}

/** The page after sign-in when no page was requested. */
export const home = '/dashboard'

/** Returns the requested path if it belongs to this site, otherwise the home page. */
export function ownPath(wanted: unknown): string {
  if (typeof wanted !== 'string' || !/^\/(?![/\\])[^\p{Cc}\\]*$/u.test(wanted)) return home
  const here = 'https://ntalo.invalid'
  const url = parseUrl(wanted, here)
  // The pages of visitors redirect signed-in users themselves.
  // Once its dots are resolved, `/.//host` is a path that a browser takes for the address of another site.
  if (url?.origin !== here || /^\/(\/|(api|auth)(\/|$))/.test(url.pathname)) return home
  return url.pathname + url.search + url.hash
}
