import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { createFlexpay } from '#features/payments/flexpay/flexpay.gateway.ts'
import { methods, referenceOf } from '#features/payments/flexpay/flexpay.rules.ts'
import { createLog } from '#server/log.ts'
import {
  insertPlan,
  pay,
  paymentOf,
  readPayment,
  settled,
  subscriptionsOf,
} from '../../../../tests/support/payments.ts'
import { type Client, insertAccount, testServer } from '../../../../tests/support/server.ts'

type Ordered = { reference: string; amount: string; currency: string; callbackUrl: string; phone: string }
type Transaction = { reference: string; amount: string; currency: string; status: string | number }

// The transactions that FlexPay knows, and its answers to the next orders.
const transactions = new Map<string, Transaction>()
const orders: Ordered[] = []
const seen: { path: string; authorization: string | undefined; body: unknown }[] = []
let answerNext: (order: Ordered) => { status: number; body: unknown } = ordered
let orderNumbers = 0

function ordered({ reference, amount, currency }: Ordered) {
  orderNumbers += 1
  const orderNumber = `ORDER${orderNumbers}`
  transactions.set(orderNumber, { reference, amount, currency, status: '1' })
  return { status: 200, body: { code: '0', message: 'Transaction envoyée avec succès', orderNumber } }
}

const flexpay = createServer(async (request, response) => {
  const path = request.url ?? ''
  const body = request.method === 'POST' ? JSON.parse(await text(request)) : undefined
  seen.push({ path, authorization: request.headers.authorization, body })
  const send = (status: number, answer: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  if (path === '/api/paymentService') {
    orders.push(body)
    const { status, body: answer } = answerNext(body)
    answerNext = ordered
    return send(status, answer)
  }
  const transaction = transactions.get(path.replace('/api/check/', ''))
  send(200, transaction ? { code: 0, transaction } : { code: '1', message: 'Aucune', transaction: null })
})
await new Promise<void>((listening) => flexpay.listen(0, '127.0.0.1', listening))
afterAll(() => flexpay.close())
const address = flexpay.address()
const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/api`

let travelledMs = 0
let ownUrl: string | null = null
const mobileMoney = createFlexpay({
  url,
  merchant: 'NTALO',
  token: 'secret',
  ownUrl: () => ownUrl,
  log: createLog('silent'),
})
const server = await testServer({
  hasJobs: true,
  payments: { mobileMoney: [mobileMoney], isSimulated: false },
  clock: () => new Date(Date.now() + travelledMs),
})
ownUrl = server.url
const plan = await insertPlan(server.db)

async function payer(): Promise<Client & { userId: number }> {
  const userId = await insertAccount(server.db, { roles: ['user'], isVerified: true, ageDays: 40 })
  return { ...(await server.clientOf(userId)), userId }
}

/** Returns a payment requested from FlexPay, and the order of the request. */
async function asked(client: Client) {
  const payment = paymentOf(await pay(client, plan))
  const depositId = String(payment.transactionRef)
  const find = () => orders.find(({ reference }) => reference === referenceOf(depositId))
  await expect.poll(find).toBeTruthy()
  const state = async () => (await readPayment(client, payment.id)).deposit?.state
  const [orderNumber, transaction] =
    [...transactions].find(([, each]) => each.reference === referenceOf(depositId)) ?? []
  return { id: payment.id, depositId, order: find() as Ordered, orderNumber, transaction, state }
}

async function attemptsOf(depositId: string): Promise<number> {
  const { attempts } = await server.db
    .selectFrom('deposit')
    .select('attempts')
    .where('id', '=', depositId)
    .executeTakeFirstOrThrow()
  return attempts
}

/** Sends a callback as FlexPay, to the address in the order. */
const tell = (order: Ordered, body: object) =>
  server.visitor.send(new URL(order.callbackUrl).pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

test('a payment is requested in FlexPay’s format, and is paid once its status is 0, whatever a callback claims', async () => {
  const client = await payer()
  const { id, depositId, order, orderNumber, transaction, state } = await asked(client)
  expect(order).toMatchObject({
    type: '1',
    merchant: 'NTALO',
    phone: '243813456789',
    amount: '5',
    currency: 'USD',
  })
  expect(order.reference).toMatch(/^[0-9a-f]{24}$/)
  expect(order.callbackUrl).toMatch(new RegExp(`^${server.url}/webhooks/flexpay/${depositId}/[\\w-]{32}$`))
  await expect.poll(state).toBe('pending')

  expect((await tell(order, { code: '0', orderNumber })).status).toBe(200)
  const checks = () => seen.filter(({ path }) => path === `/api/check/${orderNumber}`).length
  await expect.poll(checks).toBeGreaterThan(0)
  expect([await state(), await subscriptionsOf(client)]).toEqual(['pending', []])

  Object.assign(transaction ?? {}, { status: 0, amount: '5.00' })
  await tell(order, { code: 0, orderNumber })
  expect(await settled(client, id)).toMatchObject({ status: 'PAID', deposit: { state: 'succeeded' } })
  expect((await subscriptionsOf(client)).map(({ status }) => status)).toEqual(['ACTIVE'])
  expect(new Set(seen.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer secret']))
})

test('a refusal by FlexPay is final at once, and an error in our request is reported as ours', async () => {
  const refused = await payer()
  answerNext = () => ({ status: 200, body: { code: 1, message: 'Solde insuffisant', orderNumber: null } })
  const first = await settled(refused, paymentOf(await pay(refused, plan)).id)
  expect([first.status, first.deposit?.failure?.code]).toEqual(['FAILED', 'UNSPECIFIED_FAILURE'])
  answerNext = () => ({ status: 401, body: { message: 'Unauthorized' } })
  const second = await settled(refused, paymentOf(await pay(refused, plan)).id)
  expect([second.status, second.deposit?.failure?.code]).toEqual(['FAILED', 'REFUSED'])
})

test('an order whose response was lost is never sent again, and is paid when a callback names it', async () => {
  const client = await payer()
  answerNext = (order) => ({ ...ordered(order), status: 502 })
  const { id, orderNumber, transaction, order } = await asked(client)
  Object.assign(transaction ?? {}, { status: '0' })
  await tell(order, { orderNumber })
  expect((await settled(client, id)).status).toBe('PAID')
  expect(orders.filter(({ reference }) => reference === order.reference)).toHaveLength(1)
})

test('the order of another payment, or another amount, opens nothing', async () => {
  const client = await payer()
  transactions.set('PAID-BEFORE', { reference: 'another', amount: '5', currency: 'USD', status: '0' })
  answerNext = () => ({ status: 500, body: {} })
  const lost = await asked(client)
  await tell(lost.order, { orderNumber: 'PAID-BEFORE' })
  await expect.poll(lost.state).toBe('review')
  expect((await readPayment(client, lost.id)).status).toBe('PENDING')

  const other = await payer()
  const { id, order, transaction, state } = await asked(other)
  Object.assign(transaction ?? {}, { status: '0', amount: '1' })
  await tell(order, {})
  await expect.poll(state).toBe('review')
  expect((await readPayment(other, id)).status).toBe('PENDING')
  expect([...(await subscriptionsOf(client)), ...(await subscriptionsOf(other))]).toEqual([])
})

test('status 1 is a failure once no phone can still be ringing, and money that arrives later is reviewed', async () => {
  const client = await payer()
  const { id, depositId, order, transaction, state } = await asked(client)
  travelledMs += 6 * 60_000
  await tell(order, { code: '1' })
  await expect.poll(() => attemptsOf(depositId)).toBeGreaterThan(1)
  await tell(order, { code: '1' })
  expect((await settled(client, id)).status).toBe('FAILED')
  Object.assign(transaction ?? {}, { status: '0' })
  await tell(order, { code: '0' })
  await expect.poll(state).toBe('review')
})

test('one late status 1 decides nothing: the next one is a failure, and a status 0 is the money', async () => {
  const look = async (depositId: string, status: string) => {
    transactions.set('LATE', { reference: referenceOf(depositId), amount: '5', currency: 'USD', status })
    return (await mobileMoney.getStatus(depositId, { reference: 'LATE', ageMs: 6 * 60_000 })).kind
  }
  const [failed, paid, between] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
  expect([await look(failed, '1'), await look(paid, '1')]).toEqual(['open', 'open'])
  expect([await look(failed, '1'), await look(paid, '0')]).toEqual(['failed', 'completed'])
  // Another answer in between begins the count again.
  const looks: string[] = []
  for (const status of ['1', '2', '1', '1']) looks.push(await look(between, status))
  expect(looks).toEqual(['open', 'open', 'open', 'failed'])
})

test('unknown callbacks change nothing, and both currencies of every operator can be chosen', async () => {
  const { order } = await asked(await payer())
  const tellAt = (callbackUrl: string) => tell({ ...order, callbackUrl }, { orderNumber: 'X' })
  const webhook = `${server.url}/webhooks/flexpay`
  expect((await tellAt(`${webhook}/abc/key`)).status).toBe(400)
  // Knowing the deposit, as its payer does, does not reveal the address of its callback.
  const key = order.callbackUrl.split('/').at(-1)
  expect((await tellAt(`${webhook}/7d6e4c7e-90f5-4f4f-8a4b-0a37e5cf2d5b/${key}`)).status).toBe(401)
  expect((await tellAt(order.callbackUrl.replace(/.$/, ''))).status).toBe(401)
  const { body } = await (await payer()).get('/api/payments/methods')
  expect(body).toMatchObject({ isSimulated: false, mobileMoney: methods })
})
