import { sql } from 'kysely'
import type { Db } from './pool.ts'

/**
 * Drops the foreign keys and indexes of a table, runs work, and creates them again. This halves the time of a load that
 * is larger than the existing table. The table is locked for other transactions until this one ends. Primary keys and
 * unique constraints are not dropped.
 */
export async function withoutIndexes<T>(tx: Db, table: string, work: () => Promise<T>): Promise<T> {
  const { rows: keys } = await sql<{ name: string; definition: string }>`
    select conname as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where conrelid = ${table}::regclass and contype = 'f'
     order by conname`.execute(tx)
  const { rows: indexes } = await sql<{ name: string; definition: string }>`
    select relname as name, pg_get_indexdef(indexrelid) as definition
      from pg_index join pg_class on pg_class.oid = indexrelid
     where indrelid = ${table}::regclass and not indisunique
     order by relname`.execute(tx)
  const target = sql.table(table)
  for (const { name } of keys) await sql`alter table ${target} drop constraint ${sql.ref(name)}`.execute(tx)
  for (const { name } of indexes) await sql`drop index ${sql.ref(name)}`.execute(tx)
  const result = await work()
  for (const { definition } of indexes) await sql.raw(definition).execute(tx)
  for (const { name, definition } of keys) {
    await sql`alter table ${target} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(tx)
  }
  return result
}
