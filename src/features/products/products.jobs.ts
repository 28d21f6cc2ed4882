import { z } from 'zod'
import { isImageUsed, lockImage } from '#features/products/products.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Storage } from '#server/files/storage.ts'
import type { WebpImage } from '#server/images.ts'
import { defineJob, type Task } from '#server/jobs/jobs.ts'

const dayMs = 24 * 3_600_000

/** Removes the file of a picture that nothing shows any more, of a product or of somebody. */
export async function removePicture(db: Db, storage: Storage, hash: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockImage(tx, hash)
    if (!(await isImageUsed(tx, hash))) await storage.remove(hash)
  })
}

/**
 * Stores a picture, then does the write that shows it, in whose transaction `lockImage` is called. The store is never
 * waited for inside the transaction; where the write fails, the picture goes away again unless something else shows it.
 */
export async function storePicture<T>(
  { db, storage, picture }: { db: Db; storage: Storage; picture: WebpImage | null | undefined },
  write: () => Promise<T>,
): Promise<T> {
  if (!picture) return write()
  await storage.put(picture)
  let done: T
  try {
    done = await write()
  } catch (error) {
    await removePicture(db, storage, picture.hash).catch(() => undefined)
    throw error
  }
  // A removal that was under way before the lock may have taken it.
  await storage.put(picture)
  return done
}

/** Has it removed once the transaction commits. */
export const forgetPicture = defineJob('forget picture', z.object({ hash: z.string() }))

/** @param proofs photos that stand apart, and are swept as well */
export function pictureTasks(db: Db, storage: Storage, proofs: Storage): Task[] {
  return [
    forgetPicture.doneBy(({ hash }) => removePicture(db, storage, hash)),
    {
      name: 'sweep pictures',
      everyMs: dayMs,
      async run(_payload, { signal }) {
        for (const each of [storage, proofs]) await sweepPictures(db, each, signal)
      },
    },
  ]
}

/** Removes pictures that nothing has shown since they were stored: their write, or their removal, was interrupted. */
async function sweepPictures(db: Db, storage: Storage, signal: AbortSignal): Promise<void> {
  for (const hash of await storage.listOlder(dayMs)) {
    signal.throwIfAborted()
    await removePicture(db, storage, hash)
  }
}
