import { z } from 'zod'
import { mostKeys } from '#features/keys/keys.rules.ts'
import { acknowledgement, defineEndpoint } from '#shared/contract.ts'
import { idParams, instant, instantInput, text } from '#shared/fields.ts'
import { scopeNames } from '#shared/permissions.ts'

const scope = z.enum(scopeNames, `Une portée est l’une de\u00a0: ${scopeNames.join(', ')}`)

const apiKey = z
  .object({
    id: z.int(),
    name: z.string(),
    /** First and last characters of the key. */
    prefix: z.string(),
    scopes: z.array(scope),
    /** API version that the key was created for: `yyyy-mm-dd`. */
    version: z.string(),
    createdAt: instant,
    lastUsedAt: instant.nullable(),
    expiresAt: instant.nullable(),
    /** Number of calls in the current month. */
    calls: z.int(),
  })
  .meta({ id: 'ApiKey' })
export type ListedKey = z.infer<typeof apiKey>

/** A user's own keys, with which programs call the API without a session. Keys cannot call these endpoints. */
export const keys = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/keys',
    right: 'session',
    summary: 'Ses propres clés',
    description:
      'Avec leurs bouts visibles, leur dernier appel et leurs appels du mois. Une clé ne peut pas les lire.',
    response: z.object({ data: z.array(apiKey) }),
  }),
  create: defineEndpoint({
    method: 'POST',
    path: '/api/keys',
    right: 'session',
    summary: 'Créer une clé',
    description: `${mostKeys} clés au plus. \`key\` n’est donnée que cette fois.`,
    body: z
      .object({
        name: text(100),
        scopes: z
          .array(scope, 'Choisissez au moins une portée')
          .min(1, 'Choisissez au moins une portée')
          .max(20),
        /** Never expires when absent. */
        expiresAt: instantInput.nullish(),
      })
      .meta({ id: 'ApiKeyBody' }),
    status: 201,
    response: apiKey.extend({ key: z.string(), message: z.string() }).meta({ id: 'NewApiKey' }),
  }),
  revoke: defineEndpoint({
    method: 'DELETE',
    path: '/api/keys/{id}',
    right: 'session',
    summary: 'Révoquer une de ses clés, aussitôt et partout',
    description: 'Les programmes qui l’emploient reçoivent 401 aussitôt.',
    params: idParams,
    response: acknowledgement,
  }),
}

/** Returns the number of calls of a user's own keys. */
export const usage = defineEndpoint({
  method: 'GET',
  path: '/api/usage',
  right: 'session',
  summary: 'Les appels de ses clés, et leurs quotas',
  description:
    'Une réponse 304 ne compte pas. Les quotas sont ceux de l’abonnement, pour toutes les clés ensemble.',
  response: z.object({
    data: z.array(
      z.object({
        window: z.enum(['minute', 'month']),
        limit: z.int(),
        used: z.int(),
        resetsAt: instant,
      }),
    ),
    /** The days of the current month, in Kinshasa, that have calls. */
    days: z.array(z.object({ day: z.string(), calls: z.int() })),
  }),
})
