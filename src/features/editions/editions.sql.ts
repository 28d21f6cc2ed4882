import { sql } from 'kysely'
import type { EditionFile } from '#features/editions/making/columns.rules.ts'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'

export type StoredEdition = {
  number: number
  /** `yyyy-mm` */
  month: string
  rows: number
  method: string
  supersededBy: number | null
  createdAt: string
  files: (EditionFile & { storedAs: string })[]
}

/** Returns the editions, the latest first. */
export async function listEditions(db: Db, number?: number): Promise<StoredEdition[]> {
  const { rows } = await sql<StoredEdition>`
    select number, to_char(month, 'YYYY-MM') as month, rows, method, superseded_by as "supersededBy", files,
           ${isoInstant('created_at')} as "createdAt"
      from edition ${number === undefined ? sql`` : sql`where number = ${number}::bigint`}
     order by number desc limit 200`.execute(db)
  return rows
}

/** Returns the current edition of a month; undefined when there is none. @param month `yyyy-mm` */
export async function findCurrent(db: Db, month: string): Promise<StoredEdition | undefined> {
  const { rows } = await sql<{ number: number }>`
    select number from edition where month = ${`${month}-01`}::date and superseded_by is null`.execute(db)
  return rows[0] && (await listEditions(db, rows[0].number))[0]
}

/**
 * Returns the number of the next edition. If two editions are made concurrently their numbers collide, and one is made
 * again.
 */
export async function nextNumber(db: Db): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select coalesce(max(number), 0) + 1 as next from edition`.execute(db)
  return rows[0]!.next
}

/** Publishes an edition, which supersedes the current one of the same month. */
export async function insertEdition(
  tx: Db,
  edition: Pick<StoredEdition, 'number' | 'month' | 'rows' | 'method' | 'files'>,
): Promise<void> {
  const { number, month, rows, method, files } = edition
  await sql`
    update edition set superseded_by = ${number} where month = ${`${month}-01`}::date and superseded_by is null`.execute(
    tx,
  )
  await sql`
    insert into edition (number, month, rows, method, files)
    values (${number}, ${`${month}-01`}::date, ${rows}, ${method}, ${JSON.stringify(files)})`.execute(tx)
}

/** Returns the keys of all files of editions. */
export async function listStoredKeys(db: Db): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select file ->> 'storedAs' as key from edition cross join jsonb_array_elements(files) file`.execute(db)
  return rows.map(({ key }) => key)
}
