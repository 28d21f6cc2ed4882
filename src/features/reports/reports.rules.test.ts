import { expect, test } from 'vitest'
import { BulletinBody } from '#features/reports/bulletin-body.view.tsx'
import { nextInstant, scheduleText, selectionOfSearch } from '#features/reports/reports.rules.ts'
import { repeatedKeys } from '../../../tests/support/repeated-keys.ts'

const next = (frequency: 'weekly' | 'monthly', day: number, hour: number, after: string) =>
  nextInstant({ frequency, day, hour, skipsUnchanged: false }, new Date(after)).toISOString()

test('a week begins on Monday, and its hour is that of Kinshasa, an hour ahead of UTC', () => {
  // 26 November 2026 is a Thursday.
  expect(next('weekly', 1, 7, '2026-11-26T12:00:00Z')).toBe('2026-11-30T06:00:00.000Z')
  expect(next('weekly', 7, 7, '2026-11-26T12:00:00Z')).toBe('2026-11-29T06:00:00.000Z')
  expect(next('weekly', 4, 14, '2026-11-26T12:00:00Z')).toBe('2026-11-26T13:00:00.000Z')
  expect(next('weekly', 4, 13, '2026-11-26T12:00:00Z')).toBe('2026-12-03T12:00:00.000Z')
})

test('at midnight in Kinshasa the day is already the next one', () => {
  expect(next('weekly', 1, 0, '2026-11-29T22:59:59Z')).toBe('2026-11-29T23:00:00.000Z')
  expect(next('weekly', 1, 0, '2026-11-29T23:00:00Z')).toBe('2026-12-06T23:00:00.000Z')
  expect(next('monthly', 1, 0, '2026-11-30T22:59:00Z')).toBe('2026-11-30T23:00:00.000Z')
})

test('a month has its day once, over the turn of the year and in February', () => {
  expect(next('monthly', 1, 8, '2026-12-01T07:00:00Z')).toBe('2027-01-01T07:00:00.000Z')
  expect(next('monthly', 28, 23, '2027-02-27T23:30:00Z')).toBe('2027-02-28T22:00:00.000Z')
})

test('each due instant is followed by a later one', () => {
  let at = new Date('2026-01-01T00:00:00Z')
  for (let n = 0; n < 60; n++) {
    const after = nextInstant({ frequency: 'weekly', day: 5, hour: 22, skipsUnchanged: false }, at)
    expect(after.getTime()).toBeGreaterThan(at.getTime())
    if (n > 0) expect(after.getTime() - at.getTime()).toBe(7 * 86_400_000)
    at = after
  }
})

test('a schedule is described in ordinary words', () => {
  expect(scheduleText({ frequency: 'weekly', day: 1, hour: 7, skipsUnchanged: false })).toBe(
    'chaque lundi à 7\u00a0h',
  )
  expect(scheduleText({ frequency: 'monthly', day: 1, hour: 8, skipsUnchanged: false })).toBe(
    'le 1er de chaque mois à 8\u00a0h',
  )
})

test('a block takes the prices of a saved view, without its days and its page', () => {
  expect(selectionOfSearch('productId=12&province=Nord-Kivu&startDate=2026-01-01&page=3')).toEqual({
    productId: 12,
    province: 'Nord-Kivu',
  })
  for (const search of ['', 'startDate=2026-01-01', 'productId=riz'])
    expect(selectionOfSearch(search)).toBeNull()
})

test('blank lines of a text, and rows and words that are the same, are told apart on the page of a report', () => {
  const row = ['Riz', 'Central', 'Central', '–'].map((text) => ({ text }))
  const section = { title: 'Bloc', unit: '', rowsBehind: null, rows: [] }
  const table = { columns: ['Produit', 'Marché', 'Lieu', 'Prix'], words: 3, rows: [row, row] }
  const sections = [
    { ...section, drawn: 'text' as const, definition: 'Un\n\nDeux\n\nTrois' },
    { ...section, drawn: 'table' as const, definition: '', table },
  ]
  expect(repeatedKeys(BulletinBody({ content: { title: 'Bulletin', lines: [], sections } }))).toEqual([])
})
