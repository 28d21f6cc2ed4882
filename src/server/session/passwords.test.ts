import { afterEach, expect, test, vi } from 'vitest'
import { hashPassword, isOutdated, verifyPassword } from '#server/session/passwords.ts'
import { narrowLimits } from '../../../tests/support/limits.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('a password is hashed by argon2id with today’s work, and recognised however its accents are typed', async () => {
  const stored = await hashPassword('Mbándáká été')
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(isOutdated(stored)).toBe(false)
  expect(await verifyPassword(stored, 'Mbándáká été'.normalize('NFD'))).toBe(true)
  expect(await verifyPassword(stored, 'Mbandaka ete')).toBe(false)
  expect(await verifyPassword(null, 'Mbándáká été')).toBe(false)
})

test('four hashes are computed at once; a fifth waits for one of them, two seconds at most', async () => {
  expect(await Promise.all(Array.from({ length: 5 }, () => hashPassword('riz du marché')))).toHaveLength(5)
  narrowLimits()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const four = Array.from({ length: 4 }, () => hashPassword('riz du marché'))
  const fifth = vi.fn()
  const refused = hashPassword('riz du marché').catch(fifth)
  vi.advanceTimersByTime(1_999)
  expect(fifth).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  await refused
  expect(fifth.mock.calls).toMatchObject([[{ code: 'unavailable', retryAfterS: 2 }]])
  expect(await Promise.all(four)).toHaveLength(4)
})
