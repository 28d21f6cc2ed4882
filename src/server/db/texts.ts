import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'
import { contains, inFrench } from '#server/db/selection.ts'

const mostTexts = 200
// Each costs a jump in the index: a column of ever more texts is looked through no further.
const mostSeen = 10_000

/**
 * The texts of a column that contain what is searched for, in French order, 200 at most; each once, without regard to case
 * or accents. Jumps along an index on `fold(column), id` or `fold(column)` from one to the next.
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
