import { expect, test } from 'vitest'
import { ApiError } from '#web/api.ts'
import { isSeenStale, rowAfterPut } from '#web/query.ts'

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

test('the screen may be out of date after a write without an answer, or about a row that is gone or has changed', () => {
  expect(isSeenStale(new ApiError(500, 'Erreur réseau'))).toBe(true)
  for (const status of [404, 409, 502, 504]) expect(isSeenStale(new ApiError(status, 'Non'))).toBe(true)
  for (const status of [400, 401, 402, 403, 413, 422, 429, 500, 503]) {
    expect(isSeenStale(new ApiError(status, 'Non'))).toBe(false)
  }
  expect(isSeenStale(new TypeError('Erreur réseau'))).toBe(false)
})
