import { z } from 'zod'
import { priceAddresses } from '#features/prices/prices.addresses.ts'
import { priceQuery } from '#features/prices/prices.contract.ts'
import { chosenSeries } from '#features/prices/series/series.contract.ts'
import { bytes, defineEndpoint } from '#shared/contract.ts'
import { fileMedia } from '#shared/export.ts'
import { inOrder, optionalChoice, optionalQuery, reversedPeriod } from '#shared/fields.ts'

/**
 * `csv` for people: French titles, `;`, decimal comma, byte order mark. `csv-machine` for programs: field names, `,`,
 * decimal point. Both come back through the importer as they were; a text that a spreadsheet would run as a formula is
 * led by an apostrophe in both, for nobody knows what a file will be opened with. `xlsx`: a workbook, with numbers and
 * dates as such.
 */
export const exportFormat = z.enum(['csv', 'csv-machine', 'xlsx'], 'Le format est csv, csv-machine ou xlsx')
export type ExportFormat = z.infer<typeof exportFormat>

/** Every price of a selection, in the order of its list. */
export const exportPrices = defineEndpoint({
  ...priceAddresses.exportAll,
  right: 'prices.read',
  summary: 'Exporter une sélection de prix en CSV ou en classeur XLSX',
  description:
    'Toute la sélection, sans pages. `csv-machine` a les noms des champs et le point décimal, `csv` est pour un tableur français.',
  query: priceQuery
    .omit({ page: true, limit: true })
    .extend({
      fileFormat: optionalChoice(exportFormat, 'csv'),
      /** These alone of the selection. */
      series: optionalQuery(chosenSeries),
      /**
       * `figures`: all that the figures of the selection rest on and nothing else, with each price in francs: of several products
       * goods alone, none without a rate, and the year before the end of the period, which the index is fitted to.
       */
      behind: optionalQuery(z.literal('figures', 'Seul «\u202ffigures\u202f» est possible')),
    })
    .refine(inOrder, reversedPeriod),
  media: fileMedia,
  response: bytes,
})
