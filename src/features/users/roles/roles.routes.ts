import {
  followed,
  keepSuperAdmin,
  refuseBeyond,
  refuseSeeded,
  refuseToGrant,
} from '#features/users/guards.routes.ts'
import { roles } from '#features/users/roles/roles.contract.ts'
import {
  countUsesOfRole,
  deleteRole,
  findRole,
  insertRole,
  isRoleOf,
  listRoles,
  selectAllRoles,
  setPermissions,
  updateRole,
} from '#features/users/roles/roles.sql.ts'
import { crudRoutes } from '#server/crud-routes.ts'
import type { Db } from '#server/db/pool.ts'
import { AppError } from '#server/errors.ts'
import type { Exports } from '#server/exports.ts'
import type { Actor } from '#server/http/actor.ts'
import type { Api } from '#server/http/endpoint.ts'
import type { Sessions } from '#server/session/sessions.ts'

export function roleRoutes(api: Api, db: Db, exports: Exports, sessions: Sessions): void {
  crudRoutes(followed(api, sessions), db, exports, roles, {
    table: 'role',
    list: listRoles,
    selectAll: selectAllRoles,
    find: findRole,
    async insert(tx, { permissionIds = [], ...columns }, actor) {
      const id = await insertRole(tx, columns)
      await setPermissions(tx, id, permissionIds)
      refuseToGrant(actor, await permissionsOfRole(tx, id))
      return id
    },
    async update(tx, id, { permissionIds, ...columns }, actor) {
      refuseSeeded(await findRole(tx, id), columns.name)
      const could = await refuseToTouchRole(tx, actor, id)
      await updateRole(tx, id, columns)
      if (permissionIds) await setPermissions(tx, id, permissionIds)
      refuseToGrant(actor, await permissionsOfRole(tx, id))
      await keepSuperAdmin(tx, could)
    },
    async remove(tx, id, actor) {
      refuseSeeded(await findRole(tx, id), null)
      await refuseToTouchRole(tx, actor, id)
      await deleteRole(tx, id)
    },
    uses: countUsesOfRole,
    constraints: {
      role_name_key: { field: 'name', message: 'Un rôle porte déjà ce nom.' },
      role_permission_permission_fkey: { field: 'permissionIds', message: 'Cette permission n’existe pas.' },
    },
  })
}

/**
 * @returns what the role permits
 * @throws AppError 403 for a role that one has, or that permits what one may not do
 */
async function refuseToTouchRole(tx: Db, actor: Actor, id: number): Promise<string[]> {
  if (await isRoleOf(tx, id, actor.userId)) {
    throw new AppError('forbidden', 'Vous ne pouvez pas modifier un rôle que vous avez vous-même.')
  }
  const could = await permissionsOfRole(tx, id)
  refuseBeyond(actor, could, 'Ce rôle donne des droits que vous n’avez pas.')
  return could
}

async function permissionsOfRole(tx: Db, id: number): Promise<string[]> {
  return (await findRole(tx, id))?.permissions.map(({ name }) => name) ?? []
}
