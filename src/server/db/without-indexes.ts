import { sql } from 'kysely'
import type { Db } from './pool.ts'

/**
 * Does work on a table that has neither its foreign keys nor its indexes meanwhile, and makes them again from all its
 * rows: for a load that is larger than what was there, half the time. Nobody else can use the table until the
 * transaction ends. Primary keys and unique constraints stay.
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
