// Values that no honest client sends.

import fc from 'fast-check'

/** Placeholder in JSON for a number that JavaScript cannot write. */
export const hugeNumber = '@@1e999@@'

const texts = fc.oneof(
  fc.constant('\u0000'),
  fc.constantFrom(
    '\u0000',
    'a\u0000b',
    '\ud800',
    'a\udfffb',
    '',
    ' ',
    '\u202egauche',
    '\ufeff',
    '﷽'.repeat(300),
  ),
  fc.constantFrom(
    "'; drop table price; --",
    '%',
    '_',
    '\\',
    '{}',
    '[]',
    'null',
    'a\r\nX-Evil: 1',
    '<script>',
    '{{7*7}}',
  ),
  fc.constantFrom(
    '0000-01-01',
    '9999-12-31',
    '2024-02-30',
    '+275760-09-13T00:00:00Z',
    '2024-01-01T00:00:00+23:59',
  ),
  fc.constantFrom(
    'infinity',
    '-infinity',
    'now',
    'today',
    'epoch',
    'NaN',
    '1e3',
    '0x10',
    '١٢٣',
    '1 000',
    '12,5',
    '-1',
  ),
  fc.constantFrom(
    hugeNumber,
    'x'.repeat(10_000),
    'é'.repeat(201),
    '__proto__',
    'constructor',
    '../../etc/passwd',
  ),
  fc.string({ unit: 'binary' }),
)

const numbers = fc.constantFrom(
  0,
  -1,
  0.001,
  1e-320,
  1e308,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  999_999_999_999.99,
  1e15,
  -0,
)

/** Values of any type, many of which are known to break servers. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: texts },
  { weight: 2, arbitrary: numbers },
  { weight: 1, arbitrary: fc.constantFrom(null, true, false) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 2, arbitrary: fc.oneof(texts, numbers).map((value) => [value]) },
  {
    weight: 1,
    arbitrary: fc.constantFrom([], {}, [[]], { length: 1 }, { toString: 1 }, nested(200)),
  },
)

/** A property that is not in the contract. */
export class Uninvited {
  readonly key: string
  readonly value: unknown

  constructor(key: string, value: unknown) {
    this.key = key
    this.value = value
  }
}

export const uninvited = fc
  .tuple(
    fc.constantFrom('__proto__', 'constructor', 'id', 'role', 'createdAt', 'writtenBy', 'lane', '$where', ''),
    hostile,
  )
  .map(([key, value]) => new Uninvited(key, value))

function nested(depth: number): unknown {
  let value: unknown = []
  for (let level = 0; level < depth; level++) value = [value]
  return value
}
