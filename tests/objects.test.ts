import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '#server/session/passwords.ts'
import { insertMarket, insertProduct } from './support/catalogue.ts'
import { type Client, insertAccount, testServer } from './support/server.ts'

const server = await testServer()
const { db } = server

type Operation = { method: string; path: string; name: string }
const operations: Operation[] = Object.entries(server.http.swagger().paths ?? {}).flatMap(([path, methods]) =>
  Object.keys(methods ?? {}).map((method) => ({
    method: method.toUpperCase(),
    path,
    name: `${method.toUpperCase()} ${path}`,
  })),
)

// Read by users with access, written by users with the right: these rows belong to no user; public pages are open to
// everybody.
const shared =
  /^\/api\/(brands|categories|product-types|products|markets|prices|plans|exchange-rates|roles|permissions|agents|imports|import-mappings|messages|editions|published-inflation|type-weights|series|collection|reviews|public)\//

/** Ids of another user's rows, by the start of the path. */
const theirs: Record<string, number> = {}
let other: number
let me: Client
const nothing = 2_147_483_000

beforeAll(async () => {
  other = await insertAccount(db, {
    roles: ['user'],
    ageDays: 1,
    passwordHash: await hashPassword('safou et manioc'),
  })
  const mine = await insertAccount(db, { roles: ['user'], ageDays: 1 })
  me = await server.clientOf(mine)
  await server.clientOf(other)
  const id = async (query: ReturnType<typeof sql<{ id: number }>>) =>
    Number((await query.execute(db)).rows[0]?.id)
  const plan = await id(
    sql`insert into plan (name, price, currency, billing_period) values ('Objets', 5, 'USD', 'MONTHLY') returning id`,
  )
  const subscription = await id(sql`
    insert into subscription (user_id, plan_id, status, start_date, end_date)
    values (${other}, ${plan}, 'ACTIVE', now() - interval '1 day', now() + interval '1 month') returning id`)
  const payment = await id(sql`
    insert into payment (subscription_id, user_id, plan_id, amount, currency, status, payment_method)
    values (${subscription}, ${other}, ${plan}, 5, 'USD', 'PENDING', 'CASH') returning id`)
  const { id: paid } = await db
    .insertInto('payment')
    .values({ user_id: other, amount: 5, status: 'PAID' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const invoice = await id(sql`select id from invoice where payment_id = ${paid}`)
  const transfer = await id(sql`
    insert into transfer_order (user_id, plan_id, billing_period, amount, currency)
    values (${other}, ${plan}, 'MONTHLY', 5, 'USD') returning id`)
  const view = await id(sql`
    insert into saved_view (user_id, name, path, search) values (${other}, 'À moi', '/prices', '') returning id`)
  const report = await id(sql`
    insert into made_report (user_id, asked, state, file_name, pdf)
    values (${other}, '{}', 'done', 'a.pdf', 'x') returning id`)
  const seat = await id(sql`
    insert into seat (owner_id, email, invited_at, expires_at)
    values (${other}, 'membre@exemple.cd', now(), now() + interval '14 days') returning id`)
  const key = await id(sql`
    insert into api_key (user_id, name, hash, prefix, scopes, version)
    values (${other}, 'À lui', 'x', 'ntalo', '{prices.read}', '2026-11-26') returning id`)
  const webhook = await id(sql`
    insert into webhook_endpoint (user_id, url, events, secret)
    values (${other}, 'https://exemple.cd/ntalo', '{price.created}', 'x') returning id`)
  const product = await insertProduct(db)
  const follow = await id(sql`
    insert into follow (user_id, product_id) values (${other}, ${product}) returning id`)
  const alert = await id(sql`
    insert into alert_rule (user_id, product_id, kind, direction, threshold, period_days, channels)
    values (${other}, ${product}, 'level', 'above', 1, 30, '{mail}') returning id`)
  const market = await insertMarket(db)
  const share = await id(sql`
    insert into share (token, user_id, product_id, market_id)
    values ('1234567890', ${other}, ${product}, ${market}) returning token::bigint as id`)
  const bulletin = await id(sql`
    insert into report (user_id, title, blocks) values (${other}, 'À lui', '[{"kind": "method"}]') returning id`)
  const paymentLink = await id(sql`
    insert into payment_link (token, user_id, plan_id, expires_at)
    select 'jeton-d-un-lien-de-paiement', ${other}, min(id), now() + interval '1 day' from plan returning id`)
  const session = await id(sql`select id from session where user_id = ${other}`)
  Object.assign(theirs, {
    '/api/users/': other,
    '/api/subscriptions/user/': other,
    '/api/subscriptions/': subscription,
    '/api/payments/links/': paymentLink,
    '/api/payments/': payment,
    '/api/invoices/': invoice,
    '/api/transfers/': transfer,
    '/api/organisation/members/': seat,
    '/api/organisation/invitations/': seat,
    '/api/auth/sessions/': session,
    '/api/views/': view,
    '/api/keys/': key,
    '/api/webhooks/': webhook,
    '/api/follows/': follow,
    '/api/shares/': share,
    '/api/alerts/': alert,
    '/api/reports/': bulletin,
    '/api/statistics/reports/': report,
  })
})

/** Returns all data stored of the other user. */
async function keptOfOther(): Promise<string> {
  const { rows } = await sql<{ kept: string }>`
    select jsonb_build_array(
      (select to_jsonb(u) from app_user u where id = ${other}),
      (select jsonb_agg(to_jsonb(s) order by id) from subscription s where user_id = ${other}),
      (select jsonb_agg(to_jsonb(p) order by id) from payment p where user_id = ${other}),
      (select jsonb_agg(to_jsonb(l) order by id) from payment_link l where user_id = ${other}),
      (select jsonb_agg(to_jsonb(v) order by id) from saved_view v where user_id = ${other}),
      (select jsonb_agg(to_jsonb(k) order by id) from api_key k where user_id = ${other}),
      (select jsonb_agg(to_jsonb(w) order by id) from webhook_endpoint w where user_id = ${other}),
      (select jsonb_agg(to_jsonb(a) order by id) from alert_rule a where user_id = ${other}),
      (select jsonb_agg(to_jsonb(s) order by id) from share s where user_id = ${other}),
      (select jsonb_agg(to_jsonb(r) order by id) from report r where user_id = ${other}),
      (select jsonb_agg(to_jsonb(f) order by id) from follow f where user_id = ${other}),
      (select jsonb_agg(to_jsonb(m) order by id) from made_report m where user_id = ${other}),
      (select jsonb_agg(to_jsonb(r)) from user_role r where user_id = ${other}),
      (select jsonb_agg(to_jsonb(s) order by id) from session s where user_id = ${other}))::text as kept`.execute(
    db,
  )
  return rows[0]!.kept
}

const withId = operations.filter(({ path }) => path.includes('{') && !shared.test(path))

describe('a row of another user', () => {
  test('is listed here for every address with an id', () => {
    const unknown = withId.filter(({ path }) => !Object.keys(theirs).some((start) => path.startsWith(start)))
    expect(unknown.map(({ name }) => name)).toEqual([])
  })

  test.each(withId)(
    '$name answers as if the row did not exist, and changes nothing',
    async ({ method, path }) => {
      const start = Object.keys(theirs).find((each) => path.startsWith(each)) ?? ''
      const before = await keptOfOther()
      const ask = async (id: number) => {
        const body = {
          name: 'Pris',
          email: 'pris@exemple.cd',
          status: 'ACTIVE',
          newPassword: 'pondu et makemba',
          userId: other,
        }
        const answer = await me.send(path.replace(/\{\w+\}/, String(id)), {
          method,
          ...(method !== 'GET' &&
            method !== 'DELETE' && {
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(body),
            }),
        })
        const { requestId: _requestId, ...said } = Object(answer.body)
        return { status: answer.status, said }
      }
      const asked = await ask(theirs[start]!)
      expect([403, 404]).toContain(asked.status)
      expect(asked).toEqual(await ask(nothing))
      expect(await keptOfOther()).toBe(before)
    },
  )

  test('is not taken over by its id in a body', async () => {
    const before = await keptOfOther()
    const subscriptionId = theirs['/api/subscriptions/']
    for (const [path, body] of [
      ['/api/subscriptions', { userId: other, planId: null, status: 'TRIAL' }],
      ['/api/payments/checkout', { subscriptionId, userId: other }],
      [
        '/api/payments',
        { subscriptionId, amount: '1', currency: 'USD', status: 'PAID', paymentMethod: 'CASH' },
      ],
    ] as const) {
      await me.post(path, body)
    }
    expect(await keptOfOther()).toBe(before)
  })
})

// Fields of an account that only the server sets, under every name that a client might try.
const owned = {
  id: 1,
  userId: 1,
  user_id: 1,
  status: 'BANNED',
  role: 'super admin',
  roles: ['super admin'],
  roleIds: [1, 2, 3],
  user_roles: [{ role_id: 1 }],
  permissions: ['superadmins.manage'],
  permissionIds: [1, 2],
  email_verified: true,
  emailVerified: true,
  auth_provider: 'GOOGLE',
  google_sub: 'volé',
  password: 'un autre mot de passe',
  password_hash: 'volé',
  first_signed_in_at: '2020-01-01T00:00:00Z',
  created_at: '2030-01-01T00:00:00Z',
  createdAt: '2030-01-01T00:00:00Z',
  needsSecondFactor: false,
  hasAccess: true,
}

describe('fields that users may not set for themselves', () => {
  const writes = operations.filter(
    ({ method, path }) => ['POST', 'PUT'].includes(method) && !/login|logout|refresh/.test(path),
  )

  test.each(['user', 'agent', 'collector', 'manager'])(
    'a %s writes none of them, in whatever place they are sent',
    async (role) => {
      const id = await insertAccount(db, { roles: [role], ageDays: 1 })
      const client = await server.clientOf(id)
      const state = async () => {
        const { rows } = await sql<{ state: string }>`
        select jsonb_build_array((select to_jsonb(u) - 'updated_at' from app_user u where id = ${id}), permissions_of(${id}),
                                 (select count(*) from role_permission), (select count(*) from app_user))::text as state`.execute(
          db,
        )
        return rows[0]!.state
      }
      const before = await state()
      for (const { method, path } of writes) {
        await client.send(path.replace(/\{\w+\}/, String(id)), {
          method,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(owned),
        })
      }
      expect(await state()).toBe(before)
    },
  )

  test('no response contains a secret that opens an account', async () => {
    const admin = await server.as('super admin')
    for (const { method, path } of operations) {
      if (method !== 'GET' || path.endsWith('/live')) continue
      const { text } = await admin.get(path.replace(/\{\w+\}/, String(other)))
      expect(text, path).not.toMatch(/password_hash|argon2|"secret"|used_hash/)
    }
  })
})

describe('a write from another site', () => {
  const writes = operations.filter(({ method }) => method !== 'GET')

  test.each<Record<string, string>>([
    { origin: 'https://ailleurs.example' },
    { 'sec-fetch-site': 'cross-site' },
  ])('is refused at every endpoint before any check (%o)', async (headers) => {
    const admin = await server.as('super admin')
    const passed: string[] = []
    for (const { method, path, name } of writes) {
      const answer = await admin.send(path.replace(/\{\w+\}/, String(nothing)), {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(method !== 'DELETE' && { body: '{}' }),
      })
      const isRefused = Object(answer.body).message === 'Cette action doit être faite depuis Ntalo.'
      if (answer.status !== 403 || !isRefused) passed.push(name)
    }
    expect(passed).toEqual([])
    expect(writes.length).toBeGreaterThan(50)
  })
})

describe('a form that another site posts', () => {
  test.each([
    '/auth/login',
    '/auth/register',
    '/auth/forgot-password',
    '/auth/reset-password',
    '/auth/verify-email',
    '/auth/google/callback',
  ])('%s refuses it before any effect', async (path) => {
    const post = (headers: Record<string, string>) =>
      server.visitor.send(path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: 'email=a%40exemple.cd',
      })
    expect((await post({ origin: 'https://ailleurs.example' })).status).toBe(403)
    expect((await post({ origin: 'null' })).status).toBe(403)
    expect((await post({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await post({ 'sec-fetch-site': 'same-site' })).status).toBe(403)
    expect((await post({ origin: server.url, 'sec-fetch-site': 'same-origin' })).status).not.toBe(403)
  })
})
