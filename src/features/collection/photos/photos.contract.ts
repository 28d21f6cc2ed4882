import { z } from 'zod'
import { collectionAddresses } from '#features/collection/collection.addresses.ts'
import { mostPhotos } from '#features/prices/photos/photos.contract.ts'
import { defineEndpoint } from '#shared/contract.ts'

/** Maximum size of a photo; phones reduce theirs below 200 kB. */
const mostBytes = 500_000

/** Receives a photo as proof of a price, after the entry of that price. */
export const sendPhoto = defineEndpoint({
  ...collectionAddresses.photo,
  right: ['prices.collect', 'prices.write'],
  summary: 'Joindre une photo à un relevé',
  description: `La photo d’un prix que l’on a soi-même relevé (champ «\u202fimage\u202f»), ${mostPhotos} par prix, de 500\u00a0ko au plus. Renvoyée, elle ne compte qu’une fois.`,
  params: z.object({
    sha256: z.string().regex(/^[\da-f]{64}$/, 'L’empreinte SHA-256 du fichier est attendue, en hexadécimal'),
  }),
  body: z
    .object({
      entryId: z.uuid('Un identifiant UUID est attendu'),
      image: z.file('Un fichier image est attendu').max(mostBytes, 'La photo dépasse 500\u00a0ko'),
    })
    .meta({ id: 'EntryPhoto' }),
  file: 'image',
  response: z.object({ sha256: z.string(), message: z.string() }),
})
