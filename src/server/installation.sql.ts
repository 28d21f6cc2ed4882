import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

/** Reads the properties of this database (one row). */
export function getInstallation(db: Db) {
  return db.selectFrom('installation').select('has_demonstration_data').executeTakeFirstOrThrow()
}

/** Marks the database as a demonstration: every screen then says that its figures are fictitious. */
export async function markDemonstration(tx: Db): Promise<void> {
  await tx.updateTable('installation').set({ has_demonstration_data: true }).execute()
}

/** Returns whether the database accepts writes, and the number of its last migration. */
export async function findReadiness(db: Db): Promise<{ is_writable: boolean; migration: number }> {
  const { rows } = await sql<{ is_writable: boolean; migration: number }>`
    select current_setting('transaction_read_only') = 'off' as is_writable,
           (select max(number) from schema_migration)::int4 as migration`.execute(db)
  return rows[0] ?? { is_writable: false, migration: 0 }
}
