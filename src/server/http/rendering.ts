import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Compressed, compressOnce, sendEncoded } from '#server/http/compressed.ts'
import { policyWithStyle } from '#server/http/security.ts'
import type { PageOptions, PageViews } from '#server/views.ts'

/** A view to show, and what it is given. */
export type ShownView = {
  view: string
  props?: object /** Any site may show it in a frame. */
  isEmbeddable?: boolean | undefined
}

/** What makes HTML of views. */
export type Rendering = {
  /** In his colours, with the address that he sees us at. */
  optionsFor(request: FastifyRequest): PageOptions
  render(shown: ShownView, options: PageOptions): string
  /** Says that an answer is a rendered page. */
  prepare(reply: FastifyReply): FastifyReply
  send(shown: ShownView, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

/** A page, and what it is compressed to once it is asked for again. */
type Made = { text: string; isNew: boolean; compressed?: Promise<Compressed> }

/** So many pages as they were made are cached, of those whose contents are said in so few characters. */
const mostMade = 100
const longestKey = 20_000

/** @param publicUrl where users see us; null when not configured: then the address that each browser names */
export function createRendering(views: PageViews, publicUrl: string | null): Rendering {
  const policy = policyWithStyle(views.styleHash)
  const render: Rendering['render'] = ({ view, props = {} }, options) => views.render(view, props, options)
  const made = new Map<string, Made>()
  // A page that nobody typed anything into is asked for as the same by everybody.
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
      origin: publicUrl ?? `${request.protocol}://${request.host}`,
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
      // What is asked for a second time is compressed for all who come after: it costs more than to compress it once.
      if (page.isNew) {
        page.isNew = false
        return reply.send(page.text)
      }
      page.compressed ??= compressOnce(page.text)
      return sendEncoded(await page.compressed, request, reply, 'cookie')
    },
  }
}
