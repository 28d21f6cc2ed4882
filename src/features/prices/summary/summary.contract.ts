import { z } from 'zod'
import { priceAddresses } from '#features/prices/prices.addresses.ts'
import { inOrder, periodFilters, reversedPeriod } from '#features/prices/prices.contract.ts'
import { defineEndpoint } from '#shared/contract.ts'
import { currency, idFilter, instant } from '#shared/fields.ts'

const distribution = z.array(z.object({ id: z.int(), name: z.string(), count: z.int() }))

/** Where the prices of a period go: `stable` between −1 % and +1 %, and where nothing can be compared. */
export const trend = z.enum(['up', 'down', 'stable'])
export type Trend = z.infer<typeof trend>

/** Amounts are in CDF, each price converted at the rate in force on its day. */
export const priceSummary = z
  .object({
    currency: z.literal('CDF'),
    /** Prices that the figures rest on: all of the selection but the excluded ones. */
    totalPrices: z.int(),
    /** Prices in dollars older than the first known rate. */
    excluded: z.int(),
    averagePrice: z.number().nullable(),
    minPrice: z.number().nullable(),
    maxPrice: z.number().nullable(),
    priceTrend: trend,
    /** A fraction (0.034 is 3.4 %) between the first and last thirds of the period; null when « Insuffisant ». */
    inflation: z.number().nullable(),
    /** Series (a product in a market) quoted in both thirds. */
    matchedSeries: z.int(),
    lastCollectedAt: instant.nullable(),
    currencyDistribution: z.array(z.object({ currency, count: z.int() })),
    /** The 50 largest, largest first. */
    marketDistribution: distribution,
    productDistribution: distribution,
    /** Days with prices, oldest first; the last 5 000 when there are more. */
    dailyPrices: z.array(z.object({ date: z.string(), count: z.int(), averagePrice: z.number() })),
  })
  .meta({ id: 'PriceSummary' })
export type PriceSummary = z.infer<typeof priceSummary>

export const summarisePrices = defineEndpoint({
  ...priceAddresses.summary,
  right: 'prices.read',
  summary: 'Moyenne, extrêmes, tendance et inflation estimée d’une sélection de prix',
  query: z
    .object({ productId: idFilter, marketId: idFilter, ...periodFilters })
    .refine(inOrder, reversedPeriod),
  response: priceSummary,
})
