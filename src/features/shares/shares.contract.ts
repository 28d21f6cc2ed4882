import { z } from 'zod'
import { shareAddresses } from '#features/shares/shares.addresses.ts'
import { mostShares, seriesOfPath } from '#features/shares/shares.rules.ts'
import { acknowledgement, defineEndpoint } from '#shared/contract.ts'
import { instant } from '#shared/fields.ts'

const share = z
  .object({
    /** What its address carries. */
    id: z.string(),
    url: z.string(),
    path: z.string(),
    title: z.string(),
    isFrozen: z.boolean(),
    views: z.int(),
    createdAt: instant,
  })
  .meta({ id: 'Share' })
export type OwnShare = z.infer<typeof share>

/** Pages that one shares with anybody: the figures of a price, as they are or as they were. */
export const shares = {
  list: defineEndpoint({
    ...shareAddresses.list,
    right: 'prices.read',
    summary: 'Ses pages partagées',
    description: 'La dernière d’abord, avec le nombre de fois où elle a été ouverte.',
    response: z.object({ data: z.array(share) }),
  }),
  create: defineEndpoint({
    ...shareAddresses.create,
    right: 'prices.read',
    summary: 'Partager un prix',
    description: `Une adresse que chacun lit sans compte, ${mostShares} au plus. \`path\` est celui de la page d’un prix.`,
    body: z
      .object({
        path: z
          .string('La page à partager est attendue')
          .max(200)
          .refine((path) => seriesOfPath(path) !== null, 'Seule la page d’un prix se partage'),
        search: z.string().max(2000).default(''),
        isFrozen: z.boolean('Vrai ou faux est attendu').default(false),
      })
      .meta({ id: 'ShareBody' }),
    status: 201,
    response: share.extend({ message: z.string() }),
  }),
  remove: defineEndpoint({
    ...shareAddresses.remove,
    right: 'prices.read',
    summary: 'Retirer une page partagée',
    description: 'Son adresse ne mène plus à rien, aussitôt.',
    params: z.object({ id: z.string().regex(/^[0-9A-Za-z]{1,20}$/, 'Identifiant invalide') }),
    response: acknowledgement,
  }),
}
