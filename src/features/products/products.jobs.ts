import { z } from 'zod'
import { isImageUsed, lockImage } from '#features/products/products.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Storage } from '#server/files/storage.ts'
import { defineJob, type Task } from '#server/jobs/jobs.ts'

/** Removes the file of a picture that nothing shows any more, of a product or of somebody. */
export async function removePicture(db: Db, storage: Storage, hash: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockImage(tx, hash)
    if (!(await isImageUsed(tx, hash))) await storage.remove(hash)
  })
}

/** Has it removed once the transaction commits. */
export const forgetPicture = defineJob('forget picture', z.object({ hash: z.string() }))

export function pictureTask(db: Db, storage: Storage): Task {
  return forgetPicture.doneBy(({ hash }) => removePicture(db, storage, hash))
}
