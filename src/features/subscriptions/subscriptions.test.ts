import { describe, expect, test } from 'vitest'
import type { Subscription } from '#features/subscriptions/subscriptions.contract.ts'
import { subscriptionTasks } from '#features/subscriptions/subscriptions.jobs.ts'
import { problem } from '#shared/contract.ts'
import { dayMs } from '#shared/days.ts'
import { closedDomain } from '#shared/fields.ts'
import { firstAttempt } from '../../../tests/support/attempt.ts'
import { insertPlan } from '../../../tests/support/payments.ts'
import { type Client, insertAccount, testServer } from '../../../tests/support/server.ts'

let now = Date.now()
const clock = () => new Date(now)
const server = await testServer({ clock })
const plan = await insertPlan(server.db)
const admin = await server.as('admin')

const days = (after: number) => new Date(now + after * dayMs).toISOString()
async function subscriber(ageDays = 40): Promise<Client & { userId: number }> {
  const userId = await insertAccount(server.db, { roles: ['user'], ageDays })
  return { ...(await server.clientOf(userId)), userId }
}
async function give(userId: number, more: object = {}): Promise<Subscription> {
  const { status, body, text } = await admin.post('/api/subscriptions', {
    userId,
    planId: plan,
    startDate: days(-1),
    endDate: days(29),
    status: 'ACTIVE',
    ...more,
  })
  expect(status, text).toBe(201)
  return body as Subscription
}
const fieldsOf = (answer: { body: unknown }) => problem.parse(answer.body).errors.map(({ field }) => field)

describe('subscriptions of other users', () => {
  test('are created, read, changed and deleted by users who manage them, each time with an entry in the journal', async () => {
    const { userId } = await subscriber()
    const { message, ...created } = (await give(userId)) as Subscription & { message: string }
    expect(created).toMatchObject({
      userId,
      planId: plan,
      planRef: { id: plan, price: 5, currency: 'USD', billingPeriod: 'MONTHLY' },
      plan: expect.stringContaining('Plan'),
      user: { id: userId, status: 'ACTIVE' },
      status: 'ACTIVE',
      paymentsCount: 0,
    })
    expect((await admin.get(`/api/subscriptions/${created.id}`)).body).toEqual(created)
    const changed = await admin.put(`/api/subscriptions/${created.id}`, {
      status: 'CANCELED',
      updatedAt: created.updatedAt,
    })
    expect(changed.body).toMatchObject({ status: 'CANCELED', endDate: created.endDate })
    const stale = { status: 'ACTIVE', updatedAt: created.updatedAt }
    expect((await admin.put(`/api/subscriptions/${created.id}`, stale)).status).toBe(409)
    expect((await admin.delete(`/api/subscriptions/${created.id}`)).status).toBe(200)
    const entries = await server.db
      .selectFrom('audit_entry')
      .select('action')
      .where('entity', '=', 'subscriptions')
      .where('entity_id', '=', created.id)
      .execute()
    expect(entries.map(({ action }) => action)).toEqual(['create', 'update', 'delete'])
  })

  test('are searched by user, filtered, sorted and listed as data with an exact total', async () => {
    const userId = await insertAccount(server.db, { roles: ['user'], name: 'Élodie Mbuyi' })
    await give(userId)
    await give(userId, { status: 'CANCELED', startDate: days(-60), endDate: days(-30) })
    const list = async (query: string) =>
      (await admin.get(`/api/subscriptions?${query}`)).body as {
        data: Subscription[]
        pagination: { total: number }
      }
    expect((await list('search=elodie')).pagination.total).toBe(2)
    expect((await list('search=elodie&status=CANCELED')).data).toMatchObject([{ status: 'CANCELED' }])
    expect((await list(`userId=${userId}&sort=startDate`)).data.map(({ status }) => status)).toEqual([
      'CANCELED',
      'ACTIVE',
    ])
  })

  test('are for users who need one: a search by name or address finds them, however many staff have the same name', async () => {
    const { rows } = await server.pool.query(
      `insert into app_user (name, email) select 'Léa Kanza ' || n, 'lea-' || n || '@ntalo.cd' from generate_series(1, 250) n returning id`,
    )
    await server.pool.query(
      `insert into user_role (user_id, role_id) select person, role.id from unnest($1::int[]) person, role where role.name = 'collector'`,
      [rows.map(({ id }) => id)],
    )
    const id = await insertAccount(server.db, {
      roles: ['user'],
      name: 'Léa Kanza Zola',
      email: 'zola@exemple.cd',
    })
    const bare = await insertAccount(server.db, { roles: [], name: 'Lea kanza Sans Rôle' })
    const found = async (search: string) =>
      (
        (await admin.get(`/api/subscriptions/subscribers?search=${search}`)).body as {
          data: { id: number }[]
        }
      ).data
    expect((await found('lea kanza')).map((each) => each.id)).toEqual([bare, id])
    expect(await found('ZOLA@')).toEqual([{ id, name: 'Léa Kanza Zola', email: 'zola@exemple.cd' }])
    expect((await found('')).length).toBeLessThanOrEqual(200)
  })

  test('require a user, a plan, a start and an end, in that order', async () => {
    const { userId } = await subscriber()
    expect(fieldsOf(await admin.post('/api/subscriptions', {}))).toEqual([
      'userId',
      'planId',
      'startDate',
      'endDate',
    ])
    const whole = { userId, planId: plan, startDate: '2026-01-01', endDate: '2126-02-01' }
    const days = await admin.post('/api/subscriptions', whole)
    expect(days.body).toMatchObject({ startDate: '2025-12-31T23:00:00.000Z', status: 'TRIAL' })
    for (const [wrong, field] of [
      [{ endDate: '2025-12-01' }, 'endDate'],
      [{ endDate: 'demain' }, 'endDate'],
      [{ userId: 999_999 }, 'userId'],
      [{ planId: 999_999 }, 'planId'],
      [{ status: 'GELÉ' }, 'status'],
    ] as const) {
      expect(fieldsOf(await admin.post('/api/subscriptions', { ...whole, ...wrong }))).toEqual([field])
    }
  })

  test('are exact to the second when a form returns their days with another status', async () => {
    const period = { startDate: '2026-01-10T23:40:00.000Z', endDate: '2026-02-10T18:40:00.000Z' }
    const { id } = await give((await subscriber()).userId, period)
    const put = async (more: object) => (await admin.put(`/api/subscriptions/${id}`, more)).body
    // In Kinshasa it was already the 11th.
    const shown = { planId: plan, startDate: '2026-01-11', endDate: '2026-02-10', status: 'CANCELED' }
    expect(await put(shown)).toMatchObject({ ...period, status: 'CANCELED' })
    expect(await put({ endDate: '2026-02-11' })).toMatchObject({ endDate: '2026-02-10T23:00:00.000Z' })
  })

  test('with payments are not deleted', async () => {
    const { id } = await give((await subscriber()).userId)
    await admin.post('/api/payments', { subscriptionId: id, amount: 5 })
    const { status, body } = await admin.delete(`/api/subscriptions/${id}`)
    expect(status).toBe(409)
    expect(problem.parse(body).message).toMatch(/: 1 paiement en dépend\.$/)
  })

  test('that a payment replaced are not deleted', async () => {
    const { userId } = await subscriber()
    const [replaced, paid] = [
      await give(userId),
      await give(userId, { startDate: days(29), endDate: days(59) }),
    ]
    await admin.post('/api/payments', { subscriptionId: paid.id, amount: 5 })
    await server.pool.query('update payment set replaces_id = $1 where subscription_id = $2', [
      replaced.id,
      paid.id,
    ])
    const { status, body } = await admin.delete(`/api/subscriptions/${replaced.id}`)
    expect(status).toBe(409)
    expect(problem.parse(body).message).toMatch(/: 1 paiement en dépend\.$/)
  })

  test('are not for a closed account: it is not offered, and refused', async () => {
    const userId = await insertAccount(server.db, { roles: ['user'], name: 'Parti Depuis' })
    const offered = async () =>
      ((await admin.get('/api/subscriptions/subscribers?search=Parti')).body as { data: unknown[] }).data
    expect(await offered()).toHaveLength(1)
    await server.pool.query('update app_user set email = $1 where id = $2', [
      `ferme-${userId}${closedDomain}`,
      userId,
    ])
    expect(await offered()).toEqual([])
    const given = { userId, planId: plan, startDate: days(-1), endDate: days(29), status: 'ACTIVE' }
    const refused = await admin.post('/api/subscriptions', given)
    expect([refused.status, fieldsOf(refused)]).toEqual([400, ['userId']])
  })

  test('cannot be read or created by a subscriber, as if they did not exist', async () => {
    const [one, other] = [await subscriber(), await subscriber()]
    const { id } = await give(other.userId)
    expect((await one.get(`/api/subscriptions/${id}`)).status).toBe(404)
    expect((await other.get(`/api/subscriptions/${id}`)).status).toBe(200)
    expect((await one.get(`/api/subscriptions/user/${other.userId}`)).status).toBe(403)
    expect((await other.get(`/api/subscriptions/user/${other.userId}?status=ACTIVE`)).body).toMatchObject({
      data: [{ id }],
      pagination: { total: 1 },
    })
    expect((await other.get(`/api/subscriptions/user/${other.userId}?status=EXPIRED`)).body).toMatchObject({
      data: [],
    })
    expect((await one.post('/api/subscriptions', { status: 'TRIAL', userId: other.userId })).status).toBe(403)
    expect((await one.put(`/api/subscriptions/${id}`, { status: 'ACTIVE' })).status).toBe(403)
  })
})

describe('a user’s own trial', () => {
  test('is started once, in fifty requests at once, within 14 days of registering, and ends 14 days later', async () => {
    const someone = await subscriber(13)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => someone.post('/api/subscriptions', { status: 'TRIAL', planId: null })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(49).fill(409)])
    const trial = answers.find(({ status }) => status === 201)?.body as Subscription
    expect(trial).toMatchObject({ status: 'TRIAL', planId: null, planRef: null, userId: someone.userId })
    expect(Date.parse(trial.endDate) - Date.parse(trial.startDate)).toBe(14 * dayMs)
    const { body } = await someone.get('/api/subscriptions/access')
    expect(body).toMatchObject({
      hasAccess: true,
      remainingDays: 14,
      mayStartTrial: false,
      subscription: { id: trial.id },
    })
  })

  test('cannot be started after 14 days', async () => {
    const answer = await (await subscriber(15)).post('/api/subscriptions', { status: 'TRIAL' })
    expect(answer.status).toBe(409)
    expect(problem.parse(answer.body).message).toBe(
      'Votre période d’essai est terminée. Veuillez choisir un plan pour continuer.',
    )
  })

  test('is the only choice of a subscriber: never ACTIVE, never a paid plan', async () => {
    const someone = await subscriber(1)
    expect((await someone.post('/api/subscriptions', { status: 'ACTIVE', planId: plan })).status).toBe(403)
    expect((await someone.post('/api/subscriptions', { status: 'TRIAL', planId: plan })).status).toBe(400)
    const free = await insertPlan(server.db, { price: 0 })
    expect((await someone.post('/api/subscriptions', { planId: free })).status).toBe(201)
  })
})

describe('access', () => {
  test('opens and closes at the second that a subscription starts and ends, without any notification', async () => {
    const someone = await subscriber()
    const before = now
    // Hours ahead, so that on a slow machine it has not ended by the database’s own clock.
    const at = now + 3_600_000
    await give(someone.userId, {
      startDate: new Date(at + 5_000).toISOString(),
      endDate: new Date(at + 9_000).toISOString(),
    })
    const statusAfter = async (ms: number) => {
      now = at + ms
      return (await someone.get('/api/brands')).status
    }
    expect([await statusAfter(0), await statusAfter(4_999)]).toEqual([402, 402])
    expect([await statusAfter(5_000), await statusAfter(8_999)]).toEqual([200, 200])
    expect([await statusAfter(9_000), await statusAfter(60_000)]).toEqual([402, 402])
    now = before
  })

  test('opens at once when it is given, and closes at once when it is removed', async () => {
    const someone = await subscriber()
    expect((await someone.get('/api/brands')).status).toBe(402)
    const { id } = await give(someone.userId)
    expect((await someone.get('/api/brands')).status).toBe(200)
    await admin.put(`/api/subscriptions/${id}`, { status: 'CANCELED' })
    await expect.poll(async () => (await someone.get('/api/brands')).status).toBe(402)
  })

  test('is expired by its dates, and open again when its end is moved', async () => {
    const { userId } = await subscriber()
    const over = await give(userId, { startDate: days(-40), endDate: days(-10) })
    const current = await give(userId)
    const statusOf = async ({ id }: Subscription) =>
      ((await admin.get(`/api/subscriptions/${id}`)).body as Subscription).status
    expect([await statusOf(over), await statusOf(current)]).toEqual(['EXPIRED', 'ACTIVE'])
    const listed = async (status: string) =>
      (
        (await admin.get(`/api/subscriptions?userId=${userId}&status=${status}`)).body as {
          data: Subscription[]
        }
      ).data.map(({ id }) => id)
    expect([await listed('EXPIRED'), await listed('ACTIVE')]).toEqual([[over.id], [current.id]])
    // The form sends back the status that it showed.
    await admin.put(`/api/subscriptions/${over.id}`, { status: 'EXPIRED', endDate: days(10) })
    expect(await statusOf(over)).toBe('ACTIVE')
    await admin.put(`/api/subscriptions/${over.id}`, { status: 'EXPIRED' })
    expect(await statusOf(over)).toBe('EXPIRED')
  })

  test('does not end because a clock was 400 days ahead for a while', async () => {
    const { userId } = await subscriber()
    const { id } = await give(userId)
    const tasks = subscriptionTasks({
      db: server.db,
      clock: () => new Date(now + 400 * dayMs),
      publicUrl: 'https://ntalo.cd',
    })
    for (const { run } of tasks) await run({}, firstAttempt(server.db))
    expect((await admin.get(`/api/subscriptions/${id}`)).body).toMatchObject({ status: 'ACTIVE' })
    expect((await (await server.clientOf(userId)).get('/api/brands')).status).toBe(200)
  })
})
