import { lockAccountWithoutAvatar, setAvatar } from '#features/account/account.sql.ts'
import { takeGooglePicture } from '#features/auth/google/google.jobs.ts'
import { storePicture } from '#features/products/products.jobs.ts'
import { insertAudit } from '#server/audit.sql.ts'
import { lockContent } from '#server/db/lock-content.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Storage } from '#server/files/storage.ts'
import { requestFile } from '#server/http-client.ts'
import { toWebp } from '#server/images.ts'
import type { Task } from '#server/jobs/jobs.ts'
import type { Log } from '#server/log.ts'

const limits = { maxBytes: 5_000_000, timeoutMs: 10_000 }

/** Fetches the Google picture of a user who has none here. Tried only once, since the user can add one. */
export function googlePictureTask(options: { db: Db; storage: Storage; log: Log }): Task {
  const { db, storage, log } = options
  return takeGooglePicture.doneBy(async ({ userId, url }) => {
    const image = await requestFile(url, limits)
      .then((file) => toWebp(file, 'avatar'))
      .catch((error: unknown) => {
        log.warn({ err: error }, 'the picture of a Google account is not taken')
        return null
      })
    if (!image) return
    const show = async (tx: Db) => {
      if (!(await lockAccountWithoutAvatar(tx, userId))) return
      await lockContent(tx, image.hash)
      await setAvatar(tx, userId, image.hash)
      await insertAudit(
        tx,
        { actor: null, requestId: null },
        { action: 'update', entity: 'users', entityId: userId, after: { avatar: 'Google' } },
      )
    }
    await storePicture({ db, storage, picture: image }, () => inTransaction(db, show))
  })
}
