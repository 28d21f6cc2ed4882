import { z } from 'zod'
import { priceFilter } from '#features/figures/filters/filters.contract.ts'
import { summaryAddress } from '#features/figures/summary/summary.addresses.ts'
import { defineEndpoint } from '#shared/contract.ts'
import { currency, inOrder, instant, reversedPeriod } from '#shared/fields.ts'

const share = z.object({ id: z.int(), name: z.string(), count: z.int() })

/** The direction of prices (`trendOf`). */
export const trend = z.enum(['up', 'down', 'stable'])
export type Trend = z.infer<typeof trend>

/** The change of prices over a period, and what it rests on. */
export const priceMovement = z
  .object({
    /** A fraction: 0.034 is +3.4 %. */
    value: z.number(),
    /** Half the width of the 95 % interval of ln(1 + value); null where it cannot be measured. */
    margin: z.number().nullable(),
    /** Mondays of the two weeks compared; for a single series, the last days of its two windows. */
    from: z.string(),
    to: z.string(),
    /** Series and products that the change rests on. */
    series: z.int(),
    products: z.int(),
    /** Fewer than 5 series or 3 products, or for a single series fewer than 3 prices in a window. */
    isThin: z.boolean(),
  })
  .meta({ id: 'PriceMovement' })

const indexPoint = z.object({ week: z.string(), value: z.number(), isProvisional: z.boolean() })

/** Amounts are in CDF, each price converted at the rate in force on its day. */
export const priceSummary = z
  .object({
    currency: z.literal('CDF'),
    /** Prices used by the figures: the whole selection minus the excluded ones. */
    totalPrices: z.int(),
    /** More prices than a request may read: `totalPrices` is an estimate, and all other figures are left out. */
    isEstimate: z.boolean(),
    /** Prices in dollars older than the first rate. */
    excluded: z.int(),
    averagePrice: z.number().nullable(),
    minPrice: z.number().nullable(),
    maxPrice: z.number().nullable(),
    /** Null where there is no change or no margin, or where a week has too few quoted products. */
    priceTrend: trend.nullable(),
    /** The change, if it rests on at least three products; null when « Insuffisant ». */
    inflation: z.number().nullable(),
    change: priceMovement.nullable(),
    /** For a single series without a change: what is missing, and the last known figures; null otherwise. */
    unmeasured: z
      .object({
        /**
         * What is missing: a price in the last days of the period (`end`), a price in the days compared with them
         * (`start`), or enough days for both (`span`).
         */
        lacks: z.enum(['end', 'start', 'span']),
        /** The days that the last ones are compared with; null where the period is too short. */
        before: z.object({ startDate: z.string(), endDate: z.string() }).nullable(),
        /** The day of the last price, and the mean of that day in CDF. */
        lastDay: z.string(),
        lastPrice: z.number(),
        /** The change up to that day over a period of the same length. */
        change: priceMovement.nullable(),
      })
      .nullable(),
    /** For several series without a change: the Mondays of the two weeks that nothing links; null otherwise. */
    unlinked: z.object({ from: z.string(), to: z.string() }).nullable(),
    /** The time-product dummy index, 100 in the first week of the period; weeks without a value are left out. */
    index: z.array(indexPoint),
    /** The weeks before the period, on the same base, to make thirteen in all: the context of a short period. */
    earlierIndex: z.array(indexPoint),
    /** Series (a product in a market) used by the index, and series with a price in its weeks. */
    matchedSeries: z.int(),
    knownSeries: z.int(),
    /** More series than a request may fit: there is neither change nor index then. */
    isTooLarge: z.boolean(),
    /** When index and change were computed, if they lack prices written since. */
    asOf: instant.nullable(),
    /** Days with prices: with only one there is no change. */
    pricedDays: z.int(),
    /** Products with prices, counted up to 50. */
    pricedProducts: z.int(),
    /** Markets of the selection whose last price is more than 14 days before its last day, or before today. */
    silentMarkets: z.int(),
    /** Prices in dollars converted at a rate more than 7 days old. */
    atOldRate: z.int(),
    lastCollectedAt: instant.nullable(),
    currencyDistribution: z.array(z.object({ currency, count: z.int() })),
    /** The 50 largest, largest first. */
    marketDistribution: z.array(share),
    /** With the weight, which distinguishes products of the same name. */
    productDistribution: z.array(share.extend({ weight: z.string() })),
    /** Days with prices, oldest first; the last 5 000 when there are more. */
    dailyPrices: z.array(z.object({ date: z.string(), count: z.int(), averagePrice: z.number() })),
  })
  .meta({ id: 'PriceSummary' })
export type PriceSummary = z.infer<typeof priceSummary>

export const summarisePrices = defineEndpoint({
  ...summaryAddress,
  right: 'prices.read',
  summary: 'Moyenne, extrêmes, tendance et inflation estimée d’une sélection de prix',
  description: 'Les montants sont en francs, chaque prix converti au taux de son jour.',
  query: priceFilter.refine(inOrder, reversedPeriod),
  response: priceSummary,
})
