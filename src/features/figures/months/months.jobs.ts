import { countMonth, listMonthsToCount } from '#features/figures/months/months.sql.ts'
import type { Db } from '#server/db/pool.ts'
import type { Task } from '#server/jobs/jobs.ts'
import { dayInKinshasa } from '#shared/days.ts'

/** Counts the prices of past months, and recounts months that were written to since. */
export function monthTask({ db, clock }: { db: Db; clock: () => Date }): Task {
  return {
    name: 'count months of prices',
    everyMs: 5 * 60_000,
    run: () => countMonths(db, dayInKinshasa(clock())),
  }
}

/** @param today `yyyy-mm-dd` */
export async function countMonths(db: Db, today: string): Promise<void> {
  for (const month of await listMonthsToCount(db, today)) {
    await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((tx) => countMonth(tx, month))
  }
}
