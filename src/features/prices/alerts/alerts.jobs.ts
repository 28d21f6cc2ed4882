import { type Level, replaceAlerts } from '#features/prices/alerts/alerts.sql.ts'
import { dayIn } from '#features/prices/imports/moments.rules.ts'
import { partsOf } from '#features/prices/listing/listing.rules.ts'
import { solvePanel, weeksRead } from '#features/prices/price-index/measure.rules.ts'
import { readPanel } from '#features/prices/price-index/price-index.sql.ts'
import { addDays } from '#features/prices/rollups/rollups.rules.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Task } from '#server/jobs/jobs.ts'

/** Looks every ten minutes for series whose last prices are unusual. */
export function alertTask({ db, clock }: { db: Db; clock: () => Date }): Task {
  return {
    name: 'find price alerts',
    everyMs: 10 * 60_000,
    run: () => findAlerts(db, dayIn('Africa/Kinshasa', clock())),
  }
}

async function findAlerts(db: Db, today: string): Promise<void> {
  const levels = await readLevels(db, today)
  await inTransaction(db, (tx) => replaceAlerts(tx, levels, today))
}

/** The index of all prices over the 13 months that a series is compared in. */
async function readLevels(db: Db, today: string): Promise<Level[]> {
  const panel = await readPanel(db, partsOf({}, {}), weeksRead({ start: addDays(today, -400), end: today }))
  if (!panel) return []
  const { start, levels } = solvePanel(panel)
  return levels.flatMap((level, week) => (level === null ? [] : [{ week: addDays(start, 7 * week), level }]))
}
