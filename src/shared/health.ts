import { z } from 'zod'
import { healthAddress } from '#shared/addresses.ts'
import { apiVersions } from '#shared/api-versions.ts'
import { defineEndpoint } from '#shared/contract.ts'
import { instant } from '#shared/fields.ts'

/** The root of the API, where clients start. */
export const apiRoot = defineEndpoint({
  method: 'GET',
  path: '/api',
  right: 'public',
  summary: 'Version, heure et documentation de l’API',
  description: 'À lire d’abord par un programme. Sans clé.',
  response: z.object({
    name: z.string(),
    version: z.enum(apiVersions),
    versions: z.array(z.enum(apiVersions)),
    time: instant,
    documentation: z.string(),
  }),
})

export const health = defineEndpoint({
  ...healthAddress,
  right: 'public',
  summary: 'État du service',
  description:
    'Répond 200 dès que la base de données répond. «\u202fdegraded\u202f» veut dire qu’un travail de fond échoue.',
  response: z.object({
    /** Degraded while a background job has failed three times in a row or more. */
    status: z.enum(['ok', 'degraded']),
    failingJobs: z.array(z.string()),
    /** Whether the data are made up; every screen then says so. */
    demonstration: z.boolean(),
  }),
})

export const ready = defineEndpoint({
  method: 'GET',
  path: '/api/ready',
  right: 'public',
  summary: 'Prêt à servir',
  description:
    'Pour un répartiteur de charge. 200 quand la base répond en écriture, que les fichiers s’écrivent et que les migrations sont faites ; 503 sinon.',
  response: z.object({ status: z.literal('ready') }),
})
