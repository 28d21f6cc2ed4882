import { ImportPage } from '#features/imports/import.page.tsx'
import { ImportsPage } from '#features/imports/imports.page.tsx'
import { priceImportWords } from '#features/imports/prices/words.contract.ts'
import { productTemplate } from '#features/imports/products/template.contract.ts'
import { productImportWords } from '#features/imports/products/words.contract.ts'
import { rateImportWords } from '#features/imports/rates/words.contract.ts'
import type { ImportWords } from '#features/imports/report.contract.ts'
import { ImportKinds } from '#features/imports/ui/kinds.ts'
import type { ImportKind } from '#features/mappings/kinds.contract.ts'
import { ExportMenu } from '#web/export-menu.tsx'

const words: Record<ImportKind, ImportWords> = {
  prices: priceImportWords,
  products: productImportWords,
  rates: rateImportWords,
}

/** « Imports », with the description of each kind of file. */
export function Imports() {
  return (
    <ImportKinds value={words}>
      <ImportsPage
        templates={{ products: <ExportMenu label="Modèle à remplir" endpoint={productTemplate} /> }}
      />
    </ImportKinds>
  )
}

export function ImportScreen() {
  return (
    <ImportKinds value={words}>
      <ImportPage />
    </ImportKinds>
  )
}
