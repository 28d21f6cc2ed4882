import { exampleLines } from '#features/imports/products/lines.rules.ts'
import { productTemplate } from '#features/imports/products/template.contract.ts'
import { productColumns, products } from '#features/products/products.contract.ts'
import { type FileFormat, fileFormats, sendAs, sheetOf } from '#server/exports.ts'
import type { Api } from '#server/http/endpoint.ts'

export function productTemplateRoutes(api: Api): void {
  api.on(productTemplate, async (call) => {
    const format: FileFormat = fileFormats[call.query.fileFormat]
    const { cells } = format
    const rows = exampleLines.map((line) => {
      const price = line.price === '' ? cells.number(null) : cells.amount(line.price)
      return cells.row(productColumns.map(({ key }) => (key === 'price' ? price : cells.text(line[key]))))
    })
    sendAs(call, 'modele-produits', format)
    return format.write(sheetOf(products.noun, productColumns), once(rows))
  })
}

async function* once(rows: readonly string[]) {
  yield rows
}
