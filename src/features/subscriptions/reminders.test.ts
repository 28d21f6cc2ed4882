import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { remindDue } from '#features/subscriptions/subscriptions.jobs.ts'
import { dayMs, hourMs } from '#shared/days.ts'
import { insertSubscriptionRow } from '../../../tests/support/accounts.ts'
import { testDatabase } from '../../../tests/support/database.ts'
import { insertPlan } from '../../../tests/support/payments.ts'
import { insertAccount } from '../../../tests/support/server.ts'

const { db } = await testDatabase()
const plan = await insertPlan(db, { name: 'Particulier' })
const start = Date.UTC(2026, 0, 10, 12)

async function subscribe(from: number, to: number): Promise<{ id: number; email: string; userId: number }> {
  const userId = await insertAccount(db, { roles: ['user'] })
  return { userId, ...(await extend(userId, from, to)) }
}

async function extend(userId: number, from: number, to: number): Promise<{ id: number; email: string }> {
  const { email } = await db
    .selectFrom('app_user')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const id = await insertSubscriptionRow(db, {
    user_id: userId,
    plan_id: plan,
    status: 'ACTIVE',
    start_date: new Date(from),
    end_date: new Date(to),
  })
  return { id, email }
}

const sent = async (id: number) =>
  (
    await db
      .selectFrom('subscription_reminder')
      .select(['days', 'sent_at'])
      .where('subscription_id', '=', id)
      .orderBy('days', 'desc')
      .execute()
  ).map(({ days, sent_at }) => [days, sent_at.slice(0, 10)])

const mailsTo = async (email: string) =>
  (await db.selectFrom('outgoing_mail').select('content').where('recipient', '=', email).execute()).length

test('through a year, each subscription is reminded of 7, 3 and 0 days before its end, 1 and 3 after, once', async () => {
  const month = await subscribe(start, start + 30 * dayMs)
  const year = await subscribe(start, start + 365 * dayMs)
  const renewed = await subscribe(start, start + 20 * dayMs)
  const next = await extend(renewed.userId, start + 20 * dayMs, start + 50 * dayMs)
  for (let at = start; at < start + 370 * dayMs; at += 12 * hourMs) {
    await remindDue(db, new Date(at), 'https://ntalo.cd')
  }
  expect(await sent(month.id)).toEqual([
    [7, '2026-02-02'],
    [3, '2026-02-06'],
    [0, '2026-02-09'],
    [-1, '2026-02-10'],
    [-3, '2026-02-12'],
  ])
  expect(await mailsTo(month.email)).toBe(5)
  expect((await sent(year.id)).map(([days]) => days)).toEqual([7, 3, 0, -1, -3])
  // A prolonged subscription is not about to end.
  expect(await sent(renewed.id)).toEqual([])
  expect((await sent(next.id)).map(([days]) => days)).toEqual([7, 3, 0, -1, -3])
})

test('a subscription that is prolonged is reminded again before and after its new end', async () => {
  const { id, email } = await subscribe(start, start + 30 * dayMs)
  const through = async (from: number, to: number) => {
    for (let at = start + from * dayMs; at < start + to * dayMs; at += 12 * hourMs) {
      await remindDue(db, new Date(at), 'https://ntalo.cd')
    }
  }
  await through(0, 32)
  expect((await sent(id)).map(([days]) => days)).toEqual([7, 3, 0, -1])
  await db
    .updateTable('subscription')
    .set({ end_date: new Date(start + 60 * dayMs) })
    .where('id', '=', id)
    .execute()
  await through(32, 65)
  expect((await sent(id)).map(([, at]) => at)).toEqual([
    '2026-03-04',
    '2026-03-08',
    '2026-03-11',
    '2026-03-12',
    '2026-03-14',
  ])
  expect(await mailsTo(email)).toBe(9)
})

test('a plan with a long name is reminded too, under a shortened subject, as are the others', async () => {
  const named = await insertPlan(db, { name: 'Grande formule '.repeat(14).trim().slice(0, 200) })
  const [long, other] = [
    await subscribe(start, start + 30 * dayMs),
    await subscribe(start, start + 30 * dayMs),
  ]
  await db.updateTable('subscription').set({ plan_id: named }).where('id', '=', long.id).execute()
  await remindDue(db, new Date(start + 27 * dayMs), 'https://ntalo.cd')
  expect([await mailsTo(long.email), await mailsTo(other.email)]).toEqual([1, 1])
  const { content } = await db
    .selectFrom('outgoing_mail')
    .select('content')
    .where('recipient', '=', long.email)
    .executeTakeFirstOrThrow()
  expect([...Object(content).subject]).toHaveLength(200)
  expect(Object(content).subject).toMatch(/^Votre abonnement «\u202fGrande formule .*…$/)
})

test('who reads longer as a member of an organisation, or by a role, is not reminded', async () => {
  const owner = await subscribe(start, start + 90 * dayMs)
  const shared = await insertPlan(db, { name: 'Équipe' })
  await sql`update plan set seats = 5 where id = ${shared}`.execute(db)
  await db.updateTable('subscription').set({ plan_id: shared }).where('id', '=', owner.id).execute()
  const member = await subscribe(start, start + 30 * dayMs)
  await sql`
    insert into seat (owner_id, email, user_id, invited_at, expires_at, accepted_at)
    select ${owner.userId}, email, id, ${new Date(start)}, ${new Date(start + dayMs)}, ${new Date(start)}
      from app_user where id = ${member.userId}`.execute(db)
  const staff = { userId: await insertAccount(db, { roles: ['collector'] }) }
  const own = await extend(staff.userId, start, start + 30 * dayMs)
  const reminded = await subscribe(start, start + 30 * dayMs)
  await remindDue(db, new Date(start + 27 * dayMs), 'https://ntalo.cd')
  expect([await sent(member.id), await sent(own.id)]).toEqual([[], []])
  expect((await sent(reminded.id)).map(([days]) => days)).toEqual([3])
})

test('after an outage only the nearest reminder is sent', async () => {
  const { id } = await subscribe(start, start + 30 * dayMs)
  await remindDue(db, new Date(start + 28 * dayMs), 'https://ntalo.cd')
  expect((await sent(id)).map(([days]) => days)).toEqual([3])
})

test('hundreds that end on the same day are all reminded, at once', async () => {
  const { rows } = await sql<{ id: number }>`
    with accounts as (
      insert into app_user (name, email, status)
      select 'Abonné ' || n, 'abonne-' || n || '@exemple.cd', 'ACTIVE' from generate_series(1, 250) n returning id)
    insert into subscription (user_id, plan_id, status, start_date, end_date)
    select id, ${plan}, 'ACTIVE', ${new Date(start)}, ${new Date(start + 30 * dayMs)} from accounts returning id`.execute(
    db,
  )
  const countOf = async (days: number) =>
    (
      await db
        .selectFrom('subscription_reminder')
        .select('subscription_id')
        .where('days', '=', days)
        .where(
          'subscription_id',
          'in',
          rows.map(({ id }) => id),
        )
        .execute()
    ).length
  await remindDue(db, new Date(start + 23 * dayMs), 'https://ntalo.cd')
  expect([await countOf(7), await countOf(3)]).toEqual([250, 0])
  await remindDue(db, new Date(start + 27 * dayMs), 'https://ntalo.cd')
  expect([await countOf(7), await countOf(3)]).toEqual([250, 250])
})

test('one that ends as a day begins in Kinshasa is announced on the last day that it covers', async () => {
  const midnight = Date.UTC(2026, 1, 9, 23)
  const { id } = await subscribe(start, midnight)
  for (let at = start; at < midnight; at += 6 * hourMs) await remindDue(db, new Date(at), 'https://ntalo.cd')
  expect(await sent(id)).toEqual([
    [7, '2026-02-02'],
    [3, '2026-02-06'],
    [0, '2026-02-09'],
  ])
})

test('a user who will not renew, or has paid since, gets no reminder; a mail names the amount to pay next', async () => {
  const other = await insertPlan(db, { name: 'Entreprise', price: 20 })
  const [canceled, renewed, changing] = [
    await subscribe(start, start + 30 * dayMs),
    await subscribe(start, start + 30 * dayMs),
    await subscribe(start, start + 30 * dayMs),
  ]
  const change = (id: number, values: { canceled_at?: Date; next_plan_id?: number }) =>
    db.updateTable('subscription').set(values).where('id', '=', id).execute()
  await change(canceled.id, { canceled_at: new Date(start) })
  await change(changing.id, { next_plan_id: other })
  await extend(renewed.userId, start + 31 * dayMs, start + 61 * dayMs)
  for (const day of [29, 31, 33]) await remindDue(db, new Date(start + day * dayMs), 'https://ntalo.cd')
  expect([await sent(canceled.id), await sent(renewed.id)]).toEqual([[], []])
  expect((await sent(changing.id)).map(([days]) => days)).toEqual([3, -1, -3])
  const mails = await db
    .selectFrom('outgoing_mail')
    .select('content')
    .where('recipient', '=', changing.email)
    .execute()
  const links = mails.map(({ content }) => Object(content).action)
  const next = { label: 'Renouveler', url: `https://ntalo.cd/payments?planId=${other}&renouveler=1` }
  expect(links).toEqual([next, next, next])
})

test('processes that remind at the same moment send one reminder', async () => {
  const { email } = await subscribe(start, start + 30 * dayMs)
  const at = new Date(start + 27 * dayMs)
  await Promise.all(Array.from({ length: 5 }, () => remindDue(db, at, 'https://ntalo.cd')))
  expect(await mailsTo(email)).toBe(1)
})
