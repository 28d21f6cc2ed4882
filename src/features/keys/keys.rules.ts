import type { scopeNames } from '#shared/permissions.ts'

/** So many live keys may one account have. */
export const mostKeys = 20

/** What a key may do with each scope, in words. */
export const scopeWords: Record<(typeof scopeNames)[number], string> = {
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
}

/** How many calls the current month ends with when it goes on as it began; null on its first day. */
export function forecastOf(used: number, start: Date, end: Date, now: Date): number | null {
  const dayMs = 86_400_000
  const passed = now.getTime() - start.getTime()
  return passed < dayMs ? null : Math.round((used * (end.getTime() - start.getTime())) / passed)
}
