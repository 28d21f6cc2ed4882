import { expect, test } from 'vitest'
import { brands } from '#features/brands/brands.contract.ts'
import { readQuery, sortParameter } from '#web/list-state.ts'

test('an address is parsed as the API parses its query', () => {
  expect(readQuery(brands.query, { page: '3', search: ' simba ', sort: '-name' })).toEqual({
    page: 3,
    limit: 12,
    search: 'simba',
    sort: '-name',
  })
})

test('values that the API would refuse count as absent, and the others are used', () => {
  expect(
    readQuery(brands.query, { page: '0', limit: '9999', sort: 'colour', country: 'Inde', utm: 'x' }),
  ).toEqual({
    page: 1,
    limit: 12,
    country: 'Inde',
  })
})

test.each(['201', '1000'])('a page of %s rows, which only a key may ask for, is the usual one', (limit) => {
  expect(readQuery(brands.query, { limit, search: 'simba' })).toEqual({ page: 1, limit: 12, search: 'simba' })
  expect(readQuery(brands.query, { limit: '200' })).toMatchObject({ limit: 200 })
})

test('a column sorted in descending order has a minus', () => {
  expect(sortParameter({ key: 'name', direction: 'asc' })).toBe('name')
  expect(sortParameter({ key: 'name', direction: 'desc' })).toBe('-name')
})
