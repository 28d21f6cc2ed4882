import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Compressed, compressOnce, sendEncoded } from '#server/http/compressed.ts'
import { policyWithStyle } from '#server/http/security.ts'
import { siteOrigin } from '#server/http/site-origin.ts'
import type { PageOptions, PageViews } from '#server/views.ts'

/** A view to render, with its props. */
export type ShownView = {
  view: string
  props?: object
  /** Whether any site may show it in a frame. */
  isEmbeddable?: boolean | undefined
}

/** Renders views to HTML. */
export type Rendering = {
  /** Returns the theme and the origin for a request. */
  optionsFor(request: FastifyRequest): PageOptions
  render(shown: ShownView, options: PageOptions): string
  /** Sets the headers of a rendered page. */
  prepare(reply: FastifyReply): FastifyReply
  send(shown: ShownView, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

/** A rendered page, with its compressed form from the second request on. */
type Made = { text: string; isNew: boolean; compressed?: Promise<Compressed> }

/** Maximum number of cached pages, and maximum length (characters) of a cache key: view, props and options in JSON. */
const mostMade = 100
const longestKey = 20_000

/** @param publicUrl public address of the site; null when not configured: the host of each request is used */
export function createRendering(views: PageViews, publicUrl: string | null): Rendering {
  const policy = policyWithStyle(views.styleHash)
  const render: Rendering['render'] = ({ view, props = {} }, options) => views.render(view, props, options)
  const made = new Map<string, Made>()
  // Pages without user input are the same for every visitor.
  const renderOnce = (shown: ShownView, options: PageOptions): Made => {
    const key = JSON.stringify([shown, options])
    const page = made.get(key) ?? { text: render(shown, options), isNew: true }
    made.delete(key)
    if (key.length <= longestKey) made.set(key, page)
    const [oldest] = made.keys()
    if (made.size > mostMade && oldest !== undefined) made.delete(oldest)
    return page
  }
  const optionsFor: Rendering['optionsFor'] = (request) => {
    const { theme } = request.cookies
    return {
      theme: theme === 'dark' || theme === 'light' ? theme : undefined,
      origin: siteOrigin(request, publicUrl),
    }
  }
  const prepare: Rendering['prepare'] = (reply) =>
    reply.header('content-security-policy', policy).type('text/html; charset=utf-8')
  return {
    optionsFor,
    render,
    prepare,
    async send(shown, request, reply) {
      prepare(reply)
      if (shown.isEmbeddable) {
        reply.headers({
          'content-security-policy': policy.replace("frame-ancestors 'none'", 'frame-ancestors *'),
          'cross-origin-resource-policy': 'cross-origin',
        })
      }
      const options = optionsFor(request)
      if (request.method === 'POST') return reply.send(render(shown, options))
      const page = renderOnce(shown, options)
      // Compression for the cache costs more than a single compression, so it is done from the second request on.
      if (page.isNew) {
        page.isNew = false
        return reply.send(page.text)
      }
      page.compressed ??= compressOnce(page.text)
      return sendEncoded(await page.compressed, request, reply, 'cookie')
    },
  }
}
