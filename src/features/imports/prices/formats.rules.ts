import { type PriceFileColumn, priceFileColumns } from '#features/prices/exports/columns.contract.ts'
import type { TableFormat, TableKind } from '#shared/csv/layout.ts'

// All files of WFP on HDX have these columns, except the flag, missing in the oldest files, and the numbers of markets
// and commodities, present only in the latest.
const wfpColumns = [
  'date',
  'admin1',
  'admin2',
  'market',
  'market_id',
  'latitude',
  'longitude',
  'category',
  'commodity',
  'commodity_id',
  'unit',
  'priceflag',
  'pricetype',
  'currency',
  'price',
]

const optional = new Set(['priceflag', 'market_id', 'commodity_id'])

const wfp: TableFormat = {
  name: 'wfp',
  isFrench: false,
  isGuarded: false,
  columns: wfpColumns.map((key) => ({ key, titles: [key], isRequired: !optional.has(key) })),
}

/** The formats of price files: WFP's on HDX, and the two variants of our own export. */
export const priceTable: TableKind = {
  name: 'un fichier de prix',
  titled: 'celles du PAM sur HDX, ou celles de notre export',
  formats: [wfp, ours({ isFrench: false }), ours({ isFrench: true })],
}

function ours({ isFrench }: { isFrench: boolean }): TableFormat {
  return {
    name: 'ours',
    isFrench,
    isGuarded: true,
    columns: priceFileColumns.map((column) => ({
      key: column.key satisfies PriceFileColumn,
      titles: [isFrench ? column.title : column.key],
      isRequired: 'isRequired' in column,
    })),
  }
}
