import type { Permission } from '#shared/permissions.ts'

/**
 * Comes and goes with the cookie that opens a session, which no script can read: without it there is none to ask for.
 * It proves nothing.
 */
export const signedInCookie = 'ntalo_signed_in'

/** Whether it is worth asking the server for a session. */
export function maySignIn(cookies: string): boolean {
  return cookies.split(/;\s*/).includes(`${signedInCookie}=1`)
}

/** What somebody administers with: a password alone must not open it in production. */
const administering: ReadonlySet<string> = new Set<Permission>([
  'users.manage',
  'roles.manage',
  'superadmins.manage',
  'journal.read',
  'payments.manage',
])

/** Whether an account with these permissions is one that administers. */
export function isAdministering(permissions: readonly string[]): boolean {
  return permissions.some((permission) => administering.has(permission))
}

/** The refusals of accounts that may not sign in, by status. */
export const statusRefusals: Record<string, string> = {
  PENDING: 'Ce compte n’est pas encore activé\u00a0: un administrateur doit d’abord l’approuver.',
  INACTIVE: 'Ce compte est désactivé. Écrivez-nous pour le rouvrir.',
  SUSPENDED: 'Ce compte est suspendu. Écrivez-nous pour en connaître la raison.',
  BANNED: 'Ce compte est banni. Écrivez-nous si vous pensez que c’est une erreur.',
}

/** Where people start who did not ask for a page. */
export const home = '/dashboard'

/** The path of ours that somebody asked to be led to, or where people start: never another site. */
export function ownPath(wanted: unknown): string {
  if (typeof wanted !== 'string' || !/^\/(?![/\\])[^\p{Cc}\\]*$/u.test(wanted)) return home
  const here = 'https://ntalo.invalid'
  const url = URL.canParse(wanted, here) ? new URL(wanted, here) : null
  // The pages of visitors lead on by themselves.
  if (url?.origin !== here || /^\/(api|auth)(\/|$)/.test(url.pathname)) return home
  return url.pathname + url.search + url.hash
}
