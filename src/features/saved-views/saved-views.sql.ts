import { sql } from 'kysely'
import type { savedViews } from '#features/saved-views/saved-views.contract.ts'
import type { Db } from '#server/db/pool.ts'
import type { BodyOf } from '#shared/contract.ts'

const columns = [
  'id',
  'name',
  'path',
  'search',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

/** Returns the views of a user, sorted by name in French order. */
export function listViews(db: Db, userId: number) {
  return db
    .selectFrom('saved_view')
    .select(columns)
    .where('user_id', '=', userId)
    .orderBy(sql`name collate "fr-x-icu"`)
    .orderBy('id')
    .execute()
}

/** Returns a view of a user; undefined when it does not exist or belongs to another user. */
export function findView(db: Db, userId: number, id: number) {
  return db
    .selectFrom('saved_view')
    .select(columns)
    .where('user_id', '=', userId)
    .where('id', '=', sql<number>`${id}::bigint`)
    .executeTakeFirst()
}

/** Counts the views of a user; waits for concurrent additions. */
export async function countViews(tx: Db, userId: number): Promise<number> {
  await sql`select from app_user where id = ${userId} for no key update`.execute(tx)
  const { count } = await tx
    .selectFrom('saved_view')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertView(
  tx: Db,
  userId: number,
  view: BodyOf<typeof savedViews.create>,
): Promise<number> {
  const { id } = await tx
    .insertInto('saved_view')
    .values({ user_id: userId, ...view })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function renameView(tx: Db, id: number, name: string): Promise<void> {
  await tx.updateTable('saved_view').set({ name }).where('id', '=', id).execute()
}
