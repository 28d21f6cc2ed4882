import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

type Lost = {
  /** Paths of the texts in `before` and `after` of an entry: `user.name` is the name inside user. */
  places?: readonly string[]
  /** Whether the address and the browser of the entry are erased as well. */
  isFrom?: boolean
}

/**
 * Erases texts from entries, and the salt of their links, since a digest would let them be guessed. The database
 * refuses any other change of an entry.
 * @param entries a condition on `audit_entry`
 * @returns how many entries were changed
 */
export async function eraseFromJournal(
  tx: Db,
  entries: RawBuilder<unknown>,
  { places = [], isFrom = false }: Lost,
): Promise<number> {
  await sql`select set_config('ntalo.erases', 'on', true)`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    with gone as (
      update audit_entry
         set before = erased(before, variadic ${places}::text[]), after = erased(after, variadic ${places}::text[]),
             erased_at = now() ${isFrom ? sql`, address = null, user_agent = null` : sql``}
       where ${entries}
      returning id),
    unchained as (
      update audit_link set salt = null from gone where entry_id = gone.id and salt is not null)
    select count(*)::int4 as count from gone`.execute(tx)
  await sql`select set_config('ntalo.erases', '', true)`.execute(tx)
  return rows[0]?.count ?? 0
}

const accounts = sql`entity in ('users', 'agents', 'user')`

/** A name of a user, and since when. */
export type Name = { name: string; since: string }

/** Returns all names that an account has had. */
export async function findNamesOf(tx: Db, userId: number): Promise<Name[]> {
  const { rows } = await sql<Name>`
    select name, max(since) as since from (
      select name, created_at as since from app_user where id = ${userId}
      union all
      select held ->> 'name', app_user.created_at
        from audit_entry cross join app_user cross join lateral (values (before), (after)) version (held)
       where ${accounts} and entity_id = ${userId} and app_user.id = ${userId}
      union all
      select after ->> 'name', at from audit_entry
       where ${accounts} and entity_id = ${userId} and before ->> 'name' <> after ->> 'name') called
     where name is not null group by name`.execute(tx)
  return rows
}

/** Erases the personal data of a user, and where they wrote from. Their actions stay, under the id of the account. */
export async function erasePersonFromJournal(tx: Db, userId: number): Promise<void> {
  await eraseFromJournal(
    tx,
    sql`${accounts} and entity_id = ${userId} and (before is not null or after is not null)`,
    { places: ['name', 'email', 'location', 'avatar', 'avatar_url'] },
  )
  await eraseFromJournal(
    tx,
    sql`entity in ('subscriptions', 'payments')
        and to_jsonb(${userId}::integer) in (before -> 'userId', after -> 'userId')`,
    { places: ['user.name', 'user.email', 'deposit.phone'] },
  )
  await eraseFromJournal(tx, sql`entity = 'billing' and entity_id = ${userId}`, {
    places: ['name', 'email', 'address', 'taxNumber'],
  })
  await eraseFromJournal(
    tx,
    sql`entity = 'transfers' and to_jsonb(${userId}::integer) in (before -> 'userId', after -> 'userId')`,
    { places: ['client'] },
  )
  await eraseFromJournal(
    tx,
    sql`entity = 'seats' and (select lower(email) from app_user where id = ${userId})
          in (lower(before ->> 'email'), lower(after ->> 'email'))`,
    { places: ['name', 'email'] },
  )
  await eraseFromJournal(tx, sql`entity = 'views' and user_id = ${userId}`, { places: ['name', 'search'] })
  // An entry of a registration or a failed sign-in has no user: its origin is found by the account it is about.
  await eraseFromJournal(
    tx,
    sql`(user_id = ${userId} or (user_id is null and entity in ('users', 'session') and entity_id = ${userId}))
        and (address is not null or user_agent is not null)`,
    { isFrom: true },
  )
}
