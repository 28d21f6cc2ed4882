import { describe, expect, test } from 'vitest'
import { removePicture } from '#features/products/products.jobs.ts'
import { users } from '#features/users/users.contract.ts'
import { openStorage } from '#server/files/storage.ts'
import { hashPassword } from '#server/session/passwords.ts'
import { adminRights, insertPayment } from '../../../tests/support/accounts.ts'
import { testCrud } from '../../../tests/support/crud.ts'
import { picture } from '../../../tests/support/pictures.ts'
import { type Client, insertAccount, testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const password = 'un mot de passe assez long'
const passwordHash = await hashPassword(password)

let people = 0
function newEmail(): string {
  people += 1
  return `personne-${people}@exemple.cd`
}

async function roleId(name: string): Promise<number> {
  return (await db.selectFrom('role').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id
}

const read = (answer: { body: unknown }) =>
  answer.body as Record<string, never> & { id: number; message: string }

const signIn = (email: string, typed = password) =>
  server.visitor.post('/api/auth/login', { email, password: typed })

testCrud(server, users, {
  rights: adminRights,
  unique: null,
  unseen: ['password'],
  valid: (name) => ({ name, email: newEmail(), password, status: 'ACTIVE', location: 'Goma' }),
  required: ['name', 'email'],
  invalid: [
    ['name', { name: 'é'.repeat(201) }],
    ['email', { email: 'pas une adresse' }],
    ['password', { password: '7lettre' }],
    ['status', { status: 'ROI' }],
    ['roleIds', { roleIds: [2_000_000_000] }],
    ['roleIds', { roleIds: 3 }],
  ],
  changes: (name) => ({ name, email: newEmail(), status: 'PENDING', location: null }),
})

describe('users', () => {
  test('are created with roles, read, listed, changed and deleted, each with its message', async () => {
    const admin = await server.as('admin')
    const email = newEmail()
    const agent = await roleId('agent')
    const created = await admin.post('/api/users', {
      name: 'Grâce Mbuyi',
      email: ` ${email} `,
      password,
      status: 'ACTIVE',
      roleIds: [String(agent)],
    })
    expect(created).toMatchObject({
      status: 201,
      body: {
        name: 'Grâce Mbuyi',
        email,
        status: 'ACTIVE',
        auth_provider: 'LOCAL',
        email_verified: false,
        avatar_url: null,
        location: null,
        user_roles: [{ role_id: agent, role: { id: agent, name: 'agent' } }],
        roleIds: [agent],
        message: 'Utilisateur créé avec succès',
      },
    })
    const { id } = read(created)
    expect(created.text).not.toContain('password')
    expect((await signIn(email)).status).toBe(200)

    const changed = await admin.put(`/api/users/${id}`, { name: 'Grâce M.', password: '', roleIds: [] })
    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'Grâce M.', email, roleIds: [], message: 'Utilisateur mis à jour avec succès' },
    })
    expect((await signIn(email)).status).toBe(200)

    expect((await admin.get(`/api/users?search=${email.toUpperCase()}`)).body).toMatchObject({
      data: [{ id, name: 'Grâce M.' }],
      pagination: { page: 1, limit: 10, total: 1, pages: 1 },
    })
    expect((await admin.delete(`/api/users/${id}`)).body).toEqual({
      message: 'Utilisateur supprimé avec succès',
    })
    expect((await admin.get(`/api/users/${id}`)).status).toBe(404)
  })

  test('cannot be created without a password', async () => {
    const admin = await server.as('admin')
    for (const without of [{}, { password: '' }, { password: null }]) {
      const answer = await admin.post('/api/users', { name: 'Un nom', email: newEmail(), ...without })
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ field: 'password' }] } })
    }
  })

  test('have unique addresses, ignoring case', async () => {
    const admin = await server.as('admin')
    const whole = { name: 'Un nom', email: newEmail(), password }
    expect((await admin.post('/api/users', whole)).status).toBe(201)
    const twice = await admin.post('/api/users', { ...whole, email: whole.email.toUpperCase() })
    expect(twice).toMatchObject({ status: 409, body: { errors: [{ field: 'email' }] } })
  })

  test('are filtered by status and role and searched by name, address and place, in list, counters and file alike', async () => {
    const admin = await server.as('admin')
    const agent = await roleId('agent')
    const mark = 'Zongotown'
    for (const [name, status, roles] of [
      ['Aline', 'ACTIVE', ['agent']],
      ['Bob', 'ACTIVE', ['enterprise']],
      ['Chloé', 'SUSPENDED', ['agent', 'enterprise']],
    ] as const) {
      const id = await insertAccount(db, { name, status, roles: [...roles], email: newEmail() })
      await db.updateTable('app_user').set({ location: mark }).where('id', '=', id).execute()
    }
    const names = async (query: string) => {
      const { body } = await admin.get(`/api/users?search=zongotown&sort=name${query}`)
      return (body as { data: { name: string }[] }).data.map(({ name }) => name)
    }
    expect(await names('')).toEqual(['Aline', 'Bob', 'Chloé'])
    expect(await names('&status=ACTIVE')).toEqual(['Aline', 'Bob'])
    expect(await names(`&roleId=${agent}`)).toEqual(['Aline', 'Chloé'])
    expect(await names(`&roleId=${agent}&status=SUSPENDED`)).toEqual(['Chloé'])
    expect((await admin.get('/api/users/figures?search=zongotown')).body).toEqual({
      users: 3,
      active: 2,
      agents: 2,
      enterprises: 2,
    })
    const file = await admin.get('/api/users/export?search=zongotown&status=SUSPENDED')
    expect(file.text.trim().split('\n')).toHaveLength(2)
    expect(file.text).toContain(';Suspendu;')
  })

  test('lose their sessions at once at a change of status, and each status is explained at sign-in', async () => {
    const admin = await server.as('admin')
    for (const [status, words] of [
      ['INACTIVE', /désactivé/],
      ['SUSPENDED', /suspendu/],
      ['PENDING', /pas encore activé/],
    ] as const) {
      const email = newEmail()
      const id = await insertAccount(db, { roles: ['user'], email, passwordHash })
      const open = await server.clientOf(id)
      expect((await open.get('/api/auth/me')).status).toBe(200)
      expect((await admin.put(`/api/users/${id}`, { status })).status).toBe(200)
      expect((await open.get('/api/auth/me')).status, status).toBe(401)
      const refused = await signIn(email)
      expect(refused.status).toBe(403)
      expect(read(refused).message).toMatch(words)
      await admin.put(`/api/users/${id}`, { status: 'ACTIVE' })
      expect((await open.get('/api/auth/me')).status, 'what was ended stays so').toBe(401)
      expect((await signIn(email)).status).toBe(200)
    }
  })

  test('cannot be banned here; a banned one stays banned until the status is changed', async () => {
    const admin = await server.as('admin')
    const account = { name: 'Banni', email: newEmail(), password: 'un mot de passe assez long' }
    const refused = { status: 400, body: { errors: [{ field: 'status' }] } }
    expect(await admin.post('/api/users', { ...account, status: 'BANNED' })).toMatchObject(refused)
    const email = newEmail()
    const id = await insertAccount(db, { roles: ['user'], email, passwordHash })
    expect(await admin.put(`/api/users/${id}`, { status: 'BANNED' })).toMatchObject(refused)
    await db.updateTable('app_user').set({ status: 'BANNED' }).where('id', '=', id).execute()
    expect((await admin.put(`/api/users/${id}`, { status: 'BANNED', location: 'Goma' })).status).toBe(200)
    expect((await admin.get(`/api/users/${id}`)).body).toMatchObject({ status: 'BANNED' })
    expect(read(await signIn(email)).message).toMatch(/banni/)
    expect((await admin.put(`/api/users/${id}`, { status: 'ACTIVE' })).status).toBe(200)
  })

  test('cannot be deleted after a payment, and the refusal counts the payments', async () => {
    const admin = await server.as('admin')
    const id = await insertAccount(db, { roles: ['user'] })
    await insertPayment(db, id)
    expect((await admin.get(`/api/users/${id}`)).body).toMatchObject({ _count: { payments: 1 } })
    expect(await admin.delete(`/api/users/${id}`)).toMatchObject({
      status: 409,
      body: { message: 'Suppression impossible\u00a0: 1 paiement en dépend.' },
    })
  })

  test('are deleted together with their picture', async () => {
    const admin = await server.as('admin')
    const id = await insertAccount(db, { roles: ['user'] })
    const me = await server.clientOf(id)
    const form = new FormData()
    form.set(
      'avatar',
      new File([new Uint8Array(await picture().png().toBuffer())], 'moi.png', { type: 'image/png' }),
    )
    const { body } = await me.put('/api/auth/me', form)
    const { avatar_url } = (body as { user: { avatar_url: string } }).user
    expect((await server.visitor.get(avatar_url)).status).toBe(200)
    expect((await admin.delete(`/api/users/${id}`)).status).toBe(200)
    await removePicture(db, openStorage(server.dataDir), avatar_url.slice(-69, -5))
    expect((await server.visitor.get(avatar_url)).status).toBe(404)
    const { rows } = await server.pool.query(`select payload from job where task = 'forget picture'`)
    expect(rows).toEqual([{ payload: { hash: avatar_url.slice(-69, -5) } }])
  })

  test('created or activated by an administrator get a link that confirms their address', async () => {
    const admin = await server.as('admin')
    const linksTo = async (email: string) => {
      const { rows } = await server.pool.query(
        `select from job where task = 'verification link' and payload->>'email' = $1`,
        [email],
      )
      return rows.length
    }
    const email = newEmail()
    const { body } = await admin.post('/api/users', { name: 'Invitée', email, password, status: 'ACTIVE' })
    expect(await linksTo(email)).toBe(1)
    const path = `/api/users/${read({ body }).id}`
    await admin.put(path, { location: 'Goma', status: 'ACTIVE' })
    expect(await linksTo(email), 'nothing to confirm again').toBe(1)
    await admin.put(path, { status: 'PENDING' })
    await admin.put(path, { status: 'ACTIVE' })
    expect(await linksTo(email)).toBe(2)
    const agent = { name: 'Agente', email: newEmail(), password }
    await admin.post('/api/agents', agent)
    expect(await linksTo(agent.email)).toBe(1)
  })

  test('have fields of the server, which the client cannot write', async () => {
    const admin = await server.as('admin')
    const { body } = await admin.post('/api/users', {
      name: 'Intrus',
      email: newEmail(),
      password,
      id: 1,
      email_verified: true,
      auth_provider: 'GOOGLE',
      created_at: '2001-01-01T00:00:00.000Z',
      password_hash: 'x',
      permissions: ['superadmins.manage'],
      user_roles: [{ role_id: await roleId('super admin') }],
    })
    expect(body).toMatchObject({ email_verified: false, auth_provider: 'LOCAL', user_roles: [] })
    expect(read({ body }).id).not.toBe(1)
  })
})

describe('passwords', () => {
  const change = (client: Client, id: number, body: unknown) =>
    client.put(`/api/users/${id}/change-password`, body)

  test('are changed by their user with the current one, which ends the other sessions', async () => {
    const email = newEmail()
    const id = await insertAccount(db, { roles: ['user'], email, passwordHash })
    const here = await server.clientOf(id)
    const elsewhere = await server.clientOf(id)
    const newPassword = 'tout autre chose ici'
    for (const wrong of [{ newPassword }, { currentPassword: 'faux', newPassword }]) {
      expect(await change(here, id, wrong)).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'currentPassword' }] },
      })
    }
    expect(await change(here, id, { currentPassword: password, newPassword })).toMatchObject({
      status: 200,
      body: { message: 'Mot de passe modifié avec succès' },
    })
    expect((await here.get('/api/auth/me')).status).toBe(200)
    expect((await elsewhere.get('/api/auth/me')).status).toBe(401)
    expect((await signIn(email)).status).toBe(401)
    expect((await signIn(email, newPassword)).status).toBe(200)
  })

  test('are protected by a count of wrong current passwords', async () => {
    const id = await insertAccount(db, { roles: ['user'], passwordHash })
    const client = await server.clientOf(id)
    const statuses = []
    for (let i = 0; i < 11; i++) {
      statuses.push((await change(client, id, { currentPassword: 'faux', newPassword: password })).status)
    }
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(400))
    expect(statuses[10]).toBe(429)
  })

  test('are set by an administrator without the current one, ending all sessions; other users cannot, whether or not the account exists', async () => {
    const email = newEmail()
    const id = await insertAccount(db, { roles: ['user'], email, passwordHash })
    const open = await server.clientOf(id)
    const other = await server.as('manager')
    const newPassword = 'donné par un administrateur'
    const [refused, nobody] = [
      await change(other, id, { newPassword }),
      await change(other, 2_147_483_000, { newPassword }),
    ]
    expect([refused.status, nobody.status]).toEqual([403, 403])
    expect(read(refused).message).toBe(read(nobody).message)
    const admin = await server.as('admin')
    expect((await change(admin, 2_147_483_000, { newPassword })).status).toBe(404)
    expect((await change(admin, id, { newPassword })).status).toBe(200)
    expect((await open.get('/api/auth/me')).status).toBe(401)
    expect((await signIn(email, newPassword)).status).toBe(200)
    const entries = await db
      .selectFrom('audit_entry')
      .selectAll()
      .where('action', '=', 'password-changed')
      .where('entity_id', '=', id)
      .execute()
    expect(entries).toMatchObject([{ user_id: admin.userId, before: null, after: null }])
  })

  test('and other sign-in settings changed by an administrator are reported by mail to the former address', async () => {
    const email = newEmail()
    const id = await insertAccount(db, { roles: ['user'], email, passwordHash, isVerified: true })
    const admin = await server.as('admin')
    const next = newEmail()
    const changed = await admin.put(`/api/users/${id}`, {
      email: next,
      password: 'donné par un administrateur',
    })
    expect(changed).toMatchObject({ status: 200, body: { email: next, email_verified: false } })
    const { rows: mails } = await server.pool.query(
      'select recipient, content from outgoing_mail where recipient = $1',
      [email],
    )
    expect(mails).toMatchObject([{ content: { subject: 'L’adresse de votre compte a changé' } }])
    const { rows: jobs } = await server.pool.query(
      `select task from job where payload @> $1 or payload @> $2 order by task`,
      [{ userId: id, news: 'password changed' }, { email: next }],
    )
    expect(jobs).toEqual([{ task: 'tell owner' }, { task: 'verification link' }])
    await admin.put(`/api/users/${id}`, { email: next.toUpperCase(), password: '' })
    expect((await server.pool.query('select from outgoing_mail where recipient = $1', [next])).rowCount).toBe(
      0,
    )
  })
})
