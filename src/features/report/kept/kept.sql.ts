import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

/** Whether a file belongs to a report made on request, or to an issue. */
export async function isReportFileUsed(tx: Db, hash: string): Promise<boolean> {
  const { rows } = await sql`
    select from made_report where sha256 = ${hash}
     union all select from report_file where sha256 = ${hash} and content is null limit 1`.execute(tx)
  return rows.length > 0
}

type FileInRow = { issueId: number; format: string; hash: string; bytes: Buffer }

/** Returns a file of an issue whose content is still in the database; undefined when there is none. */
export async function findFileInRow(db: Db): Promise<FileInRow | undefined> {
  const { rows } = await sql<FileInRow>`
    select issue_id as "issueId", format, sha256 as hash, content as bytes from report_file
     where content is not null limit 1`.execute(db)
  return rows[0]
}

/** Empties the content of a file in its row, once it is in the storage. */
export async function emptyRow(tx: Db, { issueId, format }: FileInRow): Promise<void> {
  await sql`
    update report_file set content = null, bytes = length(content)
     where issue_id = ${issueId} and format = ${format} and content is not null`.execute(tx)
}
