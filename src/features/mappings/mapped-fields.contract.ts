import { isDayTitle } from '#features/mappings/free-values.rules.ts'
import type { FieldDescription } from '#features/mappings/mappings.contract.ts'

/** What a row says where its file does not. */
export const unspecified = 'Non précisé'
export const unspecifiedFeminine = 'Non précisée'

// The fields of a price that a foreign table may have. The labels are shown to users; the reader and the guesses use
// the keys.

export const mappedFields = [
  {
    key: 'day',
    label: 'Date',
    isRequired: true,
    isOfRow: true,
    inTitles: { of: isDayTitle, cells: 'price' },
  },
  {
    key: 'year',
    label: 'Année',
    otherwise: 'selon la date',
    hint: 'Celle des dates qui ne la disent pas',
  },
  {
    key: 'market',
    label: 'Marché',
    isRequired: true,
    inTitles: { perColumn: 'Une colonne par marché', cells: 'price' },
  },
  {
    key: 'product',
    label: 'Produit',
    isRequired: true,
    inTitles: { perColumn: 'Une colonne par produit', cells: 'price' },
  },
  { key: 'price', label: 'Prix', isRequired: true, isOfRow: true, isNeverGrouped: true },
  { key: 'currency', label: 'Devise', isRequired: true, hint: 'CDF ou USD' },
  { key: 'unit', label: 'Unité', otherwise: unspecifiedFeminine },
  { key: 'location', label: 'Ville', otherwise: unspecified },
  { key: 'province', label: 'Province' },
  { key: 'category', label: 'Catégorie', otherwise: 'Non classé' },
  { key: 'format', label: 'Type de prix', otherwise: 'Détail', hint: 'Détail, Gros ou Producteur' },
  { key: 'collector', label: 'Collecteur', otherwise: unspecified },
  { key: 'source', label: 'Source' },
] as const satisfies readonly FieldDescription[]

export type MappedFieldKey = (typeof mappedFields)[number]['key']
