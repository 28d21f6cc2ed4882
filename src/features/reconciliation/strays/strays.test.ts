import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Difference } from '#features/reconciliation/reconciliation.contract.ts'
import type { Stray } from '#features/reconciliation/strays/strays.contract.ts'
import { form } from '../../../../tests/support/forms.ts'
import { insertPlan } from '../../../../tests/support/payments.ts'
import { insertAccount, testServer } from '../../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const admin = await server.as('admin')
const planId = await insertPlan(db, { price: 5 })
const at = '2026-10-10T08:00:00Z'
let phones = 0
const newPhone = () => `24381${String(++phones).padStart(7, '0')}`

type Given = { phone?: string | null; status?: string; userId?: number; provider?: string; amount?: number }

async function deposit({
  phone = newPhone(),
  status = 'FAILED',
  provider,
  amount = 5,
  ...given
}: Given = {}) {
  const userId = given.userId ?? (await insertAccount(db, { roles: ['user'], isVerified: true }))
  const id = randomUUID()
  const payment = await db
    .insertInto('payment')
    .values({
      user_id: userId,
      plan_id: planId,
      billing_period: 'MONTHLY',
      amount,
      status,
      payment_method: phone === null ? 'VISA' : 'MOBILE_MONEY',
      transaction_ref: id,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const state = { PAID: 'succeeded', FAILED: 'failed', PENDING: 'pending' }[status] ?? 'failed'
  await db
    .insertInto('deposit')
    .values({
      id,
      payment_id: payment.id,
      phone,
      operator: phone === null ? null : 'MPESA',
      state,
      failure_code: status === 'FAILED' ? 'UNSPECIFIED_FAILURE' : null,
      created_at: at,
      provider: provider ?? null,
      next_check_at: status === 'PENDING' ? at : null,
    })
    .execute()
  return { id, userId, paymentId: payment.id, phone: phone ?? '' }
}

async function compare(source: string, titles: string, ...rows: string[]): Promise<Difference[]> {
  const file = form({}, { file: Buffer.from([titles, ...rows].join('\n')) }, 'releve.csv')
  const answer = await admin.post(`/api/payments/reconciliation?source=${source}`, file)
  expect(answer.status, answer.text).toBe(200)
  return (answer.body as { differences: Difference[] }).differences
}
const pawapay = 'depositId,status,amount,currency,created,phoneNumber'
const row = (id: string, phone = '', amount = '5') => `${id},COMPLETED,${amount},USD,${at},${phone}`
/** Returns the request that the page sends for a difference. */
const receiptOf = ({ line }: Difference) => ({
  provider: 'pawapay',
  reference: line?.key,
  amount: Number(line?.amount),
  currency: line?.currency,
  receivedOn: line?.day,
  phone: line?.phone,
})
const settle = (body: object) => admin.post('/api/payments/strays', body)
const brief = (differences: Difference[]) =>
  differences.map(({ kind, action, candidates }) => [kind, action, ...candidates.map(({ id }) => id)])

async function effects(paymentId: number) {
  const { rows } = await sql`
    select status, d.state, d.next_check_at as due,
           (select count(*) from subscription s where s.payment_id = p.id) as opened,
           (select count(*) from invoice i where i.payment_id = p.id) as invoices,
           (select count(*) from stray_receipt r where r.payment_id = p.id) as strays,
           (select count(*) from audit_entry where entity = 'payments' and entity_id = p.id and action = 'confirm') as entries
      from payment p join deposit d on d.payment_id = p.id where p.id = ${paymentId}`.execute(db)
  return rows[0]
}
const paidOnce = {
  status: 'PAID',
  state: 'succeeded',
  due: null,
  opened: 1,
  invoices: 1,
  strays: 1,
  entries: 1,
}

test('money with the number and amount of an unpaid payment is attached to it once, even when requested twice, and opens it', async () => {
  const failed = await deposit()
  const waiting = await deposit({ status: 'PENDING' })
  const ids = [randomUUID(), randomUUID()]
  const rows = [row(ids[0]!, `+${failed.phone}`), row(ids[1]!, `0${waiting.phone.slice(3)}`)]
  const [one, two] = await compare('pawapay', pawapay, ...rows)
  expect(brief([one!, two!])).toEqual([
    ['unpaid here', 'adopt', failed.paymentId],
    ['unpaid here', 'adopt', waiting.paymentId],
  ])
  expect(one?.why).toContain('Rattachez')
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => settle({ ...receiptOf(one!), paymentId: failed.paymentId })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect(new Set(answers.map(({ body }) => (body as Stray).id)).size).toBe(1)
  expect(await effects(failed.paymentId)).toEqual(paidOnce)
  expect((await settle({ ...receiptOf(two!), paymentId: waiting.paymentId })).status).toBe(201)
  expect(await effects(waiting.paymentId)).toEqual(paidOnce)
  // Another receipt, or another decision, is refused.
  const again = { ...receiptOf(two!), reference: 'une-autre', paymentId: waiting.paymentId }
  expect((await settle(again)).status).toBe(409)
  expect((await settle({ ...receiptOf(one!), note: 'à rendre' })).status).toBe(409)
  expect(await effects(waiting.paymentId)).toEqual(paidOnce)
  // It is no longer a difference, unless the provider has the payment's own money as well.
  expect(await compare('pawapay', pawapay, ...rows, row(failed.id).replace('COMPLETED', 'FAILED'))).toEqual(
    [],
  )
  expect(brief(await compare('pawapay', pawapay, ...rows, row(failed.id)))).toEqual([
    ['twice there', 'examine'],
  ])
})

test('money without an unpaid payment is noted to refund, then refunded, each once', async () => {
  // Paid again after a failure; another amount; a closed account; no number.
  const twice = await deposit()
  await deposit({ userId: twice.userId, phone: twice.phone, status: 'PAID', provider: 'flexpay' })
  const other = await deposit({ amount: 7 })
  const closed = await deposit()
  await sql`
    update app_user set email = ${`ferme-${closed.userId}@compte.invalid`} where id = ${closed.userId}`.execute(
    db,
  )
  const ids = Array.from({ length: 4 }, () => randomUUID())
  const rows = [
    row(ids[0]!, twice.phone),
    row(ids[1]!, other.phone),
    row(ids[2]!, closed.phone),
    row(ids[3]!),
  ]
  const found = await compare('pawapay', pawapay, ...rows)
  expect(brief(found)).toEqual([0, 1, 2, 3].map(() => ['unknown here', 'return']))
  expect(found[0]?.why).toContain('à rembourser')
  const refused = await settle({ ...receiptOf(found[0]!), paymentId: twice.paymentId })
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('à rembourser')])
  for (const paymentId of [other.paymentId, 99_999_999])
    expect((await settle({ ...receiptOf(found[1]!), paymentId })).status).toBe(400)
  expect((await settle(receiptOf(found[0]!))).status).toBe(400)

  const noted = await Promise.all(
    Array.from({ length: 4 }, () => settle({ ...receiptOf(found[0]!), note: 'Payé deux fois' })),
  )
  expect(noted.map(({ status }) => status)).toEqual([201, 201, 201, 201])
  const { id } = noted[0]!.body as Stray
  // A reference in capitals is the same row.
  const capitals = { ...receiptOf(found[0]!), reference: ids[0]!.toUpperCase(), note: 'Payé deux fois' }
  expect((await settle(capitals)).body).toMatchObject({ id })
  expect(brief(await compare('pawapay', pawapay, rows[0]!))).toEqual([['to refund', 'returned']])
  expect((await admin.get('/api/payments/strays')).body).toMatchObject({
    total: 1,
    data: [{ id, amount: 5 }],
  })
  const refund = () => admin.post(`/api/payments/strays/${id}/refund`, { note: 'REMB-7' })
  expect((await Promise.all([refund(), refund(), refund()])).map(({ status }) => status).sort()).toEqual([
    200, 409, 409,
  ])
  expect(await compare('pawapay', pawapay, rows[0]!)).toEqual([])
  expect((await admin.get('/api/payments/strays')).body).toMatchObject({ total: 0 })
  const { rows: entries } = await sql<{ action: string }>`
    select action from audit_entry where entity = 'strays' and entity_id = ${id} order by id`.execute(db)
  expect(entries.map(({ action }) => action)).toEqual(['create', 'update'])
})

test('two accounts that used one number are both proposed, and one receipt pays only one payment', async () => {
  const one = await deposit()
  const two = await deposit({ phone: one.phone })
  const both = await compare('pawapay', pawapay, row(randomUUID(), one.phone))
  expect(both[0]?.candidates.map(({ id }) => id).sort()).toEqual([one.paymentId, two.paymentId].sort())
  const alone = await deposit()
  const receipts = await compare(
    'pawapay',
    pawapay,
    row(randomUUID(), alone.phone),
    row(randomUUID(), alone.phone),
  )
  expect(brief(receipts)).toEqual([
    ['unpaid here', 'adopt', alone.paymentId],
    ['unknown here', 'return'],
  ])
})

test('FlexPay’s statement has card payments too: those with a known reference match, others are missing there', async () => {
  const titles = 'reference,orderNumber,amount,currency,createdAt,status'
  const [named, absent] = [1, 2].map(() => ({ phone: null, status: 'PAID', provider: 'flexpay-card' }))
  const card = await deposit(named)
  const missing = await deposit(absent)
  const unasked = await deposit({ phone: null, status: 'PAID' })
  await deposit({ status: 'PAID', provider: 'pawapay' })
  const line = (id: string) =>
    `${id.replaceAll('-', '').slice(0, 24)},ORDRE-${id.slice(0, 4)},5,USD,10-10-2026 09:00:00,0`
  const differences = await compare('flexpay', titles, line(card.id))
  const ids = differences.map(({ kind, payment }) => [kind, payment?.id])
  expect(ids).toContainEqual(['absent there', missing.paymentId])
  expect(ids).toContainEqual(['absent there', unasked.paymentId])
  expect(ids.flat()).not.toContain(card.paymentId)
  expect(new Set(differences.map(({ kind }) => kind))).toEqual(new Set(['absent there']))
  const ofPawapay = await compare('pawapay', pawapay, row(randomUUID()))
  expect(ofPawapay.map(({ payment }) => payment?.id)).not.toContain(missing.paymentId)
  expect(ofPawapay.map(({ payment }) => payment?.id)).not.toContain(unasked.paymentId)
})

test('a user who does not manage payments decides nothing', async () => {
  const collector = await server.as('collector')
  const body = {
    provider: 'pawapay',
    reference: 'x',
    amount: 5,
    currency: 'USD',
    receivedOn: '2026-10-10',
    note: 'n',
  }
  expect((await collector.post('/api/payments/strays', body)).status).toBe(403)
  expect((await collector.get('/api/payments/strays')).status).toBe(403)
  expect((await server.visitor.post('/api/payments/strays/1/refund', { note: 'n' })).status).toBe(401)
})
