import { expect, test } from 'vitest'
import { newRecoveryCodes, provisioning, readRecoveryCode, stepOf, totpOf } from '#server/session/totp.ts'

const secret = Buffer.from('12345678901234567890')

// RFC 6238, appendix B: the last six of its eight digits.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code of second %i is that of the standard', (second, code) => {
  expect(totpOf(secret, Math.floor(second / 30))).toBe(code)
})

test('a code is accepted one step early or late, once, and never after a later one', () => {
  const now = 50_000_000
  for (const step of [now - 1, now, now + 1]) expect(stepOf(secret, totpOf(secret, step), 0, now)).toBe(step)
  for (const step of [now - 2, now + 2]) expect(stepOf(secret, totpOf(secret, step), 0, now)).toBeNull()
  expect(stepOf(secret, totpOf(secret, now), now, now)).toBeNull()
  expect(stepOf(secret, totpOf(secret, now - 1), now, now)).toBeNull()
})

test('an application gets the secret in base 32', () => {
  const { secret: base32, uri } = provisioning(secret, 'a@exemple.cd')
  expect(base32).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  expect(uri).toBe(
    `otpauth://totp/Ntalo%3Aa%40exemple.cd?secret=${base32}&issuer=Ntalo&algorithm=SHA1&digits=6&period=30`,
  )
})

test('recovery codes are ten different ones, accepted however they are typed', () => {
  const codes = newRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  expect(codes[0]).toMatch(/^[a-z0-9]{5}-[a-z0-9]{5}$/)
  expect(readRecoveryCode(` ${codes[0]?.toUpperCase()} `)).toBe(codes[0]?.replace('-', ''))
})
