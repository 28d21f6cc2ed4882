import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { Db } from '#server/db/pool.ts'
import { testDatabase } from '../support/database.ts'
import { inject } from '../support/inject.ts'
import { type Answer, bodyOf } from './answers.ts'
import { toInject } from './fuzz.ts'
import { nameOf, people, requestsTo } from './requests.ts'
import { type FuzzWorld, fuzzWorld, handedOn } from './world.ts'

/** Writes that leave no entry in the journal. */
const silent: readonly string[] = [
  // A job creates the link, and writes its entry.
  'POST /api/auth/forgot-password',
  'POST /auth/forgot-password',
  'POST /api/auth/resend-verification',
  // Only the token itself changes, or the first code makes the change.
  'POST /api/auth/refresh',
  'POST /auth/refresh',
  'POST /api/auth/second-factor',
  // A message from a visitor.
  'POST /api/contact',
  // An import stores its author in its own row, and gets one entry when a job has written or undone it.
  'POST /api/imports',
  'POST /api/imports/:id/abandon',
  'POST /api/imports/:id/check',
  'POST /api/imports/:id/confirm',
  'POST /api/imports/:id/undo',
  'POST /api/journal/check',
  // These write nothing: their parameters do not fit in an address.
  'POST /api/alerts/preview',
  'POST /api/payments/reconciliation',
  'POST /api/reports/preview',
]

// Tables without entries: counters, jobs, and the tables behind sessions and mailed links.
const uncounted = ['rate_limit', 'job', 'outgoing_mail', 'session', 'session_token', 'account_link']

async function world(): Promise<FuzzWorld> {
  const app = await fuzzWorld(await testDatabase())
  onTestFinished(app.close)
  return app
}

/** Sends requests to every operation that writes, most of them valid, as the roles with most rights. */
async function write(
  app: FuzzWorld,
  { each, except = [] }: { each: number; except?: readonly string[] },
  look: (name: string, answer: Answer) => void,
): Promise<void> {
  const writes = app.operations.filter(
    (operation) => operation.method !== 'GET' && !except.includes(nameOf(operation)),
  )
  for (const [index, operation] of writes.entries()) {
    // A renewed session, since an operation may end the one that it uses.
    app.renew()
    const mighty = requestsTo([operation]).filter(
      ({ by, method }) => (by === 'super admin' || by === 'admin') && method === operation.method,
    )
    for (const request of fc.sample(mighty, { seed: 20_260_101 + index, numRuns: each })) {
      look(nameOf(operation), await inject(app.http, await toInject(app, request, index)))
    }
  }
}

/** Whether a successful request wrote nothing: a batch of refused entries, or a replay without messages. */
function writesNothing(name: string, answer: Answer): boolean {
  if (name === 'POST /api/webhooks/:id/replay') return bodyOf(answer).includes('Rien à rejouer')
  if (name !== 'POST /api/collection/batches') return false
  const { receipts } = JSON.parse(bodyOf(answer)) as { receipts: { state: string }[] }
  return receipts.every(({ state }) => state !== 'received')
}

test('every write leaves an entry in the journal with the id of its request', async () => {
  const app = await world()
  const done: { name: string; id: string }[] = []
  await write(app, { each: 20 }, (name, answer) => {
    const { statusCode, headers } = answer
    const isWritten = statusCode < 300 && !writesNothing(name, answer)
    if (isWritten) done.push({ name, id: String(headers['x-request-id']) })
  })
  const entries = await app.db.selectFrom('audit_entry').select('request_id').distinct().execute()
  const recorded = new Set(entries.map(({ request_id }) => request_id))
  const missing = new Set(done.filter(({ id }) => !recorded.has(id)).map(({ name }) => name))
  const seen = new Set(done.map(({ name }) => name))
  expect([...missing].sort()).toEqual(silent.filter((name) => seen.has(name)).sort())
  // A test whose requests are always refused tests little.
  const writes = app.operations.filter(({ method }) => method !== 'GET').length
  expect(seen.size / writes).toBeGreaterThan(0.6)
})

test('nothing is written when the journal cannot be written: a write and its entry are one transaction', async () => {
  const app = await world()
  const { db } = app
  for (const person of people) await app.sessionOf(person)
  await sql`
    create function refuse_entry() returns trigger language plpgsql as
      $$ begin raise exception 'the journal is full' using errcode = '53100'; end $$`.execute(db)
  await sql`create trigger refuse before insert on audit_entry for each row execute function refuse_entry()`.execute(
    db,
  )
  const { rows: newest } = await sql<{ id: number }>`select max(id) as id from app_user`.execute(db)
  const last = newest[0]?.id ?? 0
  const before = await digests(db, last)
  const refused = new Set<string>()
  await write(app, { each: 7, except: silent }, (name, { statusCode }) => {
    if (statusCode === 503) refused.add(name)
  })
  expect(refused.size).toBeGreaterThan(30)
  expect(await digests(db, last)).toEqual(before)
})

/** Returns a digest of every table. @param last newest account, except those that the test itself signs in later */
async function digests(db: Db, last: number): Promise<Record<string, string>> {
  const isCounted = sql`app_user.id <= ${last} or app_user.email not like 'compte-%'`
  const where: Record<string, RawBuilder<unknown>> = {
    app_user: sql`where exists (select from app_user where app_user.id = t.id and (${isCounted}))`,
    user_role: sql`where exists (select from app_user where app_user.id = t.user_id and (${isCounted}))`,
    subscription: sql`where exists (select from app_user where app_user.id = t.user_id and (${isCounted}))`,
    free_trial: sql`where exists (select from app_user where app_user.id = t.user_id and (${isCounted}))`,
  }
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db)
  const found: Record<string, string> = {}
  for (const { name } of tables.filter((table) => !uncounted.includes(table.name))) {
    const row = handedOn.includes(name) ? sql`(to_jsonb(t) - 'user_id' - 'updated_at')::text` : sql`t::text`
    const { rows } = await sql<{ digest: string }>`
      select coalesce(md5(string_agg(${row}, '|' order by ${row})), '') as digest
        from ${sql.table(name)} t ${where[name] ?? sql``}`.execute(db)
    found[name] = rows[0]?.digest ?? ''
  }
  return found
}
