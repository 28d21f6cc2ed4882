import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  mostWaiting,
  type Transfer,
  type TransferReceipt,
} from '#features/payments/transfers/transfers.contract.ts'
import { addDays, dayInKinshasa } from '#shared/days.ts'
import { insertPlan } from '../../../../tests/support/payments.ts'
import { sendTogether } from '../../../../tests/support/same-requests.ts'
import { type Answer, insertAccount, testServer } from '../../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const admin = await server.as('admin')
const planId = await insertPlan(db, { name: 'Institution', price: 590, billing_period: 'YEARLY' })

async function ordered() {
  const userId = await insertAccount(db, { roles: ['user'], ageDays: 40, isVerified: true })
  const client = await server.clientOf(userId)
  const answer = await client.post('/api/transfers', { planId })
  expect(answer.status).toBe(201)
  return { userId, client, order: transferOf(answer) }
}
const transferOf = ({ body }: Answer) => body as Transfer
const record = (
  id: number,
  amount: number,
  bankReference: string = randomUUID(),
  receivedOn = dayInKinshasa(new Date()),
) => admin.post(`/api/transfers/${id}/receipts`, { amount, bankReference, receivedOn })
const mayRead = async (userId: number) =>
  (await sql`select from subscription where user_id = ${userId} and status = 'ACTIVE'`.execute(db)).rows
    .length

describe('a transfer', () => {
  test('opens nothing when partial and the subscription once complete, with its invoice; an excess is a credit', async () => {
    const { userId, client, order } = await ordered()
    expect(order).toMatchObject({ amount: 590, received: 0, remaining: 590, state: 'waiting' })
    expect(order.reference).toMatch(/^VIR-\d{6}$/)
    // The price is that of the pro-forma invoice.
    await sql`update plan set price = 5900 where id = ${planId}`.execute(db)
    const part = transferOf(await record(order.id, 589.99))
    expect(part).toMatchObject({ state: 'partial', received: 589.99, remaining: 0.01, paymentId: null })
    expect(await mayRead(userId)).toBe(0)
    const whole = transferOf(await record(order.id, 10.01))
    expect(whole).toMatchObject({ state: 'paid', received: 600, remaining: 0, credit: 10 })
    expect(await mayRead(userId)).toBe(1)
    const { body } = await client.get('/api/invoices')
    expect(body).toMatchObject({
      data: [{ amount: 590, paymentMethod: 'TRANSFER', reference: order.reference, plan: 'Institution' }],
    })
    const late = transferOf(await record(order.id, 5))
    expect(late).toMatchObject({ credit: 15, paymentId: whole.paymentId })
    expect(await mayRead(userId)).toBe(1)
    await sql`update plan set price = 590 where id = ${planId}`.execute(db)
  })

  test('is counted once however often it is recorded', async () => {
    const { userId, order } = await ordered()
    expect((await record(order.id, 590, 'BCDC-X')).status).toBe(201)
    expect((await record(order.id, 590, 'BCDC-X')).status).toBe(409)
    const again = await ordered()
    const ends = await Promise.all(Array.from({ length: 8 }, () => record(again.order.id, 590, 'BCDC-Y')))
    expect(ends.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(await mayRead(userId)).toBe(1)
    expect(await mayRead(again.userId)).toBe(1)
  })

  test('pays one pro-forma of all, in eight requests at once over two of them; cancelled, it may pay the other', async () => {
    const [one, two] = [await ordered(), await ordered()]
    const ends = await Promise.all(
      Array.from({ length: 8 }, (_, n) => record((n % 2 ? one : two).order.id, 590, 'BCDC-Z')),
    )
    expect(ends.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(409)])
    const paid = transferOf(ends.find(({ status }) => status === 201)!)
    const other = paid.id === one.order.id ? two : one
    expect(await mayRead(other.userId)).toBe(0)
    expect((await record(other.order.id, 590, 'BCDC-Z')).body).toMatchObject({
      errors: [
        { field: 'bankReference', message: expect.stringContaining(`enregistré pour ${paid.reference}`) },
      ],
    })
    // Another amount, day or reference is another transfer.
    const yesterday = addDays(dayInKinshasa(new Date()), -1)
    expect((await record(other.order.id, 100, 'BCDC-Z-2')).status).toBe(201)
    expect((await record((await ordered()).order.id, 590, 'BCDC-Z', yesterday)).status).toBe(201)
    expect((await record((await ordered()).order.id, 589, 'BCDC-Z')).status).toBe(201)
    const { data } = (await admin.get(`/api/transfers/${paid.id}/receipts`)).body as {
      data: TransferReceipt[]
    }
    const reason = 'Mauvais client'
    await admin.post(`/api/transfers/${paid.id}/cancellations`, { receiptId: data[0]!.id, reason })
    expect((await record(other.order.id, 590, 'BCDC-Z')).status).toBe(201)
  })

  test('is refunded by its cancellation only, so that what arrives later opens a subscription again', async () => {
    const { userId, order } = await ordered()
    const { paymentId } = transferOf(await record(order.id, 590))
    const refund = { status: 'REFUNDED', refundReason: 'Erreur' }
    for (const answer of [
      await admin.put(`/api/payments/${paymentId}`, refund),
      await admin.put(`/api/payments/${paymentId}/status`, refund),
    ])
      expect(answer).toMatchObject({
        status: 409,
        body: { message: expect.stringMatching(/annulez le virement/) },
      })
    expect(await mayRead(userId)).toBe(1)
    const { data } = (await admin.get(`/api/transfers/${order.id}/receipts`)).body as {
      data: TransferReceipt[]
    }
    const cancelled = await admin.post(`/api/transfers/${order.id}/cancellations`, {
      receiptId: data[0]!.id,
      reason: 'Erreur',
    })
    expect(cancelled).toMatchObject({ status: 201, body: { message: expect.stringMatching(/remboursé/) } })
    expect((await admin.get(`/api/payments/${paymentId}`)).body).toMatchObject({ status: 'REFUNDED' })
    expect(transferOf(await record(order.id, 590))).toMatchObject({ state: 'paid' })
    expect(await mayRead(userId)).toBe(1)
  })

  test('for an account closed meanwhile is not recorded, and the team is told to give the money back', async () => {
    const { userId, order } = await ordered()
    await sql`update app_user set email = 'ferme-' || id || '@compte.invalid' where id = ${userId}`.execute(
      db,
    )
    expect(await record(order.id, 590)).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/fermé.*Rendez cet argent/) },
    })
  })

  test('that is not expected any more is deleted by its client or the team, and makes room for another', async () => {
    const { client, order } = await ordered()
    const made = [order]
    for (let n = 1; n < 5; n++) made.push(transferOf(await client.post('/api/transfers', { planId })))
    expect((await client.post('/api/transfers', { planId })).status).toBe(409)
    const stranger = await ordered()
    expect((await stranger.client.delete(`/api/transfers/${order.id}`)).status).toBe(404)
    expect((await client.delete(`/api/transfers/${order.id}`)).status).toBe(200)
    expect((await client.delete(`/api/transfers/${order.id}`)).status).toBe(404)
    expect((await admin.delete(`/api/transfers/${made[1]!.id}`)).status).toBe(200)
    expect((await client.post('/api/transfers', { planId })).status).toBe(201)
    const { rows } = await sql<{ action: string }>`
      select action from audit_entry where entity = 'transfers' and entity_id = ${String(order.id)} order by id`.execute(
      db,
    )
    expect(rows.map(({ action }) => action)).toEqual(['create', 'delete'])
    // What was recorded is kept, also once it is cancelled.
    const [, , kept] = made
    await record(kept!.id, 10, 'BCDC-K')
    expect((await admin.delete(`/api/transfers/${kept!.id}`)).status).toBe(409)
    const { data } = (await admin.get(`/api/transfers/${kept!.id}/receipts`)).body as {
      data: TransferReceipt[]
    }
    await admin.post(`/api/transfers/${kept!.id}/cancellations`, { receiptId: data[0]!.id, reason: 'Erreur' })
    expect((await client.delete(`/api/transfers/${kept!.id}`)).status).toBe(409)
  })

  test('is not recorded on a day that has not come', async () => {
    const { order } = await ordered()
    const dayAfterTomorrow = addDays(dayInKinshasa(new Date()), 2)
    const answer = await record(order.id, 590, 'BCDC-F', dayAfterTomorrow)
    expect([answer.status, answer.body]).toMatchObject([400, { errors: [{ field: 'receivedOn' }] }])
    expect((await record(order.id, 590, 'BCDC-F')).status).toBe(201)
  })

  test('is requested once per key, and at most five times at once', async () => {
    const { client } = await ordered()
    const send = (key: string) =>
      client.send('/api/transfers', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ planId }),
      })
    expect(await sendTogether(send, { rounds: 1, times: 10 })).toBe(0)
    for (let n = 3; n <= 5; n++) expect((await client.post('/api/transfers', { planId })).status).toBe(201)
    expect((await client.post('/api/transfers', { planId })).status).toBe(409)
  })

  test('has a pro-forma for its client, and for no other user', async () => {
    const [one, two] = [await ordered(), await ordered()]
    expect((await one.client.get(`/api/transfers/${one.order.id}/pdf`)).text.startsWith('%PDF')).toBe(true)
    expect((await two.client.get(`/api/transfers/${one.order.id}/pdf`)).status).toBe(404)
    expect((await two.client.get('/api/transfers')).body).toMatchObject({ data: [{ id: two.order.id }] })
    expect((await one.client.post(`/api/transfers/${one.order.id}/receipts`, {})).status).toBe(403)
  })

  describe('recorded by mistake', () => {
    const receiptsOf = async (id: number) =>
      ((await admin.get(`/api/transfers/${id}/receipts`)).body as { data: TransferReceipt[] }).data
    const cancel = (id: number, receiptId: number, reason = 'Mauvais client') =>
      admin.post(`/api/transfers/${id}/cancellations`, { receiptId, reason })

    test('is cancelled by a second entry, once, and its reference may be recorded again', async () => {
      const { order } = await ordered()
      await record(order.id, 100, 'BCDC-A')
      const [entry] = await receiptsOf(order.id)
      expect((await cancel(order.id, entry!.id, ' ')).status).toBe(400)
      const ends = await Promise.all(Array.from({ length: 20 }, () => cancel(order.id, entry!.id)))
      expect(ends.filter(({ status }) => status === 201)).toHaveLength(1)
      expect(ends.filter(({ status }) => status === 409)).toHaveLength(19)
      expect(await receiptsOf(order.id)).toMatchObject([
        { id: entry?.id, amount: 100, isCancelled: true, reason: null },
        { amount: -100, bankReference: 'BCDC-A', isCancelled: false, reason: 'Mauvais client' },
      ])
      const [, contrary] = await receiptsOf(order.id)
      expect((await cancel(order.id, contrary!.id)).status).toBe(409)
      const other = await ordered()
      expect((await cancel(other.order.id, entry!.id)).status).toBe(409)
      expect(transferOf(await record(order.id, 10, 'BCDC-A'))).toMatchObject({
        received: 10,
        state: 'partial',
      })
    })

    test('removes the payment that it made, with a credit note, and the full sum can be paid again', async () => {
      const { userId, client, order } = await ordered()
      const paid = transferOf(await record(order.id, 600, 'BCDC-B'))
      await record(order.id, 5, 'BCDC-C')
      const [whole, over] = await receiptsOf(order.id)
      // Without the excess, the sum is still complete.
      expect(transferOf(await cancel(order.id, over!.id))).toMatchObject({ state: 'paid', credit: 10 })
      expect(await mayRead(userId)).toBe(1)
      expect(transferOf(await cancel(order.id, whole!.id))).toMatchObject({
        state: 'waiting',
        received: 0,
        paymentId: null,
      })
      expect(await mayRead(userId)).toBe(0)
      const { body } = await client.get('/api/invoices?sort=issuedAt')
      expect(body).toMatchObject({ data: [{ kind: 'invoice' }, { kind: 'credit_note', amount: 590 }] })
      const again = transferOf(await record(order.id, 590, 'BCDC-B'))
      expect(again.state).toBe('paid')
      expect(again.paymentId).not.toBe(paid.paymentId)
      expect(await mayRead(userId)).toBe(1)
      expect((await client.get(`/api/transfers/${order.id}/receipts`)).status).toBe(403)
    })

    test('leaves a pro forma that cannot be deleted, and that keeps its client from no other', async () => {
      const { client, order } = await ordered()
      await record(order.id, 10, 'BCDC-D')
      const [entry] = await receiptsOf(order.id)
      expect(transferOf(await cancel(order.id, entry!.id))).toMatchObject({
        isDeletable: false,
        state: 'waiting',
      })
      expect((await client.delete(`/api/transfers/${order.id}`)).status).toBe(409)
      const statuses: number[] = []
      for (let n = 0; n <= mostWaiting; n++)
        statuses.push((await client.post('/api/transfers', { planId })).status)
      expect(statuses).toEqual([...Array<number>(mostWaiting).fill(201), 409])
    })
  })
})
