import type { Importers } from '#features/imports/import-job.jobs.ts'
import { priceImporter } from '#features/prices/imports/imports.jobs.ts'
import { productImporter } from '#features/products/imports/imports.jobs.ts'
import { rateImporter } from '#features/rates/imports/imports.jobs.ts'

/** What imports each kind of file: the one place to add to for another. */
export const importers: Importers = { prices: priceImporter, products: productImporter, rates: rateImporter }
