import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

/** Returns the permissions of a user. */
export async function findPermissions(tx: Db, userId: number): Promise<string[]> {
  const { rows } = await sql<{ names: string[] }>`select permissions_of(${userId}) as names`.execute(tx)
  return rows[0]?.names ?? []
}

/** Returns the permissions of several roles together. */
export async function findPermissionsOfRoles(tx: Db, roleIds: readonly number[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct name from permission join role_permission on permission_id = permission.id
     where role_id = any(${roleIds}::integer[]) order by name`.execute(tx)
  return rows.map(({ name }) => name)
}

export async function isRoleOf(tx: Db, roleId: number, userId: number): Promise<boolean> {
  const { rows } = await sql`select from user_role where role_id = ${roleId} and user_id = ${userId}`.execute(
    tx,
  )
  return rows.length > 0
}

/**
 * Returns whether an account that can sign in has a permission through a role. Locks until the transaction ends: when
 * two transactions each remove it from one of its last two holders, the second sees the result of the first.
 */
export async function isHeldBySomebody(tx: Db, permission: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtext('holders of permissions'))`.execute(tx)
  const { rows } = await sql`
    select from app_user
      join user_role on user_id = app_user.id
      join role_permission using (role_id)
      join permission on permission.id = permission_id
     where app_user.status = 'ACTIVE' and permission.name = ${permission} limit 1`.execute(tx)
  return rows.length > 0
}
