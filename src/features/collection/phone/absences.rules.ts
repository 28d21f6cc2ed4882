import type { CollectionEntry } from '#features/collection/entries/entries.contract.ts'

/** Reasons of an absence, with their words on the phone. */
export const absenceWords: readonly [reason: NonNullable<CollectionEntry['reason']>, words: string][] = [
  ['rupture', 'Rupture'],
  ['saison', 'Hors saison'],
  ['refus', 'Le vendeur refuse'],
  ['marché fermé', 'Marché fermé'],
]
