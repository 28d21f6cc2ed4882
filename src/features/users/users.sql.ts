import { type Expression, type SelectQueryBuilder, sql } from 'kysely'
import type { User, UserStatus, userFigures, users } from '#features/users/users.contract.ts'
import { setLinks } from '#server/db/links.ts'
import type { Db } from '#server/db/pool.ts'
import { contains, countOf, inFrench, offsetOf, orderOf } from '#server/db/selection.ts'
import type { Tables } from '#server/db/tables.ts'
import type { Use } from '#server/writes.ts'
import type { QueryOf, SelectionOf } from '#shared/contract.ts'

const userRoles = sql<User['user_roles']>`coalesce((
  select json_agg(json_build_object('role_id', role.id, 'role', json_build_object('id', role.id, 'name', role.name)) order by role.id)
    from user_role join role on role.id = user_role.role_id where user_role.user_id = app_user.id), '[]')`
const roleIds = sql<
  number[]
>`array(select role_id from user_role where user_id = app_user.id order by role_id)`

/** What is shown of an account, never its password. */
export const accountColumns = [
  'app_user.id',
  'app_user.name',
  'app_user.email',
  sql<UserStatus>`app_user.status`.as('status'),
  'app_user.location',
  'app_user.avatar_url as avatar',
  'app_user.avatar_url',
  'app_user.auth_provider',
  'app_user.email_verified',
  'app_user.created_at',
  'app_user.updated_at',
  sql<string[]>`permissions_of(app_user.id)`.as('permissions'),
  sql<
    User['_count']
  >`json_build_object('payments', (select count(*) from payment where user_id = app_user.id))`.as('_count'),
] as const
const hasSecondFactor = sql<boolean>`exists (
  select from second_factor where user_id = app_user.id and confirmed_at is not null)`
const columns = [
  ...accountColumns,
  userRoles.as('user_roles'),
  roleIds.as('roleIds'),
  hasSecondFactor.as('hasSecondFactor'),
] as const
export const accountSorts = {
  name: inFrench('app_user.name'),
  email: sql`lower(app_user.email)`,
  status: sql`app_user.status`,
  created_at: sql`app_user.created_at`,
}

export async function listUsers(db: Db, query: QueryOf<typeof users.list>) {
  const page = selectAllUsers(db, query).limit(query.limit).offset(offsetOf(query))
  return { rows: await page.execute(), total: await countOf(selectAccounts(db, query)) }
}

export function selectAllUsers(db: Db, query: SelectionOf<typeof users.list>) {
  return selectAccounts(db, query)
    .select(columns)
    .orderBy(orderOf(accountSorts, query.sort, 'app_user.id', '-created_at'))
}

export function countUsers(db: Db, query: QueryOf<typeof userFigures>) {
  const has = (...names: string[]) => sql<number>`(count(*) filter (where exists (
    select from user_role join role on role.id = role_id
     where user_id = app_user.id and fold(role.name) = any(${names}))))`
  return selectAccounts(db, query)
    .select([
      sql<number>`count(*)`.as('users'),
      sql<number>`(count(*) filter (where app_user.status = 'ACTIVE'))`.as('active'),
      has('agent', 'agent recenseur').as('agents'),
      has('enterprise').as('enterprises'),
    ])
    .executeTakeFirstOrThrow()
}

export function findUser(db: Db, id: number) {
  return db
    .selectFrom('app_user')
    .select(columns)
    .where('id', '=', sql<number>`${id}::bigint`)
    .executeTakeFirst()
}

/** The picture that somebody chose of himself. */
export function hashOfAvatar(user: Pick<User, 'avatar_url'> | undefined): string | null {
  return /([0-9a-f]{64})\.webp$/.exec(user?.avatar_url ?? '')?.[1] ?? null
}

type Written = {
  name?: string | undefined
  email?: string | undefined
  status?: UserStatus | undefined
  location?: string | null | undefined
  passwordHash?: string | undefined
}

export async function insertUser(tx: Db, user: Written & { name: string; email: string }): Promise<number> {
  const { passwordHash, ...columns } = user
  const { id } = await tx
    .insertInto('app_user')
    .values({ ...columns, password_hash: passwordHash ?? null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Changes what is given. Another address has yet to be confirmed. */
export async function updateUser(tx: Db, id: number, { passwordHash, ...changes }: Written): Promise<void> {
  await tx
    .updateTable('app_user')
    .set({
      ...changes,
      ...(passwordHash !== undefined && { password_hash: passwordHash }),
      ...(changes.email !== undefined && {
        email_verified: sql<boolean>`email_verified and lower(email) = lower(${changes.email})`,
      }),
      updated_at: sql<string>`now()`,
    })
    .where('id', '=', id)
    .execute()
}

export async function deleteUser(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('app_user').where('id', '=', id).execute()
}

/** What nobody may lose the owner of. His prices stay, without him. */
export async function countUsesOfUser(tx: Db, id: number): Promise<Use[]> {
  const { count } = await tx
    .selectFrom('payment')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  return [{ count, one: 'paiement', many: 'paiements' }]
}

/** Gives a user exactly these roles. */
export const setRoles = (tx: Db, userId: number, ids: readonly number[]): Promise<void> =>
  setLinks(tx, { table: 'user_role', of: 'user_id', to: 'role_id' }, userId, ids)

type Accounts = SelectQueryBuilder<Tables, 'app_user', object>

/** The accounts that search and filters leave. */
export function selectAccounts(db: Db, { search, status, roleId }: QueryOf<typeof userFigures>): Accounts {
  let selection: Accounts = db.selectFrom('app_user')
  if (search) selection = selection.where(contains(searched, search))
  if (status) selection = selection.where('app_user.status', '=', status)
  if (roleId) selection = selection.where(hasRole(roleId))
  return selection
}

/** The expression that the index of searches is made on. */
const searched = sql<string>`fold(app_user.name || ' ' || app_user.email || ' ' || coalesce(app_user.location, ''))`

function hasRole(roleId: number): Expression<boolean> {
  return sql<boolean>`exists (select from user_role where user_id = app_user.id and role_id = ${roleId}::bigint)`
}
