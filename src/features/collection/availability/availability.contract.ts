import { z } from 'zod'
import { collectionAddresses } from '#features/collection/collection.addresses.ts'
import { absenceReason } from '#features/prices/absence/absence.contract.ts'
import { defineEndpoint } from '#shared/contract.ts'
import { idFilter } from '#shared/fields.ts'

/** A product that the last visit did not find in a market. */
const absence = z
  .object({
    product: z.object({ id: z.int(), name: z.string(), weight: z.string() }),
    market: z.object({ id: z.int(), name: z.string(), location: z.string() }),
    /** Local day of that visit. */
    day: z.string(),
    reason: absenceReason.nullable(),
  })
  .meta({ id: 'Absence' })
export type Absence = z.infer<typeof absence>

export const availability = defineEndpoint({
  ...collectionAddresses.availability,
  right: 'prices.read',
  summary: 'Ce qui manque sur les marchés',
  description:
    'Les produits que la dernière visite n’a pas trouvés, ces 30 derniers jours, la plus récente d’abord, 200 au plus. Un produit relevé depuis n’y est plus\u202f; un produit que personne n’a cherché n’y est jamais.',
  query: z.object({ productId: idFilter, marketId: idFilter }),
  response: z.object({
    data: z.array(absence),
    /** Number of series (a product in a market) priced or reported absent in the last 30 days. */
    looked: z.int(),
  }),
})
