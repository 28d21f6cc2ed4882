import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'
import { contains, inFrench } from '#server/db/selection.ts'

const mostTexts = 200
// Maximum number of distinct texts examined; each costs one index look-up.
const mostSeen = 10_000

/**
 * Lists the distinct texts of a column that match a search, in French order, 200 at most, ignoring case and accents. It
 * skips from one text to the next along an index on `fold(column), id` or `fold(column)`.
 */
export async function listTexts(db: Db, table: string, column: string, search = ''): Promise<string[]> {
  const folded = sql`fold(${sql.ref(column)})`
  const first = (after: RawBuilder<unknown>, place: RawBuilder<unknown>) => sql`
    select ${folded} as folded, ${sql.ref(column)} as text, ${place} as place from ${sql.table(table)}
     where ${after} order by ${folded}, id limit 1`
  const { rows } = await sql<{ text: string }>`
    with recursive seen as (
      (${first(sql`true`, sql`1`)})
      union all
      select next.* from seen
       cross join lateral (${first(sql`${folded} > seen.folded`, sql`seen.place + 1`)}) next
       where seen.place < ${mostSeen})
    select text from (select text from seen where ${contains(sql`folded`, search)} limit ${mostTexts}) found
     order by ${inFrench('text')}`.execute(db)
  return rows.map(({ text }) => text)
}
