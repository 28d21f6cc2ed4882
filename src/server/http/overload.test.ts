import { expect, test } from 'vitest'
import { createAdmission } from './overload.ts'

test('signing in and the health check have their own gate, and pages have none', () => {
  const { gateOf, everyday } = createAdmission()
  const essential = gateOf('/api/health')
  expect(essential).not.toBe(everyday)
  for (const path of ['/api/auth/login', '/api/auth/me?x=1', '/auth/refresh'])
    expect(gateOf(path)).toBe(essential)
  for (const path of ['/api/prices', '/api/healthy', '/api/authors']) expect(gateOf(path)).toBe(everyday)
  for (const path of ['/', '/assets/a.js', '/prices', '/apis', '']) expect(gateOf(path)).toBeNull()
})
