import { expect, test } from 'vitest'
import { readPhone } from '#shared/phone.ts'

test('a mobile number is read in any usual spelling; another number is none', () => {
  for (const typed of ['+243 81 345 67 89', '00243813456789', '0813456789', '813 456 789']) {
    expect(readPhone(typed)).toBe('243813456789')
  }
  const begun = (digits: string) => readPhone(`0${digits}3456789`)
  expect(['80', '84', '87', '89', '90', '91', '96', '99'].map(begun)).not.toContain(undefined)
  // No operator has these prefixes: a message to them is paid for and does not arrive.
  expect(new Set(['12', '88', '92', '93', '94', '95'].map(begun))).toEqual(new Set([undefined]))
  expect(readPhone('+33 6 12 34 56 78')).toBe(undefined)
})
