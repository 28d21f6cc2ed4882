import { newIndices, priceChannel } from '#features/prices/live/live.rules.ts'
import { notify } from '#server/db/notify.ts'
import type { Db } from '#server/db/pool.ts'
import { feedMessage } from '#server/feed.ts'

/** Tells every process that the stored indices are fitted anew: pages that heard of a price before they were ask again. */
export function tellNewIndices(db: Db): Promise<void> {
  return notify(db, priceChannel, feedMessage(newIndices))
}
