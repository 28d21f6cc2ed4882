import { z } from 'zod'
import { shareAddresses } from '#features/shares/shares.addresses.ts'
import { mostShares } from '#features/shares/shares.rules.ts'
import { acknowledgement, defineEndpoint } from '#shared/contract.ts'
import { instant } from '#shared/fields.ts'

const share = z
  .object({
    /** The token in its address. */
    id: z.string(),
    url: z.string(),
    /** The shared page of the application, with its filters. */
    path: z.string(),
    search: z.string(),
    title: z.string(),
    isFrozen: z.boolean(),
    views: z.int(),
    createdAt: instant,
  })
  .meta({ id: 'Share' })
export type OwnShare = z.infer<typeof share>

/** Public links to a page with charts: with current figures, or frozen ones. */
export const shares = {
  list: defineEndpoint({
    ...shareAddresses.list,
    right: 'prices.read',
    staysOpen: true,
    summary: 'Ses pages partagées',
    description: 'La dernière d’abord, avec le nombre de fois où elle a été ouverte.',
    response: z.object({ data: z.array(share) }),
  }),
  create: defineEndpoint({
    ...shareAddresses.create,
    right: 'prices.read',
    writes: 'own',
    summary: 'Partager une page',
    description: `Une adresse que chacun lit sans compte, ${mostShares} au plus. \`path\` est la page d’un prix, des prix, d’une comparaison, de l’inflation, de la carte ou d’un de ses rapports\u202f; \`search\`, ses filtres.`,
    body: z
      .object({
        path: z.string('La page à partager est attendue').max(200, 'Une adresse a 200 caractères au plus'),
        /** The query string of the page's address, with or without `?`. */
        search: z
          .string('Un texte est attendu')
          .max(2000, 'Des filtres ont 2\u00a0000 caractères au plus')
          .regex(/^[!-~]*$/, 'Une adresse encodée est attendue')
          .default(''),
        isFrozen: z.boolean('Vrai ou faux est attendu').default(false),
      })
      .meta({ id: 'ShareBody' }),
    status: 201,
    response: share.extend({ message: z.string() }),
  }),
  remove: defineEndpoint({
    ...shareAddresses.remove,
    right: 'prices.read',
    staysOpen: true,
    writes: 'own',
    summary: 'Retirer une page partagée',
    description: 'Son adresse ne mène plus à rien, aussitôt. Possible aussi après la fin de l’accès.',
    params: z.object({ id: z.string().regex(/^[0-9A-Za-z]{1,20}$/, 'Identifiant invalide') }),
    response: acknowledgement,
  }),
}
