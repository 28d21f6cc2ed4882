import type { RecordFault } from '#shared/csv/records.ts'

/** French messages for the faults of a row that could not be split into cells. */
export const faultMessages: Record<RecordFault, string> = {
  encoding: 'Cette ligne n’est pas en UTF-8 (le fichier est sans doute en Windows-1252).',
  'too-long': 'Cette ligne dépasse un million d’octets.',
  'unclosed-quote': 'Un guillemet est ouvert dans cette ligne et jamais fermé.',
  'stray-quote':
    'Un guillemet est mal placé dans cette ligne ; dans un texte entre guillemets, il doit être doublé.',
}

/**
 * Returns the French message for a row with a wrong number of cells.
 *
 * @param wanted number of cells of the header line
 */
export function wrongWidth(found: number, wanted: number): string {
  return `Le nombre de colonnes est faux : ${found} au lieu de ${wanted}.`
}
