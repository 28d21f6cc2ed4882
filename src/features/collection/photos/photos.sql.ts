import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

/**
 * Returns the id of the price of a user's own entry; null where it has none, undefined where the user has no such
 * entry.
 */
export async function findPriceOfEntry(
  db: Db,
  userId: number,
  clientId: string,
): Promise<number | null | undefined> {
  const { rows } = await sql<{ priceId: number | null }>`
    select price_id as "priceId" from collection_entry
     where client_id = ${clientId} and user_id = ${userId}`.execute(db)
  return rows[0]?.priceId
}
