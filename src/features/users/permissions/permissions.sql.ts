import { sql } from 'kysely'
import { permissionRows } from '#features/users/permissions/permissions.contract.ts'
import type { Db } from '#server/db/pool.ts'
import { defineRows } from '#server/db/rows.ts'
import { countReferences, hasWords, inFrench } from '#server/db/selection.ts'
import { insertRow, updateRow } from '#server/db/write-row.ts'
import type { Use } from '#server/writes.ts'
import type { BodyOf } from '#shared/contract.ts'

const roleCount = sql<number>`(select count(*) from role_permission where permission_id = permission.id)`
const counts = sql<{ role_permissions: number }>`json_build_object('role_permissions', ${roleCount})`
const columns = [
  'id',
  'name',
  'description',
  'is_seeded as isSeeded',
  'created_at',
  'updated_at',
  counts.as('_count'),
] as const
const sorts = { name: inFrench('name'), created_at: sql`created_at`, roles: roleCount }

export const namedPermissions = defineRows(permissionRows, {
  table: 'permission',
  columns,
  sorts,
  defaultSort: 'name',
  from: (db: Db) => db.selectFrom('permission'),
  filters: {
    search: hasWords(sql`fold(name)`),
  },
})

export async function insertPermission(tx: Db, input: BodyOf<typeof permissionRows.create>): Promise<number> {
  return insertRow(tx, 'permission', input)
}

export async function updatePermission(
  tx: Db,
  id: number,
  changes: { name?: string; description?: string | null },
) {
  await updateRow(tx, 'permission', id, changes)
}

export async function countUsesOfPermission(tx: Db, id: number): Promise<Use[]> {
  const count = await countReferences(tx, 'role_permission', 'permission_id', id)
  return [{ count, one: 'rôle', many: 'rôles' }]
}
