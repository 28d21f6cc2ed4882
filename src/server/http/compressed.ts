import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A response that is the same for all callers, compressed once. */
export type Compressed = { etag: string; plain: Buffer; br: Buffer; gzip: Buffer }

const [toBrotli, toGzip] = [promisify(brotliCompress), promisify(gzip)]

export async function compressOnce(text: string): Promise<Compressed> {
  const plain = Buffer.from(text)
  const params = { [zlib.BROTLI_PARAM_QUALITY]: 9, [zlib.BROTLI_PARAM_SIZE_HINT]: plain.length }
  const [br, gz] = await Promise.all([toBrotli(plain, { params }), toGzip(plain, { level: 9 })])
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return { etag, plain, br, gzip: gz }
}

/**
 * Sends it with its ETag, to be revalidated each time.
 *
 * @param vary request headers it depends on, besides the encoding
 */
export function sendCompressed(
  made: Compressed,
  request: FastifyRequest,
  reply: FastifyReply,
  ...vary: string[]
): FastifyReply {
  reply.headers({ etag: made.etag, 'cache-control': 'no-cache' })
  return sendEncoded(made, request, reply, ...vary)
}

/** Sends it in the best encoding that the client accepts. @param vary as above */
export function sendEncoded(
  made: Compressed,
  request: FastifyRequest,
  reply: FastifyReply,
  ...vary: string[]
): FastifyReply {
  reply.header('vary', ['accept-encoding', ...vary].join(', '))
  const accepted = String(request.headers['accept-encoding'] ?? '')
  if (/\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(made.br)
  if (/\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(made.gzip)
  return reply.send(made.plain)
}
