// Bodies of requests: JSON and forms from a contract, invalid ones, and random bytes.

import fc from 'fast-check'
import type { z } from 'zod'
import { hostile, hugeNumber } from './hostile.ts'
import { spoilt, tinyPicture, validInput } from './inputs.ts'

export type Sent = { headers: Record<string, string>; body?: string | Uint8Array }

/** Returns the usual value `times` times as often as another. */
export const often = <T>(usual: T, times: number, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: times, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other })

export const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** Returns bodies for an operation: valid, nearly valid, and random. */
export function bodyOf(body: z.ZodType | undefined, takesForms: boolean): fc.Arbitrary<Sent> {
  if (!body && takesForms) {
    const file = { file: new Uint8Array(Buffer.from('date;price')) }
    return fc.oneof({ weight: 1, arbitrary: asForm(file) }, { weight: 1, arbitrary: anyBody })
  }
  if (!body) return often<Sent>({ headers: {} }, 4, anyBody)
  const valid = validInput(body)
  const nearly = fc.oneof({ weight: 5, arbitrary: valid }, { weight: 5, arbitrary: spoilt(valid) })
  const usual = takesForms ? fc.oneof(nearly.map(asJson), nearly.chain(asForm)) : nearly.map(asJson)
  return fc.oneof({ weight: 5, arbitrary: usual }, { weight: 2, arbitrary: anyBody })
}

const jsonType = { 'content-type': 'application/json' }

export function asJson(value: unknown): Sent {
  // JSON cannot contain files.
  const text = JSON.stringify(value, (_key, each) => (each instanceof Uint8Array ? undefined : each)) ?? ''
  return { headers: jsonType, body: text.replaceAll(`"${hugeNumber}"`, '1e999') }
}

const boundary = 'limite'
const formType = { 'content-type': `multipart/form-data; boundary=${boundary}` }

function asForm(value: unknown): fc.Arbitrary<Sent> {
  const parts = Object.entries(value ?? {}).map(([key, each]) =>
    each instanceof Uint8Array
      ? part(`name="${key}"; filename="photo.png"\r\nContent-Type: image/png`, Buffer.from(each))
      : part(`name="${key.replaceAll(/["\r\n]/g, '_')}"`, Buffer.from(textOf(each))),
  )
  const whole = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
  return often(
    whole,
    6,
    fc.nat({ max: whole.length }).map((length) => whole.subarray(0, length)),
  ).map((body) => ({
    headers: formType,
    body,
  }))
}

function part(disposition: string, content: Buffer): Buffer {
  const head = `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n')])
}

const mebibyte = 1024 * 1024
const manyParts = Buffer.concat(Array.from({ length: 40 }, (_, i) => part(`name="f${i}"`, Buffer.from('x'))))
const deep = (open: string, close: string) => (depth: number) => open.repeat(depth) + close.repeat(depth)

/** Bodies that fit no particular operation. */
export const anyBody: fc.Arbitrary<Sent> = fc.oneof(
  { weight: 6, arbitrary: fc.oneof(fc.jsonValue(), hostile).map(asJson) },
  { weight: 3, arbitrary: fc.uint8Array({ maxLength: 200 }).map((body) => ({ headers: jsonType, body })) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(
        '{',
        '{"a":',
        '[1,]',
        '',
        ' ',
        '\u0000',
        '{"a":1}{',
        '"\\ud800"',
        '{"__proto__":{"x":1}}',
        'NaN',
      )
      .map((body) => ({ headers: jsonType, body })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(deep('[', ']'), deep('{"a":', '1}')), fc.constantFrom(100, 5_000, 100_000))
      .map(([nest, depth]) => ({ headers: jsonType, body: nest(depth) })),
  },
  { weight: 1, arbitrary: fc.constant({ headers: jsonType, body: `"${'x'.repeat(mebibyte)}"` }) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          'text/plain',
          'application/xml',
          'multipart/form-data',
          'application/x-www-form-urlencoded',
        ),
        fc.string(),
      )
      .map(([type, body]) => ({ headers: { 'content-type': type }, body })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom<string | Uint8Array>(
        '',
        '--limite',
        '--limite--',
        '--limite\r\n\r\n',
        manyParts,
        part('', Buffer.from('x')),
        tinyPicture,
        part('name="__proto__"', Buffer.from('1')),
        part('name="image"; filename="\u0000.png"', Buffer.from('x')),
      )
      .map((body) => ({ headers: formType, body })),
  },
)
