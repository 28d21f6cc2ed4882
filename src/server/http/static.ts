import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { notFound } from '#server/errors.ts'
import { sendRefusal } from '#server/http/failures.ts'
import type { Rendering } from '#server/http/rendering.ts'
import type { PageViews } from '#server/views.ts'

type Site = {
  views: PageViews
  rendering: Rendering
  /** Addresses of the browser program, with `:id` for parameters. */
  programPaths: readonly string[]
}

/** Built assets (cached for good), the browser program, and 404 for everything else. */
export async function serveSite(
  http: FastifyInstance,
  { views, rendering, programPaths }: Site,
): Promise<void> {
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
  for (const path of programPaths) {
    http.get(path, { config: { right: 'public' } }, async (_request, reply) =>
      reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(views.shell),
    )
  }
  http.setNotFoundHandler(async (request, reply) => {
    const isApi = /^\/api(?:[/?]|$)/.test(request.url)
    const wantsPage = ['GET', 'HEAD'].includes(request.method) && !isApi
    if (!wantsPage) return sendRefusal(notFound('Cette adresse n’existe pas.'), request, reply)
    return rendering.send(
      { view: 'not-found' },
      request,
      reply.status(404).header('cache-control', 'no-cache'),
    )
  })
}
