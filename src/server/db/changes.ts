import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'
import { AppError, invalidField } from '#server/errors.ts'
import { type ChangesQuery, firstCursor } from '#shared/changes.ts'
import { dayMs } from '#shared/days.ts'

/** How far somebody has read: an entry, and the last row of it. */
type Position = { place: number; afterId: number; tag: number }
type Touched = { place: number; id: number | null; tag: number }

// No id is larger: the whole entry has been read.
const wholeEntry = Number.MAX_SAFE_INTEGER

/** Whether what changed is asked for, rather than a page. */
export function asksForChanges(query: Partial<ChangesQuery>): boolean {
  return query.updatedSince !== undefined || query.cursor !== undefined
}

/**
 * What changed in a table from an instant, or where the last answer stopped, in the order of commits. A row may come several times,
 * always as it is now.
 *
 * @param read rows by their ids, those alone that may be shown; the others count as deleted
 * @throws AppError 400 for what is no cursor; 410 for one of changes that this database no longer knows, or never did
 */
export async function readChanges<Row extends { id: number }>(
  db: Db,
  table: string,
  { updatedSince, cursor, limit }: Partial<ChangesQuery> & { limit: number },
  read: (ids: readonly number[]) => Promise<Row[]>,
) {
  const from = await startOf(db, table, { updatedSince, cursor })
  const touched = await listTouched(db, table, from, limit + 1)
  const page = touched.slice(0, limit)
  const ids = [...new Set(page.flatMap(({ id }) => (id === null ? [] : [id])))]
  const rows = new Map((ids.length > 0 ? await read(ids) : []).map((row) => [row.id, row]))
  const last = page.at(-1)
  return {
    data: ids.flatMap((id) => rows.get(id) ?? []),
    deleted: ids.filter((id) => !rows.has(id)),
    cursor: written(last ? { ...last, afterId: last.id ?? wholeEntry } : from),
    hasMore: touched.length > limit,
  }
}

async function startOf(
  db: Db,
  table: string,
  { updatedSince, cursor }: Partial<ChangesQuery>,
): Promise<Position> {
  const asked = cursor === undefined || cursor === firstCursor ? null : parsed(cursor)
  const { rows } = await sql<{ place: number | null; tag: number | null }>`
    select place, ${tagOf} as tag
      from start_of_changes(${table}, ${asked?.place ?? null}::bigint, ${updatedSince ?? null}::timestamptz)`.execute(
    db,
  )
  const start = { place: rows[0]?.place ?? 0, tag: rows[0]?.tag ?? 0 }
  if (!asked) return { ...start, afterId: wholeEntry }
  // A database that was put back to an earlier day gives the same places to other changes.
  if (asked.place !== start.place || asked.tag !== start.tag) throw new AppError('cursor_expired', expired)
  return asked
}

/**
 * A page of rows in the order of their ids, where the last answer stopped: whatever is written meanwhile, none that is there
 * all along is missed, none comes twice.
 *
 * @param idOf what orders the rows, when it is not their own id
 * @throws AppError 400 for a cursor of another list
 */
export async function readOn<Row>(
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

/** The id of a row that is ordered by it. */
export const ownId = ({ id }: { id: number }): number => id

/** The next rows to look at: those of written entries that are there, those of deletions that are not. */
async function listTouched(
  db: Db,
  table: string,
  { place, afterId }: Position,
  most: number,
): Promise<Touched[]> {
  const named = sql.table(table)
  const { rows } = await sql<Touched>`
    select change.place, touched.id, ${tagOf} as tag
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

// Microseconds: two entries at one place of two histories of a database never have the same.
const tagOf = sql`(extract(epoch from placed_at) * 1000000)::bigint`

function written({ place, afterId, tag }: Position): string {
  return Buffer.from([place, afterId, tag].join('.')).toString('base64url')
}

function parsed(cursor: string): Position {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const [place = NaN, afterId = NaN, tag = NaN] = /^\d{1,16}\.\d{1,16}\.\d{1,16}$/.test(text)
    ? text.split('.').map(Number)
    : []
  if (!Number.isSafeInteger(place) || !Number.isSafeInteger(afterId) || !Number.isSafeInteger(tag)) {
    throw unknownChanges()
  }
  return { place, afterId, tag }
}

const expired =
  'Ce curseur n’est plus connu\u00a0: relisez tout, avec «\u202fcursor=start\u202f», dans une copie vide.'

/** For how many days the changes of a row are told one by one, deletions included. */
const keptDays = 90

/** Ends what changed long ago: whoever begins anew still reads every row that is there. */
export async function forgetChanges(db: Db, at: Date): Promise<void> {
  const before = new Date(at.getTime() - keptDays * dayMs)
  const { rows } = await sql<{ name: string }>`select distinct of_table as name from row_change`.execute(db)
  for (const { name } of rows) {
    await sql`select forget_row_changes(${name}, ${before})`.execute(db)
  }
}

/** A 400 for the cursor of another list. */
export const unknownCursor = () =>
  invalidField('cursor', 'Ce curseur est inconnu\u00a0: recommencez avec «\u202fstart\u202f».')

const unknownChanges = () =>
  invalidField('cursor', 'Ce curseur est inconnu\u00a0: recommencez avec «\u202fupdatedSince\u202f».')
