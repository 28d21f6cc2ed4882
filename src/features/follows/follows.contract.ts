import { z } from 'zod'
import { priceMovement, trend } from '#features/figures/summary/summary.contract.ts'
import { followAddresses } from '#features/follows/follows.addresses.ts'
import { daysShown, mostFollows } from '#features/follows/follows.rules.ts'
import { acknowledgement, defineEndpoint } from '#shared/contract.ts'
import { currency, idParams, instant, reference } from '#shared/fields.ts'

const product = z.object({ id: z.int(), name: z.string(), weight: z.string() })
const market = z.object({ id: z.int(), name: z.string(), location: z.string() })

/** The last price of a series and its change over 30 days; amounts of `points` in CDF. */
const lastFigures = z.object({
  /** In `currency`, the currency of collection. */
  lastPrice: z.number().nullable(),
  currency: currency.nullable(),
  /** The local day of the last price, `yyyy-mm-dd`. */
  lastDay: z.string().nullable(),
  /** For one series only; null where a window has no price. */
  change: priceMovement.nullable(),
  trend: trend.nullable(),
})

const follow = lastFigures
  .extend({
    id: z.int(),
    productId: z.int().nullable(),
    marketId: z.int().nullable(),
    product: product.nullable(),
    market: market.nullable(),
    /** The market of the last price, for a product followed in all markets. */
    lastMarket: market.nullable(),
    /** The mean of each of the last 90 days with prices, for one series only. */
    points: z.array(z.object({ date: z.string(), value: z.number() })),
    createdAt: instant,
  })
  .meta({ id: 'Follow' })
export type Follow = z.infer<typeof follow>

/** What a user follows: a series, a product in all markets, or a market. */
export const follows = {
  list: defineEndpoint({
    ...followAddresses.list,
    right: 'prices.read',
    summary: 'Les prix que l’on suit',
    description: `Le dernier prix, sa variation sur 30 jours et les ${daysShown} derniers jours.`,
    response: z.object({ data: z.array(follow) }),
  }),
  create: defineEndpoint({
    ...followAddresses.create,
    right: 'prices.read',
    writes: 'own',
    summary: 'Suivre un prix',
    description: `Un produit dans un marché, un produit partout (sans \`marketId\`), ou un marché (sans \`productId\`)\u202f; ${mostFollows} au plus.`,
    body: z
      .object({ productId: reference().nullish(), marketId: reference().nullish() })
      .refine(({ productId, marketId }) => productId || marketId, {
        path: ['productId'],
        error: 'Choisissez un produit ou un marché',
      })
      .meta({ id: 'FollowBody' }),
    status: 201,
    response: follow.extend({ message: z.string() }),
  }),
  remove: defineEndpoint({
    ...followAddresses.remove,
    right: 'prices.read',
    writes: 'own',
    summary: 'Ne plus suivre un prix',
    description: 'Le suivi est supprimé, les prix restent.',
    params: idParams,
    response: acknowledgement,
  }),
}

/** The series with the largest changes in 30 days. */
export const movers = defineEndpoint({
  ...followAddresses.movers,
  right: 'prices.read',
  summary: 'Les prix qui ont le plus bougé en 30 jours',
  description:
    'Trois hausses et trois baisses au plus\u00a0: des séries d’au moins 3 relevés par fenêtre, relevées depuis 4 jours, dont la variation dépasse sa marge.',
  response: z.object({
    data: z.array(lastFigures.extend({ product, market, change: priceMovement }).meta({ id: 'Mover' })),
  }),
})
export type Mover = ReturnType<typeof movers.response.parse>['data'][number]
