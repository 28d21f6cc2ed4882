import { z } from 'zod'
import { priceAddresses } from '#features/prices/prices.addresses.ts'
import { defineEndpoint } from '#shared/contract.ts'
import { idParams, instant } from '#shared/fields.ts'

const pricePhoto = z
  .object({
    /** Of what the phone sent, in hexadecimal. */
    sha256: z.string(),
    /** A data URL: no address of it is public. */
    image: z.string(),
    receivedAt: instant,
  })
  .meta({ id: 'PricePhoto' })

/** How many photos a price may have. */
export const mostPhotos = 3

/** Where their files stand. */
export const proofFiles = 'proofs'

export const photosOfPrice = defineEndpoint({
  ...priceAddresses.photos,
  right: 'collection.read',
  summary: 'Les photos d’un prix',
  description: `Ce que son agent a photographié, ${mostPhotos} au plus, pour ceux qui vérifient les prix\u00a0: ces photos n’ont pas d’adresse publique.`,
  params: idParams,
  response: z.object({ data: z.array(pricePhoto) }),
})
