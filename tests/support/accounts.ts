import type { Insertable } from 'kysely'
import type { Db } from '#server/db/pool.ts'
import type { Tables } from '#server/db/tables.ts'
import { dayMs } from '#shared/days.ts'
import type { Rights } from './crud.ts'

/** Rights of a resource that only administrators read and write. */
export const adminRights: Rights = {
  visitor: 401,
  subscriber: 403,
  readers: [],
  writers: ['admin', 'super admin'],
}

/** Inserts one subscription, without a plan unless `row` has one; returns its id. */
export async function insertSubscriptionRow(db: Db, row: NewRow): Promise<number> {
  const { id } = await db.insertInto('subscription').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

type NewRow = Insertable<Tables['subscription']>

/** Inserts a payment for a new subscription of the user; returns its id. */
export async function insertPayment(db: Db, userId: number): Promise<number> {
  const subscription_id = await insertSubscriptionRow(db, {
    user_id: userId,
    start_date: new Date(),
    end_date: new Date(Date.now() + dayMs),
  })
  const { id } = await db
    .insertInto('payment')
    .values({ subscription_id, user_id: userId, amount: 10 })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
