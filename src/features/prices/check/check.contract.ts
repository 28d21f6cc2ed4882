import { z } from 'zod'
import { priceAddresses } from '#features/prices/prices.addresses.ts'
import { defineEndpoint } from '#shared/contract.ts'
import {
  amount,
  currency,
  idFilter,
  instant,
  instantInput,
  optionalQuery,
  reference,
  searchText,
} from '#shared/fields.ts'

/** The recent prices of the series of a new price, used to warn about a typing error before it is written. */
const priceCheck = z
  .object({
    /** Whether the form asks « Confirmez-vous ce prix ? »; the API never refuses the price for it. */
    isOutlier: z.boolean(),
    /** Median in CDF of the quotes of the series in the 90 days that end on the price's day; null without a quote. */
    median: z.number().nullable(),
    /** Number of these quotes; quotes without an exchange rate are not counted. */
    quotes: z.int(),
    /** The last price of the series, in the currency it was collected in, and its local day. */
    lastPrice: z.object({ value: z.number(), currency, day: z.string() }).nullable(),
    /** A price of the same amount in the same series, on the same day, by the same collector. */
    duplicate: z.object({ id: z.int(), collectedAt: instant, createdAt: instant }).nullable(),
  })
  .meta({ id: 'PriceCheck' })
export type PriceCheck = z.infer<typeof priceCheck>

export const checkPrice = defineEndpoint({
  ...priceAddresses.check,
  right: ['prices.write', 'prices.collect'],
  summary: 'Vérifier un prix avant de l’enregistrer\u00a0: valeur inhabituelle, doublon, dernier prix',
  description: 'N’écrit rien. Compare le prix à sa série et cherche le même relevé.',
  query: z.object({
    productId: reference('Choisissez un produit'),
    marketId: reference('Choisissez un marché'),
    /** When absent, only the series is returned. */
    priceValue: optionalQuery(amount),
    /** CDF when absent. */
    currency: optionalQuery(currency),
    /** Now when absent, as when a price is created. */
    collectedAt: optionalQuery(instantInput),
    /** When absent, duplicates are not looked for. */
    collectorName: searchText,
    /** Id of the price being edited: it is not compared with itself. */
    exceptId: idFilter,
  }),
  response: priceCheck,
})
