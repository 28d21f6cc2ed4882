import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hashPassword } from '#server/session/passwords.ts'
import { hashToken } from '#server/session/tokens.ts'
import { insertAccount, testServer } from '../../../../tests/support/server.ts'

const server = await testServer()
const { db, visitor } = server
const supervisor = await server.as('collector')

async function newDevice(role = 'agent') {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const userId = await insertAccount(db, {
    roles: [role],
    passwordHash: await hashPassword('safou et manioc'),
  })
  const agent = await server.clientOf(userId)
  const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  const { status, body } = await agent.post('/api/collection/devices', {
    publicKey: key,
    name: 'Tecno de Paul',
  })
  expect(status).toBe(201)
  const { id } = body as { id: number }
  const open = (counter: number, by: KeyObject = privateKey) =>
    visitor.post('/api/collection/session', {
      deviceId: id,
      counter,
      signature: sign('sha256', Buffer.from(`ntalo:${id}:${counter}`), {
        key: by,
        dsaEncoding: 'ieee-p1363',
      }).toString('base64'),
    })
  return { id, userId, agent, open }
}

const tokenOf = ({ body }: { body: unknown }) => (body as { token: string }).token
const call = (token: string, path: string, method = 'GET', body?: object) =>
  visitor.send(path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
const collect = (token: string) => call(token, '/api/collection/rounds')

describe('a device', () => {
  test('opens the session of its agent repeatedly, without a cookie', async () => {
    const { open, userId } = await newDevice()
    for (const counter of [1, 2, 40]) {
      const answer = await open(counter)
      expect(answer).toMatchObject({ status: 200, body: { user: { id: userId } } })
      expect(answer.headers.get('set-cookie')).toBe(null)
      expect((await collect(tokenOf(answer))).status).toBe(200)
      const { rows } = await server.pool.query(
        'select user_id from session join session_token on session_id = session.id where hash = $1',
        [hashToken(tokenOf(answer))],
      )
      expect(rows).toEqual([{ user_id: userId }])
    }
  })

  test('opens nothing with a used counter, with another key, or as another device', async () => {
    const { id, open } = await newDevice()
    const { open: openOther } = await newDevice()
    expect((await open(5)).status).toBe(200)
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    const refusals = [await open(5), await open(4), await open(6, other)]
    expect(refusals.map(({ status }) => status)).toEqual([401, 401, 401])
    const signature = Buffer.alloc(64).toString('base64')
    const forged = await visitor.post('/api/collection/session', { deviceId: id, counter: 7, signature })
    expect(forged.status).toBe(401)
    const unknown = await visitor.post('/api/collection/session', {
      deviceId: 999_999,
      counter: 7,
      signature,
    })
    expect(unknown.body).toMatchObject({ message: Object(forged.body).message })
    expect((await open(6)).status).toBe(200)
    expect((await openOther(1)).status).toBe(200)
  })

  test('opens one session for a counter that is sent many times at once', async () => {
    const { open } = await newDevice()
    const answers = await Promise.all(Array.from({ length: 8 }, () => open(1)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('is revoked by the supervisor and by a new password, at once', async () => {
    const { id, open } = await newDevice()
    const token = tokenOf(await open(1))
    const list = await supervisor.get('/api/collection/devices')
    expect(list.body).toMatchObject({ data: expect.arrayContaining([expect.objectContaining({ id })]) })
    expect(await supervisor.delete(`/api/collection/devices/${id}`)).toMatchObject({
      status: 200,
      body: { message: 'Appareil révoqué' },
    })
    expect([(await collect(token)).status, (await open(2)).status]).toEqual([401, 401])
    expect((await supervisor.delete(`/api/collection/devices/${id}`)).status).toBe(404)

    const changed = await newDevice()
    const { status } = await changed.agent.put(`/api/users/${changed.userId}/change-password`, {
      currentPassword: 'safou et manioc',
      newPassword: 'makemba et pondu de Boma',
    })
    expect(status).toBe(200)
    expect((await changed.open(1)).status).toBe(401)
  })

  test('opens a session that only collects and reads, whatever its user may do', async () => {
    for (const role of ['super admin', 'agent']) {
      const { open, userId } = await newDevice(role)
      const token = tokenOf(await open(1))
      const allowed = [await collect(token), await call(token, '/api/prices?limit=1')]
      expect(allowed.map(({ status }) => status)).toEqual([200, 200])
      const refused = [
        await call(token, '/api/auth/me'),
        await call(token, '/api/auth/me/export'),
        await call(token, '/api/keys', 'POST', { name: 'Clé', scopes: ['prices.read'] }),
        await call(token, '/api/collection/devices', 'POST', { publicKey: 'AAAA', name: 'x' }),
        await call(token, '/api/views', 'POST', { name: 'Riz', path: '/prices', search: '' }),
        await call(token, '/api/prices/1', 'DELETE'),
        await call(token, '/api/users'),
        await call(token, `/api/users/${userId}`, 'DELETE'),
      ]
      expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403))
    }
  })

  test('is among the sessions of its user, who ends it there', async () => {
    const { id, agent, open } = await newDevice()
    const token = tokenOf(await open(1))
    const { body } = await agent.get('/api/auth/sessions')
    expect(Object(body).data).toContainEqual(
      expect.objectContaining({ id, device: 'Tecno de Paul', address: '127.0.0.1', isCurrent: false }),
    )
    expect((await agent.delete(`/api/auth/sessions/${id}`)).status).toBe(200)
    expect([(await collect(token)).status, (await open(2)).status]).toEqual([401, 401])
    expect(JSON.stringify((await agent.get('/api/auth/sessions')).body)).not.toContain('Tecno de Paul')
  })

  test('ends after 30 days without use, and with its account', async () => {
    const { id, open } = await newDevice()
    const unused = new Date(Date.now() - 31 * 86_400_000)
    await db.updateTable('device_key').set({ last_used_at: unused }).where('session_id', '=', id).execute()
    expect((await open(1)).status).toBe(401)
    const suspended = await newDevice()
    await db.updateTable('app_user').set({ status: 'SUSPENDED' }).where('id', '=', suspended.userId).execute()
    expect((await suspended.open(1)).status).toBe(401)
  })

  test('is added by collectors, with a key of the right kind, ten at most', async () => {
    const { agent, open } = await newDevice()
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
    for (const publicKey of [
      'AAAA',
      rsa.export({ format: 'der', type: 'spki' }).toString('base64').slice(0, 300),
    ]) {
      const answer = await agent.post('/api/collection/devices', { publicKey, name: 'x' })
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ field: 'publicKey' }] } })
    }
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
    const reader = await server.as('user')
    expect((await reader.post('/api/collection/devices', { publicKey: key, name: 'x' })).status).toBe(403)
    for (let n = 0; n < 10; n++) {
      expect((await agent.post('/api/collection/devices', { publicKey: key, name: 'x' })).status).toBe(201)
    }
    // The new device replaced the oldest.
    expect((await open(1)).status).toBe(401)
  })
})
