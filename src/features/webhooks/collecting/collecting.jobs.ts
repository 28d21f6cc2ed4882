import { linkJournal } from '#features/journal/journal.jobs.ts'
import { batched, newsOf } from '#features/webhooks/collecting/collecting.rules.ts'
import {
  findSubscriptionState,
  hasEndpoints,
  pricesOfMany,
  skipEntries,
  takeEnded,
  takeEntries,
} from '#features/webhooks/collecting/collecting.sql.ts'
import { sendWebhooks } from '#features/webhooks/webhooks.routes.ts'
import { recordMessage } from '#features/webhooks/webhooks.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'

type Recorded = Parameters<typeof recordMessage>[1]

/** Records messages for the journal entries written since the last run, and for subscriptions that have ended. */
export async function collectMessages(db: Db, at: Date, signal?: AbortSignal): Promise<void> {
  if (!(await hasEndpoints(db))) return skipEntries(db, at)
  await linkJournal(db, signal)
  for (let isAll = false; !isAll && !signal?.aborted; ) {
    isAll = await inTransaction(db, async (tx) => {
      const taken = await takeEntries(tx)
      const happenings: Recorded[] = []
      for (const each of batched(taken.entries.flatMap(newsOf))) {
        const happening = await happeningOf(tx, each)
        if (happening) happenings.push(happening)
      }
      for (const state of await takeEnded(tx, at)) {
        const { userId, ...data } = state
        happenings.push({ event: 'subscription.ended', userId, data })
      }
      for (const happening of happenings) await recordMessage(tx, happening)
      if (happenings.length > 0) await sendWebhooks.add(tx, {})
      return taken.isAll
    })
  }
}

async function happeningOf(tx: Db, news: ReturnType<typeof batched>[number]): Promise<Recorded | null> {
  const { event } = news
  if (news.of === 'prices') {
    const { prices } = news
    return { event, data: { count: prices.length, isPartial: false, importId: null, prices } }
  }
  if (news.of === 'many') {
    const { importId, count } = news
    // A deleted price can no longer be read, so only its id is sent.
    const prices =
      event === 'price.deleted' && typeof news.which === 'object'
        ? news.which.ids.map((id) => ({ id }))
        : await pricesOfMany(tx, news)
    return { event, data: { count, isPartial: prices.length < count, importId, prices } }
  }
  const state = await findSubscriptionState(tx, news.subscriptionId)
  if (state) {
    const { userId, ...data } = state
    return { event, userId, data }
  }
  const userId = Number(news.last?.userId)
  const data = { id: news.subscriptionId, plan: null, status: 'DELETED', startDate: null, endDate: null }
  return userId > 0 ? { event, userId, data } : null
}
