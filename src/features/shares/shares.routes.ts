import { randomInt } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PriceFilter } from '#features/figures/filters/filters.contract.ts'
import type { PriceSummary } from '#features/figures/summary/summary.contract.ts'
import { type OwnShare, shares } from '#features/shares/shares.contract.ts'
import {
  mostShares,
  pictureOf,
  pictureOfPage,
  type SharedFigures,
  seriesOfPath,
} from '#features/shares/shares.rules.ts'
import {
  countShares,
  deleteShare,
  type FoundShare,
  findShare,
  insertShare,
  listShares,
  openShare,
  readNamed,
  type SharedSubject,
  type ShareRow,
} from '#features/shares/shares.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, invalidField } from '#server/errors.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import type { FormPage, PageAnswer } from '#server/http/pages.ts'
import { siteOrigin } from '#server/http/site-origin.ts'
import { drawSharePicture } from '#server/pictures/share-picture.ts'
import { authorOf, createRow, missing } from '#server/writes.ts'
import { addDays } from '#shared/days.ts'
import type { DrawnReport } from '#shared/drawing.ts'
import type { Noun } from '#shared/resource.ts'
import type { Site } from '#shared/site.ts'

type Dependencies = {
  summarise: (db: Db, filter: PriceFilter, today: string) => Promise<PriceSummary>
  /** Reads the figures of a page with charts; null for a page that cannot be shared. */
  readPage: (db: Db, address: { path: string; search: string; userId: number }) => Promise<DrawnReport | null>
  /** Returns whether a user may read prices now. */
  mayRead: (db: Db, userId: number) => Promise<boolean>
  today: () => string
  clock: () => Date
  /** Null when not configured: addresses are then those of the request. */
  publicUrl: string | null
}

const noun: Noun = { one: 'Page partagée', many: 'pages partagées', gender: 'f' }
const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const tokenLength = 12
const freshDays = 14

export function shareRoutes(api: Api, db: Db, dependencies: Dependencies): void {
  const shownAt =
    (request: FastifyRequest) =>
    ({ token, rowId: _row, ...share }: ShareRow): OwnShare => ({
      id: token,
      url: `${siteOrigin(request, dependencies.publicUrl)}/p/${token}`,
      ...share,
    })

  api.on(shares.list, async ({ actor, request }) => {
    const rows = await listShares(db, signedIn(actor).userId)
    return { data: rows.map(shownAt(request)) }
  })

  api.on(shares.create, async (call) => {
    const { userId } = signedIn(call.actor)
    const shown = shownAt(call.request)
    const { subject, figures } = await findSubject(db, { ...call.body, userId }, dependencies)
    const token = Array.from({ length: tokenLength }, () => letters[randomInt(letters.length)]).join('')
    const entity = {
      name: 'shares',
      noun,
      table: 'share',
      versioned: 'createdAt',
      constraints: {},
      find: async (from: Db, id: number) => {
        const row = (await listShares(from, userId)).find(({ rowId }) => rowId === id)
        return row && shown(row)
      },
    }
    const made = await createRow(db, entity, call, async (tx) => {
      if ((await countShares(tx, userId)) >= mostShares) {
        throw new AppError(
          'conflict',
          `Vous partagez déjà ${mostShares} pages\u00a0: retirez-en une pour en partager une autre.`,
        )
      }
      return insertShare(tx, { token, userId, subject, frozen: call.body.isFrozen ? figures : null })
    })
    return { ...made, message: 'Page partagée' }
  })

  api.on(shares.remove, async (call) => {
    const { userId } = signedIn(call.actor)
    await inTransaction(db, async (tx) => {
      const [row] = await listShares(tx, userId, call.params.id)
      if (!row) throw missing(noun)
      await deleteShare(tx, row.rowId)
      await insertAudit(tx, authorOf(call), {
        action: 'delete',
        entity: 'shares',
        entityId: row.rowId,
        before: shownAt(call.request)(row),
      })
    })
    return { message: 'Page retirée' }
  })
}

type ReadShare = ReturnType<typeof createShareReader>

/** Serves shared pages, their version for frames of other sites, and their pictures. */
export function sharedPages(
  http: FastifyInstance,
  db: Db,
  dependencies: Dependencies & { framed: () => Promise<{ site: Site; isDemonstration: boolean }> },
): FormPage[] {
  const readLive = createShareReader(db, dependencies)
  servePictures(http, db, { readLive, clock: dependencies.clock })
  const show =
    (isEmbeddable: boolean): FormPage['show'] =>
    async ({ request }): Promise<PageAnswer> => {
      const { token = '' } = request.params as { token?: string }
      const share = isToken(token) ? await openShare(db, token) : undefined
      const read = share && (await readLive(token, share))
      const frame = await dependencies.framed()
      // A site that embeds a withdrawn page shows that, not a refusal of the browser.
      if (!read)
        return { view: 'not-found', status: 404, props: { ...frame, previousUrl: null }, isEmbeddable }
      const view = `shared-${'figures' in read ? 'price' : 'page'}${isEmbeddable ? '-embed' : ''}`
      return { view, props: { ...frame, ...read, isFrozen: share.isFrozen, token }, isEmbeddable }
    }
  return [
    { path: '/p/:token', show: show(false) },
    { path: '/p/:token/embed', show: show(true) },
  ]
}

/** The content of a shared page: the figures of a series, or the sections of another page. */
type Read = { figures: SharedFigures } | { content: DrawnReport }

/** Returns a reader of shared pages, which caches pages with many figures for ten minutes. */
function createShareReader(db: Db, dependencies: Dependencies) {
  const made = new Map<string, { content: DrawnReport; until: number }>()
  return async (token: string, share: FoundShare): Promise<Read | null> => {
    // Current figures stay those of a user who may read them.
    if (!share.isFrozen && !(await dependencies.mayRead(db, share.userId))) return null
    if (share.path === null) {
      const figures = share.frozen ?? (await readShared(db, share, dependencies))
      return figures ? { figures } : null
    }
    if (share.frozen) return { content: share.frozen }
    const now = dependencies.clock().getTime()
    const before = made.get(token)
    if (before && before.until > now) return { content: before.content }
    const content = await dependencies.readPage(db, share)
    if (!content) return null
    if (made.size >= mostMade) made.delete(made.keys().next().value ?? '')
    made.delete(token)
    made.set(token, { content, until: now + drawnForMs })
    return { content }
  }
}

/** Pages kept in the cache: a year of twelve series is about 200 kB. */
const mostMade = 20

/** Serves `/p/{id}/image.png`, the preview in messaging applications. Drawn every ten minutes at most. */
function servePictures(
  http: FastifyInstance,
  db: Db,
  { readLive, clock }: { readLive: ReadShare; clock: () => Date },
): void {
  const drawn = new Map<string, { png: Buffer; until: number }>()
  http.get('/p/:token/image.png', { config: { right: 'public' } }, async (request, reply) => {
    const { token } = request.params as { token: string }
    const share = isToken(token) ? await findShare(db, token) : undefined
    if (!share) throw new AppError('not_found', 'Cette page n’est plus partagée.')
    const now = clock().getTime()
    const before = drawn.get(token)
    if (before && before.until > now) return picture(reply, before.png)
    const read = await readLive(token, share)
    if (!read) throw new AppError('not_found', 'Ce prix n’existe plus.')
    const png = await drawSharePicture(
      'figures' in read
        ? pictureOf(read.figures, share.isFrozen)
        : pictureOfPage(read.content, share.isFrozen),
    )
    if (drawn.size >= mostDrawn) drawn.delete(drawn.keys().next().value ?? '')
    drawn.delete(token)
    drawn.set(token, { png, until: now + drawnForMs })
    return picture(reply, png)
  })
}

/** Pictures kept in the cache: about 40 kB each. */
const mostDrawn = 100
const drawnForMs = 600_000

function picture(reply: FastifyReply, png: Buffer) {
  return reply.header('cache-control', 'public, max-age=600').type('image/png').send(png)
}

function isToken(token: string): boolean {
  return /^[0-9A-Za-z]{1,20}$/.test(token)
}

/** Returns the subject of an address, with its current figures; throws for a page that cannot be shared. */
async function findSubject(
  db: Db,
  address: { path: string; search: string; userId: number },
  dependencies: Dependencies,
): Promise<{ subject: SharedSubject; figures: SharedFigures | DrawnReport }> {
  const series = seriesOfPath(address.path)
  if (series) {
    const figures = await readShared(db, series, dependencies)
    if (!figures) throw invalidField('path', 'Ce prix n’existe pas.')
    return { subject: series, figures }
  }
  const search = address.search.replace(/^\?/, '')
  const figures = await dependencies.readPage(db, { ...address, search })
  if (!figures)
    throw invalidField(
      'path',
      'Cette page ne se partage pas\u00a0: un prix, les prix choisis, une comparaison, l’inflation, la carte ou un rapport, oui.',
    )
  const madeAt = dependencies.clock().toISOString()
  return { subject: { path: address.path, search, title: figures.title }, figures: { ...figures, madeAt } }
}

/** Reads the current figures of a series; undefined when it does not exist. */
async function readShared(
  db: Db,
  { productId, marketId }: { productId: number; marketId: number },
  { summarise, today, clock }: Dependencies,
): Promise<SharedFigures | undefined> {
  const end = today()
  const named = await readNamed(db, { productId, marketId, freshFrom: addDays(end, -freshDays) })
  if (!named) return undefined
  const over = (days: number) =>
    summarise(
      db,
      { productId, marketId, startDate: addDays(end, 1 - days), endDate: end } as PriceFilter,
      end,
    )
  const [month, year] = [await over(30), await over(365)]
  return {
    ...named,
    month: { change: month.change, trend: month.priceTrend },
    year: { change: year.change, trend: year.priceTrend },
    points: year.dailyPrices.map(({ date, averagePrice }) => ({ date, value: averagePrice })),
    count: year.totalPrices,
    madeAt: clock().toISOString(),
  }
}
