import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { notFound } from '#server/errors.ts'
import { sendRefusal } from '#server/http/failures.ts'
import type { PageViews } from '#server/views.ts'

type Site = {
  views: PageViews
  /** Addresses of the browser program, with `:id` for parameters. */
  programPaths: readonly string[]
  /** Server-rendered pages: address → name of the view. */
  pages: Record<string, string>
}

/** Built assets (cached for good), server-rendered pages, the browser program, and 404 for everything else. */
export async function serveSite(http: FastifyInstance, { views, programPaths, pages }: Site): Promise<void> {
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
  const html = (reply: FastifyReply, body: string) =>
    sendPage(reply.header('cache-control', 'no-cache'), body)

  for (const [path, view] of Object.entries(pages)) {
    http.get(path, { config: { right: 'public' } }, async (_request, reply) =>
      html(reply, views.render(view)),
    )
  }
  for (const path of programPaths) {
    http.get(path, { config: { right: 'public' } }, async (_request, reply) => html(reply, views.shell))
  }
  http.setNotFoundHandler(async (request, reply) => {
    const isApi = /^\/api(?:[/?]|$)/.test(request.url)
    const wantsPage = ['GET', 'HEAD'].includes(request.method) && !isApi
    if (wantsPage) return html(reply.status(404), views.render('not-found'))
    return sendRefusal(notFound('Cette adresse n’existe pas.'), request, reply)
  })
}

export function sendPage(reply: FastifyReply, body: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(body)
}
