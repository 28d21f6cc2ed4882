import { expect, test } from 'vitest'
import { remindDue } from '#features/subscriptions/subscriptions.jobs.ts'
import { hashPassword } from '#server/session/passwords.ts'
import { insertSubscriptionRow } from '../../../../tests/support/accounts.ts'
import { mailsTo } from '../../../../tests/support/mails.ts'
import { insertAccount, testServer } from '../../../../tests/support/server.ts'

const server = await testServer({ hasJobs: true })
const { db } = server
const password = 'un mot de passe assez long'
const path = '/api/auth/notifications'

test('a user gets reminders of the end of a subscription and no mail about sign-ins, until they choose otherwise', async () => {
  const me = await server.as('user')
  const usual = [
    { kind: 'subscription-reminders', isWanted: true },
    { kind: 'price-alerts', isWanted: true },
    { kind: 'sign-ins', isWanted: false },
  ]
  expect((await me.get(path)).body).toEqual({ data: usual })
  const { body } = await me.put(path, { kind: 'sign-ins', isWanted: true, userId: 1 })
  expect(body).toMatchObject({ data: [usual[0], usual[1], { kind: 'sign-ins', isWanted: true }] })
  expect((await (await server.as('user')).get(path)).body).toEqual({ data: usual })
  expect((await me.put(path, { kind: 'security', isWanted: false })).status).toBe(400)
})

test('users who turned reminders off get none, and others do', async () => {
  const plan = await db.selectFrom('plan').select('id').limit(1).executeTakeFirst()
  const at = new Date('2026-03-01T10:00:00Z')
  const people = await Promise.all(
    [true, false].map(async (isWanted) => {
      const me = await server.as('user')
      await me.put(path, { kind: 'subscription-reminders', isWanted })
      await insertSubscriptionRow(db, {
        user_id: me.userId!,
        plan_id: plan?.id ?? null,
        status: 'TRIAL',
        start_date: new Date('2026-02-20T10:00:00Z'),
        end_date: new Date('2026-03-03T10:00:00Z'),
      })
      return me.userId!
    }),
  )
  await remindDue(db, at, 'https://ntalo.cd')
  const reminded = await db
    .selectFrom('subscription_reminder')
    .innerJoin('subscription', 'subscription.id', 'subscription_id')
    .select('user_id')
    .execute()
  expect(reminded.map(({ user_id }) => user_id)).toEqual([people[0]])
})

test('a sign-in is notified with its device to users who chose this; a changed password to every user', async () => {
  const email = 'avertie@exemple.cd'
  const id = await insertAccount(db, { roles: ['user'], email, passwordHash: await hashPassword(password) })
  const me = await server.clientOf(id)
  const signIn = () =>
    server.visitor.send('/api/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Firefox/140.0 (Android 15)' },
      body: JSON.stringify({ email, password }),
    })
  await signIn()
  await me.put(path, { kind: 'sign-ins', isWanted: true })
  await signIn()
  const [mail] = await mailsTo(server.dataDir, email, 1)
  expect(mail).toMatchObject({ subject: 'Nouvelle connexion à votre compte' })
  expect(mail?.text).toMatch(/Firefox sur Android/)
  await me.put(path, { kind: 'sign-ins', isWanted: false })
  await me.put(`/api/users/${id}/change-password`, {
    currentPassword: password,
    newPassword: 'pondu et makemba',
  })
  expect((await mailsTo(server.dataDir, email, 2))[1]?.subject).toBe('Votre mot de passe a changé')
})
