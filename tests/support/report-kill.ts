// Issues of a report whose server is killed while it makes and sends them, and the mails that the mail server received.

import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { sql } from 'kysely'
import { onTestFinished } from 'vitest'
import type { Db } from '#server/db/pool.ts'
import { insertPrice } from './catalogue.ts'
import { privateDirectory } from './embedded.ts'
import { freePort, onDatabase, startServer } from './kill-trial.ts'
import { headerOf, mailServer } from './mail-server.ts'
import { client, insertAccount, openSession } from './server.ts'

const recipients = 8

export type SentUnderKills = {
  /** Ids of the mails that the mail server accepted, in order. */
  taken: string[]
  /** Number of mails to send. */
  planned: number
  /** Number of issues planned, and of those made. */
  issues: { planned: number; made: number }
  /** Number of mails by the state that the server stored. */
  states: Record<string, number>
}

/**
 * Plans an issue for each kill, and kills the server with SIGKILL while it makes the issue, while a mail is being
 * answered, or between two mails. Then the server runs without kills until no mail is pending.
 */
export async function sendUnderKills(kills: number, seed: number): Promise<SentUnderKills> {
  const dataDir = privateDirectory(onTestFinished)
  const port = await freePort()
  let onMail: () => void = () => undefined
  const post = await mailServer({
    onMailFrom(_address, _session, done) {
      onMail()
      done()
    },
  })
  const settings = { SMTP_URL: post.url, MAIL_FROM: 'Ntalo <ntalo@exemple.cd>' }
  let server = await startServer(dataDir, port, { settings, isPatient: true })
  onTestFinished(() => void server.kill('SIGKILL'))
  const { token, reportId } = await onDatabase(dataDir, prepare)
  const owner = client(`http://127.0.0.1:${port}`, token, null)
  const moments = fc.sample(fc.record({ mails: fc.nat({ max: recipients - 1 }), ms: fc.nat({ max: 25 }) }), {
    seed,
    numRuns: kills,
  })
  for (const { mails, ms } of moments) {
    const reached = Promise.withResolvers<void>()
    let begun = 0
    onMail = () => {
      begun += 1
      if (begun > mails) reached.resolve()
    }
    const asked = await owner.post(`/api/reports/${reportId}/issues`, {})
    if (asked.status !== 202) throw new Error(asked.text)
    // The mails reached may belong to a previous issue, which is then half sent.
    if (mails > 0) await reached.promise
    await sleep(ms)
    server.kill('SIGKILL')
    await once(server, 'exit')
    server = await startServer(dataDir, port, { settings, isPatient: true })
  }
  return onDatabase(dataDir, async (db) => {
    while (await isUnderWay(db)) await sleep(200)
    const { rows } = await sql<{ state: string; count: number }>`
      select state, count(*) as count from report_delivery group by 1`.execute(db)
    const made = await sql<{ made: number }>`
      select count(*) as made from report_issue where made_at is not null`.execute(db)
    return {
      taken: post.received.map(({ raw }) => headerOf(raw, 'message-id') ?? ''),
      planned: kills * recipients,
      issues: { planned: kills, made: made.rows[0]?.made ?? 0 },
      states: Object.fromEntries(rows.map(({ state, count }) => [state, count])),
    }
  })
}

async function prepare(db: Db) {
  await insertPrice(db)
  const userId = await insertAccount(db, { roles: ['user'], ageDays: 1 })
  const { rows } = await sql<{ id: number }>`
    insert into report (user_id, title, blocks)
    values (${userId}, 'Sous les coups', '[{"kind":"table","title":null,"selection":{},"period":null,"text":null}]')
    returning id`.execute(db)
  const reportId = rows[0]?.id ?? 0
  await sql`
    insert into report_recipient (report_id, email, token, state)
    select ${reportId}, 'lecteur-' || n || '@exemple.cd', 'jeton-' || n, 'confirmed' from generate_series(1, ${recipients}) n`.execute(
    db,
  )
  return { token: await openSession(db, userId), reportId }
}

/**
 * Whether an issue is still to be made, or a mail to be begun; a mail that was begun and interrupted is not begun
 * again.
 */
async function isUnderWay(db: Db): Promise<boolean> {
  const { rows } = await sql<{ isUnderWay: boolean }>`
    select exists (select from report_issue where state = 'planned')
        or exists (select from report_delivery where state = 'waiting') as "isUnderWay"`.execute(db)
  return rows[0]?.isUnderWay === true
}
