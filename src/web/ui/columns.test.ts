import { describe, expect, test } from 'vitest'
import { type Column, choosableColumns, shownColumns, spareColumns } from './columns.ts'

const column = (key: string, more: Partial<Column<unknown>> = {}): Column<unknown> => ({
  key,
  header: key,
  cell: () => key,
  ...more,
})
const columns = [
  column('name'),
  column('price'),
  column('source', { card: 'hidden' }),
  column('brand', { isExtra: true }),
]
const keys = (...given: Parameters<typeof shownColumns>) =>
  shownColumns(...given).map(({ column, place }) => `${column.key} ${place}`)

describe('the visible columns', () => {
  test('are the usual ones, fewer on a card', () => {
    expect(keys(columns)).toEqual(['name title', 'price line', 'source line'])
    expect(keys(columns, {}, true)).toEqual(['name title', 'price line'])
  })

  test('are the chosen ones, on a table as on a card, but always include the name', () => {
    const choice = { name: false, price: false, source: true, brand: true, gone: true }
    for (const isCard of [true, false]) {
      expect(keys(columns, choice, isCard)).toEqual(['name title', 'source line', 'brand line'])
    }
  })

  test('can all be chosen except the name', () => {
    const named = (isCard: boolean) =>
      choosableColumns(columns, { price: false }, isCard).map(({ key, isShown, isUsual }) => [
        key,
        isShown,
        isUsual,
      ])
    expect(named(true)).toEqual([
      ['price', false, true],
      ['source', false, false],
      ['brand', false, false],
    ])
    expect(named(false)).toContainEqual(['source', true, true])
  })
})

test('without enough room, columns outside the card are hidden first, a figure too, then the others from the end', () => {
  const figures = [column('count', { align: 'end', card: 'hidden' }), column('amount', { align: 'end' })]
  const all = [...columns, ...figures, column('day')]
  expect(spareColumns(all)).toEqual(['count', 'source', 'day', 'brand', 'price'])
  expect(spareColumns(all, { source: true, day: true })).toEqual(['count', 'brand', 'price'])
})
