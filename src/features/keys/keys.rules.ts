import { ownScope, type Scope } from '#shared/permissions.ts'

/** So many live keys may one account have. */
export const mostKeys = 20

/** The key that the demonstration publishes; it is valid on a demonstration only. */
export const demonstrationKey = 'ntalo_live_DemonstrationPubliqueEnLecture3XFnfX'

/** What a key may do with each scope, in words. */
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

/** Whether somebody may give a scope to his keys: what he may do himself; what is his own, always. */
export function mayGive(permissions: readonly string[], scope: Scope): boolean {
  return scope === ownScope || permissions.includes(scope)
}

const hourMs = 3_600_000

/**
 * The month that ends at an instant, and how many calls it will have when it goes on as it began.
 *
 * @param end midnight in Kinshasa, an hour ahead of UTC
 * @returns `forecast` is null on the first day; `days` is how many days the month has
 */
export function monthOf(end: string, used: number, now: Date): { days: number; forecast: number | null } {
  const local = new Date(Date.parse(end) + hourMs)
  const start = Date.UTC(local.getUTCFullYear(), local.getUTCMonth() - 1, 1)
  const days = Math.round((local.getTime() - start) / (24 * hourMs))
  const passed = (now.getTime() + hourMs - start) / (24 * hourMs)
  return { days, forecast: passed < 1 ? null : Math.round((used * days) / passed) }
}
