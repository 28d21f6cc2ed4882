import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Transfer } from '#features/payments/transfers/transfers.contract.ts'
import type { Difference, reconciliation } from '#features/reconciliation/reconciliation.contract.ts'
import type { AnswerOf } from '#shared/contract.ts'
import { form } from '../../../tests/support/forms.ts'
import { insertPlan } from '../../../tests/support/payments.ts'
import { insertAccount, testServer } from '../../../tests/support/server.ts'

type Compared = AnswerOf<typeof reconciliation.compare>

const server = await testServer()
const { db } = server
const admin = await server.as('admin')
const planId = await insertPlan(db, { name: 'Institution', price: 590, billing_period: 'YEARLY' })

type Given = {
  status?: string
  state?: string
  failureCode?: string
  at?: string
  amount?: number
  reference?: string
}

async function deposit(given: Given = {}) {
  const { status = 'PENDING', state = 'pending', at = '2026-10-10T08:00:00Z', amount = 5 } = given
  const userId = await insertAccount(db, { roles: ['user'], ageDays: 40, isVerified: true })
  const id = randomUUID()
  const payment = await db
    .insertInto('payment')
    .values({
      user_id: userId,
      plan_id: planId,
      amount,
      status,
      payment_method: 'MOBILE_MONEY',
      transaction_ref: id,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('deposit')
    .values({
      id,
      payment_id: payment.id,
      phone: '243813456789',
      operator: 'MPESA',
      state,
      created_at: at,
      failure_code: given.failureCode ?? null,
      provider_ref: given.reference ?? null,
    })
    .execute()
  return { id, paymentId: payment.id, userId }
}

const upload = (source: string, text: string | Buffer) =>
  admin.post(
    `/api/payments/reconciliation?source=${source}`,
    form({}, { file: Buffer.from(text) }, 'releve.csv'),
  )
async function compare(source: string, text: string): Promise<Compared> {
  const answer = await upload(source, text)
  expect(answer.status, answer.text).toBe(200)
  return answer.body as Compared
}
const kinds = ({ differences }: { differences: Difference[] }) =>
  differences.map(({ kind, action, payment, transfer }) => [
    kind,
    action,
    payment?.id ?? transfer?.id ?? null,
  ])

const titles = 'depositId,status,amount,currency,created'

describe('the statement of a provider', () => {
  test('shows the differences, each with what to do, and counts the matches', async () => {
    const paid = await deposit({ status: 'PAID', state: 'succeeded' })
    const late = await deposit()
    const other = await deposit({ amount: 7 })
    const paidOther = await deposit({ status: 'PAID', state: 'succeeded', amount: 7 })
    const failed = await deposit()
    const denied = await deposit({ status: 'PAID', state: 'succeeded' })
    const absent = await deposit({ status: 'PAID', state: 'succeeded' })
    const before = await deposit({ status: 'PAID', state: 'succeeded', at: '2026-10-01T07:00:00Z' })
    const decided = await deposit({ status: 'FAILED', state: 'failed', failureCode: 'DECIDED' })
    const at = '2026-10-10T08:00:00Z'
    const row = (id: string, state: string, amount = '5.00') => `${id},${state},${amount},USD,${at}`
    const statement = [
      titles,
      `${randomUUID()},FAILED,5,USD,2026-10-01T08:00:00Z`,
      row(paid.id, 'COMPLETED'),
      row(late.id.toUpperCase(), 'COMPLETED'),
      row(other.id, 'COMPLETED'),
      row(paidOther.id, 'COMPLETED'),
      row(failed.id, 'FAILED'),
      row(denied.id, 'FAILED'),
      row(decided.id, 'COMPLETED'),
      row(paid.id, 'COMPLETED'),
      row(randomUUID(), 'COMPLETED'),
      row(randomUUID(), 'PROCESSING'),
    ].join('\n')
    const answer = await compare('pawapay', statement)
    expect(kinds(answer)).toEqual([
      ['paid there', 'ask', late.paymentId],
      ['other amount', 'decide', other.paymentId],
      ['other amount', 'examine', paidOther.paymentId],
      ['failed there', 'ask', failed.paymentId],
      ['failed here', 'examine', denied.paymentId],
      ['contradictory', 'decide', decided.paymentId],
      ['twice there', 'examine', paid.paymentId],
      ['unknown here', 'return', null],
      ['absent there', 'examine', absent.paymentId],
    ])
    expect(answer).toMatchObject({ read: 11, matched: 1, ignored: 2, from: '2026-10-01', to: '2026-10-10' })
    expect(kinds(answer).flat()).not.toContain(before.paymentId)
    // The comparison changed nothing.
    const { rows } = await sql<{ status: string }>`
      select status from payment where id in (${late.paymentId}, ${failed.paymentId})`.execute(db)
    expect(rows).toEqual([{ status: 'PENDING' }, { status: 'PENDING' }])
  })

  test('of FlexPay is found by its short reference or its order number, in French words and hours of Kinshasa', async () => {
    const short = await deposit({ at: '2026-09-10T08:00:00Z' })
    const named = await deposit({ at: '2026-09-10T08:00:00Z', reference: 'ORDRE-9' })
    const edge = await deposit({ status: 'PAID', state: 'succeeded', at: '2026-09-10T08:59:00Z' })
    const answer = await compare(
      'flexpay',
      [
        'Référence;orderNumber;Montant;Devise;createdAt;Statut',
        `${short.id.replaceAll('-', '').slice(0, 24)};ORDRE-8;"5,00";USD;10-09-2026 09:00:00;0`,
        `autre;ORDRE-9;5,00;USD;10-09-2026 09:30:00;0`,
      ].join('\r\n'),
    )
    // 09:30 in Kinshasa is 08:30 UTC: the payment of 08:59 is outside.
    expect(kinds(answer)).toEqual([
      ['paid there', 'ask', short.paymentId],
      ['paid there', 'ask', named.paymentId],
    ])
    expect(kinds(answer).flat()).not.toContain(edge.paymentId)
    const { paymentId, id } = short
    expect((await admin.post(`/api/payments/${paymentId}/ask`, { reference: 'ORDRE-8' })).status).toBe(200)
    expect((await admin.post(`/api/payments/${paymentId}/ask`, { reference: 'ORDRE-7' })).status).toBe(200)
    const { rows } = await sql`
      select provider_ref, next_check_at <= now() as due, (select count(*)::int from audit_entry
        where entity = 'payments' and action = 'ask' and entity_id = ${paymentId}) as asked
        from deposit where id = ${id}`.execute(db)
    expect(rows).toEqual([{ provider_ref: 'ORDRE-8', due: true, asked: 2 }])
  })

  test('in another format is refused with a sentence', async () => {
    const refused = async (source: string, text: string | Buffer) => {
      const { status, body } = await upload(source, text)
      expect(status).toBe(400)
      return (body as { message: string }).message
    }
    expect(await refused('pawapay', 'Date;Libellé;Crédit\n2026-10-10;x;5')).toMatch(
      /n’est pas un relevé de pawaPay/,
    )
    expect(await refused('bank', 'Date;Libellé\n2026-10-10;x')).toMatch(/titres\u00a0: Date, Libellé, Crédit/)
    expect(await refused('bank', '')).toMatch(/vide/)
    expect(await refused('bank', Buffer.from('%PDF-1.7'))).toMatch(/PDF/)
    expect(await refused('bank', 'Date;Libellé;Crédit\nhier;x;5')).toMatch(/Ligne 2\u00a0: Date illisible/)
    expect(await refused('bank', 'Date;Libellé;Crédit\n')).toMatch(/aucune ligne/)
    // Nothing in the column shows whether the mark separates thousands or decimals.
    expect(await refused('bank', 'Date;Libellé;Crédit\n2026-10-10;x;58.000\n2026-10-11;y;2.500')).toMatch(
      /Ligne 2\u00a0: Montant .*58\.000.*deux façons/,
    )
    const withNul = 'Date;Libellé;Crédit;Référence\n2026-10-10;a\0b;5;c\0d'
    const taken = await admin.post(
      '/api/payments/reconciliation?source=bank',
      form({}, { file: Buffer.from(withNul) }, 'releve.csv'),
    )
    expect(taken.status, taken.text).toBe(200)
    const rows = Array.from({ length: 20_001 }, () => '2026-10-10;x;5')
    expect(await refused('bank', ['Date;Libellé;Crédit', ...rows].join('\n'))).toMatch(
      /plus de 20\s000\s?lignes/,
    )
    expect((await upload('poste', titles)).status).toBe(400)
    expect((await admin.post('/api/payments/reconciliation?source=bank', {})).status).toBe(400)
  })
})

test('doubtful payments are listed, and the provider cannot be asked about a payment without an operator', async () => {
  const old = await deposit({ at: new Date(Date.now() - 3_600_000).toISOString() })
  const young = await deposit({ at: new Date().toISOString() })
  const review = await deposit({ state: 'review', failureCode: 'CONTRADICTION' })
  const { body } = await admin.get('/api/payments/reconciliation')
  const found = kinds(body as Compared)
  expect(found).toContainEqual(['silent', 'ask', old.paymentId])
  expect(found).toContainEqual(['contradictory', 'decide', review.paymentId])
  expect(found.flat()).not.toContain(young.paymentId)
  const cash = await db
    .insertInto('payment')
    .values({ user_id: old.userId, plan_id: planId, amount: 5, payment_method: 'CASH' })
    .returning('id')
    .executeTakeFirstOrThrow()
  expect((await admin.post(`/api/payments/${cash.id}/ask`, {})).status).toBe(409)
  expect((await admin.post('/api/payments/99999999/ask', {})).status).toBe(404)
  // The reference of a payment that a provider follows is its key there.
  for (const transactionRef of ['RECU 12', null])
    expect((await admin.put(`/api/payments/${old.paymentId}`, { transactionRef })).status).toBe(409)
  expect((await admin.put(`/api/payments/${old.paymentId}`, { transactionRef: old.id })).status).toBe(200)
  await db
    .updateTable('payment')
    .set({ transaction_ref: 'RECU 12' })
    .where('id', '=', old.paymentId)
    .execute()
  expect((await admin.post(`/api/payments/${old.paymentId}/ask`, {})).status).toBe(200)
})

describe('the statement of a bank', () => {
  async function ordered(): Promise<Transfer> {
    const userId = await insertAccount(db, { roles: ['user'], ageDays: 40, isVerified: true })
    return (await (await server.clientOf(userId)).post('/api/transfers', { planId })).body as Transfer
  }
  const record = (id: number, amount: number, bankReference: string, receivedOn: string) =>
    admin.post(`/api/transfers/${id}/receipts`, { amount, bankReference, receivedOn })

  test('shows transfers to record, others to search for, and those missing at the bank', async () => {
    const [expected, whole, known, wrong, ghost] = [
      await ordered(),
      await ordered(),
      await ordered(),
      await ordered(),
      await ordered(),
    ]
    await record(whole.id, 590, 'B-1', '2025-08-03')
    await record(known.id, 200.5, 'B-2', '2025-08-03')
    await record(wrong.id, 100, 'B-3', '2025-08-04')
    await record(ghost.id, 50, 'B-4', '2025-08-05')
    await record(ghost.id, 60, 'B-9', '2025-08-05')
    const statement = [
      'Date\tLibellé\tDébit\tCrédit\tRéférence\tSolde',
      `03/08/2025\tVIR RECU ${whole.reference}\t\t590,00\tB-1\t1`,
      '03/08/2025\tVIR 25 client\t\t200,50\tB-2\t1',
      `04/08/2025\tVIREMENT ${wrong.reference}\t\t1 000,00\tB-3\t1`,
      `04/08/2025\tORDRE vir ${expected.reference.slice(4)} MAZAO\t\t590,00\tB-5\t1`,
      `05/08/2025\t${whole.reference} bis\t\t12\tB-6\t1`,
      '06/08/2025\tVIREMENT SANS MOTIF\t\t590,00\t\t1',
      '06/08/2025\tFrais de tenue\t15,00\t\tB-7\t1',
      '31/02/2025\tx\t\t1\tB-8\t1',
    ].join('\n')
    const answer = await compare('bank', statement)
    expect(kinds(answer)).toEqual([
      ['other amount', 'examine', wrong.id],
      ['to record', 'record', expected.id],
      ['paid already', 'record', whole.id],
      ['without reference', 'attach', null],
      ['absent at the bank', 'examine', ghost.id],
      ['absent at the bank', 'examine', ghost.id],
    ])
    const [other, , , , ...absent] = answer.differences.map(({ why }) => why.replaceAll(/\s/g, ' '))
    expect(other).toMatch(/^Le virement B-3 de 100,00 \$US est enregistré ici\. Le relevé a un autre montant/)
    expect(absent).toEqual([
      expect.stringMatching(/^Le virement B-4 de 50,00 \$US est enregistré ici\. Le relevé de cette période/),
      expect.stringMatching(/^Le virement B-9 de 60,00 \$US est enregistré ici\. Le relevé de cette période/),
    ])
    expect(answer).toMatchObject({ read: 8, matched: 2, ignored: 1, faultCount: 1 })
    // A recorded line is no longer a difference, with or without the bank's reference.
    const [, , , unnamed] = answer.differences
    expect((await record(expected.id, 590, 'B-5', '2025-08-04')).status).toBe(201)
    const client = await ordered()
    expect((await record(client.id, 590, unnamed?.line?.reference ?? '', '2025-08-06')).status).toBe(201)
    expect(kinds(await compare('bank', statement)).map(([kind]) => kind)).toEqual([
      'other amount',
      'paid already',
      'absent at the bank',
      'absent at the bank',
    ])
  })

  test('without references has two equal transfers as two: each is recorded for its client', async () => {
    const orders = [await ordered(), await ordered()]
    const statement = [
      'Date;Libellé;Débit;Crédit',
      ...Array(2).fill('09/08/2025;VERSEMENT ESPECES;;590,00'),
    ].join('\n')
    const { differences } = await compare('bank', statement)
    expect(differences.map(({ line }) => line?.reference)).toEqual([
      '2025-08-09 VERSEMENT ESPECES',
      '2025-08-09 VERSEMENT ESPECES-2',
    ])
    const [first, second] = differences.map(({ line }) => line?.reference ?? '')
    expect((await record(orders[0]!.id, 590, first!, '2025-08-09')).status).toBe(201)
    expect((await record(orders[1]!.id, 590, first!, '2025-08-09')).status).toBe(409)
    expect((await record(orders[1]!.id, 590, second!, '2025-08-09')).status).toBe(201)
    expect(await compare('bank', statement)).toMatchObject({ matched: 2, total: 0 })
  })

  test('is read below the lines that name the holder and the balance', async () => {
    const order = await ordered()
    const answer = await compare(
      'bank',
      [
        'Titulaire;NTALO SARL;;',
        'Compte;00011-05100-00001234567-89;;',
        'Solde au 01/08/2025;12 345,67;USD;',
        '',
        'Date;Libellé;Débit;Crédit',
        `07/08/2025;VIR ${order.reference};;590,00`,
      ].join('\n'),
    )
    expect(answer).toMatchObject({ read: 1, faultCount: 0 })
    expect(kinds(answer)[0]).toEqual(['to record', 'record', order.id])
  })

  test('is searched among expected transfers by reference, client or plan', async () => {
    const order = await ordered()
    const { body } = await admin.get(`/api/transfers?search=${order.reference}&state=waiting`)
    expect(body).toMatchObject({ data: [{ id: order.id }], pagination: { total: 1 } })
    expect((await admin.get(`/api/transfers?search=${order.reference}&state=paid`)).body).toMatchObject({
      data: [],
    })
    expect((await admin.get('/api/transfers?search=institution&limit=1')).body).toMatchObject({
      data: [{ plan: 'Institution' }],
    })
  })
})
