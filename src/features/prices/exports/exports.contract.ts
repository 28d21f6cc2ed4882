import { z } from 'zod'
import { priceAddresses } from '#features/prices/prices.addresses.ts'
import { priceQuery } from '#features/prices/prices.contract.ts'
import { chosenSeries } from '#features/prices/series/series.contract.ts'
import { bytes, defineEndpoint } from '#shared/contract.ts'
import { fileMedia, listFormat } from '#shared/export.ts'
import { inOrder, optionalQuery, reversedPeriod } from '#shared/fields.ts'

/** Exports every price of a selection, in the order of its list. */
export const exportPrices = defineEndpoint({
  ...priceAddresses.exportAll,
  right: 'prices.read',
  summary: 'Exporter une sélection de prix en CSV ou en classeur XLSX',
  description:
    'Toute la sélection, sans pages. `csv-machine` a les noms des champs et le point décimal, `csv` est pour un tableur français.',
  query: priceQuery
    .omit({ page: true, limit: true })
    .extend({
      fileFormat: listFormat,
      /** Restricts the selection to these series. */
      series: optionalQuery(chosenSeries),
      /**
       * `figures`: exactly the prices that the figures of the selection are computed from, each also in francs: goods
       * only when there are several products, none without a rate, and the year before the end of the period, which the
       * index is fitted to.
       */
      behind: optionalQuery(z.literal('figures', 'Seul «\u202ffigures\u202f» est possible')),
    })
    .refine(inOrder, reversedPeriod),
  media: fileMedia,
  response: bytes,
})
