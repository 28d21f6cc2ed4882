import { z } from 'zod'
import { bytes, defineEndpoint } from '#shared/contract.ts'
import { fileMedia, listFormat } from '#shared/export.ts'

/** Downloads a file to fill in and import: the columns of an export, and two example lines that an import ignores. */
export const productTemplate = defineEndpoint({
  method: 'GET',
  path: '/api/products/import-template',
  right: 'prices.import',
  summary: 'Modèle de fichier de produits à importer, en CSV ou en classeur XLSX',
  description: 'Une ligne de titres, et deux lignes d’exemple, que l’import ignore.',
  query: z.object({ fileFormat: listFormat }),
  media: fileMedia,
  response: bytes,
})
