import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#server/errors.ts'
import { keyOf } from '#server/http/keys.ts'
import { siteOrigin } from '#server/http/site-origin.ts'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join('; ')

/**
 * Returns the content security policy of a page with one inline style.
 *
 * @param styleHash `sha256-…` of that style
 */
export function policyWithStyle(styleHash: string): string {
  return policy.replace("style-src 'self'", `style-src 'self' '${styleHash}'`)
}

/** CORS headers that let a page of any site read the response to a request with an API key, which has no cookie. */
const openToPages = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, Ntalo-Position, Ntalo-Version, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
  'cross-origin-resource-policy': 'cross-origin',
}

/** Returns the headers of a CORS preflight response, for requests with an API key. */
export function preflight(allow: string): Record<string, string> {
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': allow,
    'access-control-allow-headers':
      'Accept, Authorization, Content-Type, Idempotency-Key, If-None-Match, Ntalo-Position, Ntalo-Version',
    'access-control-max-age': '86400',
  }
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Returns the security headers of every response. */
export function strictHeaders(publicUrl: string | null): Record<string, string> {
  const headers: Record<string, string> = {
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(self), geolocation=(self), microphone=()',
  }
  if (publicUrl?.startsWith('https:')) {
    headers['strict-transport-security'] = 'max-age=31536000; includeSubDomains'
  }
  return headers
}

/**
 * Adds the security headers to every response, and refuses writes from other sites, or to a Host that is none, before
 * any other work.
 *
 * @param publicUrl public address of the site; null when not configured: the host of each request is used
 */
export function secure(http: FastifyInstance, publicUrl: string | null): void {
  const headers = strictHeaders(publicUrl)
  http.addHook('onRequest', async (request, reply) => {
    reply.headers(headers)
    // A write may send links to this site.
    if (!safeMethods.has(request.method) && !URL.canParse(siteOrigin(request, publicUrl)))
      throw new AppError('invalid', 'L’en-tête Host ne nomme aucun serveur.')
    // Browsers never add a key on their own, so a page of another site that sends one was given it.
    if (keyOf(request.headers) !== undefined && request.url.startsWith('/api')) reply.headers(openToPages)
    else if (!safeMethods.has(request.method)) {
      refuseForeignWrite(request, publicUrl)
    }
  })
}

// Browsers send the origin of a write; other clients send none, and have no cookies added automatically.
function refuseForeignWrite(request: FastifyRequest, publicUrl: string | null): void {
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  const ownOrigin = siteOrigin(request, publicUrl && new URL(publicUrl).origin)
  const isForeignOrigin = origin !== undefined && origin !== ownOrigin
  const isForeignSite = site !== undefined && site !== 'same-origin' && site !== 'none'
  if (isForeignOrigin || isForeignSite) {
    throw new AppError('forbidden', 'Cette action doit être faite depuis Ntalo.')
  }
}
