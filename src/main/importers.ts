import type { Importers } from '#features/imports/import-job.jobs.ts'
import { priceImporter } from '#features/imports/prices/imports.jobs.ts'
import { productImporter } from '#features/imports/products/imports.jobs.ts'
import { rateImporter } from '#features/imports/rates/imports.jobs.ts'

/** What imports each kind of file: the one place to add to for another. */
export const importers: Importers = { prices: priceImporter, products: productImporter, rates: rateImporter }
