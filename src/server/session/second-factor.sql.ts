import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

export type SecondFactor = { secret: Buffer; is_on: boolean; last_step: number }

/** Finds the second factor of an account, confirmed or not. */
export async function findSecondFactor(db: Db, userId: number): Promise<SecondFactor | undefined> {
  const { rows } = await sql<SecondFactor>`
    select secret, confirmed_at is not null as is_on, last_step from second_factor where user_id = ${userId}`.execute(
    db,
  )
  return rows[0]
}

/** Starts a second factor, replacing an unconfirmed one. @returns false when a confirmed one exists */
export async function beginSecondFactor(tx: Db, userId: number, secret: Buffer): Promise<boolean> {
  const { rows } = await sql`
    insert into second_factor (user_id, secret) values (${userId}, ${secret})
    on conflict (user_id) do update set secret = excluded.secret, last_step = 0
     where second_factor.confirmed_at is null
    returning user_id`.execute(tx)
  return rows.length > 0
}

/** Marks the code of a step as used. @returns false when it, or a later one, was already used */
export async function takeStep(tx: Db, userId: number, step: number): Promise<boolean> {
  const { rows } = await sql`
    update second_factor set last_step = ${step} where user_id = ${userId} and last_step < ${step} returning user_id`.execute(
    tx,
  )
  return rows.length > 0
}

/** Confirms the second factor. */
export async function confirmSecondFactor(tx: Db, userId: number): Promise<void> {
  await sql`update second_factor set confirmed_at = now() where user_id = ${userId}`.execute(tx)
}

/** Replaces the recovery codes. */
export async function replaceRecoveryCodes(tx: Db, userId: number, hashes: readonly Buffer[]): Promise<void> {
  await sql`delete from recovery_code where user_id = ${userId}`.execute(tx)
  await sql`insert into recovery_code (user_id, hash) select ${userId}, unnest(${hashes}::bytea[])`.execute(
    tx,
  )
}

/** Uses up a recovery code. @returns false when there is no such code */
export async function takeRecoveryCode(tx: Db, userId: number, hash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    delete from recovery_code where user_id = ${userId} and hash = ${hash} returning user_id`.execute(tx)
  return rows.length > 0
}

export async function countRecoveryCodes(db: Db, userId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from recovery_code where user_id = ${userId}`.execute(db)
  return rows[0]?.count ?? 0
}

/** @returns false when there was no confirmed one */
export async function removeSecondFactor(tx: Db, userId: number): Promise<boolean> {
  const { rows } = await sql<{ is_on: boolean }>`
    delete from second_factor where user_id = ${userId} returning confirmed_at is not null as is_on`.execute(
    tx,
  )
  return rows[0]?.is_on ?? false
}
