import { sql } from 'kysely'
import { type PublishedFigure, publishedFigures } from '#features/inflation/published/published.contract.ts'
import type { Db } from '#server/db/pool.ts'
import { defineRows } from '#server/db/rows.ts'
import { hasWords, inFrench, isAtLeast, isAtMost, isValue } from '#server/db/selection.ts'
import { insertRow, updateRow } from '#server/db/write-row.ts'
import type { BodyOf } from '#shared/contract.ts'
import type { ChangeOf } from '#shared/resource.ts'

const columns = [
  'id',
  sql<PublishedFigure['publisher']>`publisher`.as('publisher'),
  sql<PublishedFigure['measure']>`measure`.as('measure'),
  'week',
  'location',
  'value',
  'source',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const
const sorts = {
  week: sql`week`,
  publisher: inFrench('publisher'),
  measure: inFrench('measure'),
  value: sql`value`,
}

export const publishedRows = defineRows(publishedFigures, {
  table: 'published_inflation',
  columns,
  sorts,
  defaultSort: '-week',
  from: (db: Db) => db.selectFrom('published_inflation'),
  filters: {
    search: hasWords(sql`fold(source || ' ' || coalesce(location, ''))`),
    publisher: isValue('publisher'),
    measure: isValue('measure'),
    startDate: isAtLeast('week'),
    endDate: isAtMost('week'),
  },
})

export async function insertPublished(
  tx: Db,
  input: BodyOf<typeof publishedFigures.create>,
): Promise<number> {
  return insertRow(tx, 'published_inflation', { ...input, week: mondayOf(input.week) })
}

export async function updatePublished(
  tx: Db,
  id: number,
  { week, ...changes }: ChangeOf<typeof publishedFigures>,
): Promise<void> {
  await updateRow(tx, 'published_inflation', id, { ...changes, week: week && mondayOf(week) })
}

/**
 * Reads the figures published for the weeks between two days, for a city or the country; the latest first, 200 at most.
 */
export function readPublished(db: Db, from: string, to: string, location: string | undefined) {
  const isOfPlace = location
    ? sql<boolean>`fold(location) = fold(${location})`
    : sql<boolean>`location is null`
  return db
    .selectFrom('published_inflation')
    .select(columns)
    .where('week', '>=', from)
    .where('week', '<=', to)
    .where(isOfPlace)
    .orderBy('week', 'desc')
    .orderBy('id')
    .limit(200)
    .execute()
}

const mondayOf = (day: string) => sql<string>`monday_of(${day}::date)`
