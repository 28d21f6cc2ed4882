import { z } from 'zod'
import {
  insertIssue,
  type listIssues,
  type NewIssue,
  openIssue,
} from '#features/reports/issues/issues.sql.ts'
import type { ReportIssue } from '#features/reports/reports.contract.ts'
import type { Db } from '#server/db/pool.ts'
import type { FormPage } from '#server/http/pages.ts'
import { defineJob } from '#server/jobs/jobs.ts'
import { newToken } from '#server/session/tokens.ts'
import { tokenInAddress } from '#shared/fields.ts'
import type { Site } from '#shared/site.ts'

/** Makes a planned issue. */
export const makeIssueJob = defineJob('make report issue', z.object({ issueId: z.int() }))

/** Plans an issue with an unguessable address; null when one of that instant exists. */
export function planIssue(tx: Db, issue: Omit<NewIssue, 'token'>): Promise<number | null> {
  return insertIssue(tx, { ...issue, token: newToken() })
}

/** Returns an issue as its owner sees it. */
export function shownIssue(
  { token, files, ...row }: Awaited<ReturnType<typeof listIssues>>[number],
  origin: string,
): ReportIssue {
  return {
    ...row,
    url: row.madeAt === null ? null : `${origin}/bulletins/${token}`,
    files: files.map((file) => ({
      ...file,
      url: `${origin}/api/reports/issues/${token}/file?fileFormat=${file.format}`,
    })),
  }
}

/** Returns the page of an issue, public for anyone who has its address. */
export function issuePage(db: Db, framed: () => Promise<{ site: Site; isDemonstration: boolean }>): FormPage {
  return {
    path: '/bulletins/:token',
    async show({ request }) {
      const { token = '' } = request.params as { token?: string }
      const issue = tokenInAddress.test(token) ? await openIssue(db, token) : undefined
      const frame = await framed()
      if (!issue) return { view: 'not-found', status: 404, props: { ...frame, previousUrl: null } }
      return { view: 'bulletin', props: { ...frame, ...issue, token } }
    },
  }
}
