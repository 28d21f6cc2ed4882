import { sql } from 'kysely'
import type { Role, roles } from '#features/users/roles/roles.contract.ts'
import { setLinks } from '#server/db/links.ts'
import type { Db } from '#server/db/pool.ts'
import { contains, countOf, inFrench, offsetOf, orderOf } from '#server/db/selection.ts'
import type { Use } from '#server/writes.ts'
import type { QueryOf, SelectionOf } from '#shared/contract.ts'

const userCount = sql<number>`(select count(*) from user_role where role_id = role.id)`
const permissionCount = sql<number>`(select count(*) from role_permission where role_id = role.id)`
const permissions = sql<Role['permissions']>`coalesce((
  select json_agg(json_build_object('id', permission.id, 'name', permission.name) order by permission.name)
    from role_permission join permission on permission.id = permission_id where role_id = role.id), '[]')`
const permissionIds = sql<number[]>`array(
  select permission_id from role_permission where role_id = role.id order by permission_id)`
const columns = [
  'id',
  'name',
  'description',
  permissions.as('permissions'),
  permissionIds.as('permissionIds'),
  'is_seeded as isSeeded',
  sql<Role['_count']>`json_build_object('users', ${userCount})`.as('_count'),
  'created_at',
  'updated_at',
] as const
const sorts = {
  name: inFrench('name'),
  created_at: sql`created_at`,
  permissions: permissionCount,
  users: userCount,
}

export async function listRoles(db: Db, query: QueryOf<typeof roles.list>) {
  const page = selectAllRoles(db, query).limit(query.limit).offset(offsetOf(query))
  return { rows: await page.execute(), total: await countOf(select(db, query)) }
}

export function selectAllRoles(db: Db, query: SelectionOf<typeof roles.list>) {
  return select(db, query)
    .select(columns)
    .orderBy(orderOf(sorts, query.sort, 'id', 'name'))
}

export function findRole(db: Db, id: number) {
  return db.selectFrom('role').select(columns).where('id', '=', sql<number>`${id}::bigint`).executeTakeFirst()
}

type Columns = { name?: string; description?: string | null }

export async function insertRole(tx: Db, columns: Columns & { name: string }): Promise<number> {
  const { id } = await tx.insertInto('role').values(columns).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function updateRole(tx: Db, id: number, changes: Columns): Promise<void> {
  await tx
    .updateTable('role')
    .set({ ...changes, updated_at: sql<string>`now()` })
    .where('id', '=', id)
    .execute()
}

export async function deleteRole(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('role').where('id', '=', id).execute()
}

/** Gives a role exactly these permissions. */
export const setPermissions = (tx: Db, roleId: number, ids: readonly number[]): Promise<void> =>
  setLinks(tx, { table: 'role_permission', of: 'role_id', to: 'permission_id' }, roleId, ids)

export async function isRoleOf(tx: Db, roleId: number, userId: number): Promise<boolean> {
  const { rows } = await sql`select from user_role where role_id = ${roleId} and user_id = ${userId}`.execute(
    tx,
  )
  return rows.length > 0
}

export async function countUsesOfRole(tx: Db, id: number): Promise<Use[]> {
  const { count } = await tx
    .selectFrom('user_role')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('role_id', '=', id)
    .executeTakeFirstOrThrow()
  return [{ count, one: 'utilisateur', many: 'utilisateurs' }]
}

function select(db: Db, { search }: SelectionOf<typeof roles.list>) {
  const selection = db.selectFrom('role')
  return search ? selection.where(contains(sql`fold(name)`, search)) : selection
}
