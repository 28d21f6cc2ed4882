import { describe, expect, test } from 'vitest'
import { renewalProposal } from '#features/subscriptions/changes/changes.rules.ts'
import {
  accessRefusal,
  dataAccess,
  daysToEnd,
  periodEnd,
} from '#features/subscriptions/subscriptions.rules.ts'
import { dayMs } from '#shared/days.ts'

const now = new Date('2026-11-22T10:00:00Z')
const day = (after: number) => new Date(now.getTime() + after * dayMs).toISOString()
const sub = (status: string, from: number, to: number) => ({ status, startDate: day(from), endDate: day(to) })
const access = (ageDays: number, ...subscriptions: ReturnType<typeof sub>[]) =>
  dataAccess({ accountCreatedAt: day(-ageDays), isEmailVerified: true, trial: 'own', subscriptions }, now)
const unconfirmed = (ageDays: number, ...subscriptions: ReturnType<typeof sub>[]) =>
  dataAccess({ accountCreatedAt: day(-ageDays), isEmailVerified: false, trial: 'own', subscriptions }, now)

test('a renewal is proposed 7, 3 and 0 days before the last day and 1 and 3 after it, unless the user declined', () => {
  const last = {
    id: 8,
    planId: 2,
    status: 'ACTIVE',
    canceledAt: null,
    nextPlan: null,
    endDate: '2026-11-30T12:00:00Z',
    planRef: { id: 2, price: 5, isActive: true },
  }
  const on = (date: string) => renewalProposal(last, new Date(date))
  expect(['2026-11-22T10:00Z', '2026-12-04T10:00Z'].map(on)).toEqual([null, null])
  const keys = ['11-23', '11-26', '11-27', '11-29', '11-30', '12-01', '12-02', '12-03'].map(
    (date) => on(`2026-${date}T10:00:00Z`)?.key,
  )
  expect(keys).toEqual([...['8 7', '8 7', '8 3', '8 3', '8 0', '8 -1', '8 -1', '8 -3']])
  // Midnight in Kinshasa, when the day changes.
  expect(on('2026-11-29T23:30:00Z')).toEqual({ key: '8 0', days: 0, isOver: false, planId: 2 })
  const over = { ...last, status: 'EXPIRED' }
  const after = (date: string) => renewalProposal(over, new Date(date))
  expect(after('2026-12-01T10:00:00Z')).toEqual({ key: '8 -1', days: -1, isOver: true, planId: 2 })
  expect(after('2026-11-30T13:00:00Z')).toMatchObject({ days: 0, isOver: true })
  // Ended by the team before its time.
  expect(after('2026-11-29T10:00:00Z')).toBeNull()
  const at = new Date('2026-11-29T10:00:00Z')
  expect(renewalProposal({ ...last, canceledAt: at.toISOString() }, at)).toBeNull()
  expect(renewalProposal({ ...last, status: 'PAUSED' }, at)).toBeNull()
  expect(renewalProposal({ ...last, planRef: null }, at)).toMatchObject({ planId: null })
})

describe('access to the data', () => {
  test.each([
    ['a new account', access(0), 14],
    ['an account of 5 days and some hours', access(5.3), 9],
    ['an account of 14 days', access(14), 0],
    ['a subscription', access(40, sub('ACTIVE', -1, 29)), 29],
    ['a trial', access(40, sub('TRIAL', -1, 3)), 3],
    ['one that is to come', access(40, sub('ACTIVE', 1, 29)), 0],
    ['one that ends now', access(40, sub('ACTIVE', -30, 0)), 0],
    ['one that is canceled', access(40, sub('CANCELED', -1, 29)), 0],
    ['one that is expired before its time', access(40, sub('EXPIRED', -1, 29)), 0],
    ['two that follow each other', access(40, sub('ACTIVE', 5, 35), sub('ACTIVE', -25, 5)), 35],
    ['two with a gap between', access(40, sub('ACTIVE', 6, 35), sub('ACTIVE', -25, 5)), 5],
    ['a trial of the account and a subscription after it', access(10, sub('ACTIVE', 4, 34)), 34],
  ])('of %s', (_, { hasAccess, remainingDays, endsAt }, days) => {
    expect({ hasAccess, remainingDays }).toEqual({ hasAccess: days > 0, remainingDays: days })
    expect(endsAt === null).toBe(days === 0)
  })
})

test('a subscriber whose subscription is paused reads that it is, and how to resume it', () => {
  const facts = { accountCreatedAt: day(-40), isEmailVerified: true, trial: 'own' as const }
  const refusal = (status: string) => accessRefusal({ ...facts, subscriptions: [sub(status, -1, 29)] }, now)
  expect([refusal('PAUSED'), refusal('EXPIRED'), refusal('ACTIVE')]).toEqual([
    expect.stringContaining('est en pause'),
    'Choisissez un plan pour consulter ces données.',
    null,
  ])
})

test('a subscriber whose period begins later reads that it has not begun', () => {
  const facts = { accountCreatedAt: day(-40), isEmailVerified: true, trial: 'own' as const }
  const refusal = (status: string) => accessRefusal({ ...facts, subscriptions: [sub(status, 3, 33)] }, now)
  expect(['ACTIVE', 'CANCELED'].map(refusal)).toEqual([
    'Votre abonnement n’a pas encore commencé.',
    'Choisissez un plan pour consulter ces données.',
  ])
})

describe('the rights without a subscription, while the address is not confirmed', () => {
  test.each([
    ['the fortnight', unconfirmed(1), { hasAccess: true, remainingDays: 13, confirmBy: day(2) }],
    ['the fortnight after three days', unconfirmed(3), { hasAccess: false, confirmBy: day(0) }],
    ['a trial', unconfirmed(1, sub('TRIAL', -1, 13)), { hasAccess: true, confirmBy: day(2) }],
    [
      'a trial after three days',
      unconfirmed(20, sub('TRIAL', -1, 3)),
      { hasAccess: false, confirmBy: day(0) },
    ],
    ['nothing any more', unconfirmed(40), { hasAccess: false, confirmBy: null }],
    [
      'what is paid',
      unconfirmed(40, sub('ACTIVE', -1, 29)),
      { hasAccess: true, confirmBy: null, remainingDays: 29 },
    ],
    ['what is paid from now on', unconfirmed(5, sub('ACTIVE', 0, 30)), { hasAccess: true, confirmBy: null }],
  ])('is %s', (_, found, expected) => {
    expect(found).toMatchObject(expected)
  })

  test.each([
    ['taken', true, false, null],
    ['taken', false, false, null],
    ['open', true, true, null],
    ['open', false, false, day(0)],
  ] as const)(
    '%s by another account, confirmed %s: opens %s',
    (trial, isEmailVerified, hasAccess, confirmBy) => {
      const facts = { accountCreatedAt: day(-1), isEmailVerified, trial, subscriptions: [] }
      expect(dataAccess(facts, now)).toMatchObject({ hasAccess, confirmBy })
    },
  )
})

describe('the notice before the end', () => {
  test('counts days of Kinshasa from the seventh on, through a year, and is silent after the end', () => {
    // The last day of the subscription is 31 January in Kinshasa.
    const ends = Date.parse('2027-01-31T22:59:59.999Z') + 1
    const counted = new Map<number | null, number>()
    for (let at = ends - 365 * dayMs; at < ends + 5 * dayMs; at += dayMs / 24) {
      const days = daysToEnd({ endsAt: new Date(ends).toISOString(), isExempt: false }, new Date(at))
      if (days !== null) counted.set(days, (counted.get(days) ?? 0) + 1)
    }
    expect([...counted]).toEqual([7, 6, 5, 4, 3, 2, 1, 0].map((days) => [days, 24]))
  })

  test('is hidden for roles with access to the data, and for users without a subscription', () => {
    const endsAt = day(1)
    expect(daysToEnd({ endsAt, isExempt: true }, now)).toBeNull()
    expect(daysToEnd({ endsAt: null, isExempt: false }, now)).toBeNull()
  })
})

describe('a period of a plan', () => {
  const ends = (start: string, period: 'MONTHLY' | 'YEARLY' = 'MONTHLY') =>
    periodEnd(new Date(start), period).toISOString()

  test('ends on the same day and hour of the next month, or on its last day when it has no such day', () => {
    expect(ends('2026-03-15T09:30:15.250Z')).toBe('2026-04-15T09:30:15.250Z')
    expect(ends('2027-01-30T09:00:00.000Z')).toBe('2027-02-28T09:00:00.000Z')
    expect(ends('2026-12-31T09:00:00.000Z')).toBe('2027-01-31T09:00:00.000Z')
  })

  test('that begins on a last day of a month ends on a last day, renewal after renewal', () => {
    const seen = ['2027-01-31T09:00:00.000Z']
    for (let n = 0; n < 4; n++) seen.push(ends(seen.at(-1)!))
    expect(seen.map((each) => each.slice(0, 10))).toEqual([
      '2027-01-31',
      '2027-02-28',
      '2027-03-31',
      '2027-04-30',
      '2027-05-31',
    ])
    expect(ends('2027-02-28T09:00:00.000Z', 'YEARLY')).toBe('2028-02-29T09:00:00.000Z')
    expect(ends('2028-02-29T09:00:00.000Z', 'YEARLY')).toBe('2029-02-28T09:00:00.000Z')
  })

  test('follows the calendar of Kinshasa, where the day begins an hour earlier', () => {
    // 31 January and 1 February in Kinshasa, half an hour after midnight.
    expect(ends('2027-01-30T23:30:00.000Z')).toBe('2027-02-27T23:30:00.000Z')
    expect(ends('2027-01-31T23:30:00.000Z')).toBe('2027-02-28T23:30:00.000Z')
  })
})
