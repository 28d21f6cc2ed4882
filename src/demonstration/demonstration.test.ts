import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { isEmpty } from '#demonstration/accounts.sql.ts'
import { loadDemonstration } from '#demonstration/demonstration.ts'
import { accounts, demonstrationPassword } from '#demonstration/facts/people.ts'
import { dataAccess } from '#features/subscriptions/subscriptions.rules.ts'
import { getInstallation } from '#server/installation.sql.ts'
import { verifyPassword } from '#server/session/passwords.ts'
import { dayMs } from '#shared/days.ts'
import { testDatabase } from '../../tests/support/database.ts'

const now = new Date('2026-03-10T09:15:00Z')
const quiet = { info() {} }
const { db, pool } = await testDatabase()

async function numberOf(statement: string): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(`select (select ${statement}) as n`)
  return rows[0]?.n ?? Number.NaN
}

describe('a loaded database', () => {
  beforeAll(async () => {
    expect(await isEmpty(db)).toBe(true)
    await loadDemonstration(pool, { log: quiet, today: now, prices: 5_000 })
  })

  test('has every demonstration account, with its role, able to sign in', async () => {
    const { rows } = await pool.query<{ email: string; status: string; hash: string; roles: string[] }>(
      `select email, status, password_hash as hash, array_agg(role.name) as roles
         from app_user join user_role on user_id = app_user.id join role on role.id = role_id
        where password_hash is not null and email_verified
        group by app_user.id order by app_user.id`,
    )
    expect(rows.map(({ email, status, roles }) => [email, status, roles])).toEqual(
      accounts.map(({ email, role }) => [email, 'ACTIVE', [role]]),
    )
    for (const { hash } of rows) expect(await verifyPassword(hash, demonstrationPassword)).toBe(true)
    expect(new Set(rows.map(({ hash }) => hash)).size).toBe(accounts.length)
  })

  test.each([
    ['abonne@ntalo.cd', { access: true, ageDays: 60, signedIn: true, statuses: ['ACTIVE'], paid: 1 }],
    ['essai@ntalo.cd', { access: true, ageDays: 5, signedIn: true, statuses: ['TRIAL'], paid: 0 }],
    ['expire@ntalo.cd', { access: false, ageDays: 40, signedIn: true, statuses: [], paid: 0 }],
    ['nouveau@ntalo.cd', { access: true, ageDays: 0, signedIn: false, statuses: [], paid: 0 }],
  ])('%s has its expected name', async (email, expected) => {
    const user = await db
      .selectFrom('app_user')
      .selectAll()
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    const subscriptions = await db
      .selectFrom('subscription')
      .select(['id', 'status', 'start_date as startDate', 'end_date as endDate'])
      .where('user_id', '=', user.id)
      .execute()
    const paid = await db
      .selectFrom('payment')
      .innerJoin('subscription', 'subscription.id', 'payment.subscription_id')
      .where('subscription.user_id', '=', user.id)
      .where('payment.status', '=', 'PAID')
      .select('payment.id')
      .execute()
    expect({
      access: dataAccess(
        {
          accountCreatedAt: user.created_at,
          isEmailVerified: user.email_verified,
          trial: 'own',
          subscriptions,
        },
        now,
      ).hasAccess,
      ageDays: Math.floor((now.getTime() - Date.parse(user.created_at)) / dayMs),
      signedIn: user.first_signed_in_at !== null,
      statuses: subscriptions.map(({ status }) => status),
      paid: paid.length,
    }).toEqual(expected)
  })

  test('has four plans, in dollars', async () => {
    expect(await numberOf("count(*) from plan where is_active and currency = 'USD' and price > 0")).toBe(4)
  })

  test('has as many prices as requested, none later than now, each by a collector with an account', async () => {
    const count = await numberOf('count(*) from price')
    expect(count).toBeGreaterThanOrEqual(5_000)
    expect(count).toBeLessThan(5_050)
    const late = `count(*) from price where greatest(collected_at, created_at) > '${now.toISOString()}'`
    expect(await numberOf(late)).toBe(0)
    const onOtherDay = `count(*) from price join market on market.id = market_id
      where observed_on <> (collected_at at time zone time_zone)::date`
    expect(await numberOf(onOtherDay)).toBe(0)
    const bySomebody = `count(*) from price join app_user on app_user.id = written_by and app_user.name = collector_name`
    expect(await numberOf(bySomebody)).toBe(count)
  })

  test('has a rate for every day of collection', async () => {
    const without = 'count(*) from price where not exists (select from exchange_rate where day = observed_on)'
    expect(await numberOf(without)).toBe(0)
  })

  test.each([
    ['price_day', 'day, currency, lane', 'observed_on as day, currency, lane'],
    [
      'price_day_product',
      'product_id, day, currency, lane',
      'product_id, observed_on as day, currency, lane',
    ],
    ['price_day_market', 'market_id, day, currency, lane', 'market_id, observed_on as day, currency, lane'],
  ])('has a rollup %s that equals the prices', async (table, key, rawKey) => {
    const figures = 'count(*) n, sum(price_value) total, min(price_value) lowest, max(price_value) highest'
    const wrong = `count(*) from (
      (select ${key}, n, total, lowest, highest, sum_log from ${table} except
       select ${rawKey}, ${figures}, sum(log_value) from price group by ${key.replace('day', 'observed_on')})
      union all
      (select ${rawKey}, ${figures}, sum(log_value) from price group by ${key.replace('day', 'observed_on')} except
       select ${key}, n, total, lowest, highest, sum_log from ${table})) difference`
    expect(await numberOf(wrong)).toBe(0)
    expect(await numberOf(`sum(n) from ${table}`)).toBe(await numberOf('count(*) from price'))
  })

  test('has weekly cells that equal the prices, dollars converted', async () => {
    const raw = `select monday_of(observed_on) as week, product_id, market_id, currency, count(*) as n,
      sum(log_value + log_rate_on(observed_on, currency)) as sum_log_cdf from price group by 1, 2, 3, 4`
    const cells = 'select week, product_id, market_id, currency, n, sum_log_cdf from price_week_series'
    expect(
      await numberOf(`count(*) from ((${raw} except ${cells}) union all (${cells} except ${raw})) d`),
    ).toBe(0)
  })

  test('is marked as invented', async () => {
    expect(await getInstallation(db)).toEqual({ has_demonstration_data: true })
    expect(
      await numberOf(
        "count(*) from report where title = 'Bulletin mensuel des prix' and next_at is not null",
      ),
    ).toBe(1)
  })

  test('is not changed by a second load', async () => {
    const before = await numberOf('count(*) from price')
    await loadDemonstration(pool, { log: quiet, prices: 5_000 })
    expect(await numberOf('count(*) from price')).toBe(before)
    expect(await numberOf('count(*) from plan')).toBe(4)
  })

  test('keeps every index and foreign key of the prices', async () => {
    const fresh = await testDatabase()
    const described = sql<{ definition: string }>`
      select pg_get_indexdef(indexrelid) as definition from pg_index where indrelid = 'price'::regclass
      union all
      select conname || pg_get_constraintdef(oid) from pg_constraint where conrelid = 'price'::regclass order by 1`
    const [loaded, untouched] = [await described.execute(db), await described.execute(fresh.db)]
    expect(loaded.rows).toEqual(untouched.rows)
  })
})

describe('a load', () => {
  test('started by two processes at once happens once', async () => {
    const { pool } = await testDatabase()
    const options = { log: quiet, today: now, prices: 200 }
    await Promise.all([loadDemonstration(pool, options), loadDemonstration(pool, options)])
    const { rows } = await pool.query<{ plans: number }>('select count(*) as plans from plan')
    expect(rows[0]?.plans).toBe(4)
  })

  test('that is interrupted leaves the database empty, and can be repeated', async () => {
    const { db, pool } = await testDatabase()
    await pool.query('alter table price add constraint price_refused check (market_id is null)')
    await expect(loadDemonstration(pool, { log: quiet, today: now, prices: 200 })).rejects.toThrow(
      'price_refused',
    )
    expect(await isEmpty(db)).toBe(true)
    expect(await getInstallation(db)).toEqual({ has_demonstration_data: false })

    await pool.query('alter table price drop constraint price_refused')
    await loadDemonstration(pool, { log: quiet, today: now, prices: 200 })
    expect(await isEmpty(db)).toBe(false)
  })

  test('after an import adds accounts and plans, and no invented price', async () => {
    const { db, pool } = await testDatabase()
    await db.insertInto('market').values({ name: 'Zando', location: 'Kinshasa' }).execute()
    await loadDemonstration(pool, { log: quiet, today: now, prices: 200 })
    const users = await db.selectFrom('app_user').select('email').orderBy('id').execute()
    expect(users.map(({ email }) => email)).toEqual(accounts.map(({ email }) => email))
    expect(await db.selectFrom('price').select('id').execute()).toEqual([])
    expect(await db.selectFrom('market').select('name').execute()).toEqual([{ name: 'Zando' }])
    expect(await getInstallation(db)).toEqual({ has_demonstration_data: false })
  })
})
