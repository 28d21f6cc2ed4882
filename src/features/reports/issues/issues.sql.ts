import { sql } from 'kysely'
import type { ReportBlock, ReportIssue, Schedule } from '#features/reports/reports.contract.ts'
import { accessFacts } from '#features/subscriptions/access.sql.ts'
import type { AccessFacts } from '#features/subscriptions/subscriptions.rules.ts'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'
import type { DrawnReport } from '#shared/drawing.ts'

export type IssueFormat = 'pdf' | 'xlsx'
export type Audience = 'recipients' | 'owner' | 'nobody'

type IssueRow = Omit<ReportIssue, 'url' | 'files'> & {
  token: string
  files: { format: IssueFormat; bytes: number; sha256: string }[]
}

/** Returns the issues of a user's report, the latest first. */
export async function listIssues(
  db: Db,
  { userId, reportId, id }: { userId: number; reportId: number; id?: number },
): Promise<IssueRow[]> {
  const { rows } = await sql<IssueRow>`
    select issue.id, issue.token, ${isoInstant('planned_at')} as "plannedAt", ${isoInstant('made_at')} as "madeAt", issue.state,
           reason, is_scheduled as "isScheduled", delivered as deliveries,
           coalesce((select json_agg(json_build_object('format', format, 'bytes', coalesce(bytes, length(content)), 'sha256', sha256) order by format)
                       from report_file where issue_id = issue.id), '[]') as files
      from report_issue issue
      join report on report.id = report_id
     cross join lateral (
       select json_build_object('sent', count(*) filter (where state = 'sent'),
                'waiting', count(*) filter (where state in ('waiting', 'sending')),
                'refused', count(*) filter (where state = 'refused'),
                'expired', count(*) filter (where state = 'expired'),
                'unknown', count(*) filter (where state = 'unknown')) as delivered
         from report_delivery where issue_id = issue.id) delivery
     where report.user_id = ${userId} and report.id = ${reportId}::bigint
       ${id === undefined ? sql`` : sql`and issue.id = ${id}::bigint`}
     order by planned_at desc, issue.id desc limit 200`.execute(db)
  return rows
}

export type NewIssue = {
  reportId: number
  token: string
  plannedAt: Date
  audience: Audience
  isScheduled: boolean
}

/** Plans an issue; null when one of that instant exists. */
export async function insertIssue(tx: Db, issue: NewIssue): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    insert into report_issue (report_id, token, planned_at, audience, is_scheduled)
    values (${issue.reportId}, ${issue.token}, ${issue.plannedAt}, ${issue.audience}, ${issue.isScheduled})
    on conflict (report_id, planned_at) do nothing returning id`.execute(tx)
  return rows[0]?.id ?? null
}

/** Returns due reports, locked until the transaction ends; concurrent processes take others. */
export async function takeDueReports(
  tx: Db,
  at: Date,
): Promise<{ id: number; nextAt: string; schedule: Schedule }[]> {
  const { rows } = await sql<{ id: number; nextAt: string; schedule: Schedule }>`
    select id, ${isoInstant('next_at')} as "nextAt", schedule from report
     where next_at <= ${at} order by next_at, id limit 50 for no key update skip locked`.execute(tx)
  return rows
}

export async function putOff(tx: Db, reportId: number, nextAt: Date): Promise<void> {
  await sql`update report set next_at = ${nextAt} where id = ${reportId}`.execute(tx)
}

export type PlannedIssue = {
  reportId: number
  title: string
  blocks: ReportBlock[]
  schedule: Schedule | null
  isScheduled: boolean
  audience: Audience
  /** Whether the owner's account is active. */
  isActive: boolean
  permissions: string[]
  access: AccessFacts
  /** When the previous issue was made; null for the first. */
  lastMadeAt: string | null
}

/** Returns an issue that is not made yet, with the facts of its owner's right to read. */
export async function findPlanned(db: Db, id: number): Promise<PlannedIssue | undefined> {
  const { rows } = await sql<PlannedIssue>`
    select report.id as "reportId", title, blocks, schedule, issue.is_scheduled as "isScheduled", audience, u.status = 'ACTIVE' as "isActive",
           permissions_of(u.id) as permissions, ${accessFacts} as access,
           (select ${isoInstant('before.made_at')} from report_issue before
             where before.report_id = report.id and before.is_scheduled and before.made_at is not null
             order by before.made_at desc limit 1) as "lastMadeAt"
      from report_issue issue
      join report on report.id = report_id
      join app_user u on u.id = report.user_id
     where issue.id = ${id} and issue.state = 'planned'`.execute(db)
  return rows[0]
}

/** Ends a planned issue without making it. */
export async function endIssue(
  db: Db,
  id: number,
  { state, reason }: { state: 'skipped' | 'failed'; reason: string },
): Promise<void> {
  await sql`update report_issue set state = ${state}, reason = ${reason} where id = ${id} and state = 'planned'`.execute(
    db,
  )
}

type MadeIssue = {
  content: DrawnReport
  /** Files stored already. */
  files: { format: IssueFormat; bytes: number; sha256: string }[]
  at: Date
}

/**
 * Stores a made issue, with a row for each mail to send.
 * @returns false, and stores nothing, when it was made already
 */
export async function storeIssue(tx: Db, id: number, { content, files, at }: MadeIssue): Promise<boolean> {
  const { rows } = await sql`
    update report_issue set state = 'made', content = ${JSON.stringify(content)}, made_at = ${at}
     where id = ${id} and state = 'planned' returning id`.execute(tx)
  if (rows.length === 0) return false
  for (const { format, bytes, sha256 } of files)
    await sql`
      insert into report_file (issue_id, format, bytes, sha256) values (${id}, ${format}, ${bytes}, ${sha256})`.execute(
      tx,
    )
  await sql`
    insert into report_delivery (issue_id, recipient_id, is_to_owner, send_at)
    select issue.id, recipient.id, false, ${at}::timestamptz
      from report_issue issue join report_recipient recipient using (report_id)
     where issue.id = ${id} and audience = 'recipients' and recipient.state = 'confirmed'
    union all
    select id, null, true, ${at}::timestamptz from report_issue where id = ${id} and audience = 'owner'`.execute(
    tx,
  )
  return true
}

export type OpenedIssue = { title: string; madeAt: string; content: DrawnReport }

/**
 * Returns the public content of an issue's address; undefined when there is none, or the owner's account is not active.
 */
export async function openIssue(db: Db, token: string): Promise<OpenedIssue | undefined> {
  const { rows } = await sql<OpenedIssue>`
    select report.title, ${isoInstant('made_at')} as "madeAt", content
      from report_issue issue
      join report on report.id = report_id
      join app_user u on u.id = report.user_id
     where issue.token = ${token} and made_at is not null and u.status = 'ACTIVE'`.execute(db)
  return rows[0]
}

/** Returns the hashes of the files of a report's issues. */
export async function listFileHashes(tx: Db, reportId: number): Promise<string[]> {
  const { rows } = await sql<{ sha256: string }>`
    select distinct sha256 from report_file join report_issue issue on issue.id = issue_id
     where report_id = ${reportId}`.execute(tx)
  return rows.map(({ sha256 }) => sha256)
}

/** Returns a file of an issue by its address; `content` is null where it is in the file store. */
export async function findIssueFile(
  db: Db,
  { token, format }: { token: string; format: IssueFormat },
): Promise<{ content: Buffer | null; sha256: string; day: string } | undefined> {
  const { rows } = await sql<{ content: Buffer | null; sha256: string; day: string }>`
    select file.content, sha256, to_char(made_at at time zone 'Africa/Kinshasa', 'YYYY-MM-DD') as day
      from report_issue issue
      join report on report.id = report_id
      join app_user u on u.id = report.user_id
      join report_file file on file.issue_id = issue.id and format = ${format}
     where issue.token = ${token} and u.status = 'ACTIVE'`.execute(db)
  return rows[0]
}
