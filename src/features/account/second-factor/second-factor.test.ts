import { beforeEach, describe, expect, test } from 'vitest'
import { hashPassword } from '#server/session/passwords.ts'
import { stepAt, totpOf } from '#server/session/totp.ts'
import { type Client, client, insertAccount, listenOn, testServer } from '../../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const password = 'un mot de passe assez long'
const passwordHash = await hashPassword(password)
const proof = { currentPassword: password }

let people = 0
let me: { id: number; email: string; client: Client }
beforeEach(async () => {
  people += 1
  const email = `deux-etapes-${people}@exemple.cd`
  const id = await insertAccount(db, { roles: ['user'], email, passwordHash, isVerified: true })
  me = { id, email, client: await server.clientOf(id) }
})

const signIn = (more: object = {}) =>
  server.visitor.post('/api/auth/login', { email: me.email, password, ...more })

/** Returns a code that was not used yet: codes one step ahead are still valid. */
async function freshCode(): Promise<string> {
  const { secret, last_step } = await db
    .selectFrom('second_factor')
    .selectAll()
    .where('user_id', '=', me.id)
    .executeTakeFirstOrThrow()
  return totpOf(secret, Math.max(stepAt(Date.now()), last_step + 1))
}

async function turnOn(): Promise<string[]> {
  expect((await me.client.post('/api/auth/second-factor', proof)).status).toBe(200)
  const { status, body } = await me.client.post('/api/auth/second-factor/confirm', {
    code: await freshCode(),
  })
  expect(status).toBe(200)
  return (body as { recoveryCodes: string[] }).recoveryCodes
}

describe('a second factor', () => {
  test('needs a confirmed address, both when its setup starts and when it is turned on', async () => {
    await db.updateTable('app_user').set({ email_verified: false }).where('id', '=', me.id).execute()
    const refused = { status: 409, body: { message: expect.stringMatching(/^Confirmez votre adresse/) } }
    expect(await me.client.post('/api/auth/second-factor', proof)).toMatchObject(refused)
    await db.updateTable('app_user').set({ email_verified: true }).where('id', '=', me.id).execute()
    expect((await me.client.post('/api/auth/second-factor', proof)).status).toBe(200)
    const renamed = await me.client.put('/api/auth/me', { email: `nouvelle-${me.email}`, ...proof })
    expect(renamed.status).toBe(200)
    const confirmation = { code: await freshCode() }
    expect(await me.client.post('/api/auth/second-factor/confirm', confirmation)).toMatchObject(refused)
    expect((await me.client.get('/api/auth/second-factor')).body).toMatchObject({ isOn: false })
  })

  test('is set up with the password, and is on once a first code proves that the application has the key', async () => {
    expect((await me.client.post('/api/auth/second-factor', { currentPassword: 'faux' })).status).toBe(400)
    const begun = await me.client.post('/api/auth/second-factor', proof)
    expect(begun.body).toMatchObject({ secret: expect.stringMatching(/^[A-Z2-7]{32}$/) })
    expect((await signIn()).status).toBe(200)
    expect((await me.client.post('/api/auth/second-factor/confirm', { code: '000' })).status).toBe(400)
    const { body } = await me.client.post('/api/auth/second-factor/confirm', { code: await freshCode() })
    expect(body).toMatchObject({ recoveryCodes: { length: 10 } })
    expect((await me.client.get('/api/auth/second-factor')).body).toEqual({ isOn: true, recoveryCodes: 10 })
    expect(
      (await me.client.post('/api/auth/second-factor', { ...proof, code: await freshCode() })).status,
    ).toBe(409)
  })

  test('is requested at sign-in after the password, and each code works once', async () => {
    await turnOn()
    expect(await signIn()).toMatchObject({ status: 400, body: { errors: [{ field: 'code' }] } })
    expect((await signIn({ password: 'faux' })).status).toBe(401)
    expect((await signIn({ code: '123' })).status).toBe(400)
    const code = await freshCode()
    expect((await signIn({ code })).status).toBe(200)
    expect((await signIn({ code })).status).toBe(400)
  })

  test('is replaced by a recovery code once, and only the hash of that code is stored', async () => {
    const [code = ''] = await turnOn()
    expect((await signIn({ code: code.toUpperCase() })).status).toBe(200)
    expect((await signIn({ code })).status).toBe(400)
    expect((await me.client.get('/api/auth/second-factor')).body).toMatchObject({ recoveryCodes: 9 })
    const kept = await db.selectFrom('recovery_code').select('hash').where('user_id', '=', me.id).execute()
    expect(kept.map(({ hash }) => hash.length)).toEqual(Array(9).fill(32))
  })

  test('guesses are counted', async () => {
    await turnOn()
    const statuses: number[] = []
    for (let i = 0; i < 11; i++) {
      statuses.push((await me.client.post('/api/auth/second-factor/remove', { ...proof, code: '1' })).status)
    }
    expect(statuses).toEqual([...Array(10).fill(400), 429])
  })

  test('is requested again before address, password, second factor or the account itself change', async () => {
    const codes = await turnOn()
    const newPassword = 'encore une autre phrase'
    const operations: ((more: object) => Promise<{ status: number }>)[] = [
      (more) => me.client.put('/api/auth/me', { email: `neuf-${me.email}`, ...proof, ...more }),
      (more) => me.client.put(`/api/users/${me.id}/change-password`, { ...proof, newPassword, ...more }),
      (more) => me.client.post('/api/auth/second-factor/remove', { currentPassword: newPassword, ...more }),
    ]
    for (const [index, operation] of operations.entries()) {
      expect((await operation({})).status, String(index)).toBe(400)
      expect((await operation({ code: codes[index] })).status, String(index)).toBe(200)
    }
    expect((await me.client.get('/api/auth/second-factor')).body).toEqual({ isOn: false, recoveryCodes: 0 })
  })

  test('new recovery codes replace the old ones', async () => {
    const [first = '', second = ''] = await turnOn()
    const { status, body } = await me.client.post('/api/auth/second-factor/recovery-codes', {
      ...proof,
      code: first,
    })
    expect(status).toBe(200)
    expect((await signIn({ code: second })).status).toBe(400)
    expect((await signIn({ code: (body as { recoveryCodes: string[] }).recoveryCodes[0] })).status).toBe(200)
  })

  test('is turned off by an administrator for a user who lost the phone, never for oneself or a user with more rights', async () => {
    await turnOn()
    const admin = await server.as('admin')
    const path = `/api/users/${me.id}/second-factor`
    expect((await me.client.delete(path)).status).toBe(403)
    expect((await admin.delete(`/api/users/${admin.userId}/second-factor`)).status).toBe(403)
    const above = await insertAccount(db, { roles: ['super admin'] })
    expect((await admin.delete(`/api/users/${above}/second-factor`)).status).toBe(403)
    expect((await admin.delete(path)).status).toBe(200)
    expect((await admin.delete(path)).status).toBe(409)
    expect((await me.client.get('/api/auth/me')).status).toBe(401)
    expect((await signIn()).status).toBe(200)
    const { body } = await admin.get(`/api/journal?userId=${admin.userId}&action=second-factor-off`)
    expect(body).toMatchObject({ data: [{ entity: 'users' }] })
  })
})

describe('where administrators must have a second factor', async () => {
  const strict = await listenOn(server, { demandsSecondFactor: true })

  test.each(['admin', 'super admin'])(
    'the rights of an account of role %s are suspended until it is on',
    async (role) => {
      const email = `${role.replace(' ', '-')}-sans-code@exemple.cd`
      const id = await insertAccount(db, { roles: [role], email, passwordHash, isVerified: true })
      const opened = await client(strict.url, null, null).post('/api/auth/login', { email, password })
      expect(opened.body).toMatchObject({ user: { needsSecondFactor: true, permissions: [], roles: [role] } })
      const who = client(strict.url, (opened.body as { token: string }).token, id)
      for (const path of ['/api/users', '/api/journal', '/api/prices']) {
        expect((await who.get(path)).status, path).toBe(403)
      }
      me = { id, email, client: who }
      await turnOn()
      expect((await who.get('/api/users')).status).toBe(200)
      expect((await who.get('/api/auth/me')).body).toMatchObject({ user: { needsSecondFactor: false } })
      expect(
        (await who.post('/api/auth/second-factor/remove', { ...proof, code: await freshCode() })).status,
      ).toBe(200)
      expect((await who.get('/api/users')).status).toBe(403)
    },
  )

  test('a user who does not administer needs none', async () => {
    const email = 'collecte-sans-code@exemple.cd'
    await insertAccount(db, { roles: ['collector'], email, passwordHash })
    const opened = await client(strict.url, null, null).post('/api/auth/login', { email, password })
    expect(opened.body).toMatchObject({ user: { needsSecondFactor: false } })
  })
})
