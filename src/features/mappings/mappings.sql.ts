import { type RawBuilder, sql } from 'kysely'
import type { ImportKind } from '#features/mappings/kinds.contract.ts'
import type { Mapping, SavedMapping } from '#features/mappings/mappings.contract.ts'
import type { Db } from '#server/db/pool.ts'

const columns = [
  'id',
  'kind',
  'name',
  'titles',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const
const mostMappings = 1_000

export async function listSavedMappings(db: Db): Promise<SavedMapping[]> {
  const rows = await db
    .selectFrom('import_mapping')
    .select(columns)
    .orderBy(sql`name collate "fr-x-icu"`)
    .orderBy('id')
    .limit(mostMappings)
    .execute()
  return rows as SavedMapping[]
}

export async function findSavedMapping(db: Db, id: number): Promise<SavedMapping | undefined> {
  const row = await db
    .selectFrom('import_mapping')
    .select(columns)
    .where('id', '=', sql<number>`${id}::bigint`)
    .executeTakeFirst()
  return row as SavedMapping | undefined
}

/** Returns the saved mapping with a name. */
export async function findMappingByName(
  db: Db,
  kind: ImportKind,
  name: string,
): Promise<Mapping | undefined> {
  const { rows } = await sql<{ content: Mapping }>`
    select content || jsonb_build_object('name', name) as content from import_mapping
     where kind = ${kind} and fold(name) = fold(${name})`.execute(db)
  return rows[0]?.content
}

/**
 * Returns the saved mappings for these titles, including those with up to two more titles: fewest titles first, then
 * the latest.
 */
export async function findMappingsByTitles(
  db: Db,
  kind: ImportKind,
  titles: readonly string[],
): Promise<Mapping[]> {
  const { rows } = await sql<{ content: Mapping }>`
    select content || jsonb_build_object('name', name) as content from import_mapping
     where kind = ${kind} and ${haveTitles(sql`titles`, sql`${sql.val([...titles])}::text[]`)}
     order by cardinality(titles), updated_at desc, id desc limit 20`.execute(db)
  return rows.map(({ content }) => content)
}

// Titles of a saved mapping that a table may lack.
const mostLacking = 2

/** Whether a saved mapping can read a table with these titles. */
function haveTitles(saved: RawBuilder<unknown>, titles: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(${saved} @> ${titles} and cardinality(${saved}) <= cardinality(${titles}) + ${mostLacking}::int)`
}

/**
 * Saves a mapping under its name. It replaces the one of that name for these titles, and keeps the titles of the latter
 * that this table lacks.
 *
 * @param titles normalized as by `comparedTitle`
 * @returns its id; null when the name belongs to another table
 */
export async function saveMapping(
  tx: Db,
  kind: ImportKind,
  { name, ...content }: Mapping & { name: string },
  titles: readonly string[],
): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    insert into import_mapping as saved (kind, name, titles, content)
    values (${kind}, ${name}, ${sql.val([...titles])}::text[], ${JSON.stringify(content)}::jsonb)
    on conflict (fold(name)) do update set content = excluded.content
      where saved.kind = excluded.kind and ${haveTitles(sql`saved.titles`, sql`excluded.titles`)}
    returning id`.execute(tx)
  return rows[0]?.id ?? null
}

export async function renameSavedMapping(tx: Db, id: number, name: string): Promise<void> {
  await tx.updateTable('import_mapping').set({ name }).where('id', '=', id).execute()
}
