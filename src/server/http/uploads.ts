import type { FastifyInstance } from 'fastify'
import type { Storage } from '#server/files/storage.ts'
import { toSmallWebp } from '#server/images.ts'
import { readPictureName } from '#shared/pictures.ts'

/** Serves uploaded pictures. Browsers cache them permanently, because the URL changes with the content. */
export function serveUploads(http: FastifyInstance, storage: Storage): void {
  const small = smallPictures()
  http.get<{ Params: { name: string } }>(
    '/uploads/:name',
    { config: { right: 'public' } },
    async (request, reply) => {
      const wanted = readPictureName(request.params.name)
      const bytes = wanted && (await storage.read(wanted.hash))
      if (!bytes) return reply.callNotFound()
      return reply
        .type('image/webp')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .send(wanted.isSmall ? await small(wanted.hash, bytes) : bytes)
    },
  )
}

/** Maximum number of thumbnails in memory, about 2 kB each. */
const mostThumbnails = 2_000

/** Thumbnails, drawn at the first request; concurrent requests for one share its drawing. */
function smallPictures() {
  const drawn = new Map<string, Promise<Buffer>>()
  return (hash: string, bytes: Uint8Array): Promise<Buffer> => {
    const cached = drawn.get(hash)
    if (cached) return cached
    if (drawn.size >= mostThumbnails) drawn.clear()
    const drawing = toSmallWebp(bytes)
    drawn.set(hash, drawing)
    drawing.catch(() => drawn.delete(hash))
    return drawing
  }
}
