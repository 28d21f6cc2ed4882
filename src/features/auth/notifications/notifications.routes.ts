import { notifications } from '#features/auth/notifications/notifications.contract.ts'
import {
  chooseNotification,
  listNotificationChoices,
} from '#features/auth/notifications/notifications.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { authorOf } from '#server/writes.ts'

export function notificationRoutes(api: Api, db: Db): void {
  api.on(notifications.read, async ({ actor }) => ({
    data: await listNotificationChoices(db, signedIn(actor).userId),
  }))

  api.on(notifications.choose, async (call) => {
    const { userId } = signedIn(call.actor)
    const { kind, isWanted } = call.body
    const data = await inTransaction(db, async (tx) => {
      await chooseNotification(tx, userId, kind, isWanted)
      const entry = {
        action: 'update',
        entity: 'notifications',
        entityId: userId,
        after: { [kind]: isWanted },
      }
      await insertAudit(tx, authorOf(call), entry)
      return listNotificationChoices(tx, userId)
    })
    return { data, message: 'Préférences enregistrées' }
  })
}
