import { z } from 'zod'
import { contentOfFile, forgetReportFiles, storeFiles } from '#features/report/kept/kept.jobs.ts'
import { type Reading, readBulletin } from '#features/reports/blocks/blocks.routes.ts'
import { hasNewPrice } from '#features/reports/blocks/blocks.sql.ts'
import { withPicture } from '#features/reports/blocks/provinces.rules.ts'
import { makeIssueJob, planIssue } from '#features/reports/issues/issues.routes.ts'
import {
  endIssue,
  findPlanned,
  type PlannedIssue,
  putOff,
  storeIssue,
  takeDueReports,
} from '#features/reports/issues/issues.sql.ts'
import { writeReportWorkbook } from '#features/reports/issues/workbook.jobs.ts'
import { nextInstant } from '#features/reports/reports.rules.ts'
import { type Mailing, sendReports } from '#features/reports/sending/sending.jobs.ts'
import { mayReadPrices } from '#features/subscriptions/subscriptions.rules.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Storage } from '#server/files/storage.ts'
import { type Attempt, defineJob, type Task } from '#server/jobs/jobs.ts'
import { drawReport } from '#server/report/report.ts'
import { dayInKinshasa } from '#shared/days.ts'

type Dependencies = Mailing & Pick<Reading, 'summarise'> & { storage: Storage; viewsBundle: string }

const oftenMs = 30_000
/** Time limit (ms) of a statement: no response waits for it. */
const longestStatementMs = 60_000

const sendReportsJob = defineJob('send reports', z.object({}))

/** Plans due issues, makes planned ones, and sends those that are made. */
export function userReportTasks(dependencies: Dependencies): Task[] {
  return [
    {
      name: 'plan reports',
      everyMs: oftenMs,
      run: () => planDueReports(dependencies.db, dependencies.clock),
    },
    makeIssueJob.doneBy(async ({ issueId }, attempt) => {
      try {
        await makeIssue(dependencies, issueId, attempt)
      } catch (error) {
        if (attempt.isLast)
          await endIssue(dependencies.db, issueId, {
            state: 'failed',
            reason: 'L’édition n’a pas pu être faite.',
          })
        throw error
      }
    }),
    sendReportsJob.doneBy((_payload, { signal }) => sendReports(dependencies, signal)),
    {
      name: 'send late reports',
      everyMs: oftenMs,
      run: (_payload, { signal }) => sendReports(dependencies, signal),
    },
  ]
}

/** Plans one issue for each due report, even if several were missed. */
async function planDueReports(db: Db, clock: () => Date): Promise<void> {
  for (let taken = 1; taken > 0; ) {
    taken = await inTransaction(db, async (tx) => {
      const due = await takeDueReports(tx, clock())
      for (const { id, nextAt, schedule } of due) {
        const plannedAt = new Date(nextAt)
        const issueId = await planIssue(tx, {
          reportId: id,
          plannedAt,
          audience: 'recipients',
          isScheduled: true,
        })
        if (issueId !== null) await makeIssueJob.add(tx, { issueId })
        await putOff(tx, id, nextInstant(schedule, clock()))
      }
      return due.length
    })
  }
}

/** Makes an issue once: a second job finds that it is no longer planned. */
async function makeIssue(dependencies: Dependencies, issueId: number, attempt: Attempt): Promise<void> {
  const { db, clock, summarise, publicUrl: origin, viewsBundle } = dependencies
  const issue = await findPlanned(db, issueId)
  if (!issue) return
  const own = await attempt.connect(longestStatementMs)
  const reason = await whyNot(own, issue, clock())
  if (reason) return endIssue(db, issueId, { state: 'skipped', reason })
  const today = dayInKinshasa(clock())
  const content = await readBulletin(own, issue, { summarise, today, origin })
  const pdf = await drawReport({ ...content, sections: content.sections.map(withPicture) }, viewsBundle)
  const xlsx = await writeReportWorkbook(content)
  const [drawn, written] = [contentOfFile(pdf), contentOfFile(xlsx)]
  const files = [
    { format: 'pdf' as const, bytes: pdf.length, sha256: drawn.hash },
    { format: 'xlsx' as const, bytes: xlsx.length, sha256: written.hash },
  ]
  await storeFiles(dependencies, [drawn, written], async (tx) => {
    if (await storeIssue(tx, issueId, { content, files, at: clock() })) await sendReportsJob.add(tx, {})
    else await forgetReportFiles(tx, [drawn.hash, written.hash])
  })
}

/** Returns why an issue is not made: its owner may not read prices, or nothing is new where that is required. */
async function whyNot(db: Db, issue: PlannedIssue, at: Date): Promise<string | null> {
  if (!issue.isActive || !mayReadPrices(issue, at)) return 'Votre abonnement ne donne plus accès aux données.'
  const { schedule, isScheduled, lastMadeAt, blocks } = issue
  if (!isScheduled || !schedule?.skipsUnchanged || lastMadeAt === null) return null
  for (const { kind, selection } of blocks) {
    // A method of everything changes with any price of the country, which is no news about the other blocks.
    const isNews = kind !== 'text' && (kind !== 'method' || Object.keys(selection).length > 0)
    if (isNews && (await hasNewPrice(db, selection, lastMadeAt))) return null
  }
  return 'Aucun relevé nouveau depuis la dernière édition.'
}
