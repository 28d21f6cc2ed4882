import { sql } from 'kysely'
import {
  type NotificationKind,
  notificationKinds,
} from '#features/auth/notifications/notifications.contract.ts'
import type { Db } from '#server/db/pool.ts'

/** The default choices. */
const usual: Record<NotificationKind, boolean> = {
  'subscription-reminders': true,
  'price-alerts': true,
  'sign-ins': false,
}

/** Returns every kind with the user's choice. */
export async function listNotificationChoices(
  db: Db,
  userId: number,
): Promise<{ kind: NotificationKind; isWanted: boolean }[]> {
  const chosen = await db
    .selectFrom('notification_choice')
    .select(['kind', 'is_wanted'])
    .where('user_id', '=', userId)
    .execute()
  return notificationKinds.map((kind) => ({
    kind,
    isWanted: chosen.find((each) => each.kind === kind)?.is_wanted ?? usual[kind],
  }))
}

export async function isWanted(db: Db, userId: number, kind: NotificationKind): Promise<boolean> {
  const choices = await listNotificationChoices(db, userId)
  return choices.some((each) => each.kind === kind && each.isWanted)
}

export async function chooseNotification(
  tx: Db,
  userId: number,
  kind: NotificationKind,
  wanted: boolean,
): Promise<void> {
  await sql`
    insert into notification_choice (user_id, kind, is_wanted) values (${userId}, ${kind}, ${wanted})
    on conflict (user_id, kind) do update set is_wanted = excluded.is_wanted`.execute(tx)
}
