import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { hashToken } from '#server/session/tokens.ts'
import { client, insertAccount, testServer } from '../../../tests/support/server.ts'
import { cookieOf, password, read, visitsTo } from '../../../tests/support/visits.ts'
import { eventually } from '../../../tests/support/waiting.ts'

const server = await testServer()
const { person, signIn, renew, journalOf } = await visitsTo(server)

describe('a session', () => {
  test('gives its user access by token, until the sign-out', async () => {
    const { email, id } = await person()
    const answer = await signIn(email)
    const someone = client(server.url, read(answer).token, null)
    expect((await someone.get('/api/auth/me')).body).toMatchObject({ user: { email } })
    const out = await someone.send('/api/auth/logout', {
      method: 'POST',
      headers: { cookie: cookieOf(answer) },
    })
    expect(out.body).toEqual({ message: 'Déconnexion réussie' })
    expect(await journalOf(id)).toEqual(['sign-in', 'sign-out'])
    expect((await someone.get('/api/auth/me')).status).toBe(401)
    expect((await renew(cookieOf(answer))).status).toBe(401)
  })

  test('has an access token that expires after a quarter of an hour', async () => {
    const someone = await server.as('user')
    await server.db
      .updateTable('session_token')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('hash', '=', hashToken(someone.token ?? ''))
      .execute()
    expect((await someone.get('/api/auth/me')).status).toBe(401)
  })

  test('gets a new cookie and a working token at a refresh, also at the address without /api', async () => {
    const { email } = await person()
    const signedIn = await signIn(email)
    const first = await renew(cookieOf(signedIn))
    expect(first.status).toBe(200)
    expect(cookieOf(first)).not.toBe(cookieOf(signedIn))
    const second = await server.visitor.send('/auth/refresh', {
      method: 'POST',
      headers: { cookie: cookieOf(first), 'user-agent': 'node' },
    })
    expect(second.body).toMatchObject({ user: { email } })
    expect((await client(server.url, read(second).token, null).get('/api/auth/me')).status).toBe(200)
  })

  test('survives a hundred parallel refreshes of one browser, and a stolen token of its family is still detected', async () => {
    const { email, id } = await person()
    const cookie = cookieOf(await signIn(email))
    const answers = await Promise.all(Array.from({ length: 100 }, () => renew(cookie)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(100)
    // The browser stores the cookie of whichever response came last: the session continues with it, and remains one
    // session.
    const kept = cookieOf(answers[37]!)
    expect((await renew(kept)).status).toBe(200)
    expect(await journalOf(id)).toEqual(['sign-in'])
    const { rowCount } = await server.pool.query('select from session where user_id = $1', [id])
    expect(rowCount).toBe(1)
    expect((await renew(cookie)).status).toBe(401)
    expect((await renew(kept)).status).toBe(401)
  })

  test('survives two hundred refreshes of which one response in three is lost', async () => {
    const { email } = await person()
    let cookie = cookieOf(await signIn(email))
    for (let time = 1; time <= 200; time++) {
      const answer = await renew(cookie)
      expect(answer.status).toBe(200)
      if (time % 3 !== 0) cookie = cookieOf(answer)
    }
  })

  test('is renewed a limited number of times per account, and a refused cookie is valid again later', async () => {
    const { id, email } = await person()
    const cookie = cookieOf(await signIn(email))
    await server.pool.query(
      `insert into rate_limit (key, hits, resets_at) values ($1, 1000, now() + interval '1 minute')`,
      [`refresh:account:${id}`],
    )
    const refused = await renew(cookie)
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    await server.pool.query('delete from rate_limit where key = $1', [`refresh:account:${id}`])
    expect((await renew(cookie)).status).toBe(200)
  })

  test('gives another successor to a token used again before its successor, at any time and from any browser', async () => {
    const { email } = await person()
    const old = cookieOf(await signIn(email))
    await renew(old)
    await server.pool.query(`update session_token set expires_at = expires_at - interval '1 hour'`)
    const again = await renew(old, 'the same browser, updated meanwhile')
    expect(again.status).toBe(200)
    expect((await renew(cookieOf(again))).status).toBe(200)
  })

  test('a stolen token used after its successor revokes the whole family', async () => {
    const { email, id } = await person()
    const stolen = cookieOf(await signIn(email))
    const second = await renew(stolen)
    const third = await renew(cookieOf(second))
    expect(third.status).toBe(200)
    expect((await renew(stolen)).status).toBe(401)
    expect((await renew(cookieOf(third))).status).toBe(401)
    expect((await client(server.url, read(third).token, id).get('/api/auth/me')).status).toBe(401)
    expect(await journalOf(id)).toEqual(['sign-in', 'token-reused'])
  })

  test('with two holders of successors of one token detects the second one', async () => {
    const { email } = await person()
    const stolen = cookieOf(await signIn(email))
    const [owner, thief] = [await renew(stolen), await renew(stolen)]
    const next = await renew(cookieOf(owner))
    expect(next.status).toBe(200)
    expect((await renew(cookieOf(thief))).status).toBe(401)
    expect((await renew(cookieOf(next))).status).toBe(401)
  })

  test('that the browser had ends at a new sign-in, which ignores a token in the request', async () => {
    const { email } = await person()
    const former = cookieOf(await signIn(email))
    const planted = await signIn(email, password, { cookie: former })
    expect(cookieOf(planted)).not.toBe(former)
    expect((await renew(former)).status).toBe(401)
    expect((await renew(cookieOf(planted))).status).toBe(200)
  })

  test('refreshing without a cookie, or with an invented one, is 401', async () => {
    expect((await renew('')).status).toBe(401)
    expect((await renew(`ntalo_refresh=${'A'.repeat(43)}`)).status).toBe(401)
  })

  test('a suspended account loses its open sessions before they are read again', async () => {
    const someone = await server.as('collector')
    expect((await someone.get('/api/brands')).status).toBe(200)
    await server.db
      .updateTable('app_user')
      .set({ status: 'SUSPENDED' })
      .where('id', '=', someone.userId)
      .execute()
    await expectToldOf(async () => (await someone.get('/api/brands')).status, 401)
  })

  test('a permission taken from a role is taken from open sessions before they are read again', async () => {
    const someone = await server.as('collector')
    const write = async () =>
      (await someone.post('/api/brands', { name: randomUUID(), country: 'RDC' })).status
    await expect.poll(write).toBe(201)
    await server.pool.query(`delete from role_permission using role, permission
      where role.id = role_id and permission.id = permission_id and role.name = 'collector' and permission.name = 'catalogue.write'`)
    await expectToldOf(write, 403)
    await server.pool.query(`insert into role_permission select role.id, permission.id from role, permission
      where role.name = 'collector' and permission.name = 'catalogue.write'`)
  })

  test('is stored only as hashes of its tokens', async () => {
    const { email } = await person()
    const answer = await signIn(email)
    const { rows } = await server.pool.query('select encode(hash, $1) as hash from session_token', ['escape'])
    const stored = JSON.stringify(rows)
    expect(stored).not.toContain(read(answer).token)
    expect(stored).not.toContain(cookieOf(answer).split('=')[1])
  })
})

describe('access to the data', () => {
  test('is open in the trial, answers 402 without a subscription later, and opens again with one', async () => {
    const young = await server.clientOf(await insertAccount(server.db, { roles: ['user'], ageDays: 13 }))
    expect((await young.get('/api/brands')).status).toBe(200)
    const old = await server.clientOf(await insertAccount(server.db, { roles: ['user'], ageDays: 14 }))
    expect((await old.get('/api/brands')).status).toBe(402)
    await server.pool.query(
      `insert into subscription (user_id, start_date, end_date, status) values ($1, now() - interval '1 day', now() + interval '1 day', 'ACTIVE')`,
      [old.userId],
    )
    await expectToldOf(async () => (await old.get('/api/brands')).status, 200)
  })

  test('is that of a subscriber for an account without any role', async () => {
    const nobody = await server.as()
    expect((await nobody.get('/api/brands')).status).toBe(402)
    expect((await nobody.post('/api/brands', { name: 'X', country: 'Y' })).status).toBe(403)
  })
})

/**
 * Repeats the request until the response has this status. A session is read again after 30 s anyway, so an earlier
 * response proves a notification. The clock stands still meanwhile, so that a slow machine does not pass by waiting.
 */
async function expectToldOf(ask: () => Promise<number>, status: number): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  await eventually(`an answer of ${status}`, async () => (await ask()) === status)
}
