import { describe, expect, test } from 'vitest'
import { planFeatureNames } from '#features/plans/features.rules.ts'
import { plans } from '#features/plans/plans.contract.ts'
import { testCrud } from '../../../tests/support/crud.ts'
import { insertPlan } from '../../../tests/support/payments.ts'
import { testServer } from '../../../tests/support/server.ts'

const server = await testServer()

testCrud(server, plans, {
  rights: {
    visitor: 200,
    subscriber: 200,
    readers: ['agent', 'collector', 'manager'],
    writers: ['admin', 'super admin'],
  },
  valid: (name) => ({
    name,
    description: 'Tout',
    price: 19,
    currency: 'USD',
    billingPeriod: 'MONTHLY',
  }),
  required: ['name', 'price'],
  invalid: [
    ['price', { price: -1 }],
    ['price', { price: 1.234 }],
    ['currency', { currency: 'EUR' }],
    ['billingPeriod', { billingPeriod: 'WEEKLY' }],
    ['isActive', { isActive: 'peut-être' }],
    ['features.0', { features: ['TELEPATHY'] }],
    ['name', { name: 'é'.repeat(201) }],
  ],
  changes: (name) => ({
    name,
    price: 0,
    currency: 'CDF',
    billingPeriod: 'YEARLY',
    isActive: false,
    features: ['BASIC_DATA'],
  }),
  use: async (id) => {
    const { userId } = await server.as('user')
    await server.pool.query(
      `insert into subscription (user_id, plan_id, start_date, end_date) values ($1, $2, now(), now() + interval '1 month')`,
      [userId, id],
    )
  },
  inUse: /: 1 abonnement en dépend\.$/,
})

describe('plans', () => {
  test('have defaults, and both spellings are read', async () => {
    const admin = await server.as('admin')
    const { body } = await admin.post('/api/plans', { name: 'Par défaut', price: 5 })
    expect(body).toMatchObject({
      currency: 'USD',
      billingPeriod: 'MONTHLY',
      isActive: true,
      description: null,
      features: planFeatureNames,
    })
    const { id } = body as { id: number }
    const other = await admin.put(`/api/plans/${id}`, { billing_period: 'YEARLY', is_active: false })
    expect(other.body).toMatchObject({ billingPeriod: 'YEARLY', isActive: false, price: 5 })
  })

  test('keep a number whose field is left empty, and refuse what is not a number', async () => {
    const admin = await server.as('admin')
    const limits = { callsPerMinute: 30, callsPerMonth: 500, smsPerMonth: 5, seats: 4 }
    const { body } = await admin.post('/api/plans', { name: 'À compter', price: 5, ...limits })
    const path = `/api/plans/${(body as { id: number }).id}`
    for (const empty of ['', null]) {
      const change = { callsPerMinute: empty, callsPerMonth: empty, smsPerMonth: empty, seats: empty }
      expect((await admin.put(path, change)).body).toMatchObject(limits)
    }
    for (const wrong of [true, [5], '0x10', '1,5', -1]) {
      const refused = await admin.put(path, { callsPerMinute: wrong })
      expect(refused, String(wrong)).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'callsPerMinute' }] },
      })
    }
    expect((await admin.put(path, { callsPerMinute: ' 45 ' })).body).toMatchObject({ callsPerMinute: 45 })
    const made = await admin.post('/api/plans', {
      name: 'Sans compter',
      price: 5,
      callsPerMinute: '',
      seats: null,
    })
    expect(made.body).toMatchObject({ callsPerMinute: 60, seats: 1 })
  })

  test('list their contents, each once and in the order of the matrix', async () => {
    const admin = await server.as('admin')
    const features = ['PRIORITY_SUPPORT', 'BASIC_DATA', 'BASIC_DATA']
    const { body } = await admin.post('/api/plans', { name: 'Léger', price: 3, features })
    expect(body).toMatchObject({ features: ['BASIC_DATA', 'PRIORITY_SUPPORT'] })
    const bare = await admin.put(`/api/plans/${(body as { id: number }).id}`, { features: [] })
    expect(bare.body).toMatchObject({ features: [], price: 3 })
  })

  test('are not deleted while a pro forma invoice asks for their price', async () => {
    const admin = await server.as('admin')
    const { body } = await admin.post('/api/plans', { name: 'Par virement', price: 30 })
    const { id } = body as { id: number }
    await server.pool.query(
      `insert into transfer_order (user_id, plan_id, billing_period, amount, currency)
       select id, $1, 'MONTHLY', 30, 'USD' from app_user limit 1`,
      [id],
    )
    const refused = await admin.delete(`/api/plans/${id}`)
    expect(refused.status).toBe(409)
    expect(refused.text).toContain(': 1 facture pro forma en dépend.')
  })

  test('are not deleted while a payment names them whose subscription has another plan, and the refusal counts it', async () => {
    const admin = await server.as('admin')
    const [id, planId] = [await insertPlan(server.db), await insertPlan(server.db)]
    const { userId } = await server.as('user')
    const period = { startDate: '2026-01-01', endDate: '2026-02-01' }
    const { body } = await admin.post('/api/subscriptions', { userId, planId: id, ...period })
    const { id: subscriptionId } = body as { id: number }
    expect((await admin.post('/api/payments', { subscriptionId, amount: 5 })).status).toBe(201)
    expect((await admin.put(`/api/subscriptions/${subscriptionId}`, { planId })).status).toBe(200)
    const refused = await admin.delete(`/api/plans/${id}`)
    expect(refused.status).toBe(409)
    expect(refused.text).toContain(': 1 paiement en dépend.')
  })

  test('are read by visitors, only the active ones when requested', async () => {
    const admin = await server.as('admin')
    await admin.post('/api/plans', { name: 'Retiré', price: 7, isActive: false })
    const names = async (query: string) => {
      const { body } = await server.visitor.get(`/api/plans?limit=200&${query}`)
      return (body as { plans: { name: string }[] }).plans.map(({ name }) => name)
    }
    expect(await names('isActive=true')).not.toContain('Retiré')
    expect(await names('isActive=false')).toContain('Retiré')
    expect(await names('')).toContain('Retiré')
    expect((await server.visitor.get('/api/plans?isActive=oui')).status).toBe(400)
  })
})
