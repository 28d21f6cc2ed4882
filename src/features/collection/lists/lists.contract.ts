import { z } from 'zod'
import { acknowledgement, defineEndpoint } from '#shared/contract.ts'
import { idParams, reference } from '#shared/fields.ts'

/** Maximum number of goods of a list. */
export const mostWanted = 200

const wanted = z
  .object({ productId: z.int(), name: z.string(), weight: z.string(), quotesWanted: z.int() })
  .meta({ id: 'WantedGood' })
export type WantedGood = z.infer<typeof wanted>

/** The goods to collect at each visit of a market. */
export const marketLists = {
  find: defineEndpoint({
    method: 'GET',
    path: '/api/collection/lists/{id}',
    right: 'collection.read',
    summary: 'La liste d’un marché',
    description:
      'Les produits à relever à chaque visite, et ceux qu’on y relève d’habitude sans qu’ils soient dans la liste.',
    params: idParams,
    response: z.object({ data: z.array(wanted), usual: z.array(wanted) }),
  }),
  replace: defineEndpoint({
    method: 'PUT',
    path: '/api/collection/lists/{id}',
    right: 'collection.write',
    summary: 'Remplacer la liste d’un marché',
    description: `${mostWanted} produits au plus. Les téléphones la prennent à leur prochain envoi.`,
    params: idParams,
    body: z
      .object({
        goods: z
          .array(
            z.object({
              productId: reference('Choisissez un produit'),
              quotesWanted: z
                .int('Un entier est attendu')
                .min(1, 'Au moins 1')
                .max(20, '20 au plus')
                .nullish(),
            }),
            'Une liste est attendue',
          )
          .max(mostWanted, `${mostWanted} produits au plus`),
      })
      .meta({ id: 'MarketListBody' }),
    response: acknowledgement,
  }),
}
