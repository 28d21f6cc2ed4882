import { z } from 'zod'
import { defineEndpoint } from '#shared/contract.ts'
import { idParams, reference } from '#shared/fields.ts'

/** Maximum number of goods of a list. */
export const mostWanted = 200

const wanted = z
  .object({ productId: z.int(), name: z.string(), weight: z.string(), quotesWanted: z.int() })
  .meta({ id: 'WantedGood' })
export type WantedGood = z.infer<typeof wanted>
const list = z.object({ data: z.array(wanted), usual: z.array(wanted) })

const goods = z
  .array(
    z.object({
      productId: reference('Choisissez un produit'),
      quotesWanted: z.int('Un entier est attendu').min(1, 'Au moins 1').max(20, '20 au plus').nullish(),
    }),
    'Une liste est attendue',
  )
  .max(mostWanted, `${mostWanted} produits au plus`)

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
    response: list,
  }),
  replace: defineEndpoint({
    method: 'PUT',
    path: '/api/collection/lists/{id}',
    right: 'collection.write',
    summary: 'Remplacer la liste d’un marché',
    description: `${mostWanted} produits au plus. Les téléphones la prennent au début d’une visite. Avec la liste lue (seen), refusé (stale) si elle a changé depuis.`,
    params: idParams,
    body: z
      .object({
        goods,
        /** The list that was read; refused if it has changed since. */
        seen: goods.nullish(),
      })
      .meta({ id: 'MarketListBody' }),
    response: list.extend({ message: z.string() }),
  }),
}
