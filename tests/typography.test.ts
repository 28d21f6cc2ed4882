import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '../src')

// French wants the narrow space that does not break before « ; ! ? » and inside guillemets, the wide one before « : » and « % ».
const wide = String.raw`(?:\\u00a0|&nbsp;|\u00a0)`
const narrow = String.raw`(?:\\u202f|\u202f)`
const careless = new RegExp(`${wide}[;!?»]|«${wide}|${narrow}[:%]`)

test('what users read has the spaces of French before its marks', () => {
  const lines = globSync('**/*.{ts,tsx}', { cwd: src }).flatMap((path) =>
    readFileSync(join(src, path), 'utf8')
      .split('\n')
      .map((line) => `${path}: ${line.trim()}`),
  )
  expect(lines.filter((line) => careless.test(line))).toEqual([])
})
