import { newIndices, priceChannel } from '#features/prices/live/live.rules.ts'
import { notify } from '#server/db/notify.ts'
import type { Db } from '#server/db/pool.ts'
import { feedMessage } from '#server/feed.ts'

/**
 * Notifies every process that the stored indices were recomputed: pages that received a price before that refetch them.
 */
export function tellNewIndices(db: Db): Promise<void> {
  return notify(db, priceChannel, feedMessage(newIndices))
}
