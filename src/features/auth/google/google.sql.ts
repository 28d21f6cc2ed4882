import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

export type GoogleAccount = {
  id: number
  name: string
  email: string
  status: string
  email_verified: boolean
  google_sub: string | null
}

const columns = ['id', 'name', 'email', 'status', 'email_verified', 'google_sub'] as const

/** Returns the account linked to a Google account. */
export function findAccountOfGoogle(tx: Db, sub: string): Promise<GoogleAccount | undefined> {
  return tx.selectFrom('app_user').select(columns).where('google_sub', '=', sub).executeTakeFirst()
}

/** Returns the account of an address, locked until the transaction ends. */
export function lockAccountOfAddress(tx: Db, email: string): Promise<GoogleAccount | undefined> {
  return tx
    .selectFrom('app_user')
    .select(columns)
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .forUpdate()
    .executeTakeFirst()
}

/**
 * Links an account to Google, which confirms its address. If the address was not confirmed before, the password is
 * deleted: a stranger may have chosen it.
 */
export async function linkGoogle(tx: Db, userId: number, sub: string): Promise<void> {
  await sql`
    update app_user
       set google_sub = ${sub}, email_verified = true,
           password_hash = case when email_verified then password_hash end,
           auth_provider = case when email_verified and password_hash is not null then auth_provider else 'GOOGLE' end
     where id = ${userId}`.execute(tx)
}
