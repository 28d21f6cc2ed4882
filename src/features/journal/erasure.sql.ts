import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

type Lost = {
  /** Where texts are in what an entry was before and after: `user.name` is the name inside user. */
  places?: readonly string[]
  /** Where it was written from as well. */
  isFrom?: boolean
}

/**
 * Takes texts out of entries, and with them the salt of their links, or a digest would let them be guessed. Nothing else
 * changes an entry: the database refuses it.
 *
 * @param entries which, as a condition on `audit_entry`
 * @returns how many entries lost something
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

/** A name that somebody bore, and since when. */
export type Name = { name: string; since: string }

/** What an account was ever called. */
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

/** Takes out who somebody was, and where he wrote from. What he did stays, under the number of his account. */
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
  // Who registers or fails to sign in is nobody yet: where he was is noted about the account.
  await eraseFromJournal(
    tx,
    sql`(user_id = ${userId} or (user_id is null and entity in ('users', 'session') and entity_id = ${userId}))
        and (address is not null or user_agent is not null)`,
    { isFrom: true },
  )
}
