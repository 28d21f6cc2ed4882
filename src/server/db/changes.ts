import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'
import { AppError, invalidField } from '#server/errors.ts'
import { type ChangesQuery, firstCursor } from '#shared/changes.ts'
import { dayMs } from '#shared/days.ts'

/** Position of a reader: a change entry, and the last row read in it. */
type Position = { place: number; afterId: number; tag: number }
type Touched = { place: number; id: number | null; tag: number }

// Larger than any id: the whole entry has been read.
const wholeEntry = Number.MAX_SAFE_INTEGER

/** Whether a query asks for changes rather than a page. */
export function asksForChanges(query: Partial<ChangesQuery>): boolean {
  return query.updatedSince !== undefined || query.cursor !== undefined
}

/**
 * Reads the changes of a table since an instant or a cursor, in commit order. A row may come several times, always in
 * its current state.
 *
 * @param read returns the visible rows among these ids; the others count as deleted
 * @throws AppError 400 for an invalid cursor; 410 for a cursor of changes that the database no longer has, or never had
 */
export async function readChanges<Row extends { id: number }>(
  db: Db,
  table: string,
  { updatedSince, cursor, limit }: Partial<ChangesQuery> & { limit: number },
  read: (ids: readonly number[]) => Promise<Row[]>,
) {
  const from = await findStart(db, table, { updatedSince, cursor })
  const touched = await listTouched(db, table, from, limit + 1)
  const page = touched.slice(0, limit)
  const ids = [...new Set(page.flatMap(({ id }) => (id === null ? [] : [id])))]
  const rows = new Map((ids.length > 0 ? await read(ids) : []).map((row) => [row.id, row]))
  const last = page.at(-1)
  return {
    data: ids.flatMap((id) => rows.get(id) ?? []),
    deleted: ids.filter((id) => !rows.has(id)),
    cursor: encodeCursor(last ? { ...last, afterId: last.id ?? wholeEntry } : from),
    hasMore: touched.length > limit,
  }
}

async function findStart(
  db: Db,
  table: string,
  { updatedSince, cursor }: Partial<ChangesQuery>,
): Promise<Position> {
  const asked = cursor === undefined || cursor === firstCursor ? null : decodeCursor(cursor)
  const { rows } = await sql<{ place: number | null; tag: number | null }>`
    select place, ${entryTag} as tag
      from start_of_changes(${table}, ${asked?.place ?? null}::bigint, ${updatedSince ?? null}::timestamptz)`.execute(
    db,
  )
  const start = { place: rows[0]?.place ?? 0, tag: rows[0]?.tag ?? 0 }
  if (!asked) return { ...start, afterId: wholeEntry }
  // A database restored from an older backup reuses the same places for other changes; the tag tells them apart.
  if (asked.place !== start.place || asked.tag !== start.tag)
    throw new AppError('cursor_expired', expiredMessage)
  return asked
}

/**
 * Reads the page of rows after a cursor, in id order. With concurrent writes, a row that exists throughout is neither
 * missed nor repeated.
 *
 * @param idOf returns the id by which the rows are ordered
 * @throws AppError 400 for a cursor of another list
 */
export async function readPageAfter<Row>(
  { cursor, limit }: { cursor: string; limit: number },
  readAfter: (id: number, most: number) => Promise<Row[]>,
  idOf: (row: Row) => number,
) {
  const [, digits] = /^id-(\d{1,15})$/.exec(cursor === firstCursor ? 'id-0' : cursor) ?? []
  if (!digits) throw unknownCursor()
  const rows = await readAfter(Number(digits), limit + 1)
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, cursor: `id-${last ? idOf(last) : Number(digits)}`, hasMore: rows.length > limit }
}

/** `idOf` for rows ordered by their own id. */
export const ownId = ({ id }: { id: number }): number => id

/** Lists the next ids: existing rows for entries of writes, missing rows for entries of deletions. */
async function listTouched(
  db: Db,
  table: string,
  { place, afterId }: Position,
  most: number,
): Promise<Touched[]> {
  const named = sql.table(table)
  const { rows } = await sql<Touched>`
    select change.place, touched.id, ${entryTag} as tag
      from (select * from row_change where of_table = ${table} and place >= ${place} order by place limit ${most + 1}) change
     cross join lateral (select case change.place when ${place} then ${afterId}::bigint + 1 else 0 end as first) resumed
      left join lateral (
        select each.id from unnest(change.ids) span cross join lateral (
          (select there.id from ${named} there
            where not are_deleted and there.id >= greatest(lower(span), first) and there.id < upper(span)
            order by there.id limit ${most})
           union all
          (select gone.id from (select generate_series(greatest(lower(span), first), upper(span) - 1) as id
                                 where are_deleted) gone
            where not exists (select from ${named} there where there.id = gone.id) limit ${most})) each
         order by each.id limit ${most}) touched on true
     where touched.id is not null or change.place > ${place}
     order by change.place, touched.id limit ${most}`.execute(db)
  return rows
}

// In microseconds, so that entries at the same place in two histories of a database have different tags.
const entryTag = sql`(extract(epoch from placed_at) * 1000000)::bigint`

function encodeCursor({ place, afterId, tag }: Position): string {
  return Buffer.from([place, afterId, tag].join('.')).toString('base64url')
}

function decodeCursor(cursor: string): Position {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const [place = NaN, afterId = NaN, tag = NaN] = /^\d{1,16}\.\d{1,16}\.\d{1,16}$/.test(text)
    ? text.split('.').map(Number)
    : []
  if (!Number.isSafeInteger(place) || !Number.isSafeInteger(afterId) || !Number.isSafeInteger(tag)) {
    throw unknownChanges()
  }
  return { place, afterId, tag }
}

const expiredMessage =
  'Ce curseur n’est plus connu\u00a0: relisez tout, avec «\u202fcursor=start\u202f», dans une copie vide.'

/** Retention of change entries (days), deletions included. */
const retentionDays = 90

/** Deletes change entries past their retention. A reader that starts again still reads every existing row. */
export async function deleteOldChanges(db: Db, at: Date): Promise<void> {
  const before = new Date(at.getTime() - retentionDays * dayMs)
  const { rows } = await sql<{ name: string }>`select distinct of_table as name from row_change`.execute(db)
  for (const { name } of rows) {
    await sql`select forget_row_changes(${name}, ${before})`.execute(db)
  }
}

/** Returns a 400 for a cursor that this list does not know. */
export const unknownCursor = () =>
  invalidField('cursor', 'Ce curseur est inconnu\u00a0: recommencez avec «\u202fstart\u202f».')

const unknownChanges = () =>
  invalidField('cursor', 'Ce curseur est inconnu\u00a0: recommencez avec «\u202fupdatedSince\u202f».')
