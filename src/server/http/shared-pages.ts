import type { FastifyInstance } from 'fastify'
import { type Cached, createCached } from '#server/http/cached.ts'
import { type Compressed, compressOnce, sendCompressed } from '#server/http/compressed.ts'
import type { Rendering, ShownView } from '#server/http/rendering.ts'
import type { Log } from '#server/log.ts'

/** A page that is the same for all visitors. */
export type SharedPage = {
  /** Path of the page, with `:id` for parameters. */
  path: string
  /**
   * Loads the view of the page; null when there is no such page. Called once a minute at most for each cached page.
   *
   * @param origin public origin of the site, without a final slash
   */
  load(params: Readonly<Record<string, string>>, origin: string): Promise<ShownView | null>
}

/** How long (ms) a page is served from the cache, and how long after that while a new one is rendered. */
const freshMs = 60_000
const staleMs = 240_000
/** Maximum number of cached pages; each combination of theme, origin and path counts. */
const mostPages = 300

/** Serves pages from a cache; each is rendered and compressed once a minute at most. */
export function serveSharedPages(
  http: FastifyInstance,
  rendering: Rendering,
  pages: readonly SharedPage[],
  log: Log,
): void {
  const cache = new Map<string, Cached<Compressed | null>>()

  function cachedPage(key: string, make: () => Promise<Compressed | null>): Cached<Compressed | null> {
    const page = cache.get(key) ?? createCached(make, { freshMs, staleMs, log })
    // Moves the page to the end, so that the least recently used one is evicted first.
    cache.delete(key)
    cache.set(key, page)
    const [oldest] = cache.keys()
    if (cache.size > mostPages && oldest !== undefined) cache.delete(oldest)
    return page
  }

  for (const { path, load } of pages) {
    http.get(path, { config: { right: 'public' } }, async (request, reply) => {
      const options = rendering.optionsFor(request)
      const [address = '/'] = request.url.split('?')
      const made = await cachedPage(`${options.theme} ${options.origin} ${address}`, async () => {
        const shown = await load(request.params as Record<string, string>, options.origin ?? '')
        return shown && compressOnce(rendering.render(shown, options))
      })()
      return made ? sendCompressed(made, request, rendering.prepare(reply), 'cookie') : reply.callNotFound()
    })
  }
}
