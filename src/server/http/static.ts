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
  /** Addresses of the browser program, with `:id` for parameters. */
  programPaths: readonly string[]
  /** What a visitor is shown of an address that leads nowhere. @param previousUrl the page of ours that he came from */
  missing: (previousUrl: string | undefined) => Promise<ShownView>
  /** Whether a browser brings a session: what does not exist is then said inside the program. */
  maySignIn: (cookies: string) => boolean
  /** Where a visitor without one signs in first, with a way back to what he asked for. */
  signInPath: (wanted: string) => string
}

/** Built assets (cached for good), the browser program, and 404 for everything else. */
export async function serveSite(http: FastifyInstance, site: Site): Promise<void> {
  const { views, rendering, programPaths, missing, maySignIn, signInPath } = site
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
      if (maySignIn(request.headers.cookie ?? '')) return program(reply)
      // The program would find out by itself, after ten seconds of a thin line.
      return reply.header('cache-control', 'no-store').redirect(signInPath(request.url), 303)
    })
  }
  // They sign in by themselves, and open without a network.
  for (const [name, page] of Object.entries(views.programs ?? {})) {
    http.get(`/${name}`, { config: { right: 'public' } }, async (_request, reply) =>
      reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page),
    )
  }
  http.setNotFoundHandler(async (request, reply) => {
    const isApi = /^\/api(?:[/?]|$)/.test(request.url)
    const wantsPage = ['GET', 'HEAD'].includes(request.method) && !isApi
    if (!wantsPage) return sendRefusal(notFound('Cette adresse n’existe pas.'), request, reply)
    const isSignedIn = maySignIn(request.headers.cookie ?? '')
    const isFile = /\.\w+$/.test(request.url.split('?')[0] ?? '')
    if (isSignedIn && !isFile) return program(reply.status(404))
    const { referer } = request.headers
    const isOurs = referer?.startsWith(`${rendering.optionsFor(request).origin}/`)
    reply.status(404).header('cache-control', 'no-cache')
    return rendering.send(await missing(isOurs ? referer : undefined), request, reply)
  })
}
