import type { ImportKind } from '#features/imports/imports.contract.ts'
import { importPrices } from '#features/prices/imports/imports.jobs.ts'
import { importProducts } from '#features/products/imports/imports.jobs.ts'
import type { Importer } from '#server/importing.ts'

/** What reads each kind of file: the one place to add to for another. */
export const importers: Record<ImportKind, Importer> = {
  prices: importPrices,
  products: importProducts,
}
