import type { FastifyInstance } from 'fastify'
import type { Storage } from '#server/storage.ts'

/** Uploaded pictures, to be kept for good by whoever fetched them: another content has another address. */
export function serveUploads(http: FastifyInstance, storage: Storage): void {
  http.get<{ Params: { name: string } }>(
    '/uploads/:name',
    { config: { right: 'public' } },
    async (request, reply) => {
      const hash = /^([0-9a-f]{64})\.webp$/.exec(request.params.name)?.[1]
      const bytes = hash ? await storage.read(hash) : null
      if (!bytes) return reply.callNotFound()
      return reply
        .type('image/webp')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .send(bytes)
    },
  )
}
