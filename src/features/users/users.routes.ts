import {
  accountConstraints,
  changeAccount,
  openAccount,
  removeAccount,
} from '#features/users/accounts/accounts.routes.ts'
import { countUsesOfAccount } from '#features/users/accounts/accounts.sql.ts'
import { followed } from '#features/users/guards.routes.ts'
import { users } from '#features/users/users.contract.ts'
import { countUsers, userRows } from '#features/users/users.sql.ts'
import { crudRoutes } from '#server/crud-routes.ts'
import type { Db } from '#server/db/pool.ts'
import type { Exports } from '#server/exports.ts'
import type { Api } from '#server/http/endpoint.ts'
import type { Sessions } from '#server/session/sessions.ts'

export function userRoutes(api: Api, db: Db, exports: Exports, sessions: Sessions): void {
  crudRoutes(followed(api, sessions), db, exports, users, {
    ...userRows,
    count: countUsers,
    insert: (tx, { roleIds = [], ...account }, actor) => openAccount(tx, account, roleIds, actor),
    update: changeAccount,
    remove: removeAccount,
    uses: countUsesOfAccount,
    constraints: accountConstraints,
  })
}
