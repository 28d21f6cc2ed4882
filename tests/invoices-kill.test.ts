import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { Db } from '#server/db/pool.ts'
import { killWorker } from './support/deposits-worker.ts'
import { privateDirectory } from './support/embedded.ts'
import { freePort, onDatabase, startServer } from './support/kill-trial.ts'
import { insertPlan } from './support/payments.ts'
import { client, insertAccount, openSession } from './support/server.ts'

const paidBefore = 3

test('a server killed between the number of an invoice and its PDF has one PDF for each number after a restart', async () => {
  const dataDir = privateDirectory(onTestFinished)
  const port = await freePort()
  const start = async () => {
    const started = await startServer(dataDir, port, { isPatient: true })
    onTestFinished(() => killWorker(started))
    return started
  }
  const server = await start()
  const { token, subscriptionId } = await onDatabase(dataDir, prepare)
  const url = `http://127.0.0.1:${port}`
  const admin = client(url, token, null)
  const pay = () =>
    admin.post('/api/payments', { subscriptionId, amount: 5, status: 'PAID', paymentMethod: 'CASH' })
  for (let n = 0; n < paidBefore; n++) expect((await pay()).status).toBe(201)
  const numbered = (await onDatabase(dataDir, readBooks)).invoices
  expect(numbered).toHaveLength(paidBefore)

  // One PDF is drawn at a time, and a response begins before its PDF is drawn: when the first begins, all others wait.
  const headers = { authorization: `Bearer ${token}` }
  const begun = numbered.map(({ id }) => fetch(`${url}/api/invoices/${id}/pdf`, { headers }))
  const paidMeanwhile = Promise.allSettled(Array.from({ length: 2 }, pay))
  expect((await Promise.race(begun)).status).toBe(200)
  await killWorker(server)
  const received = await Promise.allSettled(begun.map(async (each) => (await each).bytes()))
  expect(received.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(paidBefore - 1)
  await paidMeanwhile

  await start()
  expect((await pay()).status).toBe(201)
  const { invoices, paid } = await onDatabase(dataDir, readBooks)
  expect(invoices.map(({ rank }) => rank)).toEqual(invoices.map((_, n) => n + 1))
  expect(invoices.slice(0, paidBefore)).toEqual(numbered)
  expect(invoices.map(({ paymentId }) => paymentId).sort((a, b) => a - b)).toEqual(paid)
  const files = new Set<string>()
  for (const { id, number } of invoices) {
    const pdf = await admin.get(`/api/invoices/${id}/pdf`)
    expect(pdf.headers.get('content-disposition')).toContain(`facture-${number}.pdf`)
    expect([pdf.text.slice(0, 8), pdf.text.trimEnd().slice(-5)]).toEqual(['%PDF-1.7', '%%EOF'])
    files.add(pdf.bytes.toString('base64'))
  }
  expect(files.size).toBe(invoices.length)
  const again = await admin.get(`/api/invoices/${invoices[0]?.id}/pdf`)
  expect(files).toContain(again.bytes.toString('base64'))
})

/** Inserts an account that manages payments, and a subscription that is still to be paid. */
async function prepare(db: Db) {
  const userId = await insertAccount(db, { roles: ['user'], ageDays: 40, isVerified: true })
  const { rows } = await sql<{ id: number }>`
    insert into subscription (user_id, plan_id, status, start_date, end_date)
    values (${userId}, ${await insertPlan(db)}, 'EXPIRED', '2026-01-01', '2026-02-01') returning id`.execute(
    db,
  )
  const token = await openSession(db, await insertAccount(db, { roles: ['admin'] }))
  return { token, subscriptionId: rows[0]!.id }
}

/** Returns every invoice in the order of its number, and the ids of the paid payments. */
async function readBooks(db: Db) {
  const { rows: invoices } = await sql<{ id: number; rank: number; number: string; paymentId: number }>`
    select id, rank, number, payment_id as "paymentId" from invoice order by rank`.execute(db)
  const { rows: paid } = await sql<{ id: number }>`
    select id from payment where status = 'PAID' order by id`.execute(db)
  return { invoices, paid: paid.map(({ id }) => id) }
}
