import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { dayMs } from '#shared/days.ts'
import { insertSubscriptionRow } from '../../../tests/support/accounts.ts'
import { insertAccount, testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const reader = await server.as('manager')
const dayAt = (n: number) => new Date(Date.parse('2026-01-01') + n * dayMs).toISOString().slice(0, 10)

async function ask(query: Record<string, string>) {
  const answer = await reader.get(`/api/statistics/subscriptions/growth?${new URLSearchParams(query)}`)
  expect(answer.status, answer.text).toBe(200)
  return Object(answer.body)
}

test('subscriptions are counted by the day they were created on in Kinshasa, and days without any have none', async () => {
  const user_id = await insertAccount(db, { roles: ['user'] })
  for (const at of ['2026-03-01T22:59Z', '2026-03-01T23:30Z', '2026-03-04T10:00Z', '2026-04-02T10:00Z']) {
    await insertSubscriptionRow(db, { user_id, start_date: at, end_date: '2027-01-01', created_at: at })
  }
  const daily = await ask({
    period: 'day',
    startDate: '2026-03-01',
    endDate: '2026-03-04',
  })
  expect(daily).toEqual({
    data: [
      { date: '2026-03-01', count: 1, total: 1 },
      { date: '2026-03-02', count: 1, total: 2 },
      { date: '2026-03-03', count: 0, total: 2 },
      { date: '2026-03-04', count: 1, total: 3 },
    ],
  })
  const monthly = await ask({ startDate: '2026-03-02', endDate: '2026-04-30' })
  expect(monthly).toEqual({
    data: [
      { date: '2026-03-01', count: 2, total: 3 },
      { date: '2026-04-01', count: 1, total: 4 },
    ],
  })
  const weekly = await ask({
    period: 'week',
    startDate: '2026-03-01',
    endDate: '2026-03-08',
  })
  expect(weekly).toMatchObject({
    data: [
      { date: '2026-02-23', count: 1 },
      { date: '2026-03-02', count: 2 },
    ],
  })
  expect((await ask({ period: 'year' })).data).toHaveLength(5)
  const long = Object(await ask({ period: 'day', startDate: '1900-01-01', endDate: '2199-12-31' }))
  expect(long.data).toHaveLength(400)
})

test('the growth of subscriptions equals their rows, whatever the step and the days', async () => {
  await sql`delete from subscription`.execute(db)
  const user_id = await insertAccount(db, { roles: ['user'] })
  const instants = fc.sample(
    fc.integer({ min: Date.parse('2025-11-20'), max: Date.parse('2026-03-10') }).map((ms) => new Date(ms)),
    { numRuns: 60, seed: 5 },
  )
  for (const created_at of instants)
    await insertSubscriptionRow(db, { user_id, start_date: created_at, end_date: '2027-01-01', created_at })
  const asked = fc.sample(
    fc.record({
      period: fc.constantFrom('day', 'week', 'month', 'year'),
      startDate: fc.integer({ min: -30, max: 30 }).map(dayAt),
      endDate: fc.integer({ min: 30, max: 70 }).map(dayAt),
    }),
    { numRuns: 25, seed: 6 },
  )
  for (const { period, startDate, endDate } of asked) {
    const { rows } = await sql<{ date: string; count: number; total: number }>`
      select step::date::text as date,
             (select count(*)::int from subscription s, lateral (select (s.created_at at time zone 'Africa/Kinshasa')::date) l (day)
               where l.day >= ${startDate} and l.day <= ${endDate} and date_trunc(${period}, l.day) = step) as count,
             (select count(*)::int from subscription s, lateral (select (s.created_at at time zone 'Africa/Kinshasa')::date) l (day)
               where l.day <= ${endDate} and date_trunc(${period}, l.day) <= step) as total
        from generate_series(date_trunc(${period}, ${startDate}::date), ${endDate}::date, ${`1 ${period}`}::interval) step
       order by 1`.execute(db)
    const { data } = await ask({ period, startDate, endDate })
    expect(data, JSON.stringify({ period, startDate, endDate })).toEqual(rows)
  }
})
