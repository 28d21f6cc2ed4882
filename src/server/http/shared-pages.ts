import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Remembered, remember } from '#server/http/remembered.ts'
import type { Rendering, ShownView } from '#server/http/rendering.ts'
import type { Log } from '#server/log.ts'
import type { PageOptions } from '#server/views.ts'

/** A page that is the same for everybody. */
export type SharedPage = {
  /** Its address, `:id` for parameters. */
  path: string
  /** What it shows, null when nothing is there; asked once a minute at most for each address. */
  load(params: Readonly<Record<string, string>>): Promise<ShownView | null>
}

type Made = { etag: string; plain: Buffer; br: Buffer; gzip: Buffer }

/** How long (ms) a page is shown as it was made, and for how long it may still be while the next one is made. */
const freshMs = 60_000
const staleMs = 240_000
/** So many pages, in as many colours and under as many names of ours, are kept made. */
const mostKept = 300

/** Serves pages that are rendered and compressed once a minute, however many ask for them. */
export function serveSharedPages(
  http: FastifyInstance,
  rendering: Rendering,
  pages: readonly SharedPage[],
  log: Log,
): void {
  const kept = new Map<string, Remembered<Made | null>>()

  function keptAs(key: string, make: () => Promise<Made | null>): Remembered<Made | null> {
    const known = kept.get(key) ?? remember(make, { freshMs, staleMs, log })
    // The one longest not asked for is the first to go.
    kept.delete(key)
    kept.set(key, known)
    const [oldest] = kept.keys()
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
    return known
  }

  for (const { path, load } of pages) {
    http.get(path, { config: { right: 'public' } }, async (request, reply) => {
      const options = rendering.optionsFor(request)
      const [address = '/'] = request.url.split('?')
      const made = await keptAs(`${options.theme} ${options.origin} ${address}`, async () => {
        const shown = await load(request.params as Record<string, string>)
        return shown && make(rendering, shown, options)
      })()
      return made ? answer(made, request, rendering.prepare(reply)) : reply.callNotFound()
    })
  }
}

const [toBrotli, toGzip] = [promisify(brotliCompress), promisify(gzip)]

async function make(rendering: Rendering, shown: ShownView, options: PageOptions): Promise<Made> {
  const plain = Buffer.from(rendering.render(shown, options))
  const params = { [zlib.BROTLI_PARAM_QUALITY]: 9, [zlib.BROTLI_PARAM_SIZE_HINT]: plain.length }
  const [br, gz] = await Promise.all([toBrotli(plain, { params }), toGzip(plain, { level: 9 })])
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return { etag, plain, br, gzip: gz }
}

function answer(made: Made, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({ etag: made.etag, 'cache-control': 'no-cache', vary: 'accept-encoding, cookie' })
  const accepted = String(request.headers['accept-encoding'] ?? '')
  if (/\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(made.br)
  if (/\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(made.gzip)
  return reply.send(made.plain)
}
