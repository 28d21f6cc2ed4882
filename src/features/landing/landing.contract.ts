import { z } from 'zod'
import { trend } from '#features/figures/summary/summary.contract.ts'
import { plan } from '#features/plans/plans.contract.ts'
import { defineEndpoint } from '#shared/contract.ts'
import { currency, instant } from '#shared/fields.ts'

const counted = z.object({ id: z.int(), name: z.string(), count: z.int() })

/** A change of prices over some weeks, a fraction, with its basis. */
const movement = z.object({
  value: z.number(),
  /** Half the width of its 95 % interval; null if it cannot be measured. */
  margin: z.number().nullable(),
  trend: trend.nullable(),
  /** Mondays of the two weeks compared. */
  from: z.string(),
  to: z.string(),
  series: z.int(),
  products: z.int(),
  isThin: z.boolean(),
})

/** One product in the whole country: the last seven days with prices compared with the seven before. */
const move = z.object({
  product: z.object({ id: z.int(), name: z.string(), weight: z.string() }),
  /** Geometric mean over its markets, CDF. */
  price: z.number(),
  /** A fraction, over the series with a price in both weeks. */
  change: z.number(),
  markets: z.int(),
})
export type Move = z.infer<typeof move>

const latestPrice = z.object({
  market: z.object({ id: z.int(), name: z.string(), location: z.string() }),
  priceValue: z.number(),
  currency,
  observedOn: z.string(),
  /** Change over 30 days, a fraction; null without enough prices. `isThin`: a window has fewer than 3 prices. */
  change: z.object({ value: z.number(), margin: z.number().nullable(), isThin: z.boolean() }).nullable(),
  trend: trend.nullable(),
})

export type CityPrice = z.infer<typeof latestPrice>

const coveredMarket = z.object({
  id: z.int(),
  name: z.string(),
  location: z.string(),
  province: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  /** Number of its prices. */
  count: z.int(),
  /** The local day of the last one. */
  lastDay: z.string().nullable(),
})
export type CoveredMarket = z.infer<typeof coveredMarket>

const publicFigures = z
  .object({
    madeAt: instant,
    /** Whether the figures are invented, for a demonstration. */
    isDemonstration: z.boolean(),
    totals: z.object({ prices: z.int(), products: z.int(), markets: z.int(), users: z.int() }),
    lastCollectedAt: instant.nullable(),
    /** Products per brand, and per category: the eight largest of each. */
    brands: z.array(counted),
    categories: z.array(counted),
    /** Subscriptions created on each of the last seven days, including days without any. */
    subscriptions: z.array(z.object({ date: z.string(), count: z.int() })),
    /** Prices of each of these days. */
    collected: z.array(z.object({ date: z.string(), count: z.int() })),
    /** The national index over half a year, 100 in its first week. */
    index: z.object({
      /** When it was computed, if it lacks prices written since. */
      asOf: instant.nullable(),
      weeks: z.array(z.object({ week: z.string(), value: z.number(), isProvisional: z.boolean() })),
      month: movement.nullable(),
      quarter: movement.nullable(),
      halfYear: movement.nullable(),
      /** Series used by the index, and series with a price in its weeks. */
      matchedSeries: z.int(),
      knownSeries: z.int(),
      /** Prices of its weeks. */
      prices: z.int(),
    }),
    /** The place whose prices changed least in three months: at least five series and three products. */
    steadiest: z
      .object({ location: z.string(), change: z.number(), series: z.int(), products: z.int() })
      .nullable(),
    /** The product sold in most markets, in the last four weeks and the four before: geometric means, CDF. */
    comparison: z
      .object({
        product: z.object({ id: z.int(), name: z.string(), weight: z.string() }),
        from: z.string(),
        to: z.string(),
        markets: z.array(
          z.object({
            id: z.int(),
            name: z.string(),
            location: z.string(),
            current: z.number(),
            previous: z.number(),
            /** Fewer than 3 prices in one of the two periods. */
            isThin: z.boolean(),
          }),
        ),
      })
      .nullable(),
    /** The largest changes in a week. */
    moves: z.array(move),
    /** The last prices of up to four products in up to four cities; a price is null where the city has none. */
    latest: z.object({
      cities: z.array(z.string()),
      rows: z.array(
        z.object({
          product: z.object({ id: z.int(), name: z.string(), weight: z.string() }),
          prices: z.array(latestPrice.nullable()),
        }),
      ),
    }),
    /** With coordinates for the map; markets with most prices first. */
    markets: z.array(coveredMarket),
    plans: z.array(plan),
  })
  .meta({ id: 'PublicOverview' })
export type PublicFigures = z.infer<typeof publicFigures>

export const publicOverview = defineEndpoint({
  method: 'GET',
  path: '/api/public/overview',
  right: 'public',
  summary: 'Ce que la page d’accueil montre\u00a0: chiffres, indice national, marchés et formules',
  description: 'Refait une fois par minute au plus\u202f; avec un ETag.',
  response: publicFigures,
})
