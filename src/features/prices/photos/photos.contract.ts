import { z } from 'zod'
import { priceAddresses } from '#features/prices/prices.addresses.ts'
import { defineEndpoint } from '#shared/contract.ts'
import { idParams, instant } from '#shared/fields.ts'

const pricePhoto = z
  .object({
    /** SHA-256 of the bytes that the phone sent, in hexadecimal. */
    sha256: z.string(),
    /** A data URL: photos have no public address. */
    image: z.string(),
    receivedAt: instant,
  })
  .meta({ id: 'PricePhoto' })

/** Maximum number of photos of a price. */
export const mostPhotos = 3

/** Name of the storage of their files. */
export const proofFiles = 'proofs'

export const photosOfPrice = defineEndpoint({
  ...priceAddresses.photos,
  right: 'collection.read',
  summary: 'Les photos d’un prix',
  description: `Ce que son agent a photographié, ${mostPhotos} au plus, pour ceux qui vérifient les prix\u00a0: ces photos n’ont pas d’adresse publique.`,
  params: idParams,
  response: z.object({ data: z.array(pricePhoto) }),
})
