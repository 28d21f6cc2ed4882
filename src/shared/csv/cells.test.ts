import fc from 'fast-check'
import { expect, test } from 'vitest'
import { guardText, unguardText } from '#shared/csv/cells.ts'

test.each(['=1+1', '+243', '-5', '@sum', '\tx', "'=1", '＝1+1', '＋1', '－1', '＠sum'])(
  '%j is prefixed with an apostrophe in an export',
  (text) => {
    expect(guardText(text)).toBe(`'${text}`)
  },
)

test.each(['Goma', "l'eau", "'local'", '5-10', ''])('%j is exported unchanged', (text) => {
  expect(guardText(text)).toBe(text)
})

test('any text is restored unchanged from an export', () => {
  const text = fc.string({ unit: fc.constantFrom("'", '=', '-', '@', '\t', 'a'), maxLength: 6 })
  fc.assert(
    fc.property(text, (value) => {
      expect(unguardText(guardText(value))).toBe(value)
    }),
  )
})
