import { z } from 'zod'
import { groupings } from '#features/comparison/charts.rules.ts'
import { periodFilters } from '#features/prices/prices.contract.ts'
import { chosenSeries } from '#features/prices/series/series.contract.ts'
import { defineEndpoint } from '#shared/contract.ts'
import { inOrder, optionalChoice, optionalQuery, reversedPeriod } from '#shared/fields.ts'

export const units = ['CDF', 'USD', 'index'] as const
export type Unit = (typeof units)[number]

const comparisonQuery = z.object({
  series: optionalQuery(chosenSeries),
  unit: optionalChoice(z.enum(units, `L’unité est l’une de\u00a0: ${units.join(', ')}`), 'CDF'),
  ...periodFilters,
})

/** The query of the page: the question, and the layout of its answer. */
export const comparisonPage = comparisonQuery.extend({
  by: optionalQuery(z.enum(groupings, 'Présentation inconnue')),
})
export type ComparisonPageQuery = z.output<typeof comparisonPage>

const named = z.object({ id: z.int(), name: z.string() })

/** How much dearer the first market is than the second, as fractions: 0.18 is 18 % dearer. */
const gap = z.object({
  product: z.string(),
  weight: z.string(),
  productId: z.int(),
  market: z.string(),
  marketId: z.int(),
  other: z.string(),
  otherId: z.int(),
  /** The gap in the last week that both were quoted in. */
  now: z.number(),
  week: z.string(),
  /** The median gap of the weeks of the year before it. */
  usual: z.number(),
  weeks: z.int(),
  isUnusual: z.boolean(),
})

export const comparison = z
  .object({
    data: z.array(
      z.object({
        product: named.extend({ code: z.string(), weight: z.string(), format: z.string() }),
        market: named.extend({ location: z.string() }),
        count: z.int(),
        lastDay: z.string().nullable(),
        /** The mean of each day with prices, in the requested unit. */
        points: z.array(z.object({ date: z.string(), value: z.number(), count: z.int() })),
      }),
    ),
    /**
     * The day with index 100, where the unit is an index; null if the series share none, and each starts at 100 on its
     * own first day.
     */
    base: z.string().nullable(),
    /** In dollars: the rate used for each day with a value, and the day of that rate. */
    rates: z.array(z.object({ date: z.string(), cdfPerUsd: z.number(), day: z.string() })),
    /** Prices in dollars of these series and days, before the first rate: they are excluded. */
    excluded: z.int(),
    /**
     * For each pair of markets that sell the same product, if they have twelve common weeks before a recent one; the
     * most unusual first.
     */
    gaps: z.array(gap),
  })
  .meta({ id: 'Comparison' })
export type Comparison = z.infer<typeof comparison>

export const compareSeries = defineEndpoint({
  method: 'GET',
  path: '/api/statistics/comparison',
  right: 'statistics.read',
  summary:
    'Jusqu’à douze séries (un produit dans un marché) jour après jour, et les écarts entre leurs marchés',
  description:
    'Chaque série est un produit et un marché, «\u202f3-18\u202f». Les jours sans relevé sont absents.',
  query: comparisonQuery.refine(inOrder, reversedPeriod),
  response: comparison,
})
