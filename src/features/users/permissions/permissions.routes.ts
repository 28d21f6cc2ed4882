import { followed, refuseSeeded } from '#features/users/guards.routes.ts'
import { permissionRows } from '#features/users/permissions/permissions.contract.ts'
import {
  countUsesOfPermission,
  insertPermission,
  namedPermissions,
  updatePermission,
} from '#features/users/permissions/permissions.sql.ts'
import { crudRoutes } from '#server/crud-routes.ts'
import { deleteRow } from '#server/db/delete-row.ts'
import type { Db } from '#server/db/pool.ts'
import type { Exports } from '#server/exports.ts'
import type { Api } from '#server/http/endpoint.ts'
import type { Sessions } from '#server/session/sessions.ts'

export function permissionRoutes(api: Api, db: Db, exports: Exports, sessions: Sessions): void {
  crudRoutes(followed(api, sessions), db, exports, permissionRows, {
    ...namedPermissions,
    insert: insertPermission,
    async update(tx, id, changes) {
      refuseSeeded(await namedPermissions.find(tx, id), changes.name)
      await updatePermission(tx, id, changes)
    },
    async remove(tx, id) {
      refuseSeeded(await namedPermissions.find(tx, id), null)
      await deleteRow(tx, 'permission', id)
    },
    uses: countUsesOfPermission,
    constraints: { permission_name_key: { field: 'name', message: 'Une permission porte déjà ce nom.' } },
  })
}
