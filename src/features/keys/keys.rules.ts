import { hourMs } from '#shared/days.ts'
import { ownScope, type Scope } from '#shared/permissions.ts'

/** Maximum number of live keys of an account. */
export const mostKeys = 20

/** The published key of the demonstration; valid only there. */
export const demonstrationKey = 'ntalo_live_DemonstrationPubliqueEnLecture3XFnfX'

/** What each scope allows, in words. */
export const scopeWords: Record<Scope, string> = {
  'prices.read': 'Lire les prix',
  'statistics.read': 'Lire les statistiques',
  'catalogue.read': 'Lire le catalogue',
  'markets.read': 'Lire les marchés',
  'prices.write': 'Écrire tous les prix',
  'prices.collect': 'Écrire ses propres prix',
  'prices.import': 'Importer des fichiers de prix',
  'catalogue.write': 'Écrire le catalogue',
  'markets.write': 'Écrire les marchés',
  'rates.write': 'Écrire les taux de change',
  'statistics.write': 'Écrire pondérations et chiffres publiés',
  [ownScope]: 'Écrire ses alertes, suivis, partages et rapports',
}

/** Returns whether a user may give a scope to a key: one that the user has, or the scope of their own data. */
export function mayGive(permissions: readonly string[], scope: Scope): boolean {
  return scope === ownScope || permissions.includes(scope)
}

/**
 * Returns the number of days of the month that ends at `end`, and a forecast of its calls at the present rate.
 * @param end midnight in Kinshasa, an hour ahead of UTC
 * @returns `forecast` is null on the first day
 */
export function monthOf(end: string, used: number, now: Date): { days: number; forecast: number | null } {
  const local = new Date(Date.parse(end) + hourMs)
  const start = Date.UTC(local.getUTCFullYear(), local.getUTCMonth() - 1, 1)
  const days = Math.round((local.getTime() - start) / (24 * hourMs))
  const passed = (now.getTime() + hourMs - start) / (24 * hourMs)
  return { days, forecast: passed < 1 ? null : Math.round((used * days) / passed) }
}
