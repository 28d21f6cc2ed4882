// What a row of somebody else's table may tell of a price: the one place that says it. People are asked by these labels,
// the reader and the guesses go by these keys.

type Field = {
  readonly key: string
  readonly label: string
  /** Where nothing tells it, the table cannot be read. */
  readonly isRequired?: true
  /** Each row has its own: it comes of a column, never of one value for all. */
  readonly isOfRow?: true
  /** A blank cell never holds what the one above it does. */
  readonly isNeverGrouped?: true
  /** What a row gets when nothing tells it. */
  readonly otherwise?: string
  readonly hint?: string
}

export const mappedFields = [
  { key: 'day', label: 'Date', isRequired: true, isOfRow: true },
  { key: 'market', label: 'Marché', isRequired: true },
  { key: 'product', label: 'Produit', isRequired: true },
  { key: 'price', label: 'Prix', isRequired: true, isOfRow: true, isNeverGrouped: true },
  { key: 'currency', label: 'Devise', isRequired: true, hint: 'CDF ou USD' },
  { key: 'unit', label: 'Unité', otherwise: 'Non précisée' },
  { key: 'location', label: 'Ville', otherwise: 'Non précisé' },
  { key: 'province', label: 'Province' },
  { key: 'category', label: 'Catégorie', otherwise: 'Non classé' },
  { key: 'format', label: 'Type de prix', otherwise: 'Détail', hint: 'Détail, Gros ou Producteur' },
  { key: 'collector', label: 'Collecteur', otherwise: 'Non précisé' },
  { key: 'source', label: 'Source' },
] as const satisfies readonly Field[]

export type MappedFieldKey = (typeof mappedFields)[number]['key']
