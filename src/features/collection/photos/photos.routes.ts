import { createHash } from 'node:crypto'
import { sendPhoto } from '#features/collection/photos/photos.contract.ts'
import { findPriceOfEntry } from '#features/collection/photos/photos.sql.ts'
import { mostPhotos } from '#features/prices/photos/photos.contract.ts'
import { insertPhoto, listPhotos } from '#features/prices/photos/photos.sql.ts'
import { findPrice } from '#features/prices/prices.sql.ts'
import { storePicture } from '#features/products/products.jobs.ts'
import { insertAudit } from '#server/audit.sql.ts'
import { lockContent } from '#server/db/lock-content.ts'
import { lockRow } from '#server/db/lock-row.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, invalidField, notFound } from '#server/errors.ts'
import type { Storage } from '#server/files/storage.ts'
import { type Api, type Call, signedIn } from '#server/http/endpoint.ts'
import { toWebp, type WebpImage } from '#server/images.ts'
import { authorOf } from '#server/writes.ts'

const noPrice = 'Ce relevé n’a plus de prix\u00a0: la photo n’a rien à prouver.'

/** A photo to store, and the price it proves; `picture` is null where it is already stored. */
type Proof = { priceId: number; picture: WebpImage | null }

/**
 * Registers the endpoint that receives photos.
 * @param proofs storage of photos, separate from the pictures served publicly
 */
export function photoRoutes(api: Api, db: Db, proofs: Storage): void {
  async function draw({ params, body, actor, reply }: Call<typeof sendPhoto>): Promise<Proof> {
    const { userId } = signedIn(actor)
    const sent = Buffer.from(await body.image.arrayBuffer())
    if (createHash('sha256').update(sent).digest('hex') !== params.sha256)
      throw invalidField('image', 'La photo n’est pas arrivée entière. Renvoyez-la.')
    const priceId = await findPriceOfEntry(db, userId, body.entryId)
    if (priceId === undefined) throw notFound('Ce relevé n’est pas reçu, ou n’est pas le vôtre.')
    if (priceId === null) throw new AppError('conflict', noPrice)
    const stored = await listPhotos(db, priceId)
    if (stored.some(({ sha256 }) => sha256 === params.sha256)) return { priceId, picture: null }
    const sender = { userId, hasLeft: () => reply.raw.destroyed }
    return { priceId, picture: await toWebp(body.image, 'image', sender) }
  }

  api.on(
    sendPhoto,
    async (call, { priceId, picture }) => {
      const { sha256 } = call.params
      const { userId } = signedIn(call.actor)
      const write = (image: string) =>
        inTransaction(db, async (tx) => {
          await lockRow(tx, 'price', priceId)
          const price = await findPrice(tx, priceId)
          if (!price) throw new AppError('conflict', noPrice)
          const stored = await listPhotos(tx, priceId)
          if (stored.some((photo) => photo.sha256 === sha256)) return
          if (stored.length >= mostPhotos)
            throw new AppError('conflict', `Ce prix a déjà ${mostPhotos} photos.`)
          await insertPhoto(tx, { priceId, sha256, image, userId })
          await lockContent(tx, image)
          const { product, market, priceValue, currency } = price
          await insertAudit(tx, authorOf(call), {
            action: 'create',
            entity: 'photos',
            entityId: priceId,
            after: { product, market, priceValue, currency, sha256 },
          })
        })
      if (picture) await storePicture({ db, storage: proofs, picture }, () => write(picture.hash))
      return { sha256, message: 'Photo reçue' }
    },
    draw,
  )
}
