import { z } from 'zod'
import { collectionAddresses } from '#features/collection/collection.addresses.ts'
import { defineEndpoint } from '#shared/contract.ts'
import { currency, instant } from '#shared/fields.ts'

/** A price that a supervisor returned to its agent. */
const returnedPrice = z
  .object({
    priceId: z.int(),
    product: z.object({ id: z.int(), name: z.string(), weight: z.string() }),
    market: z.object({ id: z.int(), name: z.string(), location: z.string() }),
    priceValue: z.number(),
    currency,
    /** Local day of the price; an answer changes the price, not its day. */
    day: z.string(),
    /** Why it was returned, and the day by which an answer is expected. */
    comment: z.string(),
    dueOn: z.string(),
    /** When it was returned; identifies this return in the answer. */
    returnedAt: instant,
    /** The price most likely meant; null where unknown. */
    likely: z.number().nullable(),
  })
  .meta({ id: 'ReturnedPrice' })
export type ReturnedPrice = z.infer<typeof returnedPrice>

export const returns = defineEndpoint({
  ...collectionAddresses.returns,
  right: ['prices.collect', 'prices.write'],
  summary: 'Ses relevés renvoyés',
  description:
    'Ce qu’un superviseur a renvoyé à l’agent de la session, avec son motif et son délai, le plus pressé d’abord, 200 au plus. Il y répond par un relevé qui porte answers.',
  response: z.object({ data: z.array(returnedPrice) }),
})
