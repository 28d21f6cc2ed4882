import { expect, test } from 'vitest'
import { rowAfterPut } from '#web/query.ts'

test('the response to a PUT replaces the cached row, and a mere message leaves it', () => {
  const before = { id: 1, name: 'Riz' }
  const after = { id: 1, name: 'Riz local', message: 'Mis à jour' }
  expect(rowAfterPut(before, after)).toBe(after)
  expect(rowAfterPut({ data: [1, 2], usual: [] }, { message: 'Enregistré' })).toEqual({
    data: [1, 2],
    usual: [],
  })
  expect(rowAfterPut(undefined, after)).toBeUndefined()
})
