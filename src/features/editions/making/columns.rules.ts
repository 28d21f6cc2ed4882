// The columns of the files of an edition. The collector is in none of them: published files never change, but a person
// may ask to be erased.

/** The type of a column; `decimal` is exact, with two digits after the point. */
type Kind = 'integer' | 'day' | 'text' | 'decimal' | 'degrees'

export type EditionColumn = {
  readonly key: string
  /** The tag of the Humanitarian Exchange Language standard. */
  readonly hxl: string
  readonly kind: Kind
  readonly description: string
}

export const editionColumns = [
  { key: 'id', hxl: '#meta+id', kind: 'integer', description: 'Identifiant du relevé' },
  { key: 'observed_on', hxl: '#date', kind: 'day', description: 'Jour du relevé, à l’heure du marché' },
  { key: 'province', hxl: '#adm1+name', kind: 'text', description: 'Province du marché' },
  {
    key: 'province_pcode',
    hxl: '#adm1+code',
    kind: 'text',
    description: 'P-code de la province (COD-AB, OCHA)',
  },
  { key: 'market_id', hxl: '#loc+market+code', kind: 'integer', description: 'Identifiant du marché' },
  { key: 'market', hxl: '#loc+market+name', kind: 'text', description: 'Marché' },
  { key: 'location', hxl: '#loc+name', kind: 'text', description: 'Lieu du marché' },
  { key: 'latitude', hxl: '#geo+lat', kind: 'degrees', description: 'Latitude du marché' },
  { key: 'longitude', hxl: '#geo+lon', kind: 'degrees', description: 'Longitude du marché' },
  { key: 'product_id', hxl: '#item+id', kind: 'integer', description: 'Identifiant du produit' },
  { key: 'product_code', hxl: '#item+code', kind: 'text', description: 'Code du produit' },
  { key: 'product', hxl: '#item+name', kind: 'text', description: 'Produit' },
  { key: 'category', hxl: '#item+category', kind: 'text', description: 'Catégorie du produit' },
  { key: 'type', hxl: '#item+type', kind: 'text', description: 'Type du produit' },
  { key: 'brand', hxl: '#item+brand', kind: 'text', description: 'Marque du produit' },
  { key: 'weight', hxl: '#item+unit', kind: 'text', description: 'Poids ou contenance' },
  { key: 'format', hxl: '#item+format', kind: 'text', description: 'Conditionnement' },
  { key: 'price', hxl: '#value', kind: 'decimal', description: 'Prix, dans la devise du relevé' },
  { key: 'currency', hxl: '#currency', kind: 'text', description: 'Devise\u00a0: CDF ou USD' },
  {
    key: 'flag',
    hxl: '#item+price+flag',
    kind: 'text',
    description: 'actual\u00a0: relevé\u202f; aggregate\u00a0: agrégat',
  },
  { key: 'source', hxl: '#meta+source', kind: 'text', description: 'Source du relevé' },
  {
    key: 'review',
    hxl: '#status+review',
    kind: 'text',
    description: 'à vérifier\u00a0: en attente d’une vérification quand l’édition a été faite',
  },
] as const satisfies readonly EditionColumn[]

/** A row of the query: decimals and degrees are digits with a point. */
export type EditionRow = Record<(typeof editionColumns)[number]['key'], string | number | null>

const fieldTypes: Record<Kind, object> = {
  integer: { type: 'integer' },
  day: { type: 'date' },
  text: { type: 'string' },
  decimal: { type: 'number', decimalChar: '.' },
  degrees: { type: 'number', decimalChar: '.' },
}

/** The description of a file of an edition. */
export type EditionFile = {
  format: 'csv' | 'parquet' | 'datapackage'
  name: string
  bytes: number
  sha256: string
}

/** Builds the machine-readable description of an edition, as a Data Package of Frictionless Data. */
export function dataPackageOf(
  edition: { number: number; month: string; lastDay: string; rows: number; method: string },
  files: readonly EditionFile[],
): string {
  const fields = editionColumns.map(({ key, kind, description, hxl }) => ({
    name: key,
    ...fieldTypes[kind],
    description,
    'hxl:tag': hxl,
  }))
  const resources = files.map(({ format, name, bytes, sha256 }) => ({
    name: format,
    path: name,
    bytes,
    hash: `sha256:${sha256}`,
    ...(format === 'csv'
      ? {
          format: 'csv',
          mediatype: 'text/csv',
          compression: 'gz',
          encoding: 'utf-8',
          // The second line contains the HXL tags.
          dialect: { delimiter: ',', header: true, commentRows: [2] },
          schema: { fields, primaryKey: 'id', missingValues: [''] },
        }
      : { format: 'parquet', mediatype: 'application/vnd.apache.parquet' }),
  }))
  return `${JSON.stringify(
    {
      profile: 'data-package',
      name: `ntalo-${edition.number}`,
      title: 'Prix des marchés de la RD Congo',
      version: String(edition.number),
      temporal: { month: edition.month, end: edition.lastDay },
      rows: edition.rows,
      method: edition.method,
      resources,
    },
    null,
    2,
  )}\n`
}
