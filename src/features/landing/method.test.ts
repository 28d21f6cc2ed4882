import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const sources = join(import.meta.dirname, '../..')
const page = readFileSync(join(import.meta.dirname, 'method.view.tsx'), 'utf8')
const parts = [...page.matchAll(/<ProsePart id="(\w+)"/g)].map(([, id]) => id)

test('every definition linked from a screen is a section of the page, and the contents list each section once', () => {
  const wanted = globSync('**/*.tsx', { cwd: sources }).flatMap((file) =>
    [...readFileSync(join(sources, file), 'utf8').matchAll(/\/methode#(\w+)/g)].map(([, id]) => id),
  )
  expect(wanted.length).toBeGreaterThan(20)
  expect(wanted.filter((id) => !parts.includes(id))).toEqual([])
  expect([...page.matchAll(/^ {2}\['(\w+)', /gm)].map(([, id]) => id)).toEqual(parts)
})
