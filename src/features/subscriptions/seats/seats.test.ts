import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Organisation, Seat } from '#features/subscriptions/seats/seats.contract.ts'
import { dayMs } from '#shared/days.ts'
import { mailsTo } from '../../../../tests/support/mails.ts'
import { insertPlan } from '../../../../tests/support/payments.ts'
import { insertAccount, testServer } from '../../../../tests/support/server.ts'

const server = await testServer({ hasJobs: true })
const { db } = server
const planOf = async (seats: number) => {
  const id = await insertPlan(db, { price: 59 })
  await sql`
    update plan set seats = ${seats}, calls_per_minute = 60, calls_per_month = 1000, sms_per_month = 22 where id = ${id}`.execute(
    db,
  )
  return id
}

async function person(name = 'Membre', isVerified = true) {
  const userId = await insertAccount(db, { roles: ['user'], ageDays: 40, isVerified })
  await sql`update app_user set name = ${name} where id = ${userId}`.execute(db)
  const { rows } = await sql<{ email: string }>`select email from app_user where id = ${userId}`.execute(db)
  const client = await server.clientOf(userId)
  return {
    ...client,
    userId,
    email: rows[0]!.email,
    reads: async () => (await client.get('/api/prices?limit=1')).status,
  }
}

async function owner(seats: number) {
  const one = await person('ONG Mazao')
  const planId = await planOf(seats)
  await subscribe(one.userId, planId)
  return { ...one, planId }
}
const subscribe = (userId: number, planId: number, [from, to]: readonly [number, number] = [-1, 30]) =>
  sql`insert into subscription (user_id, plan_id, status, start_date, end_date)
      values (${userId}, ${planId}, 'ACTIVE', ${new Date(Date.now() + from * dayMs)}, ${new Date(Date.now() + to * dayMs)})`.execute(
    db,
  )

type Person = Awaited<ReturnType<typeof person>>
const invite = (by: Person, email: string) => by.post('/api/organisation/members', { email })
const accept = (by: Person, id: number) => by.post(`/api/organisation/invitations/${id}/accept`, {})
const organisationOf = async (by: Person) => (await by.get('/api/organisation')).body as Organisation
const messageOf = ({ body }: { body: unknown }) => (body as { message: string }).message
async function joined(by: Person, member: Person): Promise<Seat> {
  const answer = await invite(by, member.email.toUpperCase())
  expect(answer.status, answer.text).toBe(201)
  const seat = answer.body as Seat
  expect((await accept(member, seat.id)).status).toBe(200)
  return seat
}

describe('a member', () => {
  test('reads with the inviter’s subscription until removed, and does not see its price', async () => {
    const [ngo, member] = [await owner(3), await person()]
    expect(await member.reads()).toBe(402)
    const seat = await joined(ngo, member)
    expect(await member.reads()).toBe(200)
    expect(await mailsTo(server.dataDir, member.email, 1)).toHaveLength(1)
    expect((await organisationOf(ngo)).members).toMatchObject([
      { email: member.email.toUpperCase(), name: 'Membre', state: 'active', isComprised: true },
    ])
    expect((await member.get('/api/subscriptions/access')).body).toMatchObject({
      hasAccess: true,
      subscription: null,
      membership: { owner: 'ONG Mazao', isComprised: true },
    })
    expect((await member.get('/api/payments/mine')).body).toMatchObject({ payments: [] })
    expect((await member.get('/api/invoices')).body).toMatchObject({ data: [] })
    expect((await member.get(`/api/subscriptions/user/${ngo.userId}`)).status).toBe(403)
    expect((await organisationOf(member)).members).toEqual([])
    // No other user can remove the member.
    expect((await member.delete(`/api/organisation/members/${seat.id}`)).status).toBe(404)
    expect((await ngo.delete(`/api/organisation/members/${seat.id}`)).status).toBe(200)
    await expect.poll(member.reads).toBe(402)
  })

  test('loses access when the subscription of the owner ends, in every process that has cached it', async () => {
    const [ngo, member] = [await owner(2), await person()]
    await joined(ngo, member)
    expect(await member.reads()).toBe(200)
    await sql`update subscription set status = 'CANCELED' where user_id = ${ngo.userId}`.execute(db)
    await expect.poll(member.reads).toBe(402)
  })

  test('may leave, and is a member of one organisation at a time', async () => {
    const [first, second, member] = [await owner(2), await owner(2), await person()]
    await joined(first, member)
    const other = (await invite(second, member.email)).body as Seat
    const refused = await accept(member, other.id)
    expect([refused.status, messageOf(refused)]).toEqual([409, expect.stringMatching(/Quittez-la/)])
    expect((await member.delete('/api/organisation/membership')).status).toBe(200)
    await expect.poll(member.reads).toBe(402)
    expect((await member.delete('/api/organisation/membership')).status).toBe(404)
    expect((await accept(member, other.id)).status).toBe(200)
    // A second acceptance changes nothing.
    expect((await accept(member, other.id)).status).toBe(200)
  })

  test('with their own subscription has both', async () => {
    const [ngo, member] = [await owner(2), await person()]
    await subscribe(member.userId, await planOf(1))
    const seat = (await invite(ngo, member.email)).body as Seat
    expect(messageOf(await accept(member, seat.id))).toMatch(/Le vôtre continue/)
    await sql`update subscription set status = 'CANCELED' where user_id = ${ngo.userId}`.execute(db)
    expect(await member.reads()).toBe(200)
  })
})

describe('an invitation', () => {
  test('arrives whatever characters and length the name of the subscriber has', async () => {
    const ngo = await owner(3)
    const name = `ONG\u0085${'Mazao '.repeat(32)}`.trim()
    await sql`update app_user set name = ${name} where id = ${ngo.userId}`.execute(db)
    const member = await person()
    expect((await invite(ngo, member.email)).status).toBe(201)
    const [mail] = await mailsTo(server.dataDir, member.email, 1)
    expect(mail?.subject).toMatch(/^ONG Mazao Mazao/)
  })

  test('is refused with a sentence without a free seat, when repeated, for oneself, or before one’s own address is confirmed', async () => {
    const ngo = await owner(2)
    const alone = await owner(1)
    expect(messageOf(await invite(alone, 'a@exemple.cd'))).toMatch(/une seule place/)
    expect(messageOf(await invite(await person(), 'a@exemple.cd'))).toMatch(/une seule place/)
    expect(messageOf(await invite(ngo, ngo.email.toUpperCase()))).toMatch(/votre propre adresse/)
    expect((await invite(ngo, 'personne')).status).toBe(400)
    expect((await invite(ngo, 'a@exemple.cd')).status).toBe(201)
    const again = await invite(ngo, 'A@exemple.cd')
    expect([again.status, messageOf(again)]).toEqual([409, expect.stringMatching(/déjà invitée, jusqu’au/)])
    expect(messageOf(await invite(ngo, 'b@exemple.cd'))).toMatch(/Les 2 places .* sont prises/)
    const unsure = await person('Sans adresse', false)
    await subscribe(unsure.userId, await planOf(3))
    expect((await invite(unsure, 'c@exemple.cd')).status).toBe(403)
  })

  test('is accepted only by the invited address, once confirmed, within 14 days', async () => {
    const [ngo, member, stranger] = [await owner(2), await person('Membre', false), await person()]
    const { id } = (await invite(ngo, member.email)).body as Seat
    const wrong = await accept(stranger, id)
    expect([wrong.status, messageOf(wrong)]).toEqual([404, expect.stringMatching(/autre adresse/)])
    expect(messageOf(await accept(member, id))).toMatch(/Confirmez votre adresse/)
    await sql`update app_user set email_verified = true where id = ${member.userId}`.execute(db)
    await sql`update seat set expires_at = now() - interval '1 minute' where id = ${id}`.execute(db)
    expect(messageOf(await accept(member, id))).toMatch(/a expiré le/)
    expect((await organisationOf(member)).invitations).toMatchObject([
      { id, owner: 'ONG Mazao', isExpired: true },
    ])
    expect((await organisationOf(ngo)).members).toMatchObject([{ state: 'expired' }])
    // An expired invitation takes no seat, and can be sent again.
    const renewed = (await invite(ngo, member.email)).body as Seat
    expect((await organisationOf(ngo)).members).toHaveLength(1)
    expect((await accept(member, renewed.id)).status).toBe(200)
    expect((await accept(member, id)).status).toBe(404)
  })

  test('to the last seat, sent twenty times at once to different users, succeeds once', async () => {
    const ngo = await owner(2)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => invite(ngo, `meme-place-${at}@exemple.cd`)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      201,
      ...Array.from({ length: 19 }, () => 409),
    ])
    expect((await organisationOf(ngo)).members).toHaveLength(1)
  })

  test('and its acceptance never give more members than seats when the plan shrinks in between', async () => {
    const [ngo, one, two] = [await owner(3), await person(), await person()]
    const seats = [(await invite(ngo, one.email)).body as Seat, (await invite(ngo, two.email)).body as Seat]
    await sql`update plan set seats = 2 where id = ${ngo.planId}`.execute(db)
    const answers = await Promise.all([accept(one, seats[0]!.id), accept(two, seats[1]!.id)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })
})

describe('a plan with fewer seats', () => {
  test('removes access from the last members when it begins, and warns before', async () => {
    const [ngo, first, last] = [await owner(3), await person('Première'), await person('Dernier')]
    await joined(ngo, first)
    await joined(ngo, last)
    const smaller = await planOf(2)
    const chosen = await ngo.put('/api/subscriptions/mine/plan', { planId: smaller })
    expect(messageOf(chosen)).toMatch(/le dernier arrivé n’aura plus accès \(Dernier\)/)
    expect((await organisationOf(ngo)).coming).toMatchObject({ seats: 2 })
    // The plan is chosen for what follows the periods that are already paid.
    await subscribe(ngo.userId, ngo.planId, [30, 60])
    await ngo.put('/api/subscriptions/mine/plan', { planId: smaller })
    const { coming } = await organisationOf(ngo)
    expect(coming?.seats).toBe(2)
    expect(Date.parse(coming?.at ?? '') - Date.now()).toBeGreaterThan(50 * dayMs)
    await sql`delete from subscription where user_id = ${ngo.userId} and start_date > now()`.execute(db)
    // The paid period of the smaller plan has begun.
    await sql`
      update subscription set end_date = now() where user_id = ${ngo.userId}`.execute(db)
    await subscribe(ngo.userId, smaller, [-0.001, 30])
    await expect.poll(last.reads).toBe(402)
    expect(await first.reads()).toBe(200)
    expect((await organisationOf(ngo)).members.map(({ isComprised }) => isComprised)).toEqual([true, false])
    expect((await organisationOf(last)).membership).toMatchObject({ isComprised: false })
  })
})

test('the quotas of a plan are shared: each member has a part, the owner the rest, and the sum is the plan’s', async () => {
  const [ngo, member] = [await owner(4), await person()]
  await joined(ngo, member)
  const { getCallFacts } = await import('#features/subscriptions/access.sql.ts')
  const { callLimits, smsLimit } = await import('#features/subscriptions/subscriptions.rules.ts')
  const of = async (userId: number) => {
    const facts = await getCallFacts(db, userId)
    return { ...callLimits(facts, new Date(), false), sms: smsLimit(facts, new Date(), false) }
  }
  expect(await of(member.userId)).toEqual({ minute: 15, month: 250, sms: 5 })
  expect(await of(ngo.userId)).toEqual({ minute: 45, month: 750, sms: 17 })
})

test('a closed account leaves no seat, neither its own nor those that it gave', async () => {
  const [ngo, member] = [await owner(2), await person()]
  await joined(ngo, member)
  const { erasePerson } = await import('#features/users/closing/closing.sql.ts')
  await db
    .transaction()
    .execute((tx) => erasePerson(tx, { userId: ngo.userId, names: [], collectorNames: [] }))
  await expect.poll(member.reads).toBe(402)
  const { rows } = await sql`select from seat where owner_id = ${ngo.userId}`.execute(db)
  expect(rows).toEqual([])
})
