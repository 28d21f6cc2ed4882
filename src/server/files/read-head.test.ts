import { expect, test } from 'vitest'
import { readHead } from '#server/files/read-head.ts'

test.each([
  ['a table once it has seen enough of it', 'Jour;Produit;Prix\n'.repeat(100_000), 3],
  ['what is no table', '\x1f\x8b and the rest of an archive', null],
])('the file of %s is let go of', async (_, text, columns) => {
  let isOpen = true
  async function* source() {
    try {
      for (let at = 0; at < text.length; at += 1000) yield Buffer.from(text.slice(at, at + 1000), 'latin1')
      yield Buffer.from('the end')
    } finally {
      isOpen = false
    }
  }
  const head = await readHead(source())
  expect({ columns: head?.titles.length ?? null, isOpen }).toEqual({ columns, isOpen: false })
})
