import { z } from 'zod'
import { trend } from '#features/figures/summary/summary.contract.ts'
import { statisticsAddresses } from '#features/statistics/statistics.addresses.ts'
import { period, statisticsFilters } from '#features/statistics/statistics.contract.ts'
import { defineEndpoint } from '#shared/contract.ts'
import { inOrder, instant, optionalChoice, reversedPeriod } from '#shared/fields.ts'

/** Most markets drawn, those with most prices first. */
export const mostPlaces = 1_000

/** The default period is 30 days. */
export const mapFilters = statisticsFilters.extend({ period: optionalChoice(period, '30d') })

/** The figures of the prices of a place, and what they rest on. */
const placeFigures = z.object({
  /** Prices in the period. */
  prices: z.int(),
  /** Series in the index of the place; for one product, those with a price. */
  series: z.int(),
  products: z.int(),
  /** Mean price of one product, in CDF; null for several, whose prices cannot be averaged. */
  level: z.number().nullable(),
  /** A fraction, with half the width of its 95 % interval; null where it cannot be measured. */
  change: z
    .object({ value: z.number(), margin: z.number().nullable(), from: z.string(), to: z.string() })
    .nullable(),
  trend: trend.nullable(),
  /** The local day of the last price of the period. */
  lastDay: z.string().nullable(),
  /** Fewer than 3 prices behind the level. */
  isLevelThin: z.boolean(),
  /** Fewer than 5 series or 3 products behind the change; for one product, fewer than 3 prices in a window. */
  isChangeThin: z.boolean(),
  /** The last price is older than 30 days. */
  isStale: z.boolean(),
})
export type PlaceFigures = z.infer<typeof placeFigures>

const marketOnMap = placeFigures.extend({
  id: z.int(),
  name: z.string(),
  location: z.string(),
  /** The official name if it is one of the 26 provinces, else as written. */
  province: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
})
export type MarketOnMap = z.infer<typeof marketOnMap>

const provinceOnMap = placeFigures.extend({
  name: z.string(),
  /** Number of its markets with a price in the period. */
  markets: z.int(),
})
export type ProvinceOnMap = z.infer<typeof provinceOnMap>

export const priceMap = z
  .object({
    days: z.object({ startDate: z.string(), endDate: z.string() }),
    /** Number of markets, drawn or not. */
    total: z.int(),
    /** Markets with most prices first; 1 000 at most. */
    markets: z.array(marketOnMap),
    /** The provinces that have a market, by their official names. */
    provinces: z.array(provinceOnMap),
    /** Prices converted from dollars, and those of them at a rate more than 7 days old. */
    converted: z.int(),
    atOldRate: z.int(),
    /** Prices in dollars before the first rate: they are excluded. */
    excluded: z.int(),
    /** Too many series to compute an index for each market during a request: no change is shown. */
    isTooLarge: z.boolean(),
    /** More prices than a request may read: no place is drawn. */
    isEstimate: z.boolean(),
    /** When the changes were computed, if they lack prices written since. */
    asOf: instant.nullable(),
  })
  .meta({ id: 'PriceMap' })
export type PriceMap = z.infer<typeof priceMap>

export const readPriceMap = defineEndpoint({
  ...statisticsAddresses.map,
  right: 'statistics.read',
  summary: 'Le niveau et la variation des prix dans chaque marché et chaque province, pour une carte',
  description: 'Un lieu qui repose sur trop peu de relevés est dit, et ne doit pas être coloré.',
  query: mapFilters.refine(inOrder, reversedPeriod),
  response: priceMap,
})
