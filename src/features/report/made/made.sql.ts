import { sql } from 'kysely'
import { z } from 'zod'
import type { MadeReport } from '#features/report/made/made.contract.ts'
import type { Db } from '#server/db/pool.ts'

/** The input of a report: the filters as in an address, the day, and the origin of its links. */
const askedReport = z.object({
  filters: z.record(z.string(), z.unknown()),
  today: z.string(),
  origin: z.string(),
  mayManageUsers: z.boolean(),
})
export type AskedReport = z.infer<typeof askedReport>

/** Limits of the reports stored for each user: their number, and their age in days. */
const mostReports = 20
const storedDays = 30

const rows = (userId: number) => sql<MadeReport>`
  select id, state, file_name as "fileName", asked->'filters' as filters, created_at as "createdAt",
    ended_at as "endedAt",
    case when state in ('waiting', 'drawing')
      then (select count(*) from made_report other where other.state in ('waiting', 'drawing') and other.id < made_report.id)
      else 0 end as ahead
    from made_report where user_id = ${userId}`

/** Returns the reports of a user, newest first. */
export async function listReports(db: Db, userId: number): Promise<MadeReport[]> {
  return (await sql<MadeReport>`${rows(userId)} order by id desc limit ${mostReports}`.execute(db)).rows
}

/** Returns a report of a user; undefined when it does not exist or belongs to another user. */
export async function findReport(db: Db, userId: number, id: number): Promise<MadeReport | undefined> {
  return (await sql<MadeReport>`${rows(userId)} and id = ${id}::bigint`.execute(db)).rows[0]
}

/**
 * Returns the file of a user's report: its content or its hash, or neither if it is not drawn yet; undefined when there
 * is no such report.
 */
export async function findPdf(db: Db, userId: number, id: number) {
  const { rows } = await sql<{ fileName: string; pdf: Buffer | null; sha256: string | null }>`
    select file_name as "fileName", pdf, sha256 from made_report where user_id = ${userId} and id = ${id}::bigint`.execute(
    db,
  )
  return rows[0]
}

/** Deletes the oldest reports of a user to make room for one more. Returns the hashes of their files. */
export async function dropOldest(tx: Db, userId: number): Promise<string[]> {
  return hashesOf(
    await sql<Dropped>`
      delete from made_report where user_id = ${userId} and id not in (
        select id from made_report where user_id = ${userId} order by id desc limit ${mostReports - 1})
      returning sha256`.execute(tx),
  )
}

type Dropped = { sha256: string | null }

function hashesOf({ rows }: { rows: Dropped[] }): string[] {
  return rows.flatMap(({ sha256 }) => sha256 ?? [])
}

export async function insertReport(
  tx: Db,
  userId: number,
  { asked, fileName }: { asked: AskedReport; fileName: string },
): Promise<number> {
  const { id } = await tx
    .insertInto('made_report')
    .values({ user_id: userId, file_name: fileName, asked: JSON.stringify(asked) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Marks a report as being drawn; undefined when it is finished or deleted. */
export async function beginReport(db: Db, id: number): Promise<AskedReport | undefined> {
  const row = await db
    .updateTable('made_report')
    .set({ state: 'drawing' })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'drawing'])
    .returning('asked')
    .executeTakeFirst()
  return row && askedReport.parse(row.asked)
}

/**
 * Stores the hash of the file of a report; null marks it as failed.
 *
 * @returns false when the report was deleted, or is already finished
 */
export async function endReport(tx: Db, id: number, sha256: string | null): Promise<boolean> {
  const row = await tx
    .updateTable('made_report')
    .set({ state: sha256 ? 'done' : 'failed', sha256, ended_at: sql`now()` })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'drawing'])
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes the reports older than a month. Returns the hashes of their files. */
export async function sweepReports(tx: Db): Promise<string[]> {
  return hashesOf(
    await sql<Dropped>`
      delete from made_report where created_at < now() - make_interval(days => ${storedDays})
      returning sha256`.execute(tx),
  )
}
