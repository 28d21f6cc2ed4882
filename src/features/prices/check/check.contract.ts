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

/** The recent prices of the series of a new price, so that a slip of the hand is seen in time. */
export const priceCheck = z
  .object({
    /** Whether to ask « Confirmez-vous ce prix ? ». Never a refusal. */
    isOutlier: z.boolean(),
    /** Of the quotes of the series in the 90 days that end with the price's own, in CDF; null without a quote. */
    median: z.number().nullable(),
    /** How many these quotes are; what has no exchange rate is not among them. */
    quotes: z.int(),
    /** The last price of the series, in the currency it was collected in, and its local day. */
    lastPrice: z.object({ value: z.number(), currency, day: z.string() }).nullable(),
    /** The same amount in the same series, on the same day, by the same collector. */
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
    /** Without it, only the series is answered. */
    priceValue: optionalQuery(amount),
    /** CDF when absent. */
    currency: optionalQuery(currency),
    /** Now when absent, as when a price is written. */
    collectedAt: optionalQuery(instantInput),
    /** Without it, nothing is a duplicate. */
    collectorName: searchText,
    /** The price that is being corrected: it is not compared with itself. */
    exceptId: idFilter,
  }),
  response: priceCheck,
})
