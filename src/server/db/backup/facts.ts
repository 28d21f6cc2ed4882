import type { ClientBase } from 'pg'

/** Facts that a copy of the database must match: row counts by table, and the last link of the journal. */
export type DatabaseFacts = {
  readonly serverVersion: number
  /** Name of the last migration. */
  readonly schema: string
  readonly rows: Readonly<Record<string, number>>
  readonly journal: { readonly position: number; readonly hash: string }
}

/** Counts the rows of every table; in one snapshot when the client is in a repeatable read transaction. */
export async function readFacts(client: ClientBase): Promise<DatabaseFacts> {
  const tables = await client.query<{ name: string; quoted: string }>(`
    select c.relname as name, quote_ident(c.relname) as quoted
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     order by c.relname collate "C"`)
  const rows: Record<string, number> = {}
  for (const { name, quoted } of tables.rows) {
    const counted = await client.query<{ n: string }>(`select count(*)::text as n from ${quoted}`)
    rows[name] = Number(counted.rows[0]?.n)
  }
  const head = await client.query<{ version: number; schema: string; position: string; hash: string }>(`
    select current_setting('server_version_num')::int4 as version,
           coalesce((select name from schema_migration order by number desc limit 1), '') as schema,
           coalesce(max(position), 0)::text as position,
           coalesce((select encode(hash, 'hex') from audit_link order by position desc limit 1), '') as hash
      from audit_link`)
  const { version = 0, schema = '', position = '0', hash = '' } = head.rows[0] ?? {}
  return { serverVersion: version, schema, rows, journal: { position: Number(position), hash } }
}

/** Describes in French the tables whose row counts differ, with both counts, and a journal that differs. */
export function differences(found: DatabaseFacts, promised: DatabaseFacts): string[] {
  const names = [...new Set([...Object.keys(found.rows), ...Object.keys(promised.rows)])]
  const tables = names
    .filter((name) => found.rows[name] !== promised.rows[name])
    .map(
      (name) => `${name} : ${found.rows[name] ?? 'absente'} au lieu de ${promised.rows[name] ?? 'absente'}`,
    )
  const isSameHead =
    found.journal.position === promised.journal.position && found.journal.hash === promised.journal.hash
  return isSameHead ? tables : [...tables, 'le journal ne finit pas par le même maillon']
}
