import { describe, expect, test } from 'vitest'
import { inviteFirstAdmin } from '#features/auth/links.jobs.ts'
import { hashPassword } from '#server/session/passwords.ts'
import { hashToken } from '#server/session/tokens.ts'
import { mailsTo } from '../../../tests/support/mails.ts'
import { insertAccount, testServer } from '../../../tests/support/server.ts'
import { deviceOf } from '../../../tests/support/visits.ts'

const server = await testServer({ hasJobs: true })
const password = 'safou et manioc 1960'
const { visitor } = server

let people = 0
const address = () => `personne-${process.pid}-${++people}@exemple.cd`

const register = (email: string, more: object = {}) =>
  visitor.post('/api/auth/register', { name: 'Aline Mbuyi', email, password, ...more })
const signIn = (email: string, typed = password) =>
  visitor.post('/api/auth/login', { email, password: typed })
const mails = (email: string, count = 1) => mailsTo(server.dataDir, email, count)

async function linkIn(email: string, count = 1): Promise<string> {
  const mail = (await mails(email, count)).at(-1)
  return new URL(mail?.url ?? '').searchParams.get('token') ?? ''
}

describe('registering', () => {
  test('opens an active account with an address to confirm, which can sign in at once', async () => {
    const email = address()
    const answer = await register(email)
    expect([answer.status, answer.body]).toEqual([201, { message: 'Inscription réussie' }])
    expect((await signIn(email)).body).toMatchObject({
      user: { name: 'Aline Mbuyi', email, status: 'ACTIVE', email_verified: false, roles: ['user'] },
    })
    const [mail] = await mails(email)
    expect(mail?.subject).toBe('Confirmez votre adresse e-mail')
    expect(mail?.url).toMatch(/^https:\/\/ntalo\.example\/auth\/verify-email\?token=[\w-]{43}$/)
  })

  test('the link confirms the address once; another can be requested until then', async () => {
    const email = address()
    await register(email)
    await mails(email)
    await visitor.post('/api/auth/resend-verification', { email })
    const token = await linkIn(email, 2)
    expect((await visitor.post('/api/auth/verify-email', { token })).body).toEqual({
      message: 'Votre adresse est confirmée.',
    })
    expect((await signIn(email)).body).toMatchObject({ user: { email_verified: true } })
    expect((await visitor.post('/api/auth/verify-email', { token })).status).toBe(400)
  })

  test('a link confirms only the address that it was sent to, and none that the account got since', async () => {
    const email = address()
    await register(email)
    const token = await linkIn(email)
    await server.db.updateTable('app_user').set({ email: address() }).where('email', '=', email).execute()
    expect((await visitor.post('/api/auth/verify-email', { token })).status).toBe(400)
  })

  test('a link confirms nothing, and sets no password, when the account changes its address while it is used', async () => {
    for (const call of ['verify-email', 'reset-password']) {
      const email = address()
      const other = address()
      await register(email)
      let token = await linkIn(email)
      if (call === 'reset-password') {
        await visitor.post('/api/auth/forgot-password', { email })
        token = await linkIn(email, 2)
      }
      const answer = await server.db.transaction().execute(async (tx) => {
        await tx.updateTable('app_user').set({ email: other }).where('email', '=', email).execute()
        const used = visitor.post(`/api/auth/${call}`, { token, password: 'pondu du dimanche' })
        const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        await expect.poll(async () => (await server.pool.query(waiting)).rowCount).toBeGreaterThan(0)
        return { used }
      })
      expect((await answer.used).status, call).toBe(400)
      expect((await signIn(other)).body, call).toMatchObject({ user: { email_verified: false } })
    }
  })

  test('registering an existing address gets the same answer; its owner gets a mail, and the account is not changed', async () => {
    const email = address()
    await register(email)
    await mails(email)
    const again = await register(email.toUpperCase(), { name: 'Un autre', password: 'kwanga au marché 77' })
    expect([again.status, again.body]).toEqual([201, { message: 'Inscription réussie' }])
    const [, sent] = await mails(email, 2)
    expect(sent?.subject).toBe('Vous avez déjà un compte Ntalo')
    expect((await signIn(email)).body).toMatchObject({ user: { name: 'Aline Mbuyi' } })
    expect((await signIn(email, 'kwanga au marché 77')).status).toBe(401)
  })

  test('over and over with an existing address mails its owner five times an hour at most', async () => {
    const email = address()
    await register(email)
    await mails(email)
    await server.pool.query('delete from rate_limit')
    for (let time = 0; time < 8; time++) expect((await register(email)).status).toBe(201)
    await expect
      .poll(async () => (await server.pool.query(`select from job where task = 'tell owner'`)).rowCount)
      .toBe(0)
    expect(await mails(email, 6)).toHaveLength(6)
  })

  test('mails no text of the person who registers until the address is confirmed', async () => {
    const email = address()
    await register(email, { name: 'Gagnez un téléphone' })
    await register(email)
    await visitor.post('/api/auth/forgot-password', { email })
    for (const { text } of await mails(email, 3)) {
      expect(text).toMatch(/^Bonjour,/)
      expect(text).not.toContain('Gagnez')
    }
    await visitor.post('/api/auth/reset-password', { token: await linkIn(email, 3), password })
    expect((await mails(email, 4)).at(-1)?.text).toMatch(/^Bonjour Gagnez/)
  })

  test('roles, status or a confirmed address in the request are dropped', async () => {
    const email = address()
    await register(email, { roleIds: [1], roles: ['super admin'], status: 'BANNED', email_verified: true })
    expect((await signIn(email)).body).toMatchObject({
      user: { status: 'ACTIVE', email_verified: false, roles: ['user'] },
    })
  })

  test.each([
    ['short', 'court12', '8 caractères au moins'],
    ['leaked', 'Password1', /mots de passe volés/],
    ['leaked, in capitals', 'QWERTYUIOP', /mots de passe volés/],
    ['made of the name', 'AlineMbuyi2026', /votre nom ou de votre adresse/],
    ['made of the address', 'xavier.kalala!', /votre nom ou de votre adresse/],
    ['made of the site', 'ntalo-2026-ntalo', /votre nom ou de votre adresse/],
  ])('a password that is %s is refused under its field', async (_why, wrong, message) => {
    const answer = await register('xavier.kalala@exemple.cd', { password: wrong })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({
      errors: [{ field: 'password', message: expect.stringMatching(message) }],
    })
  })

  test.each(['Aline vend du riz', 'mbuyi tient boutique', 'çà et là 2026', '🥭🍌🍍🥥🥑🌽🍅🍋'])(
    'a password such as « %s » is accepted, and signs in',
    async (good) => {
      const email = address()
      expect((await register(email, { password: good })).status).toBe(201)
      expect((await signIn(email, good)).status).toBe(200)
    },
  )

  test.each([
    '',
    'sans-arobase',
    'a@b',
    'a b@exemple.cd',
    'a@exemple.cd\r\nBcc: b@exemple.cd',
    'a@exemple.cd,b@exemple.cd',
  ])('the address %j is refused', async (email) => {
    expect(await register(email)).toMatchObject({ status: 400, body: { errors: [{ field: 'email' }] } })
  })
})

describe('a forgotten password', () => {
  const forgot = (email: string, path = '/api/auth/forgot-password') => visitor.post(path, { email })
  const reset = (token: string, chosen: string, path = '/api/auth/reset-password') =>
    visitor.post(path, { token, password: chosen })

  async function account(more: { status?: string } = {}): Promise<{ email: string; id: number }> {
    const email = address()
    const id = await insertAccount(server.db, {
      roles: ['user'],
      email,
      name: 'Aline Mbuyi',
      isVerified: false,
      passwordHash: await hashPassword(password),
      ...more,
    })
    return { email, id }
  }

  test('is changed by the link once, which ends every session, resets the count of failures and mails the owner', async () => {
    const { email, id } = await account()
    const before = await server.clientOf(id)
    for (let failure = 1; failure <= 10; failure++) await signIn(email, 'faux')
    expect((await signIn(email)).status).toBe(429)
    await server.pool.query(`update rate_limit set hits = 100 where key = 'sign-in:in-a-row:${id}'`)
    await forgot(email.toUpperCase())
    const token = await linkIn(email)
    const answer = await reset(token, 'pondu du dimanche')
    expect([answer.status, answer.body]).toEqual([
      200,
      { message: 'Votre mot de passe est changé. Connectez-vous.' },
    ])
    expect((await before.get('/api/auth/me')).status).toBe(401)
    expect((await signIn(email)).status).toBe(401)
    expect((await signIn(email, 'pondu du dimanche')).body).toMatchObject({ user: { email_verified: true } })
    expect((await reset(token, 'encore un autre')).status).toBe(400)
    expect((await mails(email, 2)).at(-1)?.subject).toBe('Votre mot de passe a changé')
  })

  test('of an address registered by another person before its owner confirmed it removes all that person’s settings', async () => {
    const { email, id } = await account()
    const [first, stranger] = [await signIn(email), await server.clientOf(id)]
    const device = deviceOf(first)
    const { pool } = server
    await pool.query(`insert into second_factor (user_id, secret, confirmed_at) values ($1, $2, now())`, [
      id,
      Buffer.alloc(20, 1),
    ])
    await pool.query(`update app_user set google_sub = 'inconnu', auth_provider = 'GOOGLE' where id = $1`, [
      id,
    ])
    await pool.query(
      `with report as (
         insert into report (user_id, title, blocks) values ($1, 'Bulletin', '[]') returning id),
       recipient as (
         insert into report_recipient (report_id, email, token, state)
         select id, state || '@exemple.cd', state || id, state from report, unnest('{confirmed,left}'::text[]) state),
       channel as (
         insert into channel_address (user_id, channel, address) values ($1, 'telegram', 'inconnu')),
       endpoint as (
         insert into webhook_endpoint (user_id, url, events, secret) values ($1, 'https://exemple.cd', '{price.created}', $2)),
       page as (
         insert into share (user_id, token, path, search, title) values ($1, 'inconnu', '/prices', '', 'Prix')),
       billing as (
         insert into billing_details (user_id, name, email) values ($1, 'Un inconnu', 'inconnu@exemple.cd'))
       insert into api_key (user_id, name, hash, prefix, scopes, version)
       values ($1, 'à un inconnu', $2, 'ntalo', '{prices.read}', '2026-01-01')`,
      [id, Buffer.alloc(32, people)],
    )
    await forgot(email)
    expect((await reset(await linkIn(email), 'pondu du dimanche')).status).toBe(200)
    expect((await signIn(email, 'pondu du dimanche')).body).toMatchObject({ user: { email_verified: true } })
    expect((await stranger.get('/api/auth/me')).status).toBe(401)
    const { rows: outlets } = await pool.query(
      `select (select count(*) from api_key where user_id = $1 and revoked_at is null)::int as keys,
              (select count(*) from webhook_endpoint where user_id = $1)::int as webhooks,
              (select count(*) from channel_address where user_id = $1)::int as channels,
              (select count(*) from report_recipient join report on report.id = report_id where user_id = $1)::int as recipients,
              (select count(*) from share where user_id = $1)::int as shares,
              (select count(*) from billing_details where user_id = $1)::int as billing`,
      [id],
    )
    // Recipients who unsubscribed are stored, so that they are not invited again.
    expect(outlets).toEqual([{ keys: 0, webhooks: 0, channels: 0, recipients: 1, shares: 0, billing: 0 }])
    const ended = { keys: 1, webhooks: 1, channels: 1, recipients: 1, shares: 1, billing: 1 }
    const entries = await pool.query(
      `select after from audit_entry where action = 'reset-password' and entity_id = $1`,
      [id],
    )
    expect(entries.rows).toEqual([{ after: ended }])
    // The link, that the password changed, and that the outlets have ended.
    const subjects = (await mails(email, 3)).map(({ subject }) => subject)
    expect(subjects).toContain('Les clés et les envois de votre compte sont retirés')
    const { rows } = await pool.query(
      `select google_sub, auth_provider, (select count(*) from second_factor where user_id = $1)::int as factors,
              (select count(*) from known_device where user_id = $1 and hash = $2)::int as devices
         from app_user where id = $1`,
      [id, hashToken(device.split('=')[1] ?? '')],
    )
    expect(rows).toEqual([{ google_sub: null, auth_provider: 'LOCAL', factors: 0, devices: 0 }])
  })

  test('of a confirmed address does not turn the second factor off', async () => {
    const { email, id } = await account()
    await server.pool.query('update app_user set email_verified = true where id = $1', [id])
    await server.pool.query(
      `insert into second_factor (user_id, secret, confirmed_at) values ($1, $2, now())`,
      [id, Buffer.alloc(20, 1)],
    )
    await forgot(email)
    expect((await reset(await linkIn(email), 'pondu du dimanche')).status).toBe(200)
    expect(await signIn(email, 'pondu du dimanche')).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'code' }] },
    })
  })

  test('is also how a user without a password chooses the first one, and can then prove their identity', async () => {
    const email = address()
    const id = await insertAccount(server.db, { roles: ['user'], email })
    const client = await server.clientOf(id)
    expect((await client.get('/api/auth/me')).body).toMatchObject({ user: { hasPassword: false } })
    const other = address()
    expect(await client.put('/api/auth/me', { email: other, currentPassword: 'n’importe' })).toMatchObject({
      status: 400,
      body: {
        errors: [{ field: 'currentPassword', message: expect.stringContaining('pas de mot de passe') }],
      },
    })
    await forgot(email)
    expect((await mails(email))[0]?.text).toContain('n’a pas encore de mot de passe')
    expect((await reset(await linkIn(email), password)).status).toBe(200)
    const again = await server.clientOf(id)
    expect((await again.get('/api/auth/me')).body).toMatchObject({ user: { hasPassword: true } })
    expect((await again.put('/api/auth/me', { email: other, currentPassword: password })).status).toBe(200)
  })

  test('can be reset at both addresses of the calls, and a refused password does not use up the link', async () => {
    const { email } = await account()
    await forgot(email, '/auth/forgot-password')
    const token = await linkIn(email)
    expect((await reset(token, 'password1', '/auth/reset-password')).status).toBe(400)
    expect((await reset(token, 'pondu du dimanche', '/auth/reset-password')).status).toBe(200)
  })

  test('has a link that is valid for half an hour, and using one ends the others', async () => {
    const { email } = await account()
    await forgot(email)
    const first = await linkIn(email)
    await forgot(email)
    const second = await linkIn(email, 2)
    await server.pool.query(
      `update account_link set expires_at = now() + interval '1 second' - interval '30 minutes' where hash = $1`,
      [hashToken(first)],
    )
    expect((await reset(first, 'pondu du dimanche')).status).toBe(400)
    await forgot(email)
    const third = await linkIn(email, 3)
    expect((await reset(third, 'pondu du dimanche')).status).toBe(200)
    expect((await reset(second, 'pondu du lundi')).status).toBe(400)
    const { rows } = await server.pool.query(
      `select extract(epoch from expires_at - created_at)::int as s from account_link where hash = $1`,
      [hashToken(second)],
    )
    expect(rows).toEqual([{ s: 1800 }])
  })

  test('has a link of which only one of two simultaneous uses passes', async () => {
    const { email } = await account()
    await forgot(email)
    const token = await linkIn(email)
    const answers = await Promise.all([1, 2, 3, 4].map((n) => reset(token, `pondu du dimanche ${n}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
  })

  test('has a link of which only the hash is stored', async () => {
    const { email } = await account()
    await forgot(email)
    const token = await linkIn(email)
    const { rows } = await server.pool.query(
      `select encode(hash, 'escape') as hash, l::text from account_link l`,
    )
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('of an unknown address, or of an account that may not sign in, gets the same answer, and no mail', async () => {
    const { email: banned } = await account({ status: 'BANNED' })
    const { email } = await account()
    const answers = [await forgot(address()), await forgot(banned), await forgot(email)]
    for (const { status, body, headers } of answers) {
      expect([status, body]).toEqual([
        200,
        { message: 'Si un compte existe avec cet email, vous recevrez un lien de réinitialisation.' },
      ])
      expect([...headers.keys()].sort()).toEqual([...(answers[0]?.headers.keys() ?? [])].sort())
    }
    await mails(email)
    expect(await mails(banned, 0)).toEqual([])
  })

  test('sends few mails to one address, whoever requests them', async () => {
    const { email } = await account()
    await server.pool.query('delete from rate_limit')
    for (let time = 0; time < 8; time++) expect((await forgot(email)).status).toBe(200)
    await expect
      .poll(async () => (await server.pool.query(`select from job where task = 'reset link'`)).rowCount)
      .toBe(0)
    expect(await mails(email, 5)).toHaveLength(5)
  })
})

test('the first super administrator of an empty database sets a password by a mailed link', async () => {
  const empty = await testServer({ hasJobs: true })
  const email = 'direction@exemple.cd'
  await Promise.all([1, 2, 3].map(() => inviteFirstAdmin(empty.db, email)))
  const found = await mailsTo(empty.dataDir, email, 1)
  expect(found).toHaveLength(1)
  const token = new URL(found[0]?.url ?? '').searchParams.get('token')
  expect((await empty.visitor.post('/api/auth/reset-password', { token, password })).status).toBe(200)
  const entered = await empty.visitor.post('/api/auth/login', { email, password })
  expect(entered.body).toMatchObject({ user: { roles: ['super admin'], email_verified: true } })
  await inviteFirstAdmin(empty.db, 'autre@exemple.cd')
  expect((await empty.pool.query('select from app_user')).rowCount).toBe(1)
})
