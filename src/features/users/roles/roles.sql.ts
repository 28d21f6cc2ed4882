import { sql } from 'kysely'
import { type Role, roles } from '#features/users/roles/roles.contract.ts'
import { links } from '#server/db/links.ts'
import type { Db } from '#server/db/pool.ts'
import { defineRows } from '#server/db/rows.ts'
import { countReferences, hasWords, inFrench } from '#server/db/selection.ts'
import { insertRow, updateRow } from '#server/db/write-row.ts'
import type { Use } from '#server/writes.ts'

const userCount = sql<number>`(select count(*) from user_role where role_id = role.id)`
/** The permissions of a role. */
export const givenPermissions = links({
  table: 'role_permission',
  owner: 'role',
  ownerId: 'role_id',
  other: 'permission',
  otherId: 'permission_id',
})
const permission = sql`json_build_object('id', permission.id, 'name', permission.name)`
const columns = [
  'id',
  'name',
  'description',
  givenPermissions.list<Role['permissions']>(permission, sql`permission.name`).as('permissions'),
  givenPermissions.ids.as('permissionIds'),
  'is_seeded as isSeeded',
  sql<Role['_count']>`json_build_object('users', ${userCount})`.as('_count'),
  'created_at',
  'updated_at',
] as const
const sorts = {
  name: inFrench('name'),
  created_at: sql`created_at`,
  permissions: givenPermissions.count,
  users: userCount,
}

export const roleRows = defineRows(roles, {
  table: 'role',
  columns,
  sorts,
  defaultSort: 'name',
  from: (db: Db) => db.selectFrom('role'),
  filters: {
    search: hasWords(sql`fold(name)`),
  },
})

type Columns = { name?: string; description?: string | null }

export async function insertRole(tx: Db, columns: Columns & { name: string }): Promise<number> {
  return insertRow(tx, 'role', columns)
}

export async function updateRole(tx: Db, id: number, changes: Columns): Promise<void> {
  await updateRow(tx, 'role', id, { ...changes, updated_at: sql<string>`now()` })
}

export async function countUsesOfRole(tx: Db, id: number): Promise<Use[]> {
  const count = await countReferences(tx, 'user_role', 'role_id', id)
  return [{ count, one: 'utilisateur', many: 'utilisateurs' }]
}
