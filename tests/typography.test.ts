import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '../src')

// French uses a narrow no-break space before « ; ! ? » and inside guillemets, a wide one before « : » and « % ».
const wide = String.raw`(?:\\u00a0|&nbsp;|\u00a0)`
const narrow = String.raw`(?:\\u202f|\u202f)`
const careless = new RegExp(`${wide}[;!?»]|«${wide}|${narrow}[:%]`)

const linesOf = (pattern: string) =>
  globSync(pattern, { cwd: src }).flatMap((path) =>
    readFileSync(join(src, path), 'utf8')
      .split('\n')
      .map((line) => `${path}: ${line.trim()}`),
  )

test('texts for users have the French spaces before punctuation', () => {
  expect(linesOf('**/*.{ts,tsx}').filter((line) => careless.test(line))).toEqual([])
})

test('no attribute contains the escape code of a space, which JSX does not decode', () => {
  const isShown = /[a-z]="[^"{}]*\\u[0-9a-f]{4}/
  expect(linesOf('**/!(*.test).tsx').filter((line) => isShown.test(line))).toEqual([])
})
