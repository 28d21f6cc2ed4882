import type { Importers } from '#features/imports/import-job.jobs.ts'
import { priceImporter } from '#features/imports/prices/imports.jobs.ts'
import { productImporter } from '#features/imports/products/imports.jobs.ts'
import { rateImporter } from '#features/imports/rates/imports.jobs.ts'

/** The importer of each kind of file; a new kind is added here. */
export const importers: Importers = { prices: priceImporter, products: productImporter, rates: rateImporter }
