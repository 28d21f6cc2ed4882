import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { warnCallers } from '#features/subscriptions/quota-warnings/quota-warnings.jobs.ts'
import { insertAccount, testServer } from '../../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const at = new Date()

/** Returns a subscriber in the trial, whose keys may call 1 000 times a month. */
async function caller() {
  const id = await insertAccount(db, { roles: ['user'], ageDays: 1 })
  const { rows } = await sql<{ id: number }>`
    insert into api_key (user_id, name, hash, prefix, scopes, version)
    values (${id}, 'Tableur', decode(md5(${String(id)}), 'hex'), 'ntalo', '{prices.read}', '2026-11-26') returning id`.execute(
    db,
  )
  const called = (calls: number) =>
    sql`
    insert into api_call as sum (key_id, day, calls)
    values (${rows[0]?.id}, (${at}::timestamptz at time zone 'Africa/Kinshasa')::date, ${calls})
    on conflict (key_id, day) do update set calls = ${calls}`.execute(db)
  const subjects = async () => {
    const { rows: mails } = await sql<{ subject: string }>`
      select content ->> 'subject' as subject from outgoing_mail
       where recipient = (select email from app_user where id = ${id}) order by id`.execute(db)
    return mails.map(({ subject }) => subject)
  }
  return { id, called, subjects }
}
const warn = (now = at) => warnCallers({ db, clock: () => now, publicUrl: 'https://ntalo.example' })

test('an owner of keys is notified once of 80 % and once of 100 % of the month’s calls', async () => {
  const { called, subjects } = await caller()
  await called(799)
  await warn()
  expect(await subjects()).toEqual([])
  await called(800)
  await warn()
  await warn()
  expect(await subjects()).toEqual(['Vos clés ont fait 80\u00a0% de leurs appels du mois'])
  await called(1000)
  await Promise.all([warn(), warn()])
  expect(await subjects()).toHaveLength(2)
  await warn(new Date(at.getTime() + 32 * 86_400_000))
  expect(await subjects()).toHaveLength(2)
})

test('an owner who uses all calls at once gets only the second notice, and a suspended owner none', async () => {
  const [one, other] = [await caller(), await caller()]
  await one.called(2000)
  await other.called(2000)
  await sql`update app_user set status = 'SUSPENDED' where id = ${other.id}`.execute(db)
  await warn()
  expect(await one.subjects()).toEqual(['Les appels du mois de vos clés sont épuisés'])
  expect(await other.subjects()).toEqual([])
})
