import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { hashPassword } from '#server/session/passwords.ts'
import { type Client, client, insertAccount, testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db, visitor } = server
const admin = await server.as('admin')
const password = 'safou et manioc 1960'
const passwordHash = await hashPassword(password)

/** Registers a user, and signs in. */
async function register(email: string): Promise<Client> {
  await server.pool.query('delete from rate_limit')
  expect((await visitor.post('/api/auth/register', { name: 'Aline', email, password })).status).toBe(201)
  const { body } = await visitor.post('/api/auth/login', { email, password })
  const { token, user } = body as { token: string; user: { id: number } }
  return client(server.url, token, user.id)
}

/** Confirms the address, as the link in the mail does. */
const confirm = ({ userId }: Client) =>
  sql`update app_user set email_verified = true where id = ${userId}`.execute(db)
const makeOlder = ({ userId }: Client, days: number) =>
  sql`update app_user set created_at = now() - make_interval(days => ${days}) where id = ${userId}`.execute(
    db,
  )

async function stateOf(person: Client) {
  const prices = await person.get('/api/prices')
  const { body } = await person.get('/api/subscriptions/access')
  const { hasAccess, mayStartTrial, confirmBy } = body as Record<string, unknown>
  const { message = null } = prices.body as { message?: string }
  return { status: prices.status, hasAccess, mayStartTrial, needsClick: confirmBy !== null, message }
}

const opened = { status: 200, hasAccess: true, mayStartTrial: true, needsClick: false }
const choose = 'Choisissez un plan pour consulter ces données.'
const taken = { status: 402, hasAccess: false, mayStartTrial: false, needsClick: false, message: choose }
const click = { status: 402, hasAccess: false, mayStartTrial: false, needsClick: true }

describe('one spelling of an address', () => {
  test.each([
    ['X+1@Exemple.cd', 'x@exemple.cd'],
    ['a.b+c+d@exemple.cd', 'a.b@exemple.cd'],
    ['A.L.I.N.E+x@Gmail.com', 'aline@gmail.com'],
    ['al.ine@googlemail.com', 'aline@gmail.com'],
    ['+x@exemple.cd', '+x@exemple.cd'],
    ['a.b@gmail.com.exemple.cd', 'a.b@gmail.com.exemple.cd'],
  ])('of %s is %s', async (address, canonical) => {
    const { rows } = await sql`select canonical_address(${address}) as found`.execute(db)
    expect(rows).toEqual([{ found: canonical }])
  })
})

describe('the free fortnight', () => {
  test('is not given again for another spelling of an address, which can sign in all the same', async () => {
    const first = await register('marie.k@gmail.com')
    await confirm(first)
    expect(await stateOf(first)).toMatchObject(opened)
    for (const again of ['mariek+1@gmail.com', 'm.a.r.i.e.k@googlemail.com', 'MARIEK+2@GMAIL.COM']) {
      const second = await register(again)
      expect(await stateOf(second), again).toEqual(taken)
      await confirm(second)
      expect(await stateOf(second), again).toEqual(taken)
      expect(await second.post('/api/subscriptions', { status: 'TRIAL', planId: null })).toMatchObject({
        status: 409,
        body: { message: 'L’essai gratuit a déjà été pris pour cette adresse e-mail.' },
      })
    }
    expect(await stateOf(first)).toMatchObject(opened)
  })

  test.each(['closing', 'deletion'])('is not given again after the %s of the account', async (how) => {
    const email = `partie-${how}@exemple.cd`
    const first = await register(email)
    await confirm(first)
    const gone =
      how === 'closing'
        ? await first.post('/api/auth/me/close', { currentPassword: password })
        : await admin.delete(`/api/users/${first.userId}`)
    expect(gone.status).toBe(200)
    const again = await register(email)
    await confirm(again)
    expect(await stateOf(again)).toEqual(taken)
    const { rows } = await sql<{ user_id: number | null }>`
      select user_id from free_trial where hash = free_trial_hash(${email})`.execute(db)
    expect(rows).toEqual([{ user_id: null }])
  })

  test('is not given again to an account that changes its address and frees the first one', async () => {
    const first = await register('avant@exemple.cd')
    await confirm(first)
    const changes = { email: 'apres@exemple.cd', currentPassword: password }
    expect((await first.put('/api/auth/me', changes)).status).toBe(200)
    await confirm(first)
    expect(await stateOf(first)).toMatchObject(opened)
    expect(await stateOf(await register('avant@exemple.cd'))).toEqual(taken)
    expect(await stateOf(await register('apres+1@exemple.cd'))).toEqual(taken)
  })

  test('is given to the user who confirms the address, not to the first who registered it', async () => {
    const stranger = await register('victime+1@exemple.cd')
    expect(await stateOf(stranger)).toMatchObject({ ...opened, needsClick: true })
    const owner = await register('victime@exemple.cd')
    expect(await stateOf(owner)).toMatchObject(click)
    await confirm(owner)
    expect(await stateOf(owner)).toMatchObject(opened)
    await expect.poll(() => stateOf(stranger)).toEqual(taken)
  })

  test('cannot be extended by three days through repeated registration without a confirmation', async () => {
    const first = await register('encore@exemple.cd')
    expect((await first.post('/api/auth/me/close', { currentPassword: password })).status).toBe(200)
    const again = await register('encore@exemple.cd')
    expect(await stateOf(again)).toMatchObject(click)
    await confirm(again)
    expect(await stateOf(again)).toMatchObject(opened)
  })

  test('gives access for three days, trial or not, before the address is confirmed, then after one click', async () => {
    for (const hasTrial of [false, true]) {
      const person = await register(`sans-clic-${hasTrial}@exemple.cd`)
      if (hasTrial) expect((await person.post('/api/subscriptions', { status: 'TRIAL' })).status).toBe(201)
      await makeOlder(person, 2)
      expect(await stateOf(person)).toMatchObject({ status: 200, hasAccess: true, needsClick: true })
      await makeOlder(person, 3)
      await expect
        .poll(() => stateOf(person))
        .toEqual({
          ...click,
          message:
            'Confirmez votre adresse e-mail pour continuer à lire les prix\u00a0: ouvrez le lien que nous vous avons envoyé.',
        })
      if (!hasTrial) {
        const tried = await person.post('/api/subscriptions', { status: 'TRIAL' })
        expect(tried).toMatchObject({ status: 409, body: { message: expect.stringMatching(/^Confirmez/) } })
      }
      await confirm(person)
      await expect
        .poll(() => stateOf(person))
        .toMatchObject({ status: 200, hasAccess: true, needsClick: false })
    }
  })

  test('does not restrict payers or staff with an unconfirmed address', async () => {
    const payer = await insertAccount(db, { roles: ['user'], ageDays: 20, isVerified: false })
    await sql`insert into subscription (user_id, status, start_date, end_date)
              values (${payer}, 'ACTIVE', now() - interval '1 day', now() + interval '29 days')`.execute(db)
    const staff = await insertAccount(db, { roles: ['agent'], ageDays: 20, isVerified: false, passwordHash })
    for (const id of [payer, staff]) {
      const person = await server.clientOf(id)
      expect((await person.get('/api/prices')).status).toBe(200)
      expect((await person.get('/api/auth/me')).body).toMatchObject({ user: { email_verified: false } })
    }
  })
})
