import { describe, expect, test } from 'vitest'
import { type Client, insertAccount, testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db } = server

async function roleId(name: string): Promise<number> {
  return (await db.selectFrom('role').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id
}

async function permissionId(name: string): Promise<number> {
  return (await db.selectFrom('permission').select('id').where('name', '=', name).executeTakeFirstOrThrow())
    .id
}

let marks = 0
function mark(): string {
  marks += 1
  return `essai ${marks}`
}
const person = (more: object = {}) => ({
  name: 'Quelqu’un',
  email: `${mark().replace(' ', '-')}@exemple.cd`,
  password: 'assez long pour passer',
  ...more,
})

const idOf = ({ body }: { body: unknown }) => (body as { id: number }).id
const messageOf = ({ body }: { body: unknown }) => (body as { message: string }).message

/** Returns a role with these permissions, created by a super administrator. */
async function newRole(...permissions: string[]): Promise<number> {
  const permissionIds = await Promise.all(permissions.map(permissionId))
  return idOf(await (await server.as('super admin')).post('/api/roles', { name: mark(), permissionIds }))
}

/** Returns a client with a role created before. */
async function holderOf(role: number): Promise<Client> {
  const id = await insertAccount(db, { roles: [] })
  await db.insertInto('user_role').values({ user_id: id, role_id: role }).execute()
  return server.clientOf(id)
}

describe('users cannot gain rights', () => {
  test('an administrator makes no super administrator, of another user or of themselves', async () => {
    const admin = await server.as('admin')
    const superAdmin = await roleId('super admin')
    expect((await admin.post('/api/users', person({ roleIds: [superAdmin] }))).status).toBe(403)
    const somebody = idOf(await admin.post('/api/users', person()))
    for (const id of [somebody, admin.userId]) {
      expect((await admin.put(`/api/users/${id}`, { roleIds: [superAdmin] })).status).toBe(403)
    }
    expect((await admin.get(`/api/users/${somebody}`)).body).toMatchObject({ roleIds: [] })
  })

  test('only super administrators edit super administrators', async () => {
    const admin = await server.as('admin')
    const target = await insertAccount(db, { roles: ['super admin'] })
    await insertAccount(db, { roles: ['super admin'] })
    for (const answer of [
      await admin.put(`/api/users/${target}`, { name: 'Renommé' }),
      await admin.put(`/api/users/${target}`, { status: 'SUSPENDED' }),
      await admin.put(`/api/users/${target}/change-password`, { newPassword: 'un autre mot de passe' }),
      await admin.delete(`/api/users/${target}`),
      await admin.put(`/api/roles/${await roleId('super admin')}`, { description: 'Autre' }),
    ]) {
      expect(answer.status).toBe(403)
      expect(messageOf(answer)).toMatch(/super administrateur/)
    }
    const other = await server.as('super admin')
    expect((await other.put(`/api/users/${target}`, { name: 'Renommé' })).status).toBe(200)
  })

  test('a user who only manages users takes over no account with more rights', async () => {
    const clerk = await holderOf(await newRole('users.manage'))
    const collector = await insertAccount(db, { roles: ['collector'] })
    expect(
      (await clerk.put(`/api/users/${collector}/change-password`, { newPassword: 'le mien, assez long' }))
        .status,
    ).toBe(403)
    expect((await clerk.put(`/api/users/${collector}`, { email: 'a-moi@exemple.cd' })).status).toBe(403)
    expect((await clerk.delete(`/api/users/${collector}`)).status).toBe(403)
    expect((await clerk.post('/api/users', person({ roleIds: [await roleId('collector')] }))).status).toBe(
      403,
    )
    expect((await clerk.post('/api/roles', { name: mark() })).status).toBe(403)
  })

  test('a manager gives no rights', async () => {
    const manager = await server.as('manager')
    for (const answer of [
      await manager.post('/api/users', person()),
      await manager.put(`/api/users/${manager.userId}`, { roleIds: [await roleId('admin')] }),
      await manager.put(`/api/roles/${await roleId('manager')}`, {
        permissionIds: [await permissionId('users.manage')],
      }),
      await manager.post('/api/permissions', { name: mark() }),
    ]) {
      expect(answer.status).toBe(403)
    }
  })

  test('a user cannot edit a role they hold, or give a role rights that they lack', async () => {
    const admin = await server.as('admin')
    const held = await admin.put(`/api/roles/${await roleId('admin')}`, { description: 'Autre' })
    expect(held).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('vous avez vous-même') },
    })
    const superPower = await permissionId('superadmins.manage')
    expect((await admin.post('/api/roles', { name: mark(), permissionIds: [superPower] })).status).toBe(403)
    const role = idOf(await admin.post('/api/roles', { name: mark() }))
    expect((await admin.put(`/api/roles/${role}`, { permissionIds: [superPower] })).status).toBe(403)
    expect((await admin.get(`/api/roles/${role}`)).body).toMatchObject({ permissionIds: [] })
  })

  test('a permission that no user holds, because no code checks it, can be given', async () => {
    const admin = await server.as('admin')
    const permission = idOf(await admin.post('/api/permissions', { name: mark() }))
    const role = await admin.post('/api/roles', { name: mark(), permissionIds: [permission] })
    expect(role.status).toBe(201)
    expect((await admin.post('/api/users', person({ roleIds: [idOf(role)] }))).status).toBe(201)
    expect((await admin.put(`/api/permissions/${permission}`, { name: mark() })).status).toBe(200)
    expect(await admin.delete(`/api/permissions/${permission}`)).toMatchObject({
      status: 409,
      body: { message: 'Suppression impossible\u00a0: 1 rôle en dépend.' },
    })
  })

  test('users cannot delete or disable themselves, or change their address or password without the current one', async () => {
    const admin = await server.as('admin')
    const own = `/api/users/${admin.userId}`
    for (const answer of [
      await admin.delete(own),
      await admin.put(own, { status: 'INACTIVE' }),
      await admin.put(own, { password: 'sans le demander' }),
      await admin.put(own, { email: 'autre-adresse@exemple.cd' }),
    ]) {
      expect(answer.status).toBe(403)
    }
    expect((await admin.put(own, { name: 'Mon nom' })).status).toBe(200)
    const agent = await server.as('agent', 'admin')
    expect((await agent.delete(`/api/agents/${agent.userId}`)).status).toBe(403)
  })

  test('users cannot drop their own administering role, but may drop others', async () => {
    const admin = await server.as('admin', 'collector')
    const own = `/api/users/${admin.userId}`
    const [administers, collects] = [await roleId('admin'), await roleId('collector')]
    for (const roleIds of [[], [collects]]) {
      expect(await admin.put(own, { roleIds })).toMatchObject({
        status: 403,
        body: { message: expect.stringContaining('un autre administrateur peut le faire') },
      })
    }
    expect((await admin.get(own)).body).toMatchObject({ roleIds: [administers, collects] })
    expect((await admin.put(own, { roleIds: [administers] })).status).toBe(200)
    const other = await server.as('admin')
    expect((await other.put(own, { roleIds: [] })).status).toBe(200)
  })

  test('built-in roles and permissions cannot be renamed or deleted', async () => {
    const superAdmin = await server.as('super admin')
    for (const path of [
      `/api/roles/${await roleId('enterprise')}`,
      `/api/permissions/${await permissionId('prices.write')}`,
    ]) {
      expect((await superAdmin.delete(path)).status, path).toBe(409)
      expect((await superAdmin.put(path, { name: 'Autre nom' })).status, path).toBe(409)
      expect((await superAdmin.put(path, { description: 'Autrement dit' })).status, path).toBe(200)
    }
  })
})

describe('the last super administrator', () => {
  /** Deactivates all accounts, and returns the only two super administrators. */
  async function lastTwo(): Promise<[Client, Client]> {
    await db.updateTable('app_user').set({ status: 'INACTIVE' }).execute()
    return [await server.as('super admin'), await server.as('super admin')]
  }

  test('cannot be removed in any way', async () => {
    const [one, two] = await lastTwo()
    expect((await one.delete(`/api/users/${two.userId}`)).status).toBe(200)
    const steps = [
      await one.put(`/api/users/${one.userId}`, { roleIds: [] }),
      await one.put(`/api/users/${one.userId}`, { roleIds: [await roleId('admin')] }),
      await one.put(`/api/users/${one.userId}`, { status: 'SUSPENDED' }),
      await one.delete(`/api/users/${one.userId}`),
    ]
    expect(steps.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    expect((await one.get('/api/users')).status).toBe(200)
  })

  test.each([
    ['deleting each other', (by: Client, other: Client) => by.delete(`/api/users/${other.userId}`)],
    [
      'disabling each other',
      (by: Client, other: Client) => by.put(`/api/users/${other.userId}`, { status: 'SUSPENDED' }),
    ],
    [
      'taking the role from each other',
      (by: Client, other: Client) => by.put(`/api/users/${other.userId}`, { roleIds: [] }),
    ],
  ])('cannot be removed by two simultaneous requests: %s', async (_, operation) => {
    for (let round = 0; round < 5; round++) {
      const [one, two] = await lastTwo()
      const answers = await Promise.all([operation(one, two), operation(two, one)])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      const left = await db
        .selectFrom('app_user')
        .innerJoin('user_role', 'user_id', 'app_user.id')
        .where('role_id', '=', await roleId('super admin'))
        .where('status', '=', 'ACTIVE')
        .select('app_user.id')
        .execute()
      expect(left).toHaveLength(1)
    }
  })
})

test('a change of a role applies to the next request of every user who has it', async () => {
  const role = await newRole('prices.read', 'access.exempt')
  const holder = await holderOf(role)
  expect((await holder.get('/api/prices')).status).toBe(200)
  expect((await holder.get('/api/markets')).status).toBe(403)
  const superAdmin = await server.as('super admin')
  const permissionIds = [await permissionId('markets.read'), await permissionId('access.exempt')]
  expect((await superAdmin.put(`/api/roles/${role}`, { permissionIds })).status).toBe(200)
  expect((await holder.get('/api/prices')).status).toBe(403)
  expect((await holder.get('/api/markets')).status).toBe(200)
})
