import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { checkChain } from '#features/journal/chain.sql.ts'
import { linkJournal, verifyJournal } from '#features/journal/journal.jobs.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { hashPassword } from '#server/session/passwords.ts'
import { insertAccount, testDefaults, testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const admin = await server.as('admin')

const write = (tx: Db, name: string) =>
  insertAudit(tx, { actor: null, requestId: null }, { action: 'create', entity: 'brands', after: { name } })

async function lastCheck() {
  await verifyJournal(db, testDefaults.log)
  const { body } = await admin.get('/api/journal/check')
  return (
    body as { last: { fault: string | null; links: number; erased: number; head: string; entryId: number } }
  ).last
}

/** Makes a change as an attacker with the database itself would, with the triggers off; rolls it back afterwards. */
async function tampered(change: (tx: Db) => Promise<unknown>) {
  await sql`alter table audit_entry disable trigger user`.execute(db)
  await sql`alter table audit_link disable trigger user`.execute(db)
  await sql`create table kept_entry as table audit_entry`.execute(db)
  await sql`create table kept_link as table audit_link`.execute(db)
  await change(db)
  const found = await lastCheck()
  await sql`truncate audit_link, audit_entry, audit_check`.execute(db)
  await sql`insert into audit_entry overriding system value table kept_entry`.execute(db)
  await sql`insert into audit_link table kept_link`.execute(db)
  await sql`drop table kept_entry, kept_link`.execute(db)
  await sql`alter table audit_entry enable trigger user`.execute(db)
  await sql`alter table audit_link enable trigger user`.execute(db)
  return found
}

beforeEach(async () => {
  for (const name of ['Simba', 'Tembo', 'Primus']) await write(db, name)
  await linkJournal(db)
})

describe('the chain of the journal', () => {
  test('contains every entry once, also those whose transaction ended after that of a later one', async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const { promise: begun, resolve: isBegun } = Promise.withResolvers<void>()
    const slow = db.transaction().execute(async (tx) => {
      await write(tx, 'Lente')
      isBegun()
      await mayEnd
    })
    await begun
    await write(db, 'Rapide')
    await linkJournal(db)
    end()
    await slow
    await Promise.all([linkJournal(db), linkJournal(db)])
    const check = await lastCheck()
    const { entries } = await db
      .selectFrom('audit_entry')
      .select((e) => e.fn.countAll<number>().as('entries'))
      .executeTakeFirstOrThrow()
    expect(check).toMatchObject({
      fault: null,
      links: Number(entries),
      head: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  const middle = sql`(select entry_id from audit_link order by position offset 1 limit 1)`
  test.each([
    ['altered', sql`update audit_entry set after = '{"name": "Autre"}' where id = ${middle}`],
    ['altered', sql`update audit_entry set user_id = 1 where id = ${middle}`],
    ['altered', sql`update audit_link set salt = null where entry_id = ${middle}`],
    ['missing', sql`delete from audit_entry where id = ${middle}`],
    ['cut', sql`delete from audit_link where position = 2`],
    ['cut', sql`delete from audit_link where position > 1`],
  ])('detects that an entry is %s', async (fault, change) => {
    expect(await lastCheck()).toMatchObject({ fault: null })
    expect(await tampered((tx) => change.execute(tx))).toMatchObject({ fault })
    expect(await lastCheck()).toMatchObject({ fault: null })
  })

  test('detects an entry without a link for an hour', async () => {
    await sql`insert into audit_entry (at, action, entity) values (now() - interval '2 hours', 'create', 'brands')`.execute(
      db,
    )
    expect(await checkChain(db)).toMatchObject({ fault: 'unlinked' })
    await linkJournal(db)
    expect(await checkChain(db)).toMatchObject({ fault: null })
  })

  test('is still valid when an account is closed, and counts the entries that no longer name their author', async () => {
    const password = 'un mot de passe assez long'
    const name = 'Espérance Kasongo'
    const id = await insertAccount(db, { roles: ['user'], name, passwordHash: await hashPassword(password) })
    const me = await server.clientOf(id)
    await me.put('/api/auth/me', { name: 'Espérance K.' })
    const before = await lastCheck()
    expect((await me.post('/api/auth/me/close', { currentPassword: password })).status).toBe(200)
    const after = await lastCheck()
    expect(after).toMatchObject({ fault: null, links: before.links + 1 })
    expect(after.erased).toBeGreaterThan(before.erased)
    const { rows } = await sql`select from audit_link where salt is not null and entry_id in
      (select id from audit_entry where erased_at is not null)`.execute(db)
    expect(rows).toHaveLength(0)
  })

  test.each([
    sql`update audit_link set hash = '\\x00'`,
    sql`update audit_link set salt = '\\x00'`,
    sql`delete from audit_link`,
    sql`truncate audit_link`,
  ])('refuses changes', async (change) => {
    await expect(change.execute(db)).rejects.toThrow(/only added/)
  })
})
