import type { CollectionEntry } from '#features/collection/entries/entries.contract.ts'

/** Why a good was absent, and how the phone asks it. */
export const absenceWords: readonly [reason: NonNullable<CollectionEntry['reason']>, words: string][] = [
  ['rupture', 'Rupture'],
  ['saison', 'Hors saison'],
  ['refus', 'Le vendeur refuse'],
  ['marché fermé', 'Marché fermé'],
]
