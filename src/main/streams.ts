import type { FastifyInstance } from 'fastify'
import { createStreams } from '#server/http/streams.ts'

/** Opens the places of long requests and responses: downloads of files, readers of live prices, uploads. */
export function openStreams(http: FastifyInstance) {
  return {
    downloads: createStreams(http, {
      most: 8,
      mostPerUser: 2,
      patienceMs: 20_000,
      refusal: {
        message: 'Trop de téléchargements sont en cours. Réessayez dans une minute.',
        retryAfterS: 60,
      },
    }),
    readers: createStreams(http, {
      most: 500,
      mostPerUser: 8,
      patienceMs: 0,
      refusal: { message: 'Trop de pages suivent les prix en direct. Réessayez plus tard.', retryAfterS: 60 },
    }),
    uploads: createStreams(http, {
      most: 4,
      mostPerUser: 2,
      patienceMs: 20_000,
      refusal: {
        message: 'Trop de fichiers sont en cours d’envoi. Réessayez dans une minute.',
        retryAfterS: 60,
      },
    }),
  }
}
