import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** An answer that is the same for everybody, compressed once for all who ask for it. */
export type Compressed = { etag: string; plain: Buffer; br: Buffer; gzip: Buffer }

const [toBrotli, toGzip] = [promisify(brotliCompress), promisify(gzip)]

export async function compressOnce(text: string): Promise<Compressed> {
  const plain = Buffer.from(text)
  const params = { [zlib.BROTLI_PARAM_QUALITY]: 9, [zlib.BROTLI_PARAM_SIZE_HINT]: plain.length }
  const [br, gz] = await Promise.all([toBrotli(plain, { params }), toGzip(plain, { level: 9 })])
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return { etag, plain, br, gzip: gz }
}

/** Sends it with its ETag, to be asked about each time. @param vary the request's headers that it depends on, beside the compression */
export function sendCompressed(
  made: Compressed,
  request: FastifyRequest,
  reply: FastifyReply,
  ...vary: string[]
): FastifyReply {
  reply.headers({ etag: made.etag, 'cache-control': 'no-cache' })
  return sendEncoded(made, request, reply, ...vary)
}

/** Sends it in the best compression that the client takes. @param vary as above */
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
