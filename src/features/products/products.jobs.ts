import { z } from 'zod'
import { isImageUsed } from '#features/products/products.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { removeUnused, storeThen, sweepUnused } from '#server/files/held.ts'
import type { Storage } from '#server/files/storage.ts'
import type { WebpImage } from '#server/images.ts'
import { defineJob, type Task } from '#server/jobs/jobs.ts'
import { dayMs } from '#shared/days.ts'

const held = (db: Db, storage: Storage) => ({ db, storage, isUsed: isImageUsed })

/** Deletes the file of a picture that no row uses any more. */
export function removePicture(db: Db, storage: Storage, hash: string): Promise<void> {
  return removeUnused(held(db, storage), hash)
}

/** Stores a picture, if there is one, then calls `write`, whose transaction must call `lockContent`. */
export function storePicture<T>(
  { db, storage, picture }: { db: Db; storage: Storage; picture: WebpImage | null | undefined },
  write: () => Promise<T>,
): Promise<T> {
  return storeThen(held(db, storage), picture ? [picture] : [], write)
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
        for (const each of [storage, proofs]) await sweepUnused(held(db, each), signal)
      },
    },
  ]
}
