import { photosOfPrice } from '#features/prices/photos/photos.contract.ts'
import { listPhotos } from '#features/prices/photos/photos.sql.ts'
import type { Db } from '#server/db/pool.ts'
import type { Storage } from '#server/files/storage.ts'
import type { Api } from '#server/http/endpoint.ts'

/**
 * Registers the route of the photos of a price.
 * @param proofs storage of photos, separate from the pictures served publicly
 */
export function pricePhotoRoutes(api: Api, db: Db, proofs: Storage): void {
  api.on(photosOfPrice, async ({ params: { id } }) => {
    const data = []
    for (const { image, ...photo } of await listPhotos(db, id)) {
      const bytes = await proofs.read(image)
      if (bytes) data.push({ ...photo, image: `data:image/webp;base64,${bytes.toString('base64')}` })
    }
    return { data }
  })
}
