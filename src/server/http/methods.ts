import type { FastifyInstance } from 'fastify'
import { AppError } from '#server/errors.ts'
import { preflight } from '#server/http/security.ts'

/** All methods that any route may have. */
export const knownMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/**
 * Makes every API path answer the methods that it does not support with 405, and OPTIONS with 204; the supported
 * methods are in `Allow` (RFC 9110, 15.5.6). Call it before the first route is added.
 *
 * @returns a function to call after the last route is added
 */
export function refuseOtherMethods(http: FastifyInstance): () => void {
  const methods = new Map<string, Set<string>>()
  http.addHook('onRoute', ({ url, method }) => {
    if (!/^\/api(\/|$)/.test(url)) return
    const ofAddress = methods.get(url) ?? new Set()
    for (const one of [method].flat()) ofAddress.add(one)
    methods.set(url, ofAddress)
  })
  return () => {
    for (const [url, ofAddress] of [...methods]) {
      const allow = knownMethods.filter((method) => ofAddress.has(method)).join(', ')
      http.route({
        method: knownMethods.filter((method) => !ofAddress.has(method)),
        url,
        config: { right: 'public' },
        schema: { hide: true },
        // Runs before the body is read.
        onRequest: async ({ method, headers }, reply) => {
          reply.header('allow', allow)
          const asksForKey = /\bauthorization\b/i.test(headers['access-control-request-headers'] ?? '')
          if (method === 'OPTIONS' && asksForKey) reply.headers(preflight(allow))
          if (method === 'OPTIONS') return reply.status(204).send()
          throw new AppError('method_not_allowed', `Cette adresse n’accepte pas la méthode ${method}.`)
        },
        handler: async () => undefined,
      })
    }
  }
}
