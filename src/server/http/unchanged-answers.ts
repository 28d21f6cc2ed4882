import type { FastifyInstance } from 'fastify'

/** An answer whose ETag the asker already has is not sent again: 304, without a body (RFC 9110, 13.1.2). */
export function skipUnchangedAnswers(http: FastifyInstance): void {
  http.addHook('onSend', async (request, reply, payload) => {
    const etags = request.headers['if-none-match']
    const etag = reply.getHeader('etag')
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead || reply.statusCode !== 200 || typeof etag !== 'string' || etags === undefined) return payload
    const isKnown = etags
      .split(',')
      .some((each) => each.trim().replace(/^W\//, '') === etag.replace(/^W\//, ''))
    if (!isKnown) return payload
    reply.status(304).removeHeader('content-length').removeHeader('content-encoding')
    return null
  })
}
