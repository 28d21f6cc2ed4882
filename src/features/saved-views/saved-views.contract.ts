import { z } from 'zod'
import { viewAddresses } from '#features/saved-views/saved-views.addresses.ts'
import { mostViews, savablePaths } from '#features/saved-views/saved-views.rules.ts'
import { acknowledgement, defineEndpoint } from '#shared/contract.ts'
import { idParams, instant, text, version } from '#shared/fields.ts'

const savedView = z
  .object({
    id: z.int(),
    name: z.string(),
    path: z.string(),
    /** The query string of the page, without « ? »; may be empty. */
    search: z.string(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'SavedView' })
export type SavedView = z.infer<typeof savedView>

const written = savedView.extend({ message: z.string() })
const name = text(100)

/** The user's saved views: pages with their filters, under a name. */
export const savedViews = {
  list: defineEndpoint({
    ...viewAddresses.list,
    right: 'session',
    summary: 'Ses propres vues enregistrées',
    description: 'Une vue est une page et ses filtres, par ordre alphabétique.',
    response: z.object({ data: z.array(savedView) }),
  }),
  create: defineEndpoint({
    method: 'POST',
    path: '/api/views',
    right: 'session',
    summary: 'Enregistrer une vue',
    description: `${mostViews} vues au plus. \`search\`\u00a0: ce qui suit «\u202f?\u202f» dans l’adresse de la page.`,
    body: z
      .object({
        name,
        path: z.enum(savablePaths, `La page est l’une de\u00a0: ${savablePaths.join(', ')}`),
        search: z
          .string('Un texte est attendu')
          .max(2000, '2000 caractères au plus')
          .regex(/^[!-~]*$/, 'Une adresse encodée est attendue')
          .default(''),
      })
      .meta({ id: 'SavedViewBody' }),
    status: 201,
    response: written,
  }),
  rename: defineEndpoint({
    method: 'PUT',
    path: '/api/views/{id}',
    right: 'session',
    summary: 'Renommer une de ses vues',
    description: 'Change le nom seul.',
    params: idParams,
    body: z.object({ name, updatedAt: version }).meta({ id: 'SavedViewChange' }),
    response: written,
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: '/api/views/{id}',
    right: 'session',
    summary: 'Supprimer une de ses vues',
    description: 'Les données de la vue restent.',
    params: idParams,
    response: acknowledgement,
  }),
}
