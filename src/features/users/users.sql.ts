import { sql } from 'kysely'
import {
  accountColumns,
  accountConditions,
  accountSorts,
  heldRoles,
} from '#features/users/accounts/accounts.sql.ts'
import { type User, users } from '#features/users/users.contract.ts'
import type { Db } from '#server/db/pool.ts'
import { defineRows } from '#server/db/rows.ts'
import type { QueryOf } from '#shared/contract.ts'

const userRole = sql`json_build_object('role_id', role.id, 'role', json_build_object('id', role.id, 'name', role.name))`
const columns = [
  ...accountColumns,
  'app_user.auth_provider',
  'app_user.email_verified',
  heldRoles.list<User['user_roles']>(userRole, sql`role.id`).as('user_roles'),
  heldRoles.ids.as('roleIds'),
  sql<boolean>`exists (select from second_factor where user_id = app_user.id and confirmed_at is not null)`.as(
    'hasSecondFactor',
  ),
] as const

export const userRows = defineRows(users, {
  table: 'app_user',
  columns,
  sorts: accountSorts,
  defaultSort: '-created_at',
  from: (db: Db) => db.selectFrom('app_user'),
  filters: {
    ...accountConditions,
    roleId: (roleId) =>
      sql`exists (select from user_role where user_id = app_user.id and role_id = ${roleId}::bigint)`,
  },
})

export function countUsers(db: Db, query: QueryOf<typeof users.figures>) {
  const has = (...names: string[]) => sql<number>`(count(*) filter (where exists (
    select from user_role join role on role.id = role_id
     where user_id = app_user.id and fold(role.name) = any(${names}))))`
  return userRows
    .select(db, query)
    .select([
      sql<number>`count(*)`.as('users'),
      sql<number>`(count(*) filter (where app_user.status = 'ACTIVE'))`.as('active'),
      has('agent', 'agent recenseur').as('agents'),
      has('enterprise').as('enterprises'),
    ])
    .executeTakeFirstOrThrow()
}
