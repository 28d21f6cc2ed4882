import { hash } from '@node-rs/argon2'
import { describe, expect, test } from 'vitest'
import { home, mayHaveSession, ownPath } from '#features/auth/auth.rules.ts'
import { hashPassword } from '#server/session/passwords.ts'
import { client, insertAccount, listenOn, testServer } from '../../../tests/support/server.ts'
import { password, read, visitsTo } from '../../../tests/support/visits.ts'

const server = await testServer()
const { person, signIn, renew, journalOf } = await visitsTo(server)
const passwordHash = await hashPassword(password)

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

  test('a second cookie, readable by scripts, tells only that there is a session, and ends with it', async () => {
    const { email } = await person()
    const answer = await signIn(email)
    expect(answer.headers.getSetCookie()[1]).toBe('ntalo_signed_in=1; Max-Age=86400; Path=/; SameSite=Lax')
    expect(mayHaveSession('theme=dark; ntalo_signed_in=1')).toBe(true)
    const refused = await renew('ntalo_refresh=inventé')
    expect(refused.headers.getSetCookie()[1]).toMatch(/^ntalo_signed_in=; Max-Age=0;/)
    expect(mayHaveSession('ntalo_signed_in=; theme=dark')).toBe(false)
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
    'an address that cannot be stored (%j) is refused as invalid',
    async (email) => {
      expect(await signIn(email)).toMatchObject({ status: 400, body: { errors: [{ field: 'email' }] } })
    },
  )

  test.each(['\u0000', '\ud800', ' '])(
    'a password of unusual characters (%j) is only wrong',
    async (typed) => {
      const { email } = await person()
      expect((await signIn(email, typed)).status).toBe(401)
    },
  )

  test('an empty field is named in the refusal', async () => {
    const answer = await server.visitor.post('/api/auth/login', { email: '', password: '' })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ errors: [{ field: 'email' }, { field: 'password' }] })
  })

  test('the eleventh failure in a quarter of an hour is refused with Retry-After, and a success resets the count', async () => {
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
    const { email } = await person()
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
        `update rate_limit set resets_at = now() - interval '1 second' where key like 'sign-in:account:%'`,
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

  test('a password hashed with less work than today’s is hashed again when it is typed', async () => {
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
    // All requests of this file come from one address.
    await server.pool.query(`delete from rate_limit where key like 'sign-in:address:%'`)
  })

  test('parallel guesses do not bypass the count', async () => {
    const { email } = await person()
    const answers = await Promise.all(Array.from({ length: 16 }, () => signIn(email, 'faux')))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(6)
  })

  test('guesses count for the account, with any letters that PostgreSQL treats as those of its address', async () => {
    await insertAccount(server.db, { roles: ['user'], passwordHash, email: 'idriss@exemple.cd' })
    for (let failure = 1; failure <= 10; failure++) await signIn('idriss@exemple.cd', 'faux')
    expect((await signIn('\u0130driss@exemple.cd', 'faux')).status).toBe(429)
  })
})

test.each([
  '/.//ailleurs.example',
  '/%2e//ailleurs.example',
  '/a/..//ailleurs.example/x',
  '//ailleurs.example',
  '/\\ailleurs.example',
  '/.\\/ailleurs.example',
  'https://ailleurs.example/',
  '/.//api/auth/me',
  null,
])('the path %s of another site or of no page leads home', (wanted) => {
  expect(ownPath(wanted)).toBe(home)
})

test.each(['/', '/prices?search=riz#a', '/%2F..', '/a//b'])('the path %s of this site is kept', (wanted) => {
  expect(ownPath(wanted)).toBe(wanted)
})
