// The layout of our price files, defined only here: the export writes it and the import reads it.

type Column = {
  /** Header in the variant for programs. */
  readonly key: string
  /** Header in the variant for people. */
  readonly title: string
  /** A file without this column cannot be imported. */
  readonly isRequired?: true
}

/**
 * The columns in the order in which the export writes them. Days are `yyyy-mm-dd`, instants ISO 8601 with the offset of
 * the market, amounts and degrees plain decimals. The flag is last on purpose: when a file is cut short, the rest of
 * the broken row is no valid flag, so the row is refused instead of being read as another price.
 */
export const priceFileColumns = [
  { key: 'id', title: 'Identifiant' },
  { key: 'observed_on', title: 'Date d’observation', isRequired: true },
  { key: 'collected_at', title: 'Instant de collecte' },
  { key: 'market', title: 'Marché', isRequired: true },
  { key: 'location', title: 'Lieu', isRequired: true },
  { key: 'province', title: 'Province' },
  { key: 'latitude', title: 'Latitude' },
  { key: 'longitude', title: 'Longitude' },
  { key: 'time_zone', title: 'Fuseau horaire' },
  { key: 'product_code', title: 'Code produit' },
  { key: 'product', title: 'Produit', isRequired: true },
  { key: 'category', title: 'Catégorie', isRequired: true },
  { key: 'type', title: 'Type', isRequired: true },
  { key: 'brand', title: 'Marque' },
  { key: 'brand_country', title: 'Pays de la marque' },
  { key: 'weight', title: 'Poids', isRequired: true },
  { key: 'format', title: 'Format', isRequired: true },
  { key: 'origin', title: 'Origine' },
  { key: 'price', title: 'Prix', isRequired: true },
  { key: 'currency', title: 'Devise', isRequired: true },
  { key: 'collector', title: 'Collecteur', isRequired: true },
  { key: 'source', title: 'Source' },
  { key: 'review', title: 'Vérification' },
  { key: 'flag', title: 'Nature' },
] as const satisfies readonly Column[]

/** The extra columns of the prices behind a figure, written before the flag; an import skips them. */
export const figureColumns = [
  { key: 'in_period', title: 'Dans la période' },
  { key: 'cdf_per_usd', title: 'CDF pour 1 USD' },
  { key: 'rate_day', title: 'Jour du taux' },
  { key: 'price_cdf', title: 'Prix en CDF' },
  { key: 'price_usd', title: 'Prix en USD' },
] as const satisfies readonly Column[]

export type PriceFileColumn = (typeof priceFileColumns | typeof figureColumns)[number]['key']

/** The values of the flag in the variant for people. */
export const flagTitles = { actual: 'relevé', aggregate: 'agrégat' } as const
