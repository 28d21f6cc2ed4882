import { z } from 'zod'
import { isImageUsed } from '#features/products/products.sql.ts'
import type { Db } from '#server/db/pool.ts'
import type { Storage } from '#server/files/storage.ts'
import { removeUnused, storeAndReference, sweepUnused } from '#server/files/stored-contents.ts'
import type { WebpImage } from '#server/images.ts'
import { defineJob, type Task } from '#server/jobs/jobs.ts'
import { dayMs } from '#shared/days.ts'

const pictureStore = (db: Db, storage: Storage) => ({ db, storage, isUsed: isImageUsed })

/** Deletes the file of a picture that no row uses any more. */
export function removePicture(db: Db, storage: Storage, hash: string): Promise<void> {
  return removeUnused(pictureStore(db, storage), hash)
}

/** Stores a picture, if there is one, then calls `write`, whose transaction must call `lockContent`. */
export function storePicture<T>(
  { db, storage, picture }: { db: Db; storage: Storage; picture: WebpImage | null | undefined },
  write: () => Promise<T>,
): Promise<T> {
  return storeAndReference(pictureStore(db, storage), picture ? [picture] : [], write)
}

/** Deletes an unused picture after the transaction commits. */
export const forgetPicture = defineJob('forget picture', z.object({ hash: z.string() }))

/** @param proofs storage of photos, separate from pictures, which is swept as well */
export function pictureTasks(db: Db, storage: Storage, proofs: Storage): Task[] {
  return [
    forgetPicture.doneBy(({ hash }) => removePicture(db, storage, hash)),
    {
      name: 'sweep pictures',
      everyMs: dayMs,
      async run(_payload, { signal }) {
        for (const each of [storage, proofs]) await sweepUnused(pictureStore(db, each), signal)
      },
    },
  ]
}
