import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Invoice } from '#features/invoices/invoices.contract.ts'
import { drawnInvoice } from '#features/invoices/invoices.rules.ts'
import { findFrozen, issueDue, saveBillingTerms } from '#features/invoices/invoices.sql.ts'
import { readConfig } from '#server/config.ts'
import type { Db } from '#server/db/pool.ts'
import { insertPlan } from '../../../tests/support/payments.ts'
import { insertAccount, testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const admin = await server.as('admin')

/** Returns a subscriber with a subscription that is still to be paid. */
async function subscriber() {
  const userId = await insertAccount(db, { roles: ['user'], ageDays: 40, isVerified: true })
  const planId = await insertPlan(db, { name: `Plan de ${userId}` })
  const { rows } = await sql<{ id: number }>`
    insert into subscription (user_id, plan_id, status, start_date, end_date)
    values (${userId}, ${planId}, 'EXPIRED', '2026-01-01', '2026-02-01') returning id`.execute(db)
  return { userId, subscriptionId: rows[0]!.id, client: await server.clientOf(userId) }
}

async function pay(subscriptionId: number, more: object = {}) {
  const body = { subscriptionId, amount: 11.6, status: 'PAID', paymentMethod: 'CASH', ...more }
  const answer = await admin.post('/api/payments', body)
  expect(answer.status).toBe(201)
  return (answer.body as { id: number }).id
}

const listOf = ({ body }: { body: unknown }) => (body as { data: Invoice[] }).data
const invoicesOf = async (paymentId: number) =>
  listOf(await admin.get(`/api/invoices?paymentId=${paymentId}&sort=issuedAt`))

const insertPaid = (tx: Db, userId: number) =>
  sql`insert into payment (user_id, amount, status) values (${userId}, 5, 'PAID')`.execute(tx)

describe('an invoice', () => {
  test('has numbers without gap or duplicate, with simultaneous payments and others that are rolled back', async () => {
    const userId = await insertAccount(db, { roles: ['user'] })
    const before = Number(
      (await sql<{ n: string }>`select count(*) as n from invoice`.execute(db)).rows[0]?.n,
    )
    const attempt = (n: number) =>
      db.transaction().execute(async (tx) => {
        await insertPaid(tx, userId)
        // Some have their number already when they are rolled back.
        if (n % 4 !== 1) await issueDue(tx)
        if (n % 2 === 1) throw new Error('undone')
      })
    const ends = await Promise.allSettled(Array.from({ length: 60 }, (_, n) => attempt(n)))
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(30)
    const { rows } = await sql<{ rank: number; number: string }>`
      select rank, number from invoice where kind = 'invoice' order by rank`.execute(db)
    expect(rows.map(({ rank }) => rank)).toEqual(Array.from({ length: before + 30 }, (_, n) => n + 1))
    expect(new Set(rows.map(({ number }) => number)).size).toBe(before + 30)
    expect(rows[0]?.number).toMatch(/^\d{4}-000001$/)
    const { rows: late } = await sql`
      select from invoice a join invoice b on a.rank < b.rank and a.issued_at > b.issued_at`.execute(db)
    expect(late).toEqual([])
  })

  test('is issued with the payment, states the tax in the amount, and is corrected by a credit note', async () => {
    const terms = readConfig({ VAT_RATE: '16', BILLING_NAME: 'Ntalo SARL' }).billing
    await saveBillingTerms(db, terms)
    const { subscriptionId } = await subscriber()
    const paymentId = await pay(subscriptionId)
    const [issued] = await invoicesOf(paymentId)
    expect(issued).toMatchObject({ kind: 'invoice', amount: 11.6, vatAmount: 1.6, currency: 'USD' })
    await saveBillingTerms(db, readConfig({}).billing)
    for (let turn = 1; turn <= 2; turn++)
      await admin.put(`/api/payments/${paymentId}/status`, { status: 'REFUNDED', reason: 'Payé deux fois' })
    const both = await invoicesOf(paymentId)
    expect(both).toMatchObject([
      { id: issued?.id, number: issued?.number },
      { kind: 'credit_note', corrects: issued?.number, amount: 11.6, vatAmount: 1.6 },
    ])
    expect(both[1]?.number).toMatch(/^AV-\d{4}-\d{6}$/)
    const csv = (await admin.get(`/api/invoices/export?paymentId=${paymentId}&fileFormat=csv-machine`)).text
    // A journal is read from the oldest entry on.
    expect(csv).toMatch(/,10\.00,1\.60,11\.60,USD.*-10\.00,-1\.60,-11\.60,USD/s)
  })

  test('for an upgrade shows the full price and the deducted unused days, which add up with the tax', async () => {
    await saveBillingTerms(db, readConfig({ VAT_RATE: '16' }).billing)
    const { userId } = await subscriber()
    const { rows } = await sql<{ id: number }>`
      insert into payment (user_id, amount, credit, status) values (${userId}, 17.67, 2.33, 'PAID') returning id`.execute(
      db,
    )
    await saveBillingTerms(db, readConfig({}).billing)
    const [issued] = await invoicesOf(rows[0]!.id)
    const frozen = await findFrozen(db, issued?.id ?? 0, null)
    expect(frozen).toMatchObject({ netAmount: '15.23', vatAmount: '2.44', amount: '17.67' })
    expect(frozen?.credited).toEqual({ price: '17.24', credit: '2.01' })
    const shown = JSON.stringify(drawnInvoice(frozen!))
    expect(shown).toContain('Jours non utilisés du plan précédent')
    expect(shown).toContain('-2,01')
  })

  test('has the name and address chosen by its subscriber, and is not changed; its receipt is sent to the billing address', async () => {
    const { subscriptionId, client } = await subscriber()
    const details = { name: 'ONG Mazao', address: '3, avenue du Lac\nGoma', taxNumber: 'A1234567B' }
    const email = `compta-${subscriptionId}@mazao.cd`
    expect((await client.put('/api/billing-details', { ...details, email })).status).toBe(200)
    const paymentId = await pay(subscriptionId)
    const { rows: mails } = await sql<{ content: { subject: string } }>`
      select content from outgoing_mail where recipient = ${email}`.execute(db)
    const [mail] = mails
    const [issued] = await invoicesOf(paymentId)
    expect(mail?.content).toMatchObject({ subject: expect.stringContaining(`Reçu du paiement ${paymentId}`) })
    expect(JSON.stringify(mail?.content)).toContain(issued?.number)
    const before = await client.get(`/api/invoices/${issued?.id}/pdf`)
    await client.put('/api/billing-details', { name: 'Une autre', email })
    const after = await client.get(`/api/invoices/${issued?.id}/pdf`)
    expect(before.text.startsWith('%PDF-1.7')).toBe(true)
    expect(after.text).toBe(before.text)
    expect((await invoicesOf(paymentId))[0]).toMatchObject({ client: 'ONG Mazao' })
  })

  test('has billing details that follow the account where they repeat its name or address', async () => {
    const { userId, client } = await subscriber()
    const account = ((await client.get('/api/auth/me')).body as { user: { email: string } }).user
    const details = { name: 'ONG Mazao', email: account.email }
    expect(await client.put('/api/billing-details', details)).toMatchObject({ status: 200 })
    const email = `nouvelle-${userId}@exemple.cd`
    expect((await admin.put(`/api/users/${userId}`, { name: 'Nouveau nom', email })).status).toBe(200)
    expect((await client.get('/api/billing-details')).body).toMatchObject({ name: 'ONG Mazao', email })
    await client.put('/api/billing-details', { name: 'Nouveau nom', email: 'compta@mazao.cd' })
    await admin.put(`/api/users/${userId}`, { name: 'Autre nom', email: account.email })
    expect((await client.get('/api/billing-details')).body).toMatchObject({
      name: 'Autre nom',
      email: 'compta@mazao.cd',
    })
  })

  test('may be read only by its subscriber and by users who manage payments', async () => {
    const [one, two] = [await subscriber(), await subscriber()]
    const [issued] = await invoicesOf(await pay(one.subscriptionId))
    expect(listOf(await one.client.get('/api/invoices')).map(({ id }) => id)).toEqual([issued?.id])
    expect(listOf(await two.client.get('/api/invoices'))).toEqual([])
    expect((await two.client.get(`/api/invoices/${issued?.id}/pdf`)).status).toBe(404)
    expect((await one.client.get('/api/invoices/export')).status).toBe(403)
  })

  test('is listed with a statement of the user’s own payments of a year, as a file', async () => {
    const [one, two] = [await subscriber(), await subscriber()]
    await pay(one.subscriptionId, { transactionRef: `A-${one.userId}` })
    await pay(one.subscriptionId, { transactionRef: `C-${one.userId}` })
    await pay(two.subscriptionId, { transactionRef: `B-${two.userId}` })
    const year = new Date(Date.now() + 3_600_000).getUTCFullYear()
    const statement = await one.client.get(`/api/payments/mine/export?year=${year}&fileFormat=csv-machine`)
    expect(statement.text.trim().split('\n')).toEqual([
      expect.anything(),
      expect.stringContaining(`A-${one.userId}`),
      expect.stringContaining(`C-${one.userId}`),
    ])
    const before = await one.client.get(`/api/payments/mine/export?year=${year - 1}`)
    expect(before.text.trim().split('\n')).toHaveLength(1)
    expect((await one.client.get('/api/payments/mine/export?year=hier')).status).toBe(400)
    const drawn = await one.client.get(`/api/payments/mine/export?year=${year}&fileFormat=pdf`)
    expect([drawn.headers.get('content-type'), drawn.text.slice(0, 8)]).toEqual([
      'application/pdf',
      '%PDF-1.7',
    ])
    await sql`insert into payment (subscription_id, user_id, amount)
      select ${two.subscriptionId}, ${two.userId}, 10 from generate_series(1, 500)`.execute(db)
    expect(await two.client.get(`/api/payments/mine/export?year=${year}&fileFormat=pdf`)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('501') },
    })
  })

  test('cannot be changed or deleted by any statement', async () => {
    const { subscriptionId } = await subscriber()
    const [issued] = await invoicesOf(await pay(subscriptionId))
    for (const statement of ['update invoice set amount = 1 where id = ', 'delete from invoice where id = '])
      await expect(sql.raw(`${statement}${issued?.id}`).execute(db)).rejects.toThrow(/does not change/)
  })
})
