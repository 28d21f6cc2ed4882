import { z } from 'zod'
import { undatedFilter } from '#features/figures/filters/filters.contract.ts'
import { trend } from '#features/figures/summary/summary.contract.ts'
import { measures, publishedFigure } from '#features/inflation/published/published.contract.ts'
import { defineEndpoint } from '#shared/contract.ts'
import { dayFilter, instant, optionalChoice } from '#shared/fields.ts'

const fraction = z.number().nullable()

/** A fraction (0.034 is +3.4 %), with half the width of the 95 % interval of its logarithm. */
const change = z
  .object({
    value: z.number(),
    margin: fraction,
    /**
     * An annualised change has no margin of its own: its trend is that of the cumulative change, and null where that is
     * stable.
     */
    trend: trend.nullable(),
    from: z.string(),
    to: z.string(),
    /** Products with a price behind the change. */
    products: z.int(),
  })
  .nullable()

const contribution = z.object({
  id: z.int(),
  name: z.string(),
  series: z.int(),
  /** Its share of the weights, a fraction. */
  share: z.number(),
  /** The change of its own prices. */
  value: z.number(),
  /** Its contribution to the change, a fraction; those of all groups add up to the change. */
  points: z.number(),
})

const week = z.object({
  /** Its Monday. */
  week: z.string(),
  number: z.int(),
  weekly: fraction,
  cumulative: fraction,
  annualised: fraction,
  yearly: fraction,
})

export const inflation = z
  .object({
    /**
     * The last week with a value; null where there is none, and then everything else is empty. The lists hold the year
     * that ends with it.
     */
    week: z.string().nullable(),
    /** When all of it was computed, if it lacks prices written since. */
    asOf: instant.nullable(),
    weeks: z.array(week),
    index: z.array(z.object({ week: z.string(), value: z.number(), isProvisional: z.boolean() })),
    changes: z.object({ weekly: change, cumulative: change, annualised: change, yearly: change }),
    /**
     * Contributions to the requested measure, empty if there are too many series; for the annualised measure, those of
     * the cumulative change.
     */
    contributions: z.object({ categories: z.array(contribution), types: z.array(contribution) }),
    /** The same change split by the dollar rate: (1 + francs) = (1 + dollar) × (1 + inDollars). */
    exchange: z.object({ francs: z.number(), dollar: z.number(), inDollars: z.number() }).nullable(),
    /** Null where equal weights are used. */
    weights: z
      .object({
        /** The day from which the latest of them holds. */
        day: z.string(),
        source: z.string(),
        types: z.int(),
        /** Types without a weight: all their series are left out. */
        typesWithout: z.int(),
        /** Series without a weight: they are left out. */
        unweighted: z.int(),
      })
      .nullable(),
    /**
     * Weights that exist but are not used, because they cover a single type or less than half of the series; null where
     * there are none.
     */
    unusedWeights: z
      .object({
        types: z.int(),
        typesWithout: z.int(),
        /** The share of the series that have a weight, a fraction. */
        share: z.number(),
      })
      .nullable(),
    /** Whether weights exist but are not used because there are too many series. */
    isTooLargeToWeigh: z.boolean(),
    basis: z.object({
      /** Null for a stored index, whose prices are not counted. */
      prices: z.int().nullable(),
      /** Those converted from dollars, and those of them at a rate more than 7 days old; null where `prices` is. */
      converted: z.int().nullable(),
      atOldRate: z.int().nullable(),
      series: z.int(),
      knownSeries: z.int(),
      products: z.int(),
      /** Markets whose last price is more than 14 days before the end of the last requested week, or before today. */
      silentMarkets: z.int(),
      firstDay: z.string().nullable(),
      lastDay: z.string().nullable(),
      /** Fewer than 5 series or 3 products. */
      isThin: z.boolean(),
      /** The last price, or the last week of the index, is older than 30 days. */
      isStale: z.boolean(),
    }),
    /** Prices in dollars of the same days, before the first rate: they are excluded. */
    excluded: z.int(),
    /** Published figures for the same weeks and place, with ours. */
    published: z.array(publishedFigure.extend({ ours: fraction, explanation: z.string() })),
  })
  .meta({ id: 'Inflation' })
export type Inflation = z.infer<typeof inflation>

/** The query of the inflation page, stored in its address. */
export const inflationQuery = undatedFilter.extend({
  /** A day of the last week wanted; defaults to the last week with prices. */
  until: dayFilter,
  measure: optionalChoice(z.enum(measures, `La mesure est l’une de\u00a0: ${measures.join(', ')}`), 'yearly'),
})

export const readInflation = defineEndpoint({
  method: 'GET',
  path: '/api/statistics/inflation',
  right: 'statistics.read',
  summary:
    'Inflation d’une sélection\u00a0: indice hebdomadaire, variations, contributions et part du dollar',
  description:
    'L’indice n’est pas celui des prix à la consommation de l’INS. La page Méthode définit chaque chiffre.',
  query: inflationQuery,
  response: inflation,
})
