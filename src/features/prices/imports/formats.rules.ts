import { type PriceFileColumn, priceFileColumns } from '#features/prices/imports/columns.contract.ts'
import type { TableFormat, TableKind } from '#shared/csv/layout.ts'

// All files of WFP on HDX have these, but for the flag, which the oldest lack; the later one adds market_id and commodity_id, which name nothing to us.
const wfpColumns = [
  'date',
  'admin1',
  'admin2',
  'market',
  'latitude',
  'longitude',
  'category',
  'commodity',
  'unit',
  'priceflag',
  'pricetype',
  'currency',
  'price',
]

const wfp: TableFormat = {
  name: 'wfp',
  isFrench: false,
  isGuarded: false,
  columns: wfpColumns.map((key) => ({ key, titles: [key], isRequired: key !== 'priceflag' })),
}

/** The forms in which prices come: what WFP publishes on HDX, and the two variants of our own export. */
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
