import { describe, expect, test } from 'vitest'
import { hashPassword } from '#server/session/passwords.ts'
import { stepAt, totpOf } from '#server/session/totp.ts'
import { insertAccount, testServer } from '../../../tests/support/server.ts'
import { deviceOf, password, read, visitsTo } from '../../../tests/support/visits.ts'

const server = await testServer({ trustedProxies: 1 })
const { person, signIn } = await visitsTo(server)

const from = (address: string, cookie = '') => ({ 'x-forwarded-for': address, cookie })

async function failTenTimes(email: string, headers: Record<string, string>): Promise<void> {
  for (let failure = 1; failure <= 10; failure++) {
    expect((await signIn(email, 'faux', headers)).status).toBe(401)
  }
  expect((await signIn(email, password, headers)).status).toBe(429)
}

describe('wrong passwords of a stranger', () => {
  test('do not lock the owner out, either elsewhere or on a known device in the same network', async () => {
    const { email } = await person()
    const device = deviceOf(await signIn(email, password, from('192.0.2.1')))
    await failTenTimes(email, from('198.51.100.1'))
    expect((await signIn(email, password, from('198.51.100.1', device))).status).toBe(200)
    expect((await signIn(email, password, from('203.0.113.1'))).status).toBe(200)
    expect((await signIn(email, password, from('198.51.100.1'))).status).toBe(429)
  })

  test('count for their whole /64', async () => {
    const { email } = await person()
    await failTenTimes(email, from('2001:db8:1:2::1'))
    expect((await signIn(email, password, from('2001:db8:1:2:ffff::9'))).status).toBe(429)
    expect((await signIn(email, password, from('2001:db8:1:3::1'))).status).toBe(200)
  })

  test('from a hundred networks block all devices except the owner’s', async () => {
    const { email } = await person()
    const device = deviceOf(await signIn(email, password, from('192.0.2.2')))
    for (let network = 1; network <= 100; network++) {
      expect((await signIn(email, 'faux', from(`198.18.${network}.1`))).status).toBe(401)
    }
    expect((await signIn(email, password, from('198.18.200.1'))).status).toBe(429)
    expect((await signIn(email, password, from('198.18.200.1', device))).status).toBe(200)
  })

  test('for many accounts do not use up the tries of a device on the same network', async () => {
    const { email } = await person()
    const device = deviceOf(await signIn(email, password, from('192.0.2.3')))
    for (let index = 1; index <= 100; index++) await signIn(`x${index}@exemple.cd`, 'faux', from('192.0.2.3'))
    expect((await signIn(email, password, from('192.0.2.3'))).status).toBe(429)
    expect((await signIn(email, password, from('192.0.2.3', device))).status).toBe(200)
  })

  test('for an unknown address are refused as often', async () => {
    for (let failure = 1; failure <= 10; failure++) {
      expect((await signIn('rien@exemple.cd', 'faux', from('198.51.100.9'))).status).toBe(401)
    }
    expect((await signIn('rien@exemple.cd', 'faux', from('198.51.100.9'))).status).toBe(429)
    expect((await signIn('rien@exemple.cd', 'faux', from('198.51.100.10'))).status).toBe(401)
  })

  test('codes tried by a stranger who has the password do not use up those of the device', async () => {
    const { email, id } = await person()
    const device = deviceOf(await signIn(email, password, from('192.0.2.4')))
    const secret = Buffer.alloc(20, 7)
    await server.pool.query(
      'insert into second_factor (user_id, secret, confirmed_at) values ($1, $2, now())',
      [id, secret],
    )
    const withCode = (code: string, headers: Record<string, string>) =>
      server.visitor.send('/api/auth/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ email, password, code }),
      })
    for (let network = 1; network <= 10; network++) {
      expect((await withCode('000000', from(`198.19.${network}.1`))).status).toBe(400)
    }
    expect((await withCode('000000', from('198.19.11.1'))).status).toBe(429)
    const code = totpOf(secret, stepAt(Date.now()))
    expect((await withCode(code, from('198.19.11.1', device))).status).toBe(200)
  })
})

describe('a device', () => {
  test('has its own tries, counted like those of others', async () => {
    const { email } = await person()
    const device = deviceOf(await signIn(email, password, from('192.0.2.5')))
    await failTenTimes(email, from('192.0.2.5', device))
    expect((await signIn(email, password, from('192.0.2.5'))).status).toBe(200)
  })

  test('belongs to all users who signed in with it, and to no other', async () => {
    const [one, other, third] = [await person(), await person(), await person()]
    const device = deviceOf(await signIn(one.email, password, from('192.0.2.6')))
    expect(deviceOf(await signIn(other.email, password, from('192.0.2.6', device)))).toBe(device)
    for (const { email } of [one, other, third]) await failTenTimes(email, from('198.51.100.6'))
    const statuses = []
    for (const { email } of [one, other, third]) {
      statuses.push((await signIn(email, 'faux', from('198.51.100.6', device))).status)
    }
    expect(statuses).toEqual([401, 401, 429])
  })

  test('is recognised by a cookie that scripts cannot read, and an invented cookie is replaced', async () => {
    const { email } = await person()
    const answer = await signIn(email, password, from('192.0.2.7', 'ntalo_device=devine'))
    expect(answer.headers.getSetCookie()).toContainEqual(
      expect.stringMatching(/^ntalo_device=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/),
    )
  })

  test('is forgotten when the password changes, except the one that changes it', async () => {
    const { email, id } = await person()
    const own = await signIn(email, password, from('192.0.2.8'))
    const elsewhere = deviceOf(await signIn(email, password, from('192.0.2.9')))
    const changed = await server.visitor.send(`/api/users/${id}/change-password`, {
      method: 'PUT',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${read(own).token}`,
        cookie: deviceOf(own),
      },
      body: JSON.stringify({ currentPassword: password, newPassword: 'kwanga au marché 77' }),
    })
    expect(changed.status).toBe(200)
    await failTenTimes(email, from('198.51.100.8'))
    expect((await signIn(email, 'faux', from('198.51.100.8', elsewhere))).status).toBe(429)
    expect((await signIn(email, 'faux', from('198.51.100.8', deviceOf(own)))).status).toBe(401)
  })

  test('of an account is one of the last twenty', async () => {
    const email = 'vingt@exemple.cd'
    await insertAccount(server.db, { roles: ['user'], email, passwordHash: await hashPassword(password) })
    for (let time = 0; time < 22; time++) await signIn(email, password, from('192.0.2.10'))
    const { rows } = await server.pool.query(
      'select count(*)::int from known_device join app_user on app_user.id = user_id where email = $1',
      [email],
    )
    expect(rows).toEqual([{ count: 20 }])
  })
})
