import { z } from 'zod'
import { priceMovement, trend } from '#features/figures/summary/summary.contract.ts'
import { changesQuery } from '#shared/changes.ts'
import { defineEndpoint } from '#shared/contract.ts'
import { currency, idFilter, idParams, listQuery } from '#shared/fields.ts'

const priced = z.object({
  productId: z.int(),
  marketId: z.int(),
  product: z.object({ id: z.int(), name: z.string(), weight: z.string(), format: z.string() }),
  market: z.object({ id: z.int(), name: z.string(), location: z.string() }),
  firstDay: z.string().nullable(),
  lastDay: z.string().nullable(),
  quotes: z.int(),
  /** In `currency`, the currency of collection. */
  lastPrice: z.number().nullable(),
  currency: currency.nullable(),
})

/** A product in a market, with its weekly levels. */
const pricedSeries = priced
  .extend({
    weeks: z.array(
      z.object({
        week: z.string(),
        /** Geometric mean of its quotes in CDF; a week without quotes is interpolated linearly in logarithms. */
        level: z.number(),
        quotes: z.int(),
        /** 100 in its first week; null for an interpolated week. */
        index: z.number().nullable(),
        estimated: z.boolean(),
        isProvisional: z.boolean(),
      }),
    ),
    /** Over the 30 days that end today. */
    change: priceMovement.nullable(),
    trend: trend.nullable(),
  })
  .meta({ id: 'PricedSeries' })
export type PricedSeries = z.infer<typeof pricedSeries>

export const series = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/series',
    right: 'statistics.read',
    summary: 'Liste\u00a0: séries (un produit dans un marché)',
    description:
      'Les séries qui ont des prix en francs ou à un taux, par marché puis par produit. La suite se lit avec `cursor`, tant que `hasMore` est vrai.',
    query: z.object({
      productId: idFilter,
      marketId: idFilter,
      cursor: changesQuery.cursor,
      limit: listQuery([], 100).shape.limit,
    }),
    response: z.object({ data: z.array(priced), cursor: z.string().nullable(), hasMore: z.boolean() }),
  }),
  find: defineEndpoint({
    method: 'GET',
    path: '/api/series/{product}/{market}',
    right: 'statistics.read',
    summary: 'Une série, semaine par semaine',
    description:
      'Niveaux hebdomadaires en francs, indice 100 la première semaine. Une semaine sans relevé entre deux autres est une estimation, sans indice.',
    params: z.object({ product: idParams.shape.id, market: idParams.shape.id }),
    response: pricedSeries,
  }),
  gaps: defineEndpoint({
    method: 'GET',
    path: '/api/series/{product}/{market}/gaps',
    right: 'statistics.read',
    summary: 'Écart habituel des autres marchés',
    description:
      'Combien le même produit coûte d’habitude de plus ou de moins dans les autres marchés, médiane des semaines de la dernière année où les deux l’ont relevé, huit au moins. 200 marchés au plus.',
    params: z.object({ product: idParams.shape.id, market: idParams.shape.id }),
    response: z.object({
      data: z.array(
        z.object({
          marketId: z.int(),
          /** A fraction: 0.12 is 12 % dearer than in this market. */
          usualGap: z.number(),
          /** Weeks that both markets were quoted in. */
          weeks: z.int(),
        }),
      ),
    }),
  }),
}
