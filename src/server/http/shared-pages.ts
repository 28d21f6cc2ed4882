import type { FastifyInstance } from 'fastify'
import { type Compressed, compressOnce, sendCompressed } from '#server/http/compressed.ts'
import { type Remembered, remember } from '#server/http/remembered.ts'
import type { Rendering, ShownView } from '#server/http/rendering.ts'
import type { Log } from '#server/log.ts'

/** A page that is the same for everybody. */
export type SharedPage = {
  /** Its address, `:id` for parameters. */
  path: string
  /**
   * What it shows, null when nothing is there; asked once a minute at most for each address.
   *
   * @param origin where users see us, without a final slash
   */
  load(params: Readonly<Record<string, string>>, origin: string): Promise<ShownView | null>
}

/** How long (ms) a page is shown as it was made, and for how long it may still be while the next one is made. */
const freshMs = 60_000
const staleMs = 240_000
/** So many pages, in as many colours and under as many names of ours, are cached. */
const mostKept = 300

/** Serves pages that are rendered and compressed once a minute, however many ask for them. */
export function serveSharedPages(
  http: FastifyInstance,
  rendering: Rendering,
  pages: readonly SharedPage[],
  log: Log,
): void {
  const cache = new Map<string, Remembered<Compressed | null>>()

  function keptAs(key: string, make: () => Promise<Compressed | null>): Remembered<Compressed | null> {
    const page = cache.get(key) ?? remember(make, { freshMs, staleMs, log })
    // The one longest not asked for is the first to go.
    cache.delete(key)
    cache.set(key, page)
    const [oldest] = cache.keys()
    if (cache.size > mostKept && oldest !== undefined) cache.delete(oldest)
    return page
  }

  for (const { path, load } of pages) {
    http.get(path, { config: { right: 'public' } }, async (request, reply) => {
      const options = rendering.optionsFor(request)
      const [address = '/'] = request.url.split('?')
      const made = await keptAs(`${options.theme} ${options.origin} ${address}`, async () => {
        const shown = await load(request.params as Record<string, string>, options.origin ?? '')
        return shown && compressOnce(rendering.render(shown, options))
      })()
      return made ? sendCompressed(made, request, rendering.prepare(reply), 'cookie') : reply.callNotFound()
    })
  }
}
