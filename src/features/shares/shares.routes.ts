import { randomInt } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { PriceFilter } from '#features/figures/filters/filters.contract.ts'
import type { PriceSummary } from '#features/figures/summary/summary.contract.ts'
import { type OwnShare, shares } from '#features/shares/shares.contract.ts'
import { mostShares, pictureOf, type SharedFigures, seriesOfPath } from '#features/shares/shares.rules.ts'
import {
  countShares,
  deleteShare,
  findShare,
  insertShare,
  listShares,
  openShare,
  readNamed,
  type ShareRow,
} from '#features/shares/shares.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, invalidField } from '#server/errors.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import type { FormPage, PageAnswer } from '#server/http/pages.ts'
import { drawSharePicture } from '#server/share-picture.ts'
import { authorOf, createRow, missing } from '#server/writes.ts'
import { addDays } from '#shared/days.ts'
import type { Noun } from '#shared/resource.ts'
import type { Site } from '#shared/site.ts'

type World = {
  summarise: (db: Db, filter: PriceFilter, today: string) => Promise<PriceSummary>
  today: () => string
  clock: () => Date
  /** Null when not configured: addresses are then given without their site. */
  publicUrl: string | null
}

const noun: Noun = { one: 'Page partagée', many: 'pages partagées', gender: 'f' }
const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const tokenLength = 12
const freshDays = 14

export function shareRoutes(api: Api, db: Db, world: World): void {
  const shown = ({ token, productId, marketId, title, isFrozen, views, createdAt }: ShareRow): OwnShare => ({
    ...{ id: token, url: `${world.publicUrl ?? ''}/p/${token}`, path: `/series/${productId}/${marketId}` },
    ...{ title, isFrozen, views, createdAt },
  })

  api.on(shares.list, async ({ actor }) => {
    const rows = await listShares(db, signedIn(actor).userId)
    return { data: rows.map(shown) }
  })

  api.on(shares.create, async (call) => {
    const { userId } = signedIn(call.actor)
    const series = seriesOfPath(call.body.path)
    const figures = series && (await readShared(db, series, world))
    if (!series || !figures) throw invalidField('path', 'Ce prix n’existe pas.')
    const token = Array.from({ length: tokenLength }, () => letters[randomInt(letters.length)]).join('')
    const entity = {
      ...{ name: 'shares', noun, table: 'share', versioned: 'createdAt', constraints: {} },
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
      return insertShare(tx, { token, userId, ...series, frozen: call.body.isFrozen ? figures : null })
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
        ...{ action: 'delete', entity: 'shares', entityId: row.rowId, before: shown(row) },
      })
    })
    return { message: 'Page retirée' }
  })
}

/** What anybody sees of a shared page, and the same for the frames of other sites. */
export function sharedPages(
  db: Db,
  world: World & { framed: () => Promise<{ site: Site; isDemonstration: boolean }> },
): FormPage[] {
  const show =
    (view: string, isEmbeddable: boolean): FormPage['show'] =>
    async ({ request }): Promise<PageAnswer> => {
      const { token = '' } = request.params as { token?: string }
      const share = isToken(token) ? await openShare(db, token) : undefined
      const figures = share && (share.frozen ?? (await readShared(db, share, world)))
      const frame = await world.framed()
      if (!figures) return { view: 'not-found', status: 404, props: { ...frame, previousUrl: null } }
      return { view, props: { ...frame, figures, isFrozen: share?.frozen !== null, token }, isEmbeddable }
    }
  return [
    { path: '/p/:token', show: show('shared-price', false) },
    { path: '/p/:token/embed', show: show('shared-embed', true) },
  ]
}

/** `/p/{id}/image.png`: what messengers show of the address. Drawn anew every ten minutes at most. */
export function serveSharePictures(http: FastifyInstance, db: Db, world: World): void {
  const drawn = new Map<string, { png: Buffer; until: number }>()
  http.get('/p/:token/image.png', { config: { right: 'public' } }, async (request, reply) => {
    const { token } = request.params as { token: string }
    const share = isToken(token) ? await findShare(db, token) : undefined
    if (!share) throw new AppError('not_found', 'Cette page n’est plus partagée.')
    const now = world.clock().getTime()
    const known = drawn.get(token)
    if (known && known.until > now) return picture(reply, known.png)
    const figures = share.frozen ?? (await readShared(db, share, world))
    if (!figures) throw new AppError('not_found', 'Ce prix n’existe plus.')
    const png = await drawSharePicture(pictureOf(figures, share.frozen !== null))
    if (drawn.size >= mostDrawn) drawn.delete(drawn.keys().next().value ?? '')
    drawn.delete(token)
    drawn.set(token, { png, until: now + drawnForMs })
    return picture(reply, png)
  })
}

/** Pictures held ready: some 40 kB each. */
const mostDrawn = 100
const drawnForMs = 600_000

function picture(reply: FastifyReply, png: Buffer) {
  return reply.header('cache-control', 'public, max-age=600').type('image/png').send(png)
}

function isToken(token: string): boolean {
  return /^[0-9A-Za-z]{1,20}$/.test(token)
}

/** The figures of a series today; undefined when there is no such series. */
async function readShared(
  db: Db,
  { productId, marketId }: { productId: number; marketId: number },
  { summarise, today, clock }: World,
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
