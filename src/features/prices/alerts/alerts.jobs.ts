import { readNationalIndex } from '#features/figures/stored-index/indices.sql.ts'
import { type Level, replaceAlerts } from '#features/prices/alerts/alerts.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Task } from '#server/jobs/jobs.ts'
import { addDays, dayInKinshasa } from '#shared/days.ts'

/** A run reads a year of every series in one statement. */
const longestMs = 10 * 60_000

/** Looks every ten minutes for series whose last prices are unusual. */
export function alertTask({ db, clock }: { db: Db; clock: () => Date }): Task {
  return {
    name: 'find price alerts',
    everyMs: 10 * 60_000,
    run: async (_payload, { connect }) => {
      const today = dayInKinshasa(clock())
      const levels = await readLevels(db, today)
      if (!levels) return
      const own = await connect(longestMs)
      await inTransaction(own, (tx) => replaceAlerts(tx, levels, today))
    },
  }
}

/** Returns the index of all prices over the 13 months that a series is compared in; null while it is being computed. */
async function readLevels(db: Db, today: string): Promise<Level[] | null> {
  const index = await readNationalIndex(db, { start: addDays(today, -400), end: today })
  if (!index) return null
  const { start, levels } = index
  return levels.flatMap((level, week) => (level === null ? [] : [{ week: addDays(start, 7 * week), level }]))
}
