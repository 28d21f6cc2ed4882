import { countProducts } from '#features/products/figures.sql.ts'
import {
  type Product,
  productColumns,
  productFormats,
  productOrigins,
  products,
} from '#features/products/products.contract.ts'
import { removePicture, storePicture } from '#features/products/products.jobs.ts'
import {
  countUsesOfProduct,
  deleteProduct,
  findImageOfProduct,
  insertProduct,
  listProducts,
  mergeProduct,
  productRows,
  updateProduct,
} from '#features/products/products.sql.ts'
import { asksForChanges, readChanges } from '#server/db/changes.ts'
import { lockContent } from '#server/db/lock-content.ts'
import { notify } from '#server/db/notify.ts'
import type { Db } from '#server/db/pool.ts'
import { listTexts } from '#server/db/texts.ts'
import { invalidField } from '#server/errors.ts'
import type { Exports } from '#server/exports.ts'
import { feedMessage } from '#server/feed.ts'
import type { Storage } from '#server/files/storage.ts'
import { type Api, type Call, signedIn } from '#server/http/endpoint.ts'
import { toWebp, type WebpImage } from '#server/images.ts'
import { mergeRows } from '#server/merge-rows.ts'
import { changeRow, createRow, deleteUnlessUsed, getRow } from '#server/writes.ts'
import { type BodyOf, paginate } from '#shared/contract.ts'
import { succeeded } from '#shared/resource.ts'

const { noun } = products
const entity = {
  ...products,
  ...productRows,
  constraints: {
    product_code_key: { field: 'code', message: 'Un produit porte déjà ce code.' },
    product_type_fkey: { field: 'typeId', message: 'Ce type de produit n’existe pas.' },
    product_brand_fkey: { field: 'brandId', message: 'Cette marque n’existe pas.' },
  },
}

/** Registers the routes of products. A picture is re-encoded before the transaction and stored within it. */
export function productRoutes(api: Api, db: Db, storage: Storage, exports: Exports): void {
  api.on(products.list, async ({ query }) => {
    if (asksForChanges(query))
      return readChanges(db, entity.table, query, (ids) => productRows.read(db, ids, query))
    const { rows, total } = await listProducts(db, query)
    return { products: rows, pagination: paginate(query, total) }
  })

  api.on(products.exportAll, (call) =>
    exports.list(call, { noun, columns: productColumns }, productRows.selectAll),
  )

  api.on(products.figures, ({ query }) => countProducts(db, query))

  api.on(productOrigins, async ({ query }) => ({
    data: await listTexts(db, 'product', 'origin', query.search),
  }))

  api.on(productFormats, async ({ query }) => ({
    data: await listTexts(db, 'product', 'format', query.search),
  }))

  api.on(products.find, async ({ params }) => getRow(db, entity, params.id))

  const create = async (call: Call<typeof products.create>, picture: Picture) => {
    const { image: _, ...input } = call.body
    const insert = async (tx: Db) => {
      const id = await insertProduct(tx, input, picture?.hash ?? null)
      if (picture) await lockContent(tx, picture.hash)
      return id
    }
    const created = await storePicture({ db, storage, picture }, () => createRow(db, entity, call, insert))
    return { ...created, message: succeeded(noun, 'créé') }
  }

  api.on(products.create, create, draw)

  api.on(products.update, async (call, picture) => change(call, call.body, picture), draw)

  api.on(products.setImage, async (call, picture) => change(call, call.body, picture), draw)

  api.on(products.merge, async (call) => {
    let image: string | null = null
    const merged = await mergeRows(db, entity, call, async (tx, id, intoId) => {
      const left = await mergeProduct(tx, id, intoId)
      image = left.image
      if (left.prices.count > 0) await notify(tx, 'price_changed', feedMessage({ prices: null }))
      return { prices: left.prices.count, priceIds: left.prices.ids }
    })
    await forget(image, call)
    return { ...merged, message: succeeded(noun, 'fusionné') }
  })

  api.on(products.remove, async (call) => {
    const { done: image } = await deleteUnlessUsed(db, entity, call, {
      uses: countUsesOfProduct,
      remove: deleteProduct,
    })
    await forget(image, call)
    return { message: succeeded(noun, 'supprimé') }
  })

  async function change(call: Changing, body: BodyOf<typeof products.update>, picture: Picture) {
    const { id } = call.params
    const { image: _, updated_at, updatedAt, ...changes } = body
    const update = async (tx: Db, before: Product) => {
      if (changes.brandId === null && before.brandId !== null)
        throw invalidField('brandId', 'Choisissez une marque')
      const replaced = picture === undefined ? null : await findImageOfProduct(tx, id)
      if (picture !== undefined || Object.keys(changes).length > 0) {
        await updateProduct(tx, id, changes, picture === undefined ? undefined : (picture?.hash ?? null))
      }
      if (picture) await lockContent(tx, picture.hash)
      return replaced
    }
    const { after, done } = await storePicture({ db, storage, picture }, () =>
      changeRow(db, entity, call, update),
    )
    await forget(done, call)
    return { ...after, message: succeeded(noun, 'mis à jour') }
  }

  // The write is committed and stays so: a file that cannot be deleted now is only a leftover.
  async function forget(
    hash: string | null | undefined,
    { request }: Pick<Call<never>, 'request'>,
  ): Promise<void> {
    if (!hash) return
    const removal = removePicture(db, storage, hash)
    await removal.catch((error: unknown) => request.log.warn({ err: error, hash }, 'picture not removed'))
  }
}

/** The picture to store; null removes the current one, undefined leaves it. */
type Picture = WebpImage | null | undefined

async function draw({ body: { image }, actor, reply }: Sending): Promise<Picture> {
  if (!image) return image
  return toWebp(image, 'image', { userId: signedIn(actor).userId, hasLeft: () => reply.raw.destroyed })
}

type Sending = Pick<Changing, 'actor' | 'reply'> & { body: { image?: File | null | undefined } }
type Changing = Call<typeof products.update> | Call<typeof products.setImage>
