import { sql } from 'kysely'
import { demonstrationPlans } from '#demonstration/facts/plans.ts'
import { idOf } from '#demonstration/ids.ts'
import type { SubscriptionFacts } from '#demonstration/subscribers.ts'
import type { Db } from '#server/db/pool.ts'

// Key of the advisory lock; any number that no other advisory lock of the database uses.
const loadLock = 20_260_103

/** Waits until another process that loads the same empty database has finished; the lock is held until `tx` ends. */
export async function waitForOtherLoads(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${loadLock})`.execute(tx)
}

/** Whether the database has no account: it is new, or has only received an import. */
export async function isEmpty(db: Db): Promise<boolean> {
  return (await db.selectFrom('app_user').select('id').limit(1).executeTakeFirst()) === undefined
}

/** Returns the password hashes of the accounts with these e-mail addresses; null for an account without a password. */
export async function findPasswords(db: Db, emails: readonly string[]): Promise<(string | null)[]> {
  const rows = await db.selectFrom('app_user').select('password_hash').where('email', 'in', emails).execute()
  return rows.map(({ password_hash }) => password_hash)
}

export type DemonstrationUser = {
  email: string
  name: string
  role: string
  location: string
  passwordHash: string | null
  createdAt: Date
  firstSignedInAt: Date | null
  updatedAt: Date
}

/** Inserts the users and returns their ids by e-mail address. */
export async function insertUsers(tx: Db, users: readonly DemonstrationUser[]): Promise<Map<string, number>> {
  const inserted = await tx
    .insertInto('app_user')
    .values(
      users.map((user) => ({
        name: user.name,
        email: user.email,
        password_hash: user.passwordHash,
        location: user.location,
        email_verified: true,
        first_signed_in_at: user.firstSignedInAt,
        created_at: user.createdAt,
        updated_at: user.updatedAt,
      })),
    )
    .returning(['id', 'email'])
    .execute()
  const ids = new Map(inserted.map(({ id, email }) => [email, id]))
  const roles = await tx.selectFrom('role').select(['id', 'name']).execute()
  const roleIds = new Map(roles.map(({ id, name }) => [name, id]))
  await tx
    .insertInto('user_role')
    .values(users.map(({ email, role }) => ({ user_id: idOf(ids, email), role_id: idOf(roleIds, role) })))
    .execute()
  return ids
}

/** Inserts the paid plans and returns their ids by name. */
export async function insertPaidPlans(tx: Db, createdAt: Date): Promise<Map<string, number>> {
  const inserted = await tx
    .insertInto('plan')
    .values(
      demonstrationPlans.map(({ name, description, priceUsd, billingPeriod, features, ...plan }) => ({
        name,
        description,
        price: priceUsd,
        billing_period: billingPeriod,
        features: [...features],
        seats: 'seats' in plan ? plan.seats : 1,
        created_at: createdAt,
        updated_at: createdAt,
      })),
    )
    .returning(['id', 'name'])
    .execute()
  return new Map(inserted.map(({ id, name }) => [name, id]))
}

/** Inserts the subscriptions of a user with their payments. */
export async function insertHistory(
  tx: Db,
  userId: number,
  planIds: Map<string, number>,
  { plan, status, startDate, endDate, payments }: SubscriptionFacts,
): Promise<void> {
  const { id } = await tx
    .insertInto('subscription')
    .values({
      user_id: userId,
      plan_id: plan === null ? null : idOf(planIds, plan),
      status,
      start_date: startDate,
      end_date: endDate,
      created_at: startDate,
      updated_at: startDate,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (payments.length === 0) return
  await tx
    .insertInto('payment')
    .values(
      payments.map((payment) => ({
        subscription_id: id,
        user_id: userId,
        plan_id: plan === null ? null : idOf(planIds, plan),
        amount: payment.amount,
        currency: payment.currency,
        status: payment.status,
        payment_method: payment.method,
        transaction_ref: payment.transactionRef,
        authorization_code: payment.authorizationCode,
        created_at: payment.createdAt,
        updated_at: payment.createdAt,
      })),
    )
    .execute()
}
