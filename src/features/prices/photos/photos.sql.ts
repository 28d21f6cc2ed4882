import { sql } from 'kysely'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'

/** Returns the photos of a price, the earliest first; `image` is the hash that names its file. */
export async function listPhotos(
  db: Db,
  priceId: number,
): Promise<{ sha256: string; image: string; receivedAt: string }[]> {
  const { rows } = await sql<{ sha256: string; image: string; receivedAt: string }>`
    select encode(sha256, 'hex') as sha256, image, ${isoInstant('received_at')} as "receivedAt"
      from price_photo where price_id = ${priceId}::bigint order by received_at, sha256`.execute(db)
  return rows
}

/**
 * Stores the photo of a price; does nothing when the price has it already.
 *
 * @param photo `sha256` of the bytes that the phone sent, and `image`, the hash that names the stored picture
 */
export async function insertPhoto(
  tx: Db,
  photo: { priceId: number; sha256: string; image: string; userId: number },
): Promise<void> {
  await sql`
    insert into price_photo (price_id, sha256, image, user_id)
    values (${photo.priceId}, decode(${photo.sha256}, 'hex'), ${photo.image}, ${photo.userId})
    on conflict do nothing`.execute(tx)
}
