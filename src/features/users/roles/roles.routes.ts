import {
  followed,
  keepSuperAdmin,
  refuseSeeded,
  refuseToGrant,
  refuseToTouchRole,
} from '#features/users/guards.routes.ts'
import { findPermissionsOfRoles } from '#features/users/rights.sql.ts'
import { roles } from '#features/users/roles/roles.contract.ts'
import {
  countUsesOfRole,
  givenPermissions,
  insertRole,
  roleRows,
  updateRole,
} from '#features/users/roles/roles.sql.ts'
import { crudRoutes } from '#server/crud-routes.ts'
import { deleteRow } from '#server/db/delete-row.ts'
import type { Db } from '#server/db/pool.ts'
import type { Exports } from '#server/exports.ts'
import type { Api } from '#server/http/endpoint.ts'
import type { Sessions } from '#server/session/sessions.ts'

export function roleRoutes(api: Api, db: Db, exports: Exports, sessions: Sessions): void {
  crudRoutes(followed(api, sessions), db, exports, roles, {
    ...roleRows,
    async insert(tx, { permissionIds = [], ...columns }, actor) {
      const id = await insertRole(tx, columns)
      await givenPermissions.set(tx, id, permissionIds)
      refuseToGrant(actor, await findPermissionsOfRoles(tx, [id]))
      return id
    },
    async update(tx, id, { permissionIds, ...columns }, actor) {
      refuseSeeded(await roleRows.find(tx, id), columns.name)
      const could = await refuseToTouchRole(tx, actor, id)
      await updateRole(tx, id, columns)
      if (permissionIds) await givenPermissions.set(tx, id, permissionIds)
      refuseToGrant(actor, await findPermissionsOfRoles(tx, [id]))
      await keepSuperAdmin(tx, could)
    },
    async remove(tx, id, actor) {
      refuseSeeded(await roleRows.find(tx, id), null)
      await refuseToTouchRole(tx, actor, id)
      await deleteRow(tx, 'role', id)
    },
    uses: countUsesOfRole,
    constraints: {
      role_name_key: { field: 'name', message: 'Un rôle porte déjà ce nom.' },
      role_permission_permission_fkey: { field: 'permissionIds', message: 'Cette permission n’existe pas.' },
    },
  })
}
