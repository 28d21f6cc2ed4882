import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Revenue } from '#features/revenue/revenue.contract.ts'
import { daysOfAge, daysWaited } from '#features/revenue/revenue.rules.ts'
import { insertPlan } from '../../../tests/support/payments.ts'
import { insertAccount, testServer } from '../../../tests/support/server.ts'

const now = new Date('2028-03-15T10:00:00Z')
const server = await testServer({ clock: () => now })
const { db } = server
const manager = await server.as('manager')
const monthly = await insertPlan(db, { name: 'Mensuel', price: 19.99 })
const yearly = await insertPlan(db, { name: 'Annuel', price: 100, billing_period: 'YEARLY' })

/** Inserts a paid period, with its payment invoiced on its first day. */
async function period(
  userId: number,
  planId: number,
  [from, to]: [string, string],
  { amount, currency = 'USD', refundedAt }: { amount: number; currency?: string; refundedAt?: string },
) {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: number }>`
      insert into payment (user_id, plan_id, amount, currency, status, payment_method, refund_reason)
      values (${userId}, ${planId}, ${amount}, ${currency}, ${refundedAt ? 'REFUNDED' : 'PAID'}, 'CASH', ${refundedAt ? 'Erreur' : null})
      returning id`.execute(tx)
    const id = rows[0]!.id
    await sql`
      insert into subscription (user_id, plan_id, payment_id, status, start_date, end_date)
      values (${userId}, ${planId}, ${id}, ${refundedAt ? 'CANCELED' : 'ACTIVE'}, ${from}::timestamptz, ${to}::timestamptz)`.execute(
      tx,
    )
    await sql`select issue_invoice('invoice', ${id}, ${from}::timestamptz)`.execute(tx)
    if (refundedAt)
      await sql`select issue_invoice('credit_note', ${id}, ${refundedAt}::timestamptz)`.execute(tx)
  })
}
const person = () => insertAccount(db, { roles: ['user'], ageDays: 400 })
const read = async (month: string) =>
  (await manager.get(`/api/payments/revenue?month=${month}`)).body as Revenue

describe('the revenue of a month', () => {
  test('counts by month of Kinshasa the money received and refunded, and the new, staying and lost subscribers', async () => {
    const [stays, leaves, refunded, comes] = [await person(), await person(), await person(), await person()]
    await period(stays, yearly, ['2028-01-10', '2029-01-10'], { amount: 100 })
    await period(leaves, monthly, ['2028-01-31', '2028-02-29'], { amount: 0.1 })
    await period(refunded, monthly, ['2028-02-20', '2028-03-20'], { amount: 0.2, refundedAt: '2028-02-25' })
    await sql`
      update subscription set canceled_at = '2028-02-10', cancel_reason = 'PRICE' where user_id = ${leaves}`.execute(
      db,
    )
    // Still February in UTC, and March in Kinshasa.
    await period(comes, monthly, ['2028-02-29T23:30:00Z', '2028-03-31'], { amount: 56_000, currency: 'CDF' })
    const tries = await person()
    await sql`
      insert into subscription (user_id, status, start_date, end_date)
      values (${comes}, 'TRIAL', '2028-02-01', '2028-02-15'), (${tries}, 'TRIAL', '2028-02-01', '2028-02-16')`.execute(
      db,
    )

    const february = await read('2028-02')
    expect(february.months.filter(({ month }) => month === '2028-02')).toEqual([
      {
        month: '2028-02',
        currency: 'USD',
        received: 0.2,
        receivedCount: 1,
        refunded: 0.2,
        refundedCount: 1,
      },
    ])
    expect(february.months.map(({ received }) => received)).toEqual([0.2, 100.1])
    expect(february).toMatchObject({
      active: 1,
      added: { count: 1, rows: [{ userId: refunded }] },
      running: [{ userId: stays, plan: 'Annuel', amount: 8.33, currency: 'USD' }],
      lost: {
        count: 2,
        reasons: [
          { why: 'canceled', count: 1 },
          { why: 'refunded', count: 1 },
        ],
        rows: [
          { userId: leaves, why: 'canceled', reason: 'C’est trop cher' },
          { userId: refunded, why: 'refunded', reason: 'Erreur' },
        ],
      },
      trials: {
        ended: 2,
        converted: 1,
        rows: [
          { userId: tries, plan: null, at: '2028-02-16T00:00:00.000Z' },
          { userId: comes, plan: expect.any(String), at: '2028-02-15T00:00:00.000Z' },
        ],
      },
      recurring: [{ currency: 'USD', count: 1, amount: 8.33 }],
      byMethod: [{ paymentMethod: 'CASH', currency: 'USD', count: 1, amount: 0.2 }],
    })

    const march = await read('2028-03')
    expect(march.until).toBe(now.toISOString())
    expect(march).toMatchObject({
      active: 2,
      added: { count: 1, rows: [{ userId: comes }] },
      lost: { count: 0 },
      recurring: [{ currency: 'USD', count: 2, amount: 28.32 }],
      byPlan: [{ plan: 'Mensuel', currency: 'CDF', count: 1, amount: 56_000 }],
    })
  })

  test('counts a period that the team ended early up to that moment only, and one that ended by itself to its end', async () => {
    const before = await read('2028-03')
    const [ended, over, canceled] = [await person(), await person(), await person()]
    await period(ended, monthly, ['2028-02-10', '2028-04-10'], { amount: 19.99 })
    await period(over, monthly, ['2028-02-05', '2028-03-05'], { amount: 19.99 })
    await period(canceled, monthly, ['2028-02-11', '2028-04-11'], { amount: 19.99 })
    expect((await read('2028-03')).active).toBe(before.active + 2)
    // A long time ago for the clock of this test, before the period began, would leave no period.
    await sql`alter table subscription disable trigger user`.execute(db)
    await sql`
      update subscription set status = case user_id when ${canceled} then 'CANCELED' else 'EXPIRED' end,
             updated_at = case user_id when ${over} then '2028-03-14'::timestamptz else '2028-03-09'::timestamptz end
       where user_id in (${ended}, ${over}, ${canceled})`.execute(db)
    await sql`alter table subscription enable trigger user`.execute(db)
    const march = await read('2028-03')
    expect([march.active, march.recurring]).toEqual([before.active, before.recurring])
    const lost = march.lost.rows.filter(({ userId }) => [ended, over, canceled].includes(userId))
    expect(lost.map(({ userId, at, why }) => [userId, at, why])).toEqual([
      [ended, '2028-03-09T00:00:00.000Z', 'not renewed'],
      // Canceled without a credit note.
      [canceled, '2028-03-09T00:00:00.000Z', 'canceled'],
      [over, '2028-03-05T00:00:00.000Z', 'not renewed'],
    ])
  })

  test('does not count a period that was given without a payment, and counts it once it is paid', async () => {
    const before = await read('2028-03')
    const [given, paid] = [await person(), await person()]
    const { rows } = await sql<{ id: number }>`
      insert into subscription (user_id, plan_id, status, start_date, end_date)
      values (${given}, ${monthly}, 'ACTIVE', '2028-03-02', '2048-03-02'), (${paid}, ${monthly}, 'ACTIVE', '2028-03-02', '2028-04-02')
      returning id`.execute(db)
    await sql`
      insert into payment (user_id, plan_id, subscription_id, amount, status, payment_method)
      values (${given}, ${monthly}, ${rows[0]!.id}, 19.99, 'FAILED', 'CASH'), (${paid}, ${monthly}, ${rows[1]!.id}, 19.99, 'PAID', 'CASH')`.execute(
      db,
    )
    const { active, added, running } = await read('2028-03')
    expect([active, added.count]).toEqual([before.active + 1, before.added.count + 1])
    expect(added.rows.map(({ userId }) => userId)).toContain(paid)
    expect(running.map(({ userId }) => userId)).not.toContain(given)
  })

  test('lists pending amounts by age, each with the days that select its payments, and is exported with the definition of each figure', async () => {
    const userId = await person()
    // The first was asked for in the last hour of the eighth day before in UTC, and on the seventh in Kinshasa.
    await sql`
      insert into payment (user_id, amount, created_at)
      values (${userId}, 4.4, '2028-03-07T23:30:00Z'), (${userId}, 1.1, '2028-03-15T09:00:00Z'), (${userId}, 2.2, '2028-03-12'),
             (${userId}, 1.1, '2028-01-01'), (${userId}, 3.3, '2028-03-07T22:30:00Z')`.execute(db)
    const { waiting } = await read('2028-03')
    expect(waiting.map(({ age, count, amount }) => [age, count, amount])).toEqual([
      ['older', 2, 4.4],
      ['week', 2, 6.6],
      ['day', 1, 1.1],
    ])
    const admin = await server.as('admin')
    for (const { age, amount } of waiting) {
      const days = new URLSearchParams({ ...daysOfAge(age, '2028-03-15'), status: 'PENDING', limit: '100' })
      const { payments } = (await admin.get(`/api/payments?${days}`)).body as {
        payments: { amount: number }[]
      }
      expect(payments.reduce((sum, each) => sum + each.amount, 0)).toBeCloseTo(amount)
    }
    expect(daysWaited(waiting[0]!.oldestAt, '2028-03-15')).toBe(74)
    const file = await manager.get('/api/payments/revenue/export?month=2028-03&fileFormat=csv')
    expect(file.status).toBe(200)
    expect(file.text).toContain('Abonnés;actifs;3;personnes;')
    expect((await manager.get('/api/payments/revenue?month=2028-13')).status).toBe(400)
  })
})
