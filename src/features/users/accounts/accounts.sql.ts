import { sql } from 'kysely'
import type { AccountRow, UserStatus } from '#features/users/accounts/accounts.contract.ts'
import { links } from '#server/db/links.ts'
import type { Db } from '#server/db/pool.ts'
import { hasWords, inFrench, isValue } from '#server/db/selection.ts'
import type { Use } from '#server/writes.ts'

/** Columns shown of an account, never its password. */
export const accountColumns = [
  'app_user.id',
  'app_user.name',
  'app_user.email',
  sql<UserStatus>`app_user.status`.as('status'),
  'app_user.location',
  'app_user.avatar_url as avatar',
  'app_user.avatar_url',
  'app_user.created_at',
  'app_user.updated_at',
  sql<string[]>`permissions_of(app_user.id)`.as('permissions'),
  sql<
    AccountRow['_count']
  >`json_build_object('payments', (select count(*) from payment where user_id = app_user.id))`.as('_count'),
] as const
export const accountSorts = {
  name: inFrench('app_user.name'),
  email: sql`lower(app_user.email)`,
  status: sql`app_user.status`,
  created_at: sql`app_user.created_at`,
}

/** The roles of an account. */
export const heldRoles = links({
  table: 'user_role',
  owner: 'app_user',
  ownerId: 'user_id',
  other: 'role',
  otherId: 'role_id',
})

/** Conditions of the filters of every list of accounts. */
export const accountConditions = {
  // Same expression as the search index.
  search: hasWords(
    sql`fold(app_user.name || ' ' || app_user.email || ' ' || coalesce(app_user.location, ''))`,
  ),
  status: isValue('app_user.status'),
}

/** Returns the fields of an account that a change depends on. */
export function findAccount(tx: Db, id: number) {
  return tx
    .selectFrom('app_user')
    .select(['id', 'name', 'email', 'status', 'avatar_url', heldRoles.ids.as('roleIds')])
    .where('id', '=', sql<number>`${id}::bigint`)
    .executeTakeFirst()
}

/** Returns the hash of a user's own picture. */
export function hashOfAvatar(user: { avatar_url: string | null } | undefined): string | null {
  return /([0-9a-f]{64})\.webp$/.exec(user?.avatar_url ?? '')?.[1] ?? null
}

type Written = {
  name?: string | undefined
  email?: string | undefined
  status?: UserStatus | undefined
  location?: string | null | undefined
  passwordHash?: string | undefined
}

export async function insertAccount(
  tx: Db,
  { passwordHash, ...columns }: Written & { name: string; email: string },
): Promise<number> {
  const { id } = await tx
    .insertInto('app_user')
    .values({ ...columns, password_hash: passwordHash ?? null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Updates the given fields. A new address is unconfirmed. */
export async function updateAccount(
  tx: Db,
  id: number,
  { passwordHash, ...changes }: Written,
): Promise<void> {
  // Billing details equal to the account's name or address change with it.
  for (const key of ['name', 'email'] as const) {
    if (changes[key] === undefined) continue
    const column = sql.ref(key)
    await sql`
      update billing_details b set ${column} = ${changes[key]}
        from app_user u where u.id = ${id} and b.user_id = u.id and lower(b.${column}) = lower(u.${column})`.execute(
      tx,
    )
  }
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

/** Counts the payments and the pro formas that prevent the deletion of an account. Prices do not: they stay, anonymous. */
export async function countUsesOfAccount(tx: Db, id: number): Promise<Use[]> {
  const { rows } = await sql<{ payments: number; orders: number }>`
    select (select count(*) from payment where user_id = ${id}) as payments,
           (select count(*) from transfer_order where user_id = ${id} and payment_id is null) as orders`.execute(
    tx,
  )
  return [
    { count: rows[0]?.payments ?? 0, one: 'paiement', many: 'paiements' },
    { count: rows[0]?.orders ?? 0, one: 'pro forma', many: 'pro formas' },
  ]
}
