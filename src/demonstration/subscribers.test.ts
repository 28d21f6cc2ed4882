import { describe, expect, test } from 'vitest'
import { demonstrationSubscribers } from '#demonstration/subscribers.ts'

const now = new Date('2026-03-10T09:15:00Z')
const subscribers = demonstrationSubscribers(now)
const subscriptions = subscribers.flatMap((subscriber) => subscriber.subscriptions)
const payments = subscriptions.flatMap((subscription) => subscription.payments)

describe('the demonstration subscribers', () => {
  test('hold one subscription after the other, with the right status', () => {
    for (const { createdAt, subscriptions: history } of subscribers) {
      let free = createdAt
      for (const { startDate, endDate, status } of history) {
        expect(startDate.getTime()).toBeGreaterThanOrEqual(free.getTime())
        expect(startDate.getTime()).toBeLessThan(endDate.getTime())
        if (status !== 'CANCELED') expect(['ACTIVE', 'TRIAL'].includes(status)).toBe(endDate > now)
        free = endDate
      }
    }
  })

  test('paid for every subscription to a plan, and for no trial', () => {
    for (const { plan, status, payments } of subscriptions) {
      const settled = payments.filter((each) => each.status === 'PAID' || each.status === 'REFUNDED')
      expect(settled.map((each) => each.status)).toEqual(
        plan === null ? [] : [status === 'CANCELED' ? 'REFUNDED' : 'PAID'],
      )
    }
  })

  test('show every status, method and currency of payments, none from the future', () => {
    expect(new Set(payments.map(({ status }) => status))).toEqual(
      new Set(['PENDING', 'PAID', 'FAILED', 'REFUNDED']),
    )
    expect(new Set(payments.map(({ method }) => method))).toEqual(new Set(['VISA', 'MOBILE_MONEY', 'CASH']))
    expect(new Set(payments.map(({ currency }) => currency))).toEqual(new Set(['USD', 'CDF']))
    expect(payments.filter(({ createdAt }) => createdAt > now)).toEqual([])
  })

  test('each have an address', () => {
    expect(new Set(subscribers.map(({ email }) => email)).size).toBe(subscribers.length)
  })
})
