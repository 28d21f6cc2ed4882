import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { settleDeposit } from '#features/payments/deposits/deposits.jobs.ts'
import { insertDeposit, type NewDeposit } from '#features/payments/deposits/deposits.sql.ts'
import { remindDue } from '#features/subscriptions/subscriptions.jobs.ts'
import { createLog } from '#server/log.ts'
import { mailTasks } from '#server/mail/mail.ts'
import { loadViews } from '#server/views.ts'
import { dayMs } from '#shared/days.ts'
import { firstAttempt } from '../../../../tests/support/attempt.ts'
import { testDatabase } from '../../../../tests/support/database.ts'
import { headerOf, mailServer } from '../../../../tests/support/mail-server.ts'
import { insertPlan } from '../../../../tests/support/payments.ts'
import { insertAccount } from '../../../../tests/support/server.ts'

const views = await loadViews(join(import.meta.dirname, '../../../../dist'))
const { db, pool } = await testDatabase()

test('nothing is lost while the mail server is down for a day; afterwards each receipt and reminder arrives once', async () => {
  const away = await mailServer()
  await away.close()
  const directory = mkdtempSync(join(tmpdir(), 'ntalo-mail-away-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const [, late] = mailTasks({
    db,
    views,
    log: createLog('silent'),
    transport: { smtpUrl: away.url, from: 'Ntalo <ne-pas-repondre@ntalo.example>', directory },
  })
  const send = () => late!.run({}, firstAttempt(db))
  const planId = await insertPlan(db, { name: 'Particulier' })
  const payers = ['a@exemple.cd', 'b@exemple.cd', 'c@exemple.cd']
  const start = new Date('2026-03-01T09:00:00Z')
  for (const email of payers) {
    const userId = await insertAccount(db, { roles: ['user'], isVerified: true, email })
    const order: NewDeposit = {
      userId,
      planId,
      depositId: randomUUID(),
      billingPeriod: 'MONTHLY',
      amount: 5,
      currency: 'USD',
      phone: '243813456789',
      operator: 'MPESA',
    }
    await db.transaction().execute((tx) => insertDeposit(tx, order, start))
    const news = { kind: 'completed', amount: '5', currency: 'USD', reference: null } as const
    // The provider reports it twice.
    for (let said = 0; said < 2; said++)
      await settleDeposit({ db, team: 'equipe@exemple.cd' }, order.depositId, news, start)
  }
  const end = Date.parse('2026-04-01T09:00:00Z')
  for (let hour = 0; hour < 24; hour++) {
    // Two processes send the due reminders and the waiting mails, each hour of the day.
    const at = new Date(end - 3 * dayMs + hour * 3_600_000)
    await Promise.all([remindDue(db, at, 'https://ntalo.cd'), remindDue(db, at, 'https://ntalo.cd')])
    await Promise.all([send(), send()])
    await pool.query(
      "update outgoing_mail set send_at = send_at - interval '1 hour', created_at = created_at - interval '1 hour'",
    )
  }
  const waiting = await pool.query('select recipient, attempts from outgoing_mail order by recipient')
  expect(waiting.rows.map(({ recipient }) => recipient)).toEqual(payers.flatMap((each) => [each, each]))
  expect(Math.max(...waiting.rows.map(({ attempts }) => attempts))).toBeGreaterThan(3)

  const back = await mailServer({ port: away.port })
  await Promise.all([send(), send()])
  await pool.query("update outgoing_mail set send_at = send_at - interval '1 day'")
  await send()
  const subjects = (to: string) =>
    back.received
      .filter((mail) => mail.to.includes(to))
      .map(({ raw }) => headerOf(raw, 'subject')?.replaceAll(/\s/g, ' ').replace(/\d+ :/, 'n :'))
      .toSorted()
  for (const each of payers) {
    expect(subjects(each)).toEqual([
      'Reçu du paiement n : 5,00 $US',
      'Votre abonnement « Particulier » se termine dans 3 jours au plus',
    ])
  }
  expect((await pool.query('select from outgoing_mail')).rowCount).toBe(0)
})
