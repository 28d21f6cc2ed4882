import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createGoogle } from '#features/auth/google/google.gateway.ts'
import { hashPassword } from '#server/session/passwords.ts'
import { hashToken } from '#server/session/tokens.ts'
import { openidClient, openidServer } from '../../../../tests/support/openid-server.ts'
import { insertAccount, testDefaults, testServer } from '../../../../tests/support/server.ts'

const provider = await openidServer()
afterAll(provider.close)
const google = () =>
  createGoogle({ issuer: provider.url, ...openidClient, log: testDefaults.log, timeoutMs: 60_000 })
const server = await testServer({ google: google() })
const { db } = server
const password = 'un mot de passe assez long'
const passwordHash = await hashPassword(password)

let people = 0
beforeEach(() => {
  people += 1
  provider.tamper = (claims) => claims
  provider.isUp = true
  provider.person = {
    sub: `google-${people}`,
    email: `google-${people}@exemple.cd`,
    email_verified: true,
    name: 'Grâce Mbuyi',
  }
})

/** Starts a sign-in, and returns what a browser brings back from Google. */
async function begin(redirectUrl = '/prices', at = server) {
  const begun = await at.visitor.get(
    `/api/auth/google/initiate?redirectUrl=${encodeURIComponent(redirectUrl)}`,
  )
  expect(begun.status).toBe(200)
  const there = await fetch((begun.body as { redirect_url: string }).redirect_url, { redirect: 'manual' })
  const back = new URL(there.headers.get('location') ?? '')
  return { cookie: cookieOf(begun.headers), query: back.search, back }
}

const cookieOf = (headers: Headers) =>
  headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')

const callback = (query: string, cookie: string) =>
  server.visitor.send(`/api/auth/google/callback${query}`, { headers: { cookie } })

async function signIn(redirectUrl?: string) {
  const { query, cookie } = await begin(redirectUrl)
  return callback(query, cookie)
}

const accountOf = (email: string) =>
  db.selectFrom('app_user').selectAll().where('email', '=', email).executeTakeFirst()

describe('signing in with Google', () => {
  test('creates an account the first time and finds it again by Google’s identifier, even with another address', async () => {
    const first = await signIn()
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject({
      success: true,
      isFirstLogin: true,
      redirectUrl: '/prices',
      message: 'Connexion réussie',
      user: { email: provider.person.email, auth_provider: 'GOOGLE', email_verified: true, roles: ['user'] },
    })
    expect(cookieOf(first.headers)).toMatch(/ntalo_refresh=/)
    provider.person = { ...provider.person, email: `autre-${people}@exemple.cd`, email_verified: false }
    const again = await signIn()
    expect(again.body).toMatchObject({
      isFirstLogin: false,
      user: Object(first.body).user.id && { id: Object(first.body).user.id },
    })
  })

  test('requests PKCE, state and nonce, and returns to our own address', async () => {
    const { body } = await server.visitor.get('/api/auth/google/initiate')
    const asked = new URL((body as { redirect_url: string }).redirect_url).searchParams
    expect(asked.get('redirect_uri')).toBe(`${server.url}/auth/google/callback`)
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^.{40,}$/),
      nonce: expect.stringMatching(/^.{40,}$/),
      scope: 'openid email profile',
    })
  })

  test('opens the password account of a verified address, whose password stays valid', async () => {
    const { email } = provider.person
    const id = await insertAccount(db, {
      roles: ['collector'],
      email: email.toUpperCase(),
      passwordHash,
      isVerified: true,
    })
    expect((await signIn()).body).toMatchObject({
      user: { id, auth_provider: 'LOCAL', roles: ['collector'] },
    })
    expect((await server.visitor.post('/api/auth/login', { email, password })).status).toBe(200)
  })

  test('removes the password and the sessions of an account whose address was never confirmed', async () => {
    const { email } = provider.person
    const id = await insertAccount(db, { roles: ['user'], email, passwordHash, isVerified: false })
    const squatter = await server.clientOf(id)
    expect((await signIn()).body).toMatchObject({ user: { id } })
    expect((await server.visitor.post('/api/auth/login', { email, password })).status).toBe(401)
    expect((await squatter.get('/api/auth/me')).status).toBe(401)
  })

  test('refuses an address that Google has not verified, whether or not it has an account', async () => {
    provider.person = { ...provider.person, email_verified: false }
    const unknown = await signIn()
    await insertAccount(db, { roles: ['user'], email: provider.person.email, passwordHash, isVerified: true })
    const existing = await signIn()
    expect([unknown.status, existing.status]).toEqual([403, 403])
    expect(Object(existing.body).message).toBe(Object(unknown.body).message)
    expect((await accountOf(provider.person.email))?.google_sub).toBeNull()
  })

  test('refuses the address of an account that is linked to another Google account', async () => {
    expect((await signIn()).status).toBe(200)
    provider.person = { ...provider.person, sub: 'un autre' }
    expect((await signIn()).status).toBe(409)
  })

  test.each(['BANNED', 'SUSPENDED', 'INACTIVE', 'PENDING'])(
    'refuses an account that is %s, with the text of a password sign-in',
    async (status) => {
      const { email } = provider.person
      await insertAccount(db, { roles: ['user'], email, passwordHash, status, isVerified: true })
      const withPassword = await server.visitor.post('/api/auth/login', { email, password })
      const withGoogle = await signIn()
      expect([withGoogle.status, Object(withGoogle.body).message]).toEqual([
        403,
        Object(withPassword.body).message,
      ])
    },
  )

  test('requests the second factor of an account that has one, in the browser that came back, once', async () => {
    const { email } = provider.person
    const id = await insertAccount(db, { roles: ['user'], email, passwordHash, isVerified: true })
    await db
      .insertInto('second_factor')
      .values({ user_id: id, secret: Buffer.alloc(20), confirmed_at: new Date() })
      .execute()
    const codes = ['abcde-fghjk', 'bcdef-ghjkm']
    const hash = (code: string) => hashToken(code.replace('-', ''))
    await db
      .insertInto('recovery_code')
      .values(codes.map((code) => ({ user_id: id, hash: hash(code) })))
      .execute()
    const asked = await signIn()
    expect(asked).toMatchObject({ status: 400, body: { errors: [{ field: 'code' }] } })
    const cookie = cookieOf(asked.headers)
    expect(cookie).not.toMatch(/ntalo_refresh/)
    const step = (code: string, headers = {}) =>
      server.visitor.send('/api/auth/google/second-step', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ code }),
      })
    expect((await step(codes[0]!)).status).toBe(400)
    expect((await step('123456', { cookie })).status).toBe(400)
    expect(await step(codes[0]!, { cookie })).toMatchObject({ status: 200, body: { redirectUrl: '/prices' } })
    expect((await step(codes[1]!, { cookie })).status).toBe(400)
  })
})

describe('an answer that is not Google’s to this browser is refused', () => {
  const refused = async (query: string, cookie: string) => {
    const answer = await callback(query, cookie)
    expect(answer).toMatchObject({ status: 400 })
    expect(cookieOf(answer.headers)).not.toMatch(/ntalo_refresh=./)
    expect(await accountOf(provider.person.email)).toBeUndefined()
  }

  test('the state of another browser', async () => {
    const mine = await begin()
    const theirs = await begin()
    await refused(theirs.query, mine.cookie)
  })

  test('no stored state, or no state in the request', async () => {
    const { query, cookie, back } = await begin()
    await refused(query, '')
    await refused(query, 'ntalo_google=e30')
    await refused(`?code=${back.searchParams.get('code')}`, cookie)
    await refused('?token=abc&user=%7B%22id%22%3A1%7D', cookie)
  })

  test('a code that was used', async () => {
    const { query, cookie } = await begin()
    expect((await callback(query, cookie)).status).toBe(200)
    expect((await callback(query, cookie)).status).toBe(400)
  })

  test.each([
    ['another nonce', { nonce: 'celui d’un autre' }],
    ['another audience', { aud: 'un autre site' }],
    ['another issuer', { iss: 'https://ailleurs.example' }],
    ['a token that has expired', { exp: 1 }],
  ])('%s', async (_what, claims) => {
    provider.tamper = (signed) => ({ ...signed, ...claims })
    const { query, cookie } = await begin()
    await refused(query, cookie)
  })
})

describe('the page after the sign-in', () => {
  test.each([
    '//ailleurs.example',
    'https://ailleurs.example/',
    '/\\ailleurs.example',
    'javascript:alert(1)',
    '/auth/logout',
  ])('%s is never the target', async (redirectUrl) => {
    expect((await signIn(redirectUrl)).body).toMatchObject({ redirectUrl: '/dashboard' })
  })
})

test('a provider that does not answer delays no other user, and the page says so', async () => {
  const other = await testServer({ google: google() })
  provider.isUp = false
  const begun = await other.visitor.get('/api/auth/google/initiate')
  expect(begun).toMatchObject({
    status: 503,
    body: { message: 'Impossible de démarrer la connexion avec Google. Veuillez réessayer.' },
  })
  provider.isUp = true
  expect((await other.visitor.get('/api/auth/google/initiate')).status).toBe(200)
})

test('without a configuration the page says so, and nothing else changes', async () => {
  const { visitor } = await testServer()
  expect(await visitor.get('/api/auth/google/initiate')).toMatchObject({ status: 404 })
  expect((await visitor.get('/api/auth/google/callback?code=a&state=b')).status).toBe(400)
})

test('without any script, the two pages of the callback contain a form that signs in', async () => {
  const { query, cookie, back } = await begin('/markets')
  const shown = await server.visitor.send(`/auth/callback${query}`, { headers: { cookie } })
  expect(shown.status).toBe(200)
  const posted = await server.visitor.send('/auth/callback', {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
    body: back.searchParams.toString(),
  })
  expect([posted.status, posted.headers.get('location')]).toEqual([303, '/markets'])
  expect(cookieOf(posted.headers)).toMatch(/ntalo_refresh=./)
  expect((await server.visitor.get('/auth/google/callback?token=abc')).status).toBe(400)
})
