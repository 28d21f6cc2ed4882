import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

/** Whether a file is of a report that somebody asked for, or of an issue. */
export async function isReportFileUsed(tx: Db, hash: string): Promise<boolean> {
  const { rows } = await sql`
    select from made_report where sha256 = ${hash}
     union all select from report_file where sha256 = ${hash} and content is null limit 1`.execute(tx)
  return rows.length > 0
}

type FileInRow = { issueId: number; format: string; hash: string; bytes: Buffer }

/** A file of an issue that still stands in its row; undefined when there is none. */
export async function findFileInRow(db: Db): Promise<FileInRow | undefined> {
  const { rows } = await sql<FileInRow>`
    select issue_id as "issueId", format, sha256 as hash, content as bytes from report_file
     where content is not null limit 1`.execute(db)
  return rows[0]
}

/** Leaves to the store the content of a file. */
export async function emptyRow(tx: Db, { issueId, format }: FileInRow): Promise<void> {
  await sql`
    update report_file set content = null, bytes = length(content)
     where issue_id = ${issueId} and format = ${format} and content is not null`.execute(tx)
}
