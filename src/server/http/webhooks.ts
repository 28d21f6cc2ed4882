import type { FastifyInstance } from 'fastify'
import { AppError } from '#server/errors.ts'

/** A message from a service, with the bytes of its body as they came: signatures are made over them. */
export type WebhookRequest = { url: string; headers: Record<string, string | string[]>; body: Buffer }

export type Webhooks = {
  /** Answers 200 once `receive` is done; the sender proves who he is in the message. */
  on(path: string, receive: (request: WebhookRequest) => Promise<void>): void
  /** Answers a GET with the text that proves that the address is ours; 404 when there is none. */
  prove(path: string, answer: (query: Readonly<Record<string, string>>) => string | null): void
}

const largestBytes = 64 * 1024

/** @param publicUrl where others see us; null when not configured: then where the message says that it went */
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
      // A scope of its own: elsewhere bodies are parsed before they are seen.
      http.register(async (scope) => {
        scope.removeAllContentTypeParsers()
        scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
        scope.post<{ Body: Buffer | undefined }>(
          path,
          { bodyLimit: largestBytes, schema: { hide: true } },
          async ({ body, headers, url, protocol, host }) => {
            const given = Object.entries(headers).filter(([, value]) => value !== undefined)
            await receive({
              url: (publicUrl ?? `${protocol}://${host}`) + url,
              // Those that are there have a value.
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
