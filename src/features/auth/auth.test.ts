import { hash } from '@node-rs/argon2'
import { describe, expect, test } from 'vitest'
import { maySignIn } from '#features/auth/auth.rules.ts'
import { hashPassword } from '#server/session/passwords.ts'
import { hashToken } from '#server/session/tokens.ts'
import { client, insertAccount, listenOn, testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const password = 'un mot de passe assez long'
const passwordHash = await hashPassword(password)

let people = 0
async function person(more: { status?: string; roles?: string[]; ageDays?: number } = {}) {
  people += 1
  const email = `personne-${people}@exemple.cd`
  const id = await insertAccount(server.db, {
    roles: ['user'],
    passwordHash,
    email,
    name: `Personne ${people}`,
    ...more,
  })
  return { id, email }
}

async function signIn(email: string, typed = password, headers: Record<string, string> = {}) {
  return server.visitor.send('/api/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ email, password: typed }),
  })
}

/** What the journal says of somebody’s sessions, in order. */
async function journalOf(userId: number): Promise<string[]> {
  const { rows } = await server.pool.query(
    `select action from audit_entry where entity = 'session' and entity_id = $1 and request_id is not null order by id`,
    [userId],
  )
  return rows.map(({ action }) => action)
}

function cookieOf(answer: { headers: Headers }): string {
  const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('ntalo_refresh='))
  return cookie?.split(';')[0] ?? ''
}

const renew = (cookie: string, agent = 'node') =>
  server.visitor.send('/api/auth/refresh', { method: 'POST', headers: { cookie, 'user-agent': agent } })

const read = (answer: { body: unknown }) =>
  answer.body as Record<string, never> & { message: string; token: string }

describe('signing in', () => {
  test('answers the user, a token, the first-login flag and the age of the account', async () => {
    const { email } = await person({ ageDays: 5 })
    const first = await signIn(email)
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject({
      user: {
        email,
        roles: ['user'],
        user_roles: [{ role: { name: 'user' } }],
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
      },
      isFirstLogin: true,
      daysSinceAccountCreation: 5,
      subscription: null,
      allSubscriptions: [],
      message: 'Connexion réussie',
    })
    expect((await signIn(email)).body).toMatchObject({ isFirstLogin: false })
  })

  test('the refresh cookie cannot be read by scripts and is sent to this site only', async () => {
    const { email } = await person()
    const [line] = (await signIn(email)).headers.getSetCookie()
    expect(line).toMatch(/^ntalo_refresh=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/)
  })

  test('a second cookie, which scripts can read, says only that there is a session, and goes with it', async () => {
    const { email } = await person()
    const answer = await signIn(email)
    expect(answer.headers.getSetCookie()[1]).toBe('ntalo_signed_in=1; Max-Age=86400; Path=/; SameSite=Lax')
    expect(maySignIn('theme=dark; ntalo_signed_in=1')).toBe(true)
    const refused = await renew('ntalo_refresh=inventé')
    expect(refused.headers.getSetCookie()[1]).toMatch(/^ntalo_signed_in=; Max-Age=0;/)
    expect(maySignIn('ntalo_signed_in=; theme=dark')).toBe(false)
  })

  test('a wrong password, an unknown account and an account without password are refused in the same words', async () => {
    const { email } = await person()
    await insertAccount(server.db, { roles: [], email: 'sans-mot-de-passe@exemple.cd' })
    const answers = await Promise.all([
      signIn(email, 'autre chose'),
      signIn('personne@ailleurs.cd'),
      signIn('sans-mot-de-passe@exemple.cd'),
    ])
    for (const { status, body } of answers) {
      expect(status).toBe(401)
      expect(body).toMatchObject({ message: 'Email ou mot de passe incorrect', errors: [] })
    }
  })

  test('case and spaces around the address do not matter', async () => {
    const { email } = await person()
    expect((await signIn(`  ${email.toUpperCase()} `)).status).toBe(200)
  })

  test.each(['PENDING', 'INACTIVE', 'SUSPENDED', 'BANNED'])(
    'an account %s cannot sign in',
    async (status) => {
      const { email, id } = await person({ status })
      expect((await signIn(email)).status).toBe(403)
      expect(await journalOf(id)).toEqual(['sign-in-refused'])
    },
  )

  test.each(['a\u0000@exemple.cd', 'a\ud800@exemple.cd'])(
    'an address that cannot be stored (%j) is refused as such',
    async (email) => {
      expect(await signIn(email)).toMatchObject({ status: 400, body: { errors: [{ field: 'email' }] } })
    },
  )

  test.each(['\u0000', '\ud800', ' '])('a password of odd characters (%j) is only wrong', async (typed) => {
    const { email } = await person()
    expect((await signIn(email, typed)).status).toBe(401)
  })

  test('an empty field is named', async () => {
    const answer = await server.visitor.post('/api/auth/login', { email: '', password: '' })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ errors: [{ field: 'email' }, { field: 'password' }] })
  })

  test('the eleventh failure in a quarter of an hour is told to wait, and a success starts the count again', async () => {
    const { email } = await person()
    for (let failure = 1; failure <= 9; failure++) expect((await signIn(email, 'faux')).status).toBe(401)
    expect((await signIn(email)).status).toBe(200)
    for (let failure = 1; failure <= 10; failure++) expect((await signIn(email, 'faux')).status).toBe(401)
    const limited = await signIn(email)
    expect(limited.status).toBe(429)
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(800)
    expect(read(limited).message).toMatch(/^Trop de tentatives/)
  })

  test('each window of failures that follows another doubles the wait, up to a day', async () => {
    const { email, id } = await person()
    const waits: number[] = []
    for (let window = 1; window <= 3; window++) {
      for (let failure = 1; failure <= 10; failure++) expect((await signIn(email, 'faux')).status).toBe(401)
      const { status, headers } = await signIn(email)
      expect(status).toBe(429)
      const wait = Number(headers.get('retry-after'))
      expect(headers.get('ratelimit-policy')).toBe('"sign-in-account";q=10;w=900')
      expect(headers.get('ratelimit')).toBe(`"sign-in-account";r=0;t=${wait}`)
      waits.push(Math.round(wait / 900))
      await server.pool.query(
        `update rate_limit set resets_at = now() - interval '1 second' where key = $1`,
        [`sign-in:account:${id}`],
      )
    }
    expect(waits).toEqual([1, 2, 4])
    expect((await signIn(email)).status).toBe(200)
  })

  test('after a hundred failures in a row, however slow, only a new password opens the account', async () => {
    const { email, id } = await person()
    expect((await signIn(email, 'faux')).status).toBe(401)
    const key = `sign-in:in-a-row:${id}`
    await server.pool.query('update rate_limit set hits = 99 where key = $1', [key])
    expect((await signIn(email, 'faux')).status).toBe(401)
    const refused = await signIn(email)
    expect([refused.status, read(refused).message]).toEqual([
      429,
      'Trop d’échecs de suite pour cette adresse\u00a0: choisissez un nouveau mot de passe par «\u202fMot de passe oublié\u202f».',
    ])
    await server.pool.query('update rate_limit set hits = 99 where key = $1', [key])
    expect((await signIn(email)).status).toBe(200)
    expect((await server.pool.query('select from rate_limit where key = $1', [key])).rowCount).toBe(0)
  })

  test('a password kept under less work than today’s is kept anew when it is typed', async () => {
    const email = 'ancien-calcul@exemple.cd'
    const older = await hash(password, { memoryCost: 8_192, timeCost: 1, parallelism: 1 })
    const id = await insertAccount(server.db, { roles: ['user'], email, passwordHash: older })
    expect((await signIn(email, 'faux')).status).toBe(401)
    expect((await signIn(email)).status).toBe(200)
    const { rows } = await server.pool.query('select password_hash from app_user where id = $1', [id])
    expect(rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect((await signIn(email)).status).toBe(200)
  })

  test('two servers on one database share the count', async () => {
    const { email } = await person()
    const other = client((await listenOn(server)).url, null, null)
    const guesses = [server.visitor, other].flatMap((at) =>
      Array.from({ length: 8 }, () => at.post('/api/auth/login', { email, password: 'faux' })),
    )
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(6)
    // All of this file come from one address.
    await server.pool.query(`delete from rate_limit where key like 'sign-in:address:%'`)
  })

  test('parallel guesses do not outrun the count', async () => {
    const { email } = await person()
    const answers = await Promise.all(Array.from({ length: 16 }, () => signIn(email, 'faux')))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(6)
  })

  test('guesses are counted for the account, whatever letters PostgreSQL takes for those of its address', async () => {
    await insertAccount(server.db, { roles: ['user'], passwordHash, email: 'idriss@exemple.cd' })
    for (let failure = 1; failure <= 10; failure++) await signIn('idriss@exemple.cd', 'faux')
    expect((await signIn('\u0130driss@exemple.cd', 'faux')).status).toBe(429)
  })
})

describe('a session', () => {
  test('an access token opens what its user may see, and nothing after signing out', async () => {
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

  test('an access token ends after its quarter of an hour', async () => {
    const someone = await server.as('user')
    await server.db
      .updateTable('session_token')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('hash', '=', hashToken(someone.token ?? ''))
      .execute()
    expect((await someone.get('/api/auth/me')).status).toBe(401)
  })

  test('refreshing changes the cookie and gives a working token, also at the address without /api', async () => {
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

  test('a hundred parallel refreshes of one browser all succeed', async () => {
    const { email } = await person()
    const cookie = cookieOf(await signIn(email))
    const answers = await Promise.all(Array.from({ length: 100 }, () => renew(cookie)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(100)
  })

  test('of two hundred refreshes whose answers are lost one time in three, none signs anybody out', async () => {
    const { email } = await person()
    let cookie = cookieOf(await signIn(email))
    for (let time = 1; time <= 200; time++) {
      const answer = await renew(cookie)
      expect(answer.status).toBe(200)
      if (time % 3 !== 0) cookie = cookieOf(answer)
    }
  })

  test('renewals of one account are counted, and the cookie that is refused is good again later', async () => {
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

  test('a token used again before its successor gives another one, however late and from whatever browser', async () => {
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

  test('of two that hold successors of one token, the second to use his is found out', async () => {
    const { email } = await person()
    const stolen = cookieOf(await signIn(email))
    const [owner, thief] = [await renew(stolen), await renew(stolen)]
    const next = await renew(cookieOf(owner))
    expect(next.status).toBe(200)
    expect((await renew(cookieOf(thief))).status).toBe(401)
    expect((await renew(cookieOf(next))).status).toBe(401)
  })

  test('signing in ends the session that the browser had, and takes no token that somebody brought', async () => {
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

  test('a suspended account loses its open sessions within 200 ms', async () => {
    const someone = await server.as('collector')
    expect((await someone.get('/api/brands')).status).toBe(200)
    await server.db
      .updateTable('app_user')
      .set({ status: 'SUSPENDED' })
      .where('id', '=', someone.userId)
      .execute()
    await expect
      .poll(async () => (await someone.get('/api/brands')).status, { timeout: 200, interval: 10 })
      .toBe(401)
  })

  test('a permission taken from a role is felt within 200 ms', async () => {
    const someone = await server.as('collector')
    expect((await someone.post('/api/brands', { name: 'Avant', country: 'RDC' })).status).toBe(201)
    await server.pool.query(`delete from role_permission using role, permission
      where role.id = role_id and permission.id = permission_id and role.name = 'collector' and permission.name = 'catalogue.write'`)
    await expect
      .poll(async () => (await someone.post('/api/brands', { name: 'Après', country: 'RDC' })).status, {
        timeout: 200,
        interval: 10,
      })
      .toBe(403)
    await server.pool.query(`insert into role_permission select role.id, permission.id from role, permission
      where role.name = 'collector' and permission.name = 'catalogue.write'`)
  })

  test('only hashes of tokens are stored', async () => {
    const { email } = await person()
    const answer = await signIn(email)
    const { rows } = await server.pool.query('select encode(hash, $1) as hash from session_token', ['escape'])
    const stored = JSON.stringify(rows)
    expect(stored).not.toContain(read(answer).token)
    expect(stored).not.toContain(cookieOf(answer).split('=')[1])
  })
})

describe('access to the data', () => {
  test('an account in its trial reads, an older one without subscription gets 402, a current subscription opens again', async () => {
    const young = await server.clientOf(await insertAccount(server.db, { roles: ['user'], ageDays: 13 }))
    expect((await young.get('/api/brands')).status).toBe(200)
    const old = await server.clientOf(await insertAccount(server.db, { roles: ['user'], ageDays: 14 }))
    expect((await old.get('/api/brands')).status).toBe(402)
    await server.pool.query(
      `insert into subscription (user_id, start_date, end_date, status) values ($1, now() - interval '1 day', now() + interval '1 day', 'ACTIVE')`,
      [old.userId],
    )
    await expect
      .poll(async () => (await old.get('/api/brands')).status, { timeout: 200, interval: 10 })
      .toBe(200)
  })

  test('an account without any role counts as a subscriber', async () => {
    const nobody = await server.as()
    expect((await nobody.get('/api/brands')).status).toBe(402)
    expect((await nobody.post('/api/brands', { name: 'X', country: 'Y' })).status).toBe(403)
  })
})
