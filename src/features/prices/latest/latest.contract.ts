import { z } from 'zod'
import { absenceSince } from '#features/prices/absence/absence.contract.ts'
import { priceAddresses } from '#features/prices/prices.addresses.ts'
import { withCursor } from '#shared/changes.ts'
import { defineEndpoint } from '#shared/contract.ts'
import { currency, idFilter, idParams, instant, listQuery } from '#shared/fields.ts'

export const latestPrice = z
  .object({
    id: z.int(),
    market: z.object({
      id: z.int(),
      name: z.string(),
      location: z.string(),
      latitude: z.number().nullable(),
      longitude: z.number().nullable(),
    }),
    /** In `currency`, as collected. */
    priceValue: z.number(),
    currency,
    collectorName: z.string(),
    collectedAt: instant,
    /** The local day of collection, `yyyy-mm-dd`. */
    observedOn: z.string(),
    /** Null where the last visit found the product, or there was no visit in the last 30 days. */
    absence: absenceSince.nullable(),
  })
  .meta({ id: 'LatestPrice' })
export type LatestPrice = z.infer<typeof latestPrice>

/** Lists the last price of a product in each market that has one, the most recent first; at most 200 markets. */
export const latestPricesOfProduct = withCursor(
  defineEndpoint({
    ...priceAddresses.latestOfProduct,
    right: 'prices.read',
    summary: 'Dernier prix d’un produit dans chaque marché',
    description:
      'Les 200 premiers marchés, du relevé le plus récent au plus ancien, celui de `marketId` toujours compris. Avec `cursor`, tous, dans l’ordre de leurs identifiants.',
    params: idParams,
    query: listQuery([], 200).pick({ limit: true }).extend({ marketId: idFilter }),
    response: z.object({
      data: z.array(latestPrice),
      /** Number of markets with a price, including those not listed. */
      total: z.int(),
    }),
  }),
  latestPrice,
)
