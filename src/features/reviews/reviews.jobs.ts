import { insertDue } from '#features/alerts/judging/judging.sql.ts'
import { readCheckedSeries } from '#features/prices/check/check.sql.ts'
import { isConfirmed } from '#features/prices/doubt/doubt.rules.ts'
import { closePriceReview, lockOpenReview, openReview, readDoubts } from '#features/prices/doubt/doubt.sql.ts'
import { listConfirmable, listSaidAbsent, listUnjudged } from '#features/reviews/search.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Task } from '#server/jobs/jobs.ts'
import { addDays, dayInKinshasa, dayMs } from '#shared/days.ts'

/** Number of days that the nightly search covers. */
const daysSearched = 7
const together = 200
const mostAbsent = 1_000

type Dependencies = { db: Db; clock: () => Date }

export function reviewTasks({ db, clock }: Dependencies): Task[] {
  const today = () => dayInKinshasa(clock())
  return [
    {
      name: 'confirm doubtful prices',
      everyMs: 5 * 60_000,
      run: (_payload, { signal }) => confirmReviews(db, today(), { signal }),
    },
    {
      name: 'search doubtful prices',
      everyMs: dayMs,
      run: (_payload, { signal }) => searchDoubtful(db, today(), signal),
    },
  ]
}

/** Closes the reviews of prices that two other quotes have confirmed. @param batch how many are read at once */
export async function confirmReviews(
  db: Db,
  today: string,
  { batch = together, signal }: { batch?: number; signal?: AbortSignal } = {},
): Promise<void> {
  for (let after = 0; !signal?.aborted; ) {
    const asked = await listConfirmable(db, { after, limit: batch })
    for (const { place, price, near } of await readCheckedSeries(db, asked)) {
      const priceId = asked[place]?.exceptId
      if (priceId === undefined || price === null || !isConfirmed(price, near)) continue
      await confirmReview(db, priceId, today)
    }
    const last = asked.at(-1)
    if (!last || asked.length < batch) break
    after = last.reviewId
  }
}

async function confirmReview(db: Db, priceId: number, today: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const open = await lockOpenReview(tx, priceId)
    if (!open) return
    await closePriceReview(tx, open.id, { state: 'confirmed', decidedBy: null })
    await insertDue(tx, [priceId], today)
    await insertAudit(
      tx,
      { actor: null, requestId: null },
      {
        action: 'update',
        entity: 'reviews',
        entityId: priceId,
        before: { state: open.state },
        after: { state: 'confirmed' },
      },
    )
  })
}

/**
 * Opens reviews of doubtful prices of the last days that were not judged when written, and of those reported absent by
 * another agent.
 */
export async function searchDoubtful(db: Db, today: string, signal?: AbortSignal): Promise<void> {
  const since = addDays(today, 1 - daysSearched)
  for (let after = 0; !signal?.aborted; ) {
    const found = await listUnjudged(db, { since, after, limit: together })
    const doubts = await readDoubts(db, found)
    for (const [place, doubt] of doubts.entries()) {
      const priceId = found[place]?.exceptId
      if (doubt && priceId !== undefined) await openReview(db, priceId, doubt)
    }
    const last = found.at(-1)
    if (!last || found.length < together) break
    after = last.exceptId
  }
  for (const { priceId, absentId } of await listSaidAbsent(db, since, mostAbsent)) {
    await openReview(db, priceId, { reasons: ['absent'], evidence: { absentId } })
  }
}
