import { z } from 'zod'
import { defineEndpoint } from '#shared/contract.ts'
import { currency } from '#shared/fields.ts'

const found = z
  .object({
    productId: z.int(),
    /** Null for a product in all its markets. */
    marketId: z.int().nullable(),
    /** For example « Riz local, 1 kg ». */
    name: z.string(),
    /** The market of the last price: « Virunga, Goma ». */
    market: z.string().nullable(),
    lastPrice: z.number().nullable(),
    currency: currency.nullable(),
    lastDay: z.string().nullable(),
  })
  .meta({ id: 'FoundPrice' })
export type FoundPrice = z.infer<typeof found>

export const publicSearch = defineEndpoint({
  method: 'GET',
  path: '/api/public/search',
  right: 'public',
  summary: 'Chercher un prix',
  description:
    'Un produit et un marché ou une ville, dans n’importe quel ordre. Les derniers prix, 20 au plus.',
  query: z.object({
    q: z.string('Un texte est attendu').max(100, '100 caractères au plus').default(''),
  }),
  response: z.object({ data: z.array(found) }),
})
