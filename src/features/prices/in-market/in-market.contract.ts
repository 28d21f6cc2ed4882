import { z } from 'zod'
import { absenceSince } from '#features/prices/absence/absence.contract.ts'
import { priceAddresses } from '#features/prices/prices.addresses.ts'
import { periodFilters } from '#features/prices/prices.contract.ts'
import { withCursor } from '#shared/changes.ts'
import { defineEndpoint, pagination } from '#shared/contract.ts'
import {
  currency,
  idParams,
  inOrder,
  instant,
  listQuery,
  reversedPeriod,
  searchText,
} from '#shared/fields.ts'

const quoted = z.object({
  /** In `currency`, as collected. */
  priceValue: z.number(),
  currency,
  /** The local day of collection, `yyyy-mm-dd`. */
  observedOn: z.string(),
})

/** The last price of one product in one market. */
const priceInMarket = quoted
  .extend({
    collectorName: z.string(),
    product: z.object({
      id: z.int(),
      name: z.string(),
      code: z.string(),
      weight: z.string(),
      format: z.string(),
    }),
    /** The last price in the same currency on an earlier day. */
    previous: quoted.nullable(),
    /** Null where the last visit found the product, or there was no visit in the last 30 days. */
    absence: absenceSince.nullable(),
  })
  .meta({ id: 'LatestPriceInMarket' })
export type PriceInMarket = z.infer<typeof priceInMarket>

export const latestPricesQuery = listQuery(['product', 'observedOn']).extend({
  /** Part of the product's name or code. */
  search: searchText,
})

export const latestPricesInMarket = withCursor(
  defineEndpoint({
    ...priceAddresses.latestInMarket,
    right: 'prices.read',
    summary: 'Le dernier prix de chaque produit dans un marché',
    description: 'Un prix par produit, avec celui d’avant dans la même devise.',
    params: idParams,
    query: latestPricesQuery,
    response: z.object({ data: z.array(priceInMarket), pagination }),
  }),
  priceInMarket,
)

const marketCollector = z
  .object({ name: z.string(), count: z.int(), lastCollectedAt: instant })
  .meta({ id: 'MarketCollector' })
export type MarketCollector = z.infer<typeof marketCollector>

export const collectorsInMarket = withCursor(
  defineEndpoint({
    ...priceAddresses.collectorsInMarket,
    right: 'prices.read',
    summary: 'Qui a relevé des prix dans un marché, et combien',
    description: 'Les noms écrits sur les relevés du marché, avec leur nombre.',
    params: idParams,
    query: listQuery(['name', 'count', 'lastCollectedAt'])
      .extend(periodFilters)
      .refine(inOrder, reversedPeriod),
    response: z.object({ data: z.array(marketCollector), pagination }),
  }),
  marketCollector,
)
