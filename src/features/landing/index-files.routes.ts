import type { FastifyInstance } from 'fastify'
import type { OverviewSource } from '#features/landing/overview.routes.ts'
import type { Rendering } from '#server/http/rendering.ts'

const pages = [
  '/',
  '/marches',
  '/methode',
  '/contact',
  '/mentions-legales',
  '/confidentialite',
  '/conditions',
  '/auth/register',
  '/auth/login',
]

/** Addresses that people may try from habit, and their redirects. */
const otherNames = { '/pricing': '/#formule', '/home': '/', '/index': '/' }

/**
 * Serves the files for search engines, and the redirects.
 *
 * @param others addresses of public pages that are only known once the server listens
 */
export function serveIndexFiles(
  http: FastifyInstance,
  rendering: Rendering,
  overview: OverviewSource,
  others: () => Promise<readonly string[]>,
): void {
  const config = { right: 'public' as const }

  for (const [path, goal] of Object.entries(otherNames)) {
    http.get(path, { config }, async (_request, reply) => reply.redirect(goal, 302))
  }

  http.get('/robots.txt', { config }, async (request, reply) => {
    const { origin } = rendering.optionsFor(request)
    const lines = [
      'User-agent: *',
      'Disallow: /api/',
      'Allow: /api/public/',
      `Sitemap: ${origin}/sitemap.xml`,
    ]
    return reply
      .header('cache-control', 'public, max-age=3600')
      .type('text/plain; charset=utf-8')
      .send(`${lines.join('\n')}\n`)
  })

  http.get('/sitemap.xml', { config }, async (request, reply) => {
    const { origin } = rendering.optionsFor(request)
    const { markets } = await overview()
    const entries = [
      ...[...pages, ...(await others())].map((path) => ({ path, lastDay: null })),
      ...markets.map(({ id, lastDay }) => ({ path: `/marches/${id}`, lastDay })),
    ]
    const urls = entries.map(
      ({ path, lastDay }) =>
        `<url><loc>${asXml(`${origin}${path}`)}</loc>${lastDay ? `<lastmod>${lastDay}</lastmod>` : ''}</url>`,
    )
    const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`
    return reply
      .header('cache-control', 'public, max-age=3600')
      .type('application/xml; charset=utf-8')
      .send(xml)
  })
}

function asXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
