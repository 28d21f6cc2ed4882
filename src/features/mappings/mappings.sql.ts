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

/** How the tables of a name are read. */
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

/** How tables with these titles, and perhaps a few that this one lacks, were read: the closest first, then the last. */
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

// A table that lacks more than these is another one.
const mostLacking = 2

/** Whether a table with these titles may be read by a saved mapping. */
function haveTitles(saved: RawBuilder<unknown>, titles: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(${saved} @> ${titles} and cardinality(${saved}) <= cardinality(${titles}) + ${mostLacking}::int)`
}

/**
 * Keeps a mapping under its name, in place of the one of that name for these titles, which keeps those that this table lacks.
 *
 * @param titles as titles are compared
 * @returns its id; null when another table has that name
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
