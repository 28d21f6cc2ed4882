import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '../src')

// French wants the narrow space that does not break before « ; ! ? » and inside guillemets, the wide one before « : » and « % ».
const wide = String.raw`(?:\\u00a0|&nbsp;|\u00a0)`
const narrow = String.raw`(?:\\u202f|\u202f)`
const careless = new RegExp(`${wide}[;!?»]|«${wide}|${narrow}[:%]`)

const linesOf = (pattern: string) =>
  globSync(pattern, { cwd: src }).flatMap((path) =>
    readFileSync(join(src, path), 'utf8')
      .split('\n')
      .map((line) => `${path}: ${line.trim()}`),
  )

test('what users read has the spaces of French before its marks', () => {
  expect(linesOf('**/*.{ts,tsx}').filter((line) => careless.test(line))).toEqual([])
})

test('no attribute shows the code of a space, which JSX takes letter by letter', () => {
  const isShown = /[a-z]="[^"{}]*\\u[0-9a-f]{4}/
  expect(linesOf('**/!(*.test).tsx').filter((line) => isShown.test(line))).toEqual([])
})
