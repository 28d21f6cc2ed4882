import type { FastifyInstance } from 'fastify'
import { AppError } from '#server/errors.ts'
import { siteOrigin } from '#server/http/site-origin.ts'

/** A message from a service, with the raw bytes of its body, because signatures are computed over them. */
export type WebhookRequest = { url: string; headers: Record<string, string | string[]>; body: Buffer }

export type Webhooks = {
  /** Answers 200 when `receive` is done. The message itself authenticates the sender. */
  on(path: string, receive: (request: WebhookRequest) => Promise<void>): void
  /** Answers a GET with the text that proves ownership of the URL; 404 when `answer` returns null. */
  prove(path: string, answer: (query: Readonly<Record<string, string>>) => string | null): void
}

const largestBytes = 64 * 1024

/** @param publicUrl public address of the site; null when not configured: the host of each request is used */
export function createWebhooks(http: FastifyInstance, publicUrl: string | null): Webhooks {
  return {
    prove(path, answer) {
      http.get(path, { schema: { hide: true } }, async ({ url }, reply) => {
        const query = Object.fromEntries(new URLSearchParams(url.split('?')[1] ?? ''))
        const text = answer(query)
        if (text === null) throw new AppError('not_found', 'Cette adresse n’existe pas.')
        return reply.type('text/plain').send(text)
      })
    },
    on(path, receive) {
      // A separate scope, because bodies are parsed before the handler elsewhere.
      http.register(async (scope) => {
        scope.removeAllContentTypeParsers()
        scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
        scope.post<{ Body: Buffer | undefined }>(
          path,
          { bodyLimit: largestBytes, schema: { hide: true } },
          async ({ body, headers, url, protocol, host }) => {
            const given = Object.entries(headers).filter(([, value]) => value !== undefined)
            await receive({
              url: siteOrigin({ protocol, host }, publicUrl) + url,
              // Undefined values are filtered out above.
              headers: Object.fromEntries(given) as WebhookRequest['headers'],
              body: body ?? Buffer.alloc(0),
            })
            return { message: 'Reçu' }
          },
        )
      })
    },
  }
}
