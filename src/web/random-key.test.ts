import { afterEach, expect, test, vi } from 'vitest'
import { randomKey } from '#web/random-key.ts'

afterEach(() => vi.unstubAllGlobals())

test('a key is created without https too, as on a phone in the local network', () => {
  const getRandomValues = crypto.getRandomValues.bind(crypto)
  // The only function that browsers offer there.
  vi.stubGlobal('crypto', { getRandomValues })
  const keys = Array.from({ length: 100 }, randomKey)
  expect(new Set(keys).size).toBe(100)
  for (const key of keys) expect(key).toMatch(/^[0-9a-z]+(-[0-9a-z]+){3}$/)
})
