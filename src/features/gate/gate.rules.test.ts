import { describe, expect, test } from 'vitest'
import { isGateExempt, isGateShut } from '#features/gate/gate.rules.ts'

describe('the gate', () => {
  test.each([
    ['/', true],
    ['/index', true],
    ['/home', true],
    ['/subscriptions', true],
    ['/subscriptions/12', true],
    ['/plans', true],
    ['/pricing', true],
    ['/payments', true],
    ['/partages', true],
    ['/homes', false],
    ['/dashboard', false],
    ['/prices', false],
    ['/profile', false],
    ['/my/plans', false],
  ])('leaves %s open: %s', (path, isExempt) => {
    expect(isGateExempt(path)).toBe(isExempt)
  })

  const without = { hasAccess: false, isExempt: false, hasSubscription: false, readsData: true }
  const later = { isFirst: false, isTrialTaken: false }
  const first = { isFirst: true, isTrialTaken: false }

  test('is shown to users whom the server would answer 402, whatever they chose before', () => {
    expect(isGateShut(without, later)).toBe(true)
    expect(isGateShut({ ...without, hasSubscription: true }, later)).toBe(true)
    expect(isGateShut(without, { isFirst: true, isTrialTaken: true })).toBe(true)
  })

  test('is shown at a first sign-in without a subscription, until the trial is accepted', () => {
    const young = { ...without, hasAccess: true }
    expect(isGateShut(young, first)).toBe(true)
    expect(isGateShut(young, { ...first, isTrialTaken: true })).toBe(false)
    expect(isGateShut({ ...young, hasSubscription: true }, first)).toBe(false)
    expect(isGateShut(young, later)).toBe(false)
  })

  test('is never shown to the staff, or to a role without access to the data', () => {
    expect(isGateShut({ ...without, isExempt: true }, first)).toBe(false)
    expect(isGateShut({ ...without, readsData: false }, first)).toBe(false)
  })
})
