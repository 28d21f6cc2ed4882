import { contentOfFile, forgetReportFiles, storeFiles } from '#features/report/kept/kept.jobs.ts'
import { drawReportJob } from '#features/report/made/made.routes.ts'
import { beginReport, endReport, sweepReports } from '#features/report/made/made.sql.ts'
import { readReport } from '#features/report/report.routes.ts'
import { selectionFilters } from '#features/statistics/statistics.contract.ts'
import type { Sources } from '#features/statistics/statistics.routes.ts'
import { isUnavailable } from '#server/db/errors.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError } from '#server/errors.ts'
import type { Storage } from '#server/files/storage.ts'
import type { Task } from '#server/jobs/jobs.ts'
import { drawReport } from '#server/report/report.ts'
import { dayMs } from '#shared/days.ts'

/** Time limit (ms) of a statement: longer than in requests, since no response waits for it. */
const longestStatementMs = 60_000

/** Draws the requested reports, one after the other, and deletes those older than a month. */
export function reportTasks({
  db,
  storage,
  summarise,
  viewsBundle,
}: {
  db: Db
  /** The storage of the files of reports. */
  storage: Storage
  summarise: Sources['summarise']
  /** The build of the views, which draws the charts. */
  viewsBundle: string
}): Task[] {
  return [
    drawReportJob.doneBy(async ({ reportId }, attempt) => {
      const asked = await beginReport(db, reportId)
      if (!asked) return
      try {
        const own = await attempt.connect(longestStatementMs)
        const report = await readReport(own, selectionFilters.parse(asked.filters), { ...asked, summarise })
        const file = contentOfFile(await drawReport(report, viewsBundle))
        await storeFiles({ db, storage }, [file], async (tx) => {
          if (await endReport(tx, reportId, file.hash)) return
          await forgetReportFiles(tx, [file.hash])
        })
      } catch (error) {
        // If it was interrupted, the next attempt draws it.
        const passes = attempt.signal.aborted || isUnavailable(error) || isAway(error)
        if (attempt.isLast || !passes) await endReport(db, reportId, null)
        throw error
      }
    }),
    { name: 'sweep reports', everyMs: dayMs, run: () => sweepMade(db) },
  ]
}

/** Whether the storage of files did not respond. */
function isAway(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable'
}

async function sweepMade(db: Db): Promise<void> {
  await inTransaction(db, async (tx) => {
    await forgetReportFiles(tx, await sweepReports(tx))
  })
}
