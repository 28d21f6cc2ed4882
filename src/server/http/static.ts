import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { notFound } from '#server/errors.ts'
import { sendRefusal } from '#server/http/failures.ts'
import type { Rendering, ShownView } from '#server/http/rendering.ts'
import type { PageViews } from '#server/views.ts'

type Site = {
  views: PageViews
  rendering: Rendering
  /** Paths of the browser application, with `:id` for parameters. */
  programPaths: readonly string[]
  /** Returns the 404 view for a visitor. @param previousUrl page of this site that the visitor came from */
  missing: (previousUrl: string | undefined) => Promise<ShownView>
  /** Whether the cookies may hold a session; the browser application then shows the 404. */
  mayHaveSession: (cookies: string) => boolean
  /** Returns the path of the sign-in page, which leads back to the requested path. */
  signInPath: (wanted: string) => string
}

/** Serves the built assets (cached permanently), the browser application, and 404 for all other paths. */
export async function serveSite(http: FastifyInstance, site: Site): Promise<void> {
  const { views, rendering, programPaths, missing, mayHaveSession, signInPath } = site
  await http.register(fastifyStatic, {
    root: join(views.browserDir, 'assets'),
    prefix: '/assets/',
    immutable: true,
    maxAge: '365d',
    preCompressed: true,
    decorateReply: false,
  })
  await http.register(fastifyStatic, {
    root: views.browserDir,
    prefix: '/',
    wildcard: false,
    index: false,
    globIgnore: ['assets/**', '*.html', '**/*.br', '**/*.gz'],
    maxAge: '1h',
    preCompressed: true,
    decorateReply: false,
  })
  const program = (reply: FastifyReply) =>
    reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(views.shell)
  for (const path of programPaths) {
    http.get(path, { config: { right: 'public' } }, async (request, reply) => {
      if (mayHaveSession(request.headers.cookie ?? '')) return program(reply)
      // The application would redirect too, but only after ten seconds on a slow connection.
      return reply.header('cache-control', 'no-store').redirect(signInPath(request.url), 303)
    })
  }
  // These programs handle sign-in themselves, and open offline.
  for (const [name, page] of Object.entries(views.programs ?? {})) {
    http.get(`/${name}`, { config: { right: 'public' } }, async (_request, reply) =>
      reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page),
    )
  }
  http.setNotFoundHandler(async (request, reply) => {
    const isApi = /^\/api(?:[/?]|$)/.test(request.url)
    const wantsPage = ['GET', 'HEAD'].includes(request.method) && !isApi
    if (!wantsPage) return sendRefusal(notFound('Cette adresse n’existe pas.'), request, reply)
    const isSignedIn = mayHaveSession(request.headers.cookie ?? '')
    const isFile = /\.\w+$/.test(request.url.split('?')[0] ?? '')
    if (isSignedIn && !isFile) return program(reply.status(404))
    const { referer } = request.headers
    const isOurs = referer?.startsWith(`${rendering.optionsFor(request).origin}/`)
    reply.status(404).header('cache-control', 'no-cache')
    return rendering.send(await missing(isOurs ? referer : undefined), request, reply)
  })
}
