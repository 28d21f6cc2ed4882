import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { keyOf } from '#server/http/keys.ts'

/** Answers 304 without a body when the client already has the ETag of the response (RFC 9110, 13.1.2). */
export function skipUnchangedAnswers(http: FastifyInstance): void {
  http.addHook('onSend', async (request, reply, payload) => {
    const etags = request.headers['if-none-match']
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    // Only programs (API keys) get an ETag: they poll, whereas browsers cache nothing of the API.
    if (isRead && reply.statusCode === 200 && typeof payload === 'string' && keyOf(request.headers)) {
      const digest = createHash('sha256').update(payload).digest('base64url').slice(0, 22)
      if (!reply.hasHeader('etag')) reply.header('etag', `W/"${digest}"`)
      reply.header('cache-control', 'private, no-cache')
    }
    const etag = reply.getHeader('etag')
    if (!isRead || reply.statusCode !== 200 || typeof etag !== 'string' || etags === undefined) return payload
    const isKnown = etags
      .split(',')
      .some((each) => each.trim().replace(/^W\//, '') === etag.replace(/^W\//, ''))
    if (!isKnown) return payload
    reply.status(304).removeHeader('content-length').removeHeader('content-encoding')
    return null
  })
}
