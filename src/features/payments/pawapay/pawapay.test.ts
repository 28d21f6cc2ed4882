import Fastify from 'fastify'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { createCaller } from '#features/payment-simulator/callbacks.jobs.ts'
import { activeConfiguration } from '#features/payment-simulator/simulator.rules.ts'
import { aboutOrder } from '#features/payments/deposits/deposits.rules.ts'
import { createPawapay } from '#features/payments/pawapay/pawapay.gateway.ts'
import {
  depositBody,
  readCallback,
  readInitiated,
  readMethods,
  readStatus,
} from '#features/payments/pawapay/pawapay.rules.ts'
import { createLog } from '#server/log.ts'

const depositId = '8917c345-4791-4285-a416-62f24b6982db'

test('a deposit is requested with amounts as texts, digits only and a short plain message', () => {
  const order = { depositId, amount: '15000', currency: 'CDF', phone: '243813456789' } as const
  expect(depositBody({ ...order, operator: 'MPESA', reference: 'NTALO-12' })).toEqual({
    depositId,
    amount: '15000',
    currency: 'CDF',
    payer: {
      type: 'MMO',
      accountDetails: { phoneNumber: '243813456789', provider: 'VODACOM_MPESA_COD' },
    },
    clientReferenceId: 'NTALO-12',
    customerMessage: expect.stringMatching(/^[A-Za-z0-9 ]{4,22}$/),
  })
})

const failureReason = (failureCode: string) => ({ failureReason: { failureCode, failureMessage: '…' } })

describe('the answer to a deposit', () => {
  test.each<[number, unknown, object]>([
    [200, { depositId, status: 'ACCEPTED', created: '2026-11-22T10:00:00Z' }, { kind: 'accepted' }],
    [200, { depositId, status: 'DUPLICATE_IGNORED', created: '2026-11-22T10:00:00Z' }, { kind: 'accepted' }],
    [
      200,
      { depositId, status: 'REJECTED', ...failureReason('INVALID_PHONE_NUMBER') },
      { kind: 'rejected', code: 'INVALID_PHONE_NUMBER' },
    ],
    [200, { depositId: depositId.replace('8', '9'), status: 'ACCEPTED' }, { kind: 'unknown' }],
    [200, { depositId: depositId.replace('8', '9'), status: 'REJECTED' }, { kind: 'unknown' }],
    [200, { depositId, status: 'REJECTED' }, { kind: 'rejected', code: 'UNSPECIFIED_FAILURE' }],
    [200, { depositId, status: 'QUEUED' }, { kind: 'unknown' }],
    [200, '<html>', { kind: 'unknown' }],
    [400, failureReason('INVALID_INPUT'), { kind: 'rejected', code: 'REFUSED' }],
    [401, failureReason('NO_AUTHENTICATION'), { kind: 'rejected', code: 'REFUSED' }],
    [403, failureReason('HTTP_SIGNATURE_ERROR'), { kind: 'rejected', code: 'REFUSED' }],
    [429, null, { kind: 'unknown' }],
    [500, failureReason('UNKNOWN_ERROR'), { kind: 'unknown' }],
    [502, null, { kind: 'unknown' }],
  ])('%i %j is %j', (status, body, meaning) => {
    expect(readInitiated(status, body, depositId)).toMatchObject(meaning)
  })
})

describe('the status of a deposit', () => {
  const found = (data: object) => ({
    status: 'FOUND',
    data: {
      depositId,
      amount: '15000',
      currency: 'CDF',
      country: 'COD',
      metadata: { orderId: '42' },
      ...data,
    },
  })
  test.each<[unknown, object]>([
    [found({ status: 'COMPLETED', providerTransactionId: 'T1' }), { kind: 'completed', reference: 'T1' }],
    [found({ status: 'COMPLETED', amount: 15_000 }), { kind: 'completed', amount: '15000', reference: null }],
    [
      found({ status: 'FAILED', ...failureReason('PAYER_NOT_FOUND') }),
      { kind: 'failed', code: 'PAYER_NOT_FOUND' },
    ],
    [found({ status: 'FAILED' }), { kind: 'failed', code: 'UNSPECIFIED_FAILURE' }],
    ...['ACCEPTED', 'PROCESSING', 'IN_RECONCILIATION', 'SUBMITTED', 'ENQUEUED'].map(
      (status): [unknown, object] => [found({ status }), { kind: 'open' }],
    ),
    [{ status: 'NOT_FOUND' }, { kind: 'not found' }],
    [{ status: 'FOUND' }, { kind: 'unknown' }],
    [found({ status: 'COMPLETED', depositId: depositId.replace('8', '9') }), { kind: 'unknown' }],
    [found({ status: 'FAILED', depositId: depositId.replace('8', '9') }), { kind: 'unknown' }],
    [found({ status: 'COMPLETED', depositId: depositId.toUpperCase() }), { kind: 'completed' }],
    [found({ status: 'COMPLETED', clientReferenceId: 'NTALO-7' }), { kind: 'completed', order: 'NTALO-7' }],
    [null, { kind: 'unknown' }],
  ])('%j is %j', (body, meaning) => {
    expect(readStatus(200, body, depositId)).toMatchObject(meaning)
  })

  test.each([401, 404, 500, 503])('answered %i is unknown, whatever its body', (status) => {
    expect(readStatus(status, found({ status: 'COMPLETED' }), depositId)).toMatchObject({ kind: 'unknown' })
  })

  test('comes flat in a callback, whose metadata may be anything', () => {
    const body = { depositId, status: 'COMPLETED', amount: '5', currency: 'USD', metadata: { a: 1 } }
    expect(readCallback(JSON.stringify(body))).toMatchObject({ depositId, news: { kind: 'completed' } })
    expect(readCallback('{"depositId"')).toBeUndefined()
  })
})

test('an answer about another order says nothing about this payment', () => {
  const completed = { kind: 'completed', amount: '5', currency: 'USD', reference: null } as const
  expect(aboutOrder({ ...completed, order: 'NTALO-8' }, 7)).toMatchObject({ kind: 'unknown' })
  expect(aboutOrder({ kind: 'failed', code: 'X', order: 'NTALO-77' }, 7)).toMatchObject({ kind: 'unknown' })
  expect(aboutOrder({ ...completed, order: 'NTALO-7' }, 7)).toMatchObject(completed)
  expect(aboutOrder(completed, 7)).toBe(completed)
})

test('the payment methods are the known ones of the DRC, and a closed operator is marked', () => {
  const methods = readMethods(activeConfiguration)
  expect(methods).toHaveLength(6)
  expect(methods).toContainEqual({
    operator: 'AIRTEL',
    currency: 'CDF',
    minAmount: '100',
    maxAmount: '6250000',
    decimals: 2,
    isOpen: true,
  })
  const deposit = { minAmount: '1', maxAmount: '2', decimalsInAmount: 'NONE', status: 'CLOSED' }
  const currencies = [
    { currency: 'USD', operationTypes: { DEPOSIT: deposit } },
    { currency: 'USD', operationTypes: {} },
    { currency: 'EUR', operationTypes: { DEPOSIT: deposit } },
  ]
  const providers = [
    { provider: 'ORANGE_COD', currencies },
    { provider: 'AFRIMONEY_COD', currencies },
  ]
  const conf = {
    countries: [
      { country: 'COG', providers },
      { country: 'COD', providers },
    ],
  }
  expect(readMethods(conf)).toEqual([
    { operator: 'ORANGE', currency: 'USD', minAmount: '1', maxAmount: '2', decimals: 0, isOpen: false },
  ])
  expect(readMethods({ countries: 'none' })).toBeUndefined()
})

describe('a signed callback', async () => {
  const [first, second] = [createCaller(), createCaller()]
  const published = { keys: first.keys, asked: 0 }
  const provider = Fastify()
  provider.get('/v2/public-key/http', async () => {
    published.asked += 1
    return published.keys
  })
  const url = await provider.listen({ port: 0, host: '127.0.0.1' })
  const pawapayAt = (address: string) => createPawapay({ url: address, token: 'x', log: createLog('silent') })
  let pawapay = pawapayAt(url)
  const heard: string[] = []
  const us = Fastify()
  us.removeAllContentTypeParsers()
  us.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  us.post('/webhooks/pawapay', async ({ headers, body }, reply) => {
    const { kind } = await pawapay.parseCallback({
      url: `${ourUrl}/webhooks/pawapay`,
      headers: headers as Record<string, string>,
      body: body as Buffer,
    })
    heard.push(kind)
    return reply.send({})
  })
  const ourUrl = await us.listen({ port: 0, host: '127.0.0.1' })
  afterAll(() => {
    vi.useRealTimers()
    return Promise.all([provider.close(), us.close()])
  })
  const said = { depositId, status: 'COMPLETED', amount: '5', currency: 'USD' }
  const tell = async (caller: typeof first, signature?: 'bad' | 'none' | 'old') => {
    expect(await caller.call(`${ourUrl}/webhooks/pawapay`, said, signature)).toBe(200)
    return heard.at(-1)
  }

  test('is proved by the provider’s key, which is requested once', async () => {
    expect([await tell(first), await tell(first)]).toEqual(['proved', 'proved'])
    expect(published.asked).toBe(1)
    expect([await tell(first, 'bad'), await tell(first, 'old'), await tell(first, 'none')]).toEqual([
      'forged',
      'forged',
      'hint',
    ])
  })

  test('is proved by a newer key, with or without the previous one', async () => {
    expect(await tell(second)).toBe('forged')
    published.keys = [...first.keys, ...second.keys]
    // For a minute, a message signed with an unknown key is only a reason to ask the provider.
    expect(await tell(second)).toBe('hint')
    vi.useFakeTimers({ toFake: ['Date'] }).setSystemTime(Date.now() + 60_000)
    expect([await tell(first), await tell(second)]).toEqual(['proved', 'proved'])
    published.keys = second.keys
    expect(await tell(second)).toBe('proved')
  })

  test('with an unknown key makes us ask once a minute, however many arrive', async () => {
    published.asked = 0
    const before = Date.now()
    for (let i = 0; i < 20; i++) {
      expect(await tell(createCaller())).toBe('hint')
      vi.setSystemTime(before + i * 1_000)
    }
    expect(published.asked).toBe(0)
    vi.setSystemTime(before + 60_000)
    expect([await tell(createCaller()), await tell(createCaller())]).toEqual(['forged', 'hint'])
    expect(published.asked).toBe(1)
  })

  test('is only a reason to ask while the keys are not available', async () => {
    // No server listens there.
    pawapay = pawapayAt('http://127.0.0.1:1')
    expect(await tell(second)).toBe('hint')
  })
})
